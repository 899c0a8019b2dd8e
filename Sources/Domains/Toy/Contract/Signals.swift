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
  ) -> JSON {
    var shown = show(signal).object ?? JSONObject()
    if case .due(let loan) = signal { shown["until"] = .string(loan.due.description) }
    return .object(shown)
  }

  public static func heard(_ document: JSON, by tokens: any TokenCodec) -> Addressed<Toy>? {
    guard let member = document["member"]?.string,
      let until = document["until"]?.string.flatMap({ Instant($0) })
    else { return nil }
    if let tool = document["ready"]?.int {
      return Addressed(to: member, .ready(tool: tool, member: member, until: until))
    }
    return document["due"]?.int.map {
      Addressed(to: member, .due(Loan(tool: $0, member: member, due: until)))
    }
  }

  /// Devices write nothing down here.
  public static func show(_ note: Never) -> JSON {}
}
