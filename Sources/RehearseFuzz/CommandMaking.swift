import Contracts
import Timekeeping

/// Makes control commands from what the contract declares of them.
struct CommandMaking {
  var stream: RandomStream
  let pool: Pool

  mutating func parameters(of command: ControlDeclaration) -> JSON {
    var given = JSONObject()
    for parameter in command.parameters {
      guard parameter.isRequired ? stream.chance(0.97) : stream.chance(0.4) else { continue }
      let names = [parameter.name] + parameter.aliases
      given[stream.chance(0.9) ? parameter.name : stream.pick(names)] = value(of: parameter)
    }
    return .object(given)
  }

  private mutating func value(of parameter: ControlDeclaration.Parameter) -> JSON {
    if stream.chance(0.35), let known = pool.value(named: parameter.name, &stream) { return known }
    if stream.chance(0.15) { return JSON(parsing: EdgeValues.anything(&stream)) ?? .null }
    let type = parameter.type
    if type.hasPrefix("list") {
      let members = Self.members(in: type + parameter.meaning)
      return .array((0..<stream.pick([0, 1, 1, 2, 5])).map { _ in item(with: members) })
    }
    if type.hasPrefix("{") { return item(with: Self.members(in: parameter.type)) }
    return plain(type)
  }

  /// An entity with some of the members that the declaration names.
  private mutating func item(with members: [String]) -> JSON {
    guard !members.isEmpty else { return .string(pool.text(&stream)) }
    var item = JSONObject()
    for name in members where stream.chance(0.85) {
      item[name] = pool.value(named: name, &stream) ?? plain(name)
    }
    return .object(item)
  }

  private mutating func plain(_ type: String) -> JSON {
    if type.contains("bool") || type == "true or false" { return .bool(stream.chance(0.5)) }
    if type.contains("instant") || type.hasSuffix("tijd") || type.hasSuffix("at") {
      return .string(stream.pick(EdgeValues.instants))
    }
    if type.contains("span") { return .string(stream.pick(EdgeValues.spans)) }
    if ["int", "count", "number", "0…1", "bytes"].contains(where: type.contains) {
      return JSON(parsing: stream.pick(EdgeValues.numbers)) ?? 0
    }
    let choices = type.split(separator: ",").flatMap { $0.split(separator: " ") }
      .map(String.init).filter { $0 != "or" }
    if choices.count > 1, stream.chance(0.6) { return .string(stream.pick(choices)) }
    return .string(stream.chance(0.5) ? pool.text(&stream) : EdgeValues.text(&stream))
  }

  /// The names in `{slug, name, teams}`.
  private static func members(in text: String) -> [String] {
    guard let open = text.firstIndex(of: "{"), let close = text.firstIndex(of: "}"), open < close
    else { return [] }
    return text[text.index(after: open)..<close].split(separator: ",").map {
      String($0.filter { $0 != " " })
    }
  }
}
