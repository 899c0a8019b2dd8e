import Contracts
import Observations
import Timekeeping
import ToyContract

/// Borrowings that are repeated, by one person: TY-09 is the workshop's part and TY-10 the app's.
enum AppChecks {
  static let all: [Check<Toy>] = [
    .history(.ty09, [.asks(Toy.borrow)], Repeats.init),
    .history(.ty10, [.asks(Toy.borrow)], Attempts.init),
  ]
}

private struct Repeats: History {
  static let scope = Scope<Toy>.person
  private var last: (asked: Borrowing, loan: Loan)?

  mutating func asked(_ exchange: ToyExchange, at moment: Moment, _ judge: inout Judge) {
    guard let asked = exchange.request.borrow else { return }
    if let last, last.asked == asked {
      guard exchange.outcome.isAnswered, exchange.outcome.refusal?.kind != .unknownToken else {
        return
      }
      judge.expect(
        exchange.outcome.reply == .lent(last.loan),
        "the repeat of \(asked.key) did not get the first answer")
    } else if let loan = exchange.outcome.reply?.lent {
      last = (asked, loan)
    } else if exchange.isUnknown {
      last = nil
    }
  }
}

private struct Attempts: History {
  static let scope = Scope<Toy>.person
  private var last: Borrowing?

  mutating func asked(_ exchange: ToyExchange, at moment: Moment, _ judge: inout Judge) {
    guard let asked = exchange.request.borrow else { return }
    if exchange.attempt > 1 {
      judge.expect(
        asked == last && exchange.attempt <= Toy.mostAttempts,
        "attempt \(exchange.attempt) for tool \(asked.tool) came with another key")
    }
    last = asked
  }
}
