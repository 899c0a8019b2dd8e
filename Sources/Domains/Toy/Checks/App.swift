import Contracts
import Observations
import Timekeeping
import ToyContract

/// What is known of a person's app.
struct App {
  /// The token that it showed last.
  private var shown: (text: String, number: Int)?
  /// The borrowing that it asked for last, and the one that was granted last.
  var last: Borrowing?
  var granted: (asking: Borrowing, loan: Loan)?

  /// The number of a token, which is nearly always the one that it showed last; `nil` for one that no sign-in gave.
  mutating func number(of token: String, among tokens: Rows<String, Int>) -> Int? {
    if shown?.text != token { shown = tokens.known(token).map { (token, $0) } }
    return shown?.number
  }
}

/// Borrowings that are repeated: TY-09 is the workshop's part, TY-10 the app's.
extension WorkshopChecks {
  static let appRules: [JudgedRule<Toy>] = [
    JudgedRule(.ty09, [.asks(Toy.signIn), .asks(Toy.borrow)]),
    JudgedRule(.ty10, [.asks(Toy.borrow)], byPerson: true),
  ]

  @inline(never)
  mutating func judgeRepeat(_ asking: Borrowing, _ asked: Asked, by person: Int) {
    let (last, granted) = (apps[person].last, apps[person].granted)
    apps[person].last = asking
    if asked.call.attempt > 1 {
      expect(
        .ty10, asking == last && asked.call.attempt <= Toy.mostAttempts.value,
        "attempt \(asked.call.attempt) for tool \(asking.tool) came with another key")
    }
    let loan = asked.lent
    if let granted, granted.asking == asking {
      if asked.isAnswered && asked.refusal != .unknownToken {
        expect(
          .ty09, loan == granted.loan, "the repeat of \(asking.key) did not get the first answer")
      }
    } else if let loan {
      apps[person].granted = (asking, loan)
    } else if asked.call.mayHaveWorked {
      apps[person].granted = nil
    }
    guard let loan else { return }
    expect(
      .ty09,
      loan.tool == asking.tool && asked.member.map { members.names[$0] } == loan.member,
      "tool \(asking.tool) was asked for, and \(loan.member) has tool \(loan.tool)")
  }
}
