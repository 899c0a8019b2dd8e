import Contracts
import Observations
import Timekeeping
import ToyContract

/// Borrowing, giving back and reserving: TY-03 to TY-08.
extension WorkshopChecks {
  static let lendingRules: [JudgedRule<Toy>] = [
    JudgedRule(.ty03, withToken.union([.controls])),
    JudgedRule(.ty04, withToken.union([.controls])),
    JudgedRule(.ty05, withToken.union([.controls])),
    JudgedRule(.ty06, withToken.union([.controls, .signals])),
    JudgedRule(.ty07, withToken.union([.controls, .signals])),
    JudgedRule(.ty08, [.signals, .asks(Toy.signIn), .asks(Toy.borrow), .asks(Toy.giveBack)]),
  ]

  // MARK: - At once

  /// What was granted must have been possible, by what was known before.
  @inline(never)
  func judgeBorrowing(_ asking: Borrowing, _ asked: Asked, _ verdicts: inout ToyVerdicts) {
    judgeKept(asking.tool, asked, &verdicts)
    if case .replied(.lent(let loan)) = asked.call.outcome,
      shelf.isRepeated(loan, of: roll.known(loan.member))
    {
      return
    }
    if let holder = shelf.holder(of: asking.tool, during: asked.during), holder != Shelf.nobody {
      if asked.isReplied {
        verdicts.violated(.ty03, "tool \(asking.tool) was lent while \(name(holder)) had it")
      }
      if asked.refusal == .lent { verdicts.held(.ty03) }
    }
    if case .replied(.lent(let loan)) = asked.call.outcome {
      judgeDue(loan, asking, asked, &verdicts)
    }
    guard let member = asked.member, asked.isAnswered, let most = mostTools(during: asked),
      shelf.count(of: member, during: asked.during) >= most
    else { return }
    verdicts.expect(.ty04, !asked.isReplied, "\(name(member)) got more than \(most) tools")
  }

  private func judgeDue(
    _ loan: Loan, _ asking: Borrowing, _ asked: Asked, _ verdicts: inout ToyVerdicts
  ) {
    if shelf.mayBeRepeated(asking, by: asked.member) { return }
    verdicts.expect(
      .ty08, abs((loan.due - asked.call.answered - .hours(Int64(asking.hours))).seconds) < 60,
      "tool \(asking.tool) was lent for \(asking.hours) h and is due at \(loan.due)")
  }

  /// A tool that is kept is not free.
  func judgeShown(_ asked: Asked, _ verdicts: inout ToyVerdicts) {
    guard case .replied(.tools(let list)) = asked.call.outcome else { return }
    let wrong = list.first { $0.isFree && shelf.keeper(of: $0.tool, during: asked.call) != nil }
    verdicts.expect(.ty06, wrong == nil, "tool \(wrong?.tool ?? 0) is kept and shown as free")
  }

  private func judgeKept(_ tool: Int, _ asked: Asked, _ verdicts: inout ToyVerdicts) {
    guard let keeper = shelf.keeper(of: tool, during: asked.call), let member = asked.member,
      member != keeper
    else { return }
    if asked.isReplied { verdicts.violated(.ty06, "tool \(tool) was kept for \(name(keeper))") }
    if asked.refusal == .kept { verdicts.held(.ty06) }
  }

  @inline(never)
  func judgeGivingBack(_ tool: Int, _ asked: Asked, _ verdicts: inout ToyVerdicts) {
    guard let member = asked.member,
      let holder = shelf.holder(of: tool, during: asked.during), holder != member
    else { return }
    if asked.isReplied {
      verdicts.violated(.ty05, "\(name(member)) gave back tool \(tool) of '\(name(holder))'")
    }
    if asked.refusal == .notYours { verdicts.held(.ty05) }
  }

  func judgeKeeping(of tool: Int, until: Instant, _ verdicts: inout ToyVerdicts) {
    let now = verdicts.moment.time
    guard let span = roll.decided.value(during: now...now, { $0.keptFor }) else { return }
    verdicts.expect(
      .ty06, abs((until - now - span).seconds) < 60, "tool \(tool) is kept until \(until)")
  }

  func judgeLine(
    of tool: Int, told member: String, before passedOver: Int?, _ verdicts: inout ToyVerdicts
  ) {
    verdicts.expect(
      .ty07, passedOver == nil,
      "\(member) was told of tool \(tool) before \(passedOver.map(name) ?? "")")
  }

  // MARK: - Once all is known that may have happened meanwhile

  /// Refusals need a cause, and the right code: what is known of a tool says which of them cannot be.
  mutating func judgeAnswered(_ verdicts: inout ToyVerdicts) {
    let now = verdicts.moment
    while let asked = answered.next(at: now.time) {
      verdicts.moment = asked.moment
      judgeAnswered(asked, &verdicts)
    }
    verdicts.moment = now
  }

  @inline(never)
  private func judgeAnswered(_ asked: Asked, _ verdicts: inout ToyVerdicts) {
    let isCurrent = roll.isCurrent(asked)
    if let isCurrent { judgeToken(asked, isCurrent: isCurrent, &verdicts) }
    if asked.refusal == .tooMany { judgeTooMany(asked, &verdicts) }
    guard isCurrent == true else { return }
    switch asked.call.request {
    case .tools: judgeList(asked, &verdicts)
    case .borrow(let asking): judgeRefusedBorrowing(asking, asked, &verdicts)
    case .giveBack(let tool): judgeBroughtTool(tool, asked, &verdicts)
    case .reserve(let tool): judgeReservation(tool, asked, &verdicts)
    case .loans(let asking): judgeLoans(asking, asked, &verdicts)
    default: break
    }
  }

  private func judgeTooMany(_ asked: Asked, _ verdicts: inout ToyVerdicts) {
    guard let member = asked.member, let most = mostTools(during: asked) else { return }
    verdicts.expect(
      .ty04, shelf.mayHold(member, during: asked.during) >= most,
      "\(name(member)) has fewer than \(most) tools")
  }

  private func judgeList(_ asked: Asked, _ verdicts: inout ToyVerdicts) {
    guard case .replied(.tools(let list)) = asked.call.outcome else { return }
    if !zip(list, list.dropFirst()).allSatisfy({ $0.tool < $1.tool }) {
      verdicts.violated(.ty03, "tools are not listed by their numbers")
    }
    let wrong = list.first {
      guard $0.isFree, let holder = shelf.holder(of: $0.tool, during: asked.during) else {
        return false
      }
      return holder != Shelf.nobody
    }
    verdicts.expect(.ty03, wrong == nil, "tool \(wrong?.tool ?? 0) is lent and shown as free")
  }

  private func judgeRefusedBorrowing(
    _ asking: Borrowing, _ asked: Asked, _ verdicts: inout ToyVerdicts
  ) {
    guard let refusal = asked.refusal, !shelf.mayBeRepeated(asking, by: asked.member) else {
      return
    }
    guard shelf.exists(asking.tool) else {
      return expectUnknown(.ty03, asking.tool, asked, &verdicts)
    }
    guard let holder = shelf.holder(of: asking.tool, during: asked.during) else { return }
    verdicts.expect(
      .ty03, (refusal == .lent) == (holder != Shelf.nobody) && refusal != .unknownTool,
      "tool \(asking.tool), which \(words(holder)) has: \(asked.words)")
  }

  private func judgeBroughtTool(_ tool: Int, _ asked: Asked, _ verdicts: inout ToyVerdicts) {
    guard shelf.exists(tool) else { return expectUnknown(.ty05, tool, asked, &verdicts) }
    guard let holder = shelf.holder(of: tool, during: asked.during) else { return }
    verdicts.expect(
      .ty05, asked.refusal == (asked.member == holder ? nil : .notYours),
      "tool \(tool), which \(words(holder)) has, is brought: \(asked.words)")
  }

  private func judgeReservation(_ tool: Int, _ asked: Asked, _ verdicts: inout ToyVerdicts) {
    guard shelf.exists(tool) else { return expectUnknown(.ty07, tool, asked, &verdicts) }
    guard let holder = shelf.holder(of: tool, during: asked.during) else { return }
    if holder != Shelf.nobody {
      verdicts.expect(
        .ty07, asked.refusal == (asked.member == holder ? .lent : nil),
        "tool \(tool), which \(name(holder)) has, was reserved: \(asked.words)")
    } else if !shelf.mayBeReserved(tool, for: asked.call) {
      verdicts.expect(
        .ty07, asked.refusal == .free, "tool \(tool) is free and was reserved: \(asked.words)")
    } else if let refusal = asked.refusal {
      verdicts.expect(
        .ty07, refusal == .free, "tool \(tool), which nobody has, is \(refusal.rawValue)")
    }
  }

  private func expectUnknown(
    _ rule: Toy.Rule, _ tool: Int, _ asked: Asked, _ verdicts: inout ToyVerdicts
  ) {
    verdicts.expect(
      rule, asked.refusal == .unknownTool, "there is no tool \(tool): \(asked.words)")
  }

  /// Of a tool that is said to be kept somebody is told within a minute.
  mutating func judgeKeptRefusals(_ verdicts: inout ToyVerdicts) {
    let now = verdicts.moment
    while let asked = keptRefusals.next(at: now.time) {
      guard case .borrow(let asking) = asked.call.request else { continue }
      verdicts.moment = asked.moment
      verdicts.expect(
        .ty06,
        shelf.mayBeKept(asking.tool, for: asked.call)
          && shelf.mayBeFree(asking.tool, during: asked.during),
        "tool \(asking.tool) is said to be kept, and nobody is told of it, or somebody has it")
    }
    verdicts.moment = now
  }

  /// A loan whose reminder must have come.
  mutating func judgeReminders(_ verdicts: inout ToyVerdicts) {
    while let number = reminders.next(at: verdicts.moment.time) {
      let lent = shelf.loans[number]
      guard !lent.isBackInTime else { continue }
      verdicts.expect(
        .ty08, lent.isReminded,
        "\(lent.loan.member) still has tool \(lent.loan.tool), unreminded")
    }
  }

  /// A reminder comes when the loan is due.
  func judgeReminder(of loan: Loan, _ verdicts: inout ToyVerdicts) {
    verdicts.expect(
      .ty08, abs((verdicts.moment.time - loan.due).seconds) < 30,
      "\(loan.member) was reminded of tool \(loan.tool) at another time than \(loan.due)")
  }

  /// Who was to be told of a tool that is there, and who was told of one.
  mutating func judgeTurns(_ verdicts: inout ToyVerdicts) {
    let now = verdicts.moment
    while let turn = turns.next(at: now.time) {
      verdicts.moment = turn.moment
      let tool = turn.tool
      switch turn.what {
      case .due(let from, let since):
        if shelf.mayBeBorrowed(tool, since: since) { continue }
        if shelf.isTold(of: tool, since: from) {
          verdicts.held(.ty07)
        } else if shelf.isAwaited(tool, before: from) {
          verdicts.violated(.ty07, "tool \(tool) is there, and nobody who reserved it is told")
        }
      case .told(let member, let last):
        verdicts.expect(
          .ty07, shelf.mayHaveReserved(tool, member, in: last...turn.moment.time),
          "\(name(member)) was told of tool \(tool) and has not reserved it")
      }
    }
    verdicts.moment = now
  }

  // MARK: - Words and values in force

  private func mostTools(during asked: Asked) -> Int? {
    roll.decided.value(during: asked.during) { $0.mostTools }
  }

  private func name(_ member: Int) -> String { member == Shelf.nobody ? "" : roll.name(member) }

  private func words(_ holder: Int) -> String {
    holder == Shelf.nobody ? "nobody" : roll.name(holder)
  }
}
