import Contracts

extension Kilwinning {
  /// Raw values index `operations`.
  public enum MobileOperation: Int, CaseIterable, Hashable, Sendable {
    case logIn, me, presenze, confirm
    /// Requests that no operation takes.
    case unrouted
  }

  /// A device gives up after 30 s (KW-154).
  public static let operations: [Operation] = MobileOperation.allCases.map { operation in
    switch operation {
    case .logIn: Operation("logIn", "Log in by name", source: "O3", timeout: .seconds(30))
    case .me: Operation("me", "Verify the session", source: "O4", timeout: .seconds(30))
    case .presenze:
      Operation("presenze", "Presenze of a fratello", source: "O7", timeout: .seconds(30))
    case .confirm:
      Operation("confirm", "Confirm or toggle a presenza", source: "O10", timeout: .seconds(30))
    case .unrouted: Operation("unrouted", "Unknown routes", source: "§3.3", timeout: .seconds(30))
    }
  }

  public static func operation(of request: Request) -> Int {
    switch request {
    case .logIn: MobileOperation.logIn.rawValue
    case .me: MobileOperation.me.rawValue
    case .presenze: MobileOperation.presenze.rawValue
    case .confirm: MobileOperation.confirm.rawValue
    case .malformed(let operation, _): operation.rawValue
    case .unrouted: MobileOperation.unrouted.rawValue
    }
  }
}
