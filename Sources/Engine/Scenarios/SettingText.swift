import Contracts
import Timekeeping

extension Setting.Value: CustomStringConvertible {
  /// The value as a scenario writes it.
  public var description: String {
    switch self {
    case .count(let count): String(count)
    case .share(let share): percent(share)
    case .number(let number): plain(number)
    case .span(let span): span.description
    case .flag(let flag): flag ? "on" : "off"
    case .choice(let choice): choice
    }
  }
}

extension Reading {
  /// A value of a declared setting; kind, range and unit come from the declaration, the example is its default.
  func value(_ node: SourceNode, of setting: Setting) -> Setting.Value? {
    switch setting.kind {
    case .count(let range):
      let example = if case .count(let count) = setting.standard { count } else { range.lowerBound }
      return whole(node, setting.name, in: range, example: example).map { .count($0) }
    case .share(let range):
      return share(node, setting.name, in: range, example: "\(setting.standard)").map { .share($0) }
    case .number(let range):
      let example =
        if case .number(let number) = setting.standard { number } else { range.lowerBound }
      return number(node, setting.name, in: range, example: example).map { .number($0) }
    case .span(let range):
      return span(node, setting.name, in: range, example: "\(setting.standard)").map { .span($0) }
    case .flag: return flag(node, setting.name).map { .flag($0) }
    case .choice(let choices):
      return choice(node, setting.name, among: choices).map { .choice($0) }
    }
  }

  /// The settings of one section; what is not given keeps its default.
  func settings(
    _ node: SourceNode?, _ section: String, declared: [Setting], domain: String
  ) -> (settings: Settings, differing: [World.Difference]) {
    var overridden: [String: Setting.Value] = [:]
    if let node {
      let example = declared.first.map { "{\($0.name): \($0.standard)}" } ?? "{}"
      let name = "'\(section)' of \(domain)"
      let members =
        members(of: node, name, keys: declared.map(\.name), example: example) ?? [:]
      for setting in declared {
        guard let given = members[setting.name] else { continue }
        overridden[setting.name] = value(given, of: setting)
      }
      checkTies(of: declared, members, overridden)
    }
    let differing = declared.compactMap { setting -> World.Difference? in
      guard let value = overridden[setting.name], value != setting.standard else { return nil }
      return World.Difference(
        name: setting.name, value: "\(value)", standard: "\(setting.standard)")
    }
    return (Settings(declared, overridden: overridden), differing)
  }
}
