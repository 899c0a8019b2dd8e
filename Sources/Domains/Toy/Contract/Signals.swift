import Contracts
import Timekeeping

extension Toy {
  /// What a member is told unasked.
  public enum Signal: Hashable, Sendable {
    /// A reserved tool is back, and kept for a while (TY-06, TY-07).
    case ready(tool: Int, member: String, until: Instant)
    /// A loan is due (TY-08).
    case due(Loan)
  }

  public static func show(_ signal: Signal) -> JSON {
    switch signal {
    case .ready(let tool, let member, let until):
      [
        "ready": .number(tool), "member": .string(member), "until": .string(until.description),
      ]
    case .due(let loan):
      ["due": .number(loan.tool), "member": .string(loan.member)]
    }
  }

  public static func show(
    _ signal: Signal, to address: String, tokens: any TokenCodec
  ) -> JSON { show(signal) }

  /// Devices write nothing down here.
  public static func show(_ note: Never) -> JSON {}
}
