import Contracts

extension AsiaTravelPlan {
  /// Raw values index `operations`.
  public enum MobileOperation: Int, CaseIterable, Hashable, Sendable {
    case authorize, logIn, token, keySet, endSession, confirmEndSession
    case booking, activities, invoices
    /// Requests that no operation takes.
    case unrouted
    case control
  }

  public static let operations: [Operation] = MobileOperation.allCases.map { operation in
    switch operation {
    case .authorize: Operation("authorize", "Begin a login", source: "7.2")
    case .logIn: Operation("logIn", "Send user name and password", source: "7.2")
    case .token: Operation("token", "Exchange a code, refresh a session", source: "7.3")
    case .keySet: Operation("keySet", "Published keys", source: "7.1")
    case .endSession: Operation("endSession", "End the provider's session", source: "7.5")
    case .confirmEndSession:
      Operation("confirmEndSession", "Confirm the end of the session", source: "7.5")
    case .booking: Operation("booking", "One booking", source: "OP-03")
    case .activities: Operation("activities", "Timeline of a booking", source: "OP-06")
    case .invoices: Operation("invoices", "Invoices of a booking", source: "OP-08")
    case .unrouted: Operation("unrouted", "Unknown routes", source: "§3.3")
    case .control: Operation("control", "Operator's commands", kind: .control, source: "7.6")
    }
  }

  public static func operation(of request: Request) -> Int {
    let operation: MobileOperation =
      switch request {
      case .authorize: .authorize
      case .logIn: .logIn
      case .token: .token
      case .keySet: .keySet
      case .endSession: .endSession
      case .confirmEndSession: .confirmEndSession
      case .booking: .booking
      case .activities: .activities
      case .invoices: .invoices
      case .unrouted: .unrouted
      case .keySetArrived, .control: .control
      }
    return operation.rawValue
  }
}
