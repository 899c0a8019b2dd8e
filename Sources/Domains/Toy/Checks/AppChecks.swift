import Contracts
import Observations
import Timekeeping
import ToyContract

/// What is known of one member's app.
struct App {
  /// The borrowing that was answered last with yes.
  fileprivate var granted: (asking: Borrowing, loan: Loan)?
  fileprivate var last: Borrowing?
}

/// Borrowings that are repeated, by one person: TY-09 is the workshop's part and TY-10 the app's.
extension WorkshopChecks {
  static let appRules: [JudgedRule<Toy>] = [
    JudgedRule(.ty09, [.asks(Toy.signIn), .asks(Toy.borrow)]),
    JudgedRule(.ty10, [.asks(Toy.borrow)]),
  ]

  @inline(never)
  mutating func judgeApp(
    _ asking: Borrowing, _ asked: Asked, by person: Int, _ verdicts: inout ToyVerdicts
  ) {
    while apps.count <= person { apps.append(App()) }
    let (last, granted) = (apps[person].last, apps[person].granted)
    apps[person].last = asking
    if asked.call.attempt > 1 {
      verdicts.expect(
        .ty10, asking == last && asked.call.attempt <= Toy.mostAttempts,
        "attempt \(asked.call.attempt) for tool \(asking.tool) came with another key")
    }
    if let granted, granted.asking == asking {
      guard asked.isAnswered, asked.refusal != .unknownToken else { return }
      verdicts.expect(
        .ty09, asked.call.outcome.reply == .lent(granted.loan),
        "the repeat of \(asking.key) did not get the first answer")
    } else if case .replied(.lent(let loan)) = asked.call.outcome {
      apps[person].granted = (asking, loan)
    } else if asked.isUnknown {
      apps[person].granted = nil
    }
    guard case .replied(.lent(let loan)) = asked.call.outcome else { return }
    verdicts.expect(
      .ty09,
      loan.tool == asking.tool && asked.member != nil && asked.member == roll.known(loan.member),
      "tool \(asking.tool) was asked for, and \(loan.member) has tool \(loan.tool)")
  }
}
