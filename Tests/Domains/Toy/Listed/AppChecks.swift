import Contracts
import Observations
import Timekeeping
import ToyContract

/// Borrowings that are repeated, by one person: TY-09 is the workshop's part and TY-10 the app's.
enum AppChecks {
  static let all: [Check<Toy>] = [
    .history(.ty09, [.asks(Toy.borrow)], Repeats.init)
      + .each(.ty09, [.asks(Toy.borrow)], by: Roll.self) { call, roll, judge in
        guard let asked = call.request.borrow, let loan = call.outcome.reply?.lent else { return }
        judge.expect(
          loan.tool == asked.tool && loan.member == roll.caller(of: call),
          "tool \(asked.tool) was asked for, and \(loan.member) has tool \(loan.tool)")
      },
    .history(.ty10, [.asks(Toy.borrow)], Attempts.init),
  ]
}

private struct Repeats: History {
  static let scope = Scope<Toy>.person
  private var last: (asked: Borrowing, loan: Loan)?

  mutating func asked(_ call: ToyCall, at moment: Moment, _ judge: inout Judge) {
    guard let asked = call.request.borrow else { return }
    if let last, last.asked == asked {
      guard call.outcome.isAnswered, call.outcome.refusal?.kind != .unknownToken else {
        return
      }
      judge.expect(
        call.outcome.reply == .lent(last.loan),
        "the repeat of \(asked.key) did not get the first answer")
    } else if let loan = call.outcome.reply?.lent {
      last = (asked, loan)
    } else if call.isUnknown {
      last = nil
    }
  }
}

private struct Attempts: History {
  static let scope = Scope<Toy>.person
  private var last: Borrowing?

  mutating func asked(_ call: ToyCall, at moment: Moment, _ judge: inout Judge) {
    guard let asked = call.request.borrow else { return }
    if call.attempt > 1 {
      judge.expect(
        asked == last && call.attempt <= Toy.mostAttempts.value,
        "attempt \(call.attempt) for tool \(asked.tool) came with another key")
    }
    last = asked
  }
}
