import Contracts
import Observations
import Timekeeping
import ToyContract

/// Refusals need a cause, and the right code: what is known of members and tools, once all is known that may have happened meanwhile, says
/// which of them cannot be.
enum RefusalChecks {
  static let all: [Check<Toy>] = [
    .answered(.ty01) { call, shelf, judge in
      guard case .signIn(let asked) = call.request else { return }
      judge.expect(
        call.outcome.refusal?.kind
          == (shelf.roll.pins[asked.member] == asked.pin ? nil : .unknownMember),
        "\(asked.member) signed in: \(call.words)")
    },
    .answered(.ty02) { call, shelf, judge in
      if case .signIn = call.request { return }
      guard let isCurrent = shelf.roll.isCurrent(call) else { return }
      judge.expect(
        (call.outcome.refusal?.kind == .unknownToken) != isCurrent,
        "a token that \(isCurrent ? "holds" : "does not hold") gave: \(call.words)")
    },
    .answered(.ty11) { call, shelf, judge in
      guard case .loans(let asked) = call.request, call.isByAMember(shelf) else { return }
      let isOwn = shelf.roll.caller(of: call) == asked.member
      judge.expect(
        call.outcome.refusal?.kind == (isOwn ? nil : .notYours),
        "the loans of \(asked.member), which are \(isOwn ? "own" : "another's"): \(call.words)")
      guard case .replied(.loans(let loans)) = call.outcome else { return }
      let missing = shelf.held(by: asked.member, during: call.during).subtracting(loans.map(\.tool))
      judge.expect(
        loans.allSatisfy { $0.member == asked.member } && (asked.dueBy != nil || missing.isEmpty),
        "the loans of \(asked.member) hold another's, or not tools \(missing.sorted())")
    },
    .answered(.ty03) { call, shelf, judge in
      guard call.isByAMember(shelf) else { return }
      if case .replied(.tools(let list)) = call.outcome {
        let wrong = list.first {
          $0.isFree && shelf.holder(of: $0.tool, during: call.during)?.isEmpty == false
        }
        return judge.expect(wrong == nil, "tool \(wrong?.tool ?? 0) is lent and shown as free")
      }
      guard let tool = call.request.borrow?.tool, call.outcome.refusal != nil,
        !shelf.mayBeRepeated(call)
      else { return }
      guard shelf.roll.tools.contains(tool) else {
        return judge.expect(
          call.outcome.refusal?.kind == .unknownTool, "there is no tool \(tool): \(call.words)")
      }
      guard let holder = shelf.holder(of: tool, during: call.during) else { return }
      judge.expect(
        (call.outcome.refusal?.kind == .lent) == !holder.isEmpty
          && call.outcome.refusal?.kind != .unknownTool,
        "tool \(tool), which \(holder.isEmpty ? "nobody" : holder) has: \(call.words)")
    },
    .answered(.ty04) { call, shelf, judge in
      guard let caller = shelf.roll.caller(of: call), call.outcome.refusal?.kind == .tooMany,
        let most = shelf.roll.decided.value(\.mostTools, during: call.during)
      else { return }
      judge.expect(
        shelf.mayHold(caller, during: call.during) >= most, "\(caller) has fewer than \(most) tools"
      )
    },
    .answered(.ty05) { call, shelf, judge in
      guard let tool = call.request.giveBack, call.isByAMember(shelf) else { return }
      guard shelf.roll.tools.contains(tool) else {
        return judge.expect(
          call.outcome.refusal?.kind == .unknownTool, "there is no tool \(tool): \(call.words)")
      }
      guard let holder = shelf.holder(of: tool, during: call.during) else { return }
      let isOwn = shelf.roll.caller(of: call) == holder
      judge.expect(
        call.outcome.refusal?.kind == (isOwn ? nil : .notYours),
        "tool \(tool), which \(holder.isEmpty ? "nobody" : holder) has, is brought: \(call.words)")
    },
    .answered(.ty07) { call, shelf, judge in
      guard let tool = call.request.reserve, call.isByAMember(shelf) else { return }
      guard shelf.roll.tools.contains(tool) else {
        return judge.expect(
          call.outcome.refusal?.kind == .unknownTool, "there is no tool \(tool): \(call.words)")
      }
      guard let holder = shelf.holder(of: tool, during: call.during) else { return }
      if !holder.isEmpty {
        let isOwn = shelf.roll.caller(of: call) == holder
        judge.expect(
          call.outcome.refusal?.kind == (isOwn ? .lent : nil),
          "tool \(tool), which \(holder) has, was reserved: \(call.words)")
      } else if !shelf.mayBeKept(tool, for: call) {
        judge.expect(
          call.outcome.refusal?.kind == .free,
          "tool \(tool) is free and was reserved: \(call.words)")
      }
    },
    .ripe(.ty06, of: Keepings.self) { ripe, keepings, judge in
      guard let tool = ripe.call.request.borrow?.tool else { return }
      judge.expect(
        keepings.mayBeKept(tool, for: ripe.call)
          && keepings.shelf.mayBeFree(tool, during: ripe.call.during),
        "tool \(tool) is said to be kept, and nobody is told of it, or somebody has it")
    },
  ]
}

extension Check<Toy> {
  /// Judges each call that was answered by what was certainly so throughout it.
  fileprivate static func answered(
    _ rule: Toy.Rule, _ body: @escaping @Sendable (ToyCall, Shelf, inout Judge) -> Void
  ) -> Check {
    .ripe(rule, of: Shelf.self) { ripe, shelf, judge in body(ripe.call, shelf, &judge) }
  }
}

extension Call<Toy> {
  /// Whether a member certainly asked.
  fileprivate func isByAMember(_ shelf: Shelf) -> Bool { shelf.roll.isCurrent(self) == true }

  fileprivate var words: String { outcome.refusal?.kind.rawValue ?? "granted" }
}
