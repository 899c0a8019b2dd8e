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
    let given = try ControlParameters(
      parameters.isNull ? [:] : parameters, known: declared.parameters.map(\.name), at: name)
    if name == "inspect" {
      guard given.value("types") != nil else { return .inspect(types: nil) }
      let types = try given.texts("types")
      for type in types where RecordSchema.of(type) == nil {
        throw given.problem("types", "names no record type with '\(printable(type))'")
      }
      return .inspect(types: types)
    }
    return .control(try control(name, given))
  }

  private static func control(
    _ name: String, _ given: ControlParameters
  ) throws(ControlProblem) -> Control {
    switch name {
    case "load": return .load(try Fixture(given))
    case "loadSampleWorld": return .loadSampleWorld
    case "configure":
      var values: [String: JSON] = [:]
      for setting in settingNames {
        guard let value = given.given(setting.name) else { continue }
        guard setting.takes(value) else {
          throw given.problem(setting.name, "is \(setting.kind.wanted)")
        }
        values[setting.name] = value
      }
      return .configure(values)
    case "setRule":
      let id = LimitID(try given.text("id"))
      guard limits.contains(where: { $0.id == id }) else {
        throw ControlProblem("there is no limit '\(id)'; 'rehearse limits' lists them")
      }
      return .setRule(id, binds: try given.flag("binds"))
    case "setApiTokens":
      return .setApiTokens(
        given.value("tokens") == nil ? nil : try given.texts("tokens"))
    case "setConsent":
      return .setConsent(
        user: try given.text("user"), kind: try given.choice("kind", among: consentKinds),
        granted: try given.flag("granted"))
    case "setRiskScore":
      guard let score = given.value("score")?.double, (0...1).contains(score) else {
        throw given.problem("score", "is a number in 0...1")
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
    case "commitLog":
      return .commitLog(kept: given.value("kept") == nil ? nil : try given.flag("kept"))
    default: return .counters
    }
  }

  /// MS-118.
  public static let consentKinds = [
    "essential", "analytics", "marketing", "location", "notifications", "personalization",
  ]
}

extension ControlParameters {
  /// Fields by name: bare values or `{value, type}`.
  func fields() throws(ControlProblem) -> [String: FieldValue] {
    guard let value = value("fields") else { return [:] }
    guard let object = value.object else { throw problem("fields", "is no object") }
    var fields: [String: FieldValue] = [:]
    for (name, value) in object.members where !value.isNull {
      fields[name] =
        value["value"] == nil ? .untyped(value.description) : FieldValue(value)
    }
    return fields
  }
}
