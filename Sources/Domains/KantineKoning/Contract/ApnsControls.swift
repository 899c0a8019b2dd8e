import Contracts

/// Reports of Apple's side of the world as control commands: `replay` and a served twin take them so.
extension ApnsReport {
  var name: String {
    switch self {
    case .issued: "issueApnsToken"
    case .appDeleted: "deleteApp"
    case .feedback: "apnsFeedback"
    }
  }

  func parameters(_ spelling: WireSpelling) -> JSON {
    switch self {
    case .issued(let token, let environment):
      [
        "apns_device_token": .string(spelling.secret(token)),
        "apns_env": .string(environment.rawValue),
      ]
    case .appDeleted(let token): ["apns_device_token": .string(spelling.secret(token))]
    case .feedback(let delivery, let result):
      ["delivery": .number(delivery), "result": .string(result.rawValue)]
    }
  }

  /// `nil` for the name of another command.
  init?(named name: String, _ given: ControlParameters) throws(ControlProblem) {
    switch name {
    case "issueApnsToken":
      guard let environment = ApnsEnvironment(rawValue: try given.text("apns_env")) else {
        throw given.problem("apns_env", "is sandbox or production")
      }
      self = .issued(token: try given.text("apns_device_token"), environment)
    case "deleteApp": self = .appDeleted(token: try given.text("apns_device_token"))
    case "apnsFeedback":
      guard let delivery = try given.optionalNumber("delivery") else {
        throw given.problem("delivery", "is missing")
      }
      guard let result = PushDelivery.Result(rawValue: try given.text("result")), result.wasSent
      else {
        throw given.problem("result", "is delivered, bad_device_token, unregistered or timeout")
      }
      self = .feedback(delivery: delivery, result)
    default: return nil
    }
  }
}
