import Contracts
import Timekeeping

/// Control commands by name with their parameters, both ways.
extension MimiSupply {
  public static func control(
    _ name: String, _ parameters: JSON
  ) throws(ControlProblem) -> Request {
    guard let declared = controls.first(where: { $0.name == name }) else {
      throw ControlProblem(
        "no control command '\(name)'; there are \(controls.map(\.name).joined(separator: ", "))")
    }
    let given = parameters.isNull ? [:] : parameters
    guard let members = given.object?.members else {
      throw ControlProblem("\(name): the parameters are no JSON object")
    }
    let known = declared.parameters.map(\.name)
    for member in members where !known.contains(member.name) {
      throw ControlProblem(
        "\(name) has no parameter '\(member.name)'; it takes \(known.isEmpty ? "none" : known.joined(separator: ", "))"
      )
    }
    if name == "inspect" { return .inspect }
    return .control(try control(name, ControlBody(name, given)))
  }

  private static func control(
    _ name: String, _ given: ControlBody
  ) throws(ControlProblem) -> Control {
    switch name {
    case "load": return .load(try Fixture(given))
    case "loadSampleWorld": return .loadSampleWorld
    case "configure":
      let members = given.body.object?.members ?? []
      for (name, value) in members {
        guard let setting = settingNames.first(where: { $0.name == name }), setting.takes(value)
        else {
          let type = settingNames.first { $0.name == name }?.type ?? "no setting"
          throw ControlProblem("configure: '\(name)' is \(type)")
        }
      }
      return .configure(Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
    case "setRule":
      let id = LimitID(try given.text("id"))
      guard limits.contains(where: { $0.id == id }) else {
        throw ControlProblem("there is no limit '\(id)'; 'rehearse limits' lists them")
      }
      return .setRule(id, binds: try given.flag("binds"))
    case "setApiTokens": return .setApiTokens(given.body["tokens"]?.strings)
    case "setConsent":
      return .setConsent(
        user: try given.text("user"), kind: try given.choice("kind", among: consentKinds),
        granted: try given.flag("granted"))
    case "setRiskScore":
      guard let score = given.body["score"]?.double, (0...1).contains(score) else {
        throw ControlProblem("setRiskScore: 'score' is a number in 0...1")
      }
      return .setRiskScore(user: try given.text("user"), score: score)
    case "setPayment":
      return .setPayment(
        order: try given.optionalText("order"), isRefused: try given.flag("refused"))
    case "delivered":
      return .delivered(
        token: try given.text("token"), notification: try given.text("notification"))
    case "injectFault": return .injectFault(try InjectedFault(given))
    case "endFaults": return .endFaults
    case "outbox": return .outbox
    case "audit": return .audit(user: try given.optionalText("user"))
    default: return .counters
    }
  }

  /// MS-118.
  public static let consentKinds = [
    "essential", "analytics", "marketing", "location", "notifications", "personalization",
  ]
}

/// The parameters of one command.
struct ControlBody {
  let command: String
  let body: JSON

  init(_ command: String, _ body: JSON) {
    self.command = command
    self.body = body
  }

  private func member(_ name: String) -> JSON? {
    guard let value = body[name], !value.isNull else { return nil }
    return value
  }

  func text(_ name: String) throws(ControlProblem) -> String {
    guard let text = try optionalText(name) else {
      throw ControlProblem("\(command) needs '\(name)', a text")
    }
    return text
  }

  func optionalText(_ name: String) throws(ControlProblem) -> String? {
    guard let value = member(name) else { return nil }
    guard let text = value.string else { throw ControlProblem("\(command): '\(name)' is a text") }
    return text
  }

  func flag(_ name: String) throws(ControlProblem) -> Bool {
    guard let flag = member(name)?.bool else {
      throw ControlProblem("\(command) needs '\(name)', true or false")
    }
    return flag
  }

  func choice(_ name: String, among choices: [String]) throws(ControlProblem) -> String {
    let text = try text(name)
    guard choices.contains(text) else {
      throw ControlProblem("\(command): '\(name)' is one of \(choices.joined(separator: ", "))")
    }
    return text
  }

  func optionalNumber(_ name: String) throws(ControlProblem) -> Int? {
    guard let value = member(name) else { return nil }
    guard let number = value.int, number >= 0 else {
      throw ControlProblem("\(command): '\(name)' is a whole number from 0")
    }
    return number
  }

  func optionalSpan(_ name: String) throws(ControlProblem) -> Span? {
    guard let value = member(name) else { return nil }
    guard let span = value.string.flatMap({ Span($0) }), span >= .zero else {
      throw ControlProblem("\(command): '\(name)' is a span such as \"30s\"")
    }
    return span
  }

  /// An instant as text, or milliseconds since 1970.
  func optionalInstant(_ name: String) throws(ControlProblem) -> Instant? {
    guard let value = member(name) else { return nil }
    if let moment = value.moment { return moment }
    guard let instant = value.string.flatMap({ Instant($0) }) else {
      throw ControlProblem(
        "\(command): '\(name)' is an instant such as \"2026-03-21T09:00:00Z\", or milliseconds since 1970"
      )
    }
    return instant
  }

  /// The objects of a list; none when it is left out.
  func list(_ name: String) throws(ControlProblem) -> [ControlBody] {
    guard let value = member(name) else { return [] }
    guard let items = value.array, items.allSatisfy({ $0.object != nil }) else {
      throw ControlProblem("\(command): '\(name)' is a list of objects")
    }
    return items.map { ControlBody("\(command): \(name)", $0) }
  }

  func refuseMembers(beside known: [String]) throws(ControlProblem) {
    for (name, _) in body.object?.members ?? [] where !known.contains(name) {
      throw ControlProblem(
        "\(command) has no '\(name)'; it takes \(known.joined(separator: ", "))")
    }
  }

  /// Fields by name: bare values or `{value, type}`.
  func fields() throws(ControlProblem) -> [String: FieldValue] {
    guard let value = member("fields") else { return [:] }
    guard let object = value.object else {
      throw ControlProblem("\(command): 'fields' is an object")
    }
    var fields: [String: FieldValue] = [:]
    for (name, value) in object.members where !value.isNull {
      fields[name] =
        value["value"] == nil ? .untyped(value.description) : FieldValue(value)
    }
    return fields
  }
}
