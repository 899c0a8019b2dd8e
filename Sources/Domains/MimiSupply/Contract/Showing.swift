import Contracts

extension MimiSupply {
  public static let controls: [ControlDeclaration] = [
    ControlDeclaration(
      "delivered", "The environment brought a notification to its device.",
      [
        .init("token", "text", "the device's push token"),
        .init("notification", "text", "the notification's nid"),
      ])
  ]

  public static func control(
    _ name: String, _ parameters: JSON
  ) throws(ControlProblem) -> Request {
    guard name == "delivered" else { throw ControlProblem("\(domain) has no command '\(name)'") }
    guard let token = parameters["token"]?.string,
      let notification = parameters["notification"]?.string
    else { throw ControlProblem("delivered: 'token' and 'notification' are texts") }
    return .delivered(token: token, notification: notification)
  }

  public static func show(_ signal: Signal) -> JSON {
    switch signal {
    case .notification(let notification): ["notification": notification.document]
    }
  }

  /// Push tokens are left out.
  public static func show(_ request: Request) -> JSON {
    switch request {
    case .modify(let location, let asked):
      [
        "database": .optional(location.database),
        "operations": .array(
          asked.items.map {
            ["operationType": .string($0.kind.rawValue), "record": $0.record.document]
          }), "atomic": .bool(asked.atomic ?? true),
      ]
    case .createToken(_, let environment): ["apnsEnvironment": .string(environment)]
    case .poll(let poll): ["timeout": poll.timeoutSeconds.map(JSON.number) ?? .null]
    case .malformed(let operation, _, let problem):
      ["malformed": .string("\(operation): \(problem.rawValue)")]
    case .unrouted(let method, let target): ["unrouted": .string("\(method) \(target)")]
    case .delivered(_, let notification): ["notification": .string(notification)]
    }
  }

  public static func show(_ reply: Reply) -> JSON {
    switch reply {
    case .modified(let items, _): ["records": .array(items.map(\.document))]
    case .tokenCreated(let token, _):
      ["apnsEnvironment": .string(token.apnsEnvironment), "apnsToken": "…"]
    case .notifications(let notifications, _): .array(notifications.map(\.document))
    case .done: [:]
    }
  }
}
