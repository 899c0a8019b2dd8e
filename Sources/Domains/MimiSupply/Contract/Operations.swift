import Contracts
import Timekeeping

extension MimiSupply {
  /// Raw values index `operations`.
  public enum MobileOperation: Int, CaseIterable, Hashable, Sendable {
    case modify, createToken, poll
    /// Requests that no operation takes.
    case unrouted
    case control
  }

  /// Clients poll for at most this long, so that their own time-out is never the first.
  public static let longestPollSeconds = 60

  public static let operations: [Operation] = MobileOperation.allCases.map { operation in
    switch operation {
    case .modify: Operation("modify", "Write a batch of records", source: "§3.2 records/modify")
    case .createToken:
      Operation("createToken", "Create a push token", source: "§3.2 tokens/create")
    case .poll:
      Operation(
        "poll", "Wait for notifications", source: "§3.5",
        timeout: .seconds(Int64(longestPollSeconds) + 15))
    case .unrouted: Operation("unrouted", "Unknown routes", source: "§3.1")
    case .control: Operation("control", "Operator and environment", kind: .control, source: "§11")
    }
  }

  public static func operation(of request: Request) -> Int {
    let operation: MobileOperation =
      switch request {
      case .modify: .modify
      case .createToken: .createToken
      case .poll: .poll
      case .malformed(let operation, _, _): operation
      case .unrouted: .unrouted
      case .delivered: .control
      }
    return operation.rawValue
  }
}
