import Contracts
import Observations
import Timekeeping
import ToyContract

/// Borrowing and giving back: TY-03, TY-04, TY-05 and TY-08.
extension WorkshopChecks {
  static let lendingRules: [JudgedRule<Toy>] = [
    JudgedRule(.ty03, withToken.union([.controls])),
    JudgedRule(.ty04, withToken.union([.controls])),
    JudgedRule(.ty05, withToken.union([.controls])),
    JudgedRule(
      .ty08, [.signals, .asks(Toy.signIn), .asks(Toy.borrow), .asks(Toy.giveBack)]),
  ]

  // MARK: - At once, by what was known before

  @inline(never)
  func judgeBorrowing(_ asking: Borrowing, _ asked: Asked) {
    judgeKept(asking, asked)
    if let loan = asked.lent {
      if !mayBeRepeated(asking, asked) {
        let due = asked.call.answered + .hours(Int64(asking.hours))
        expect(
          .ty08, abs((loan.due - due).seconds) < 60,
          "tool \(asking.tool) was lent for \(asking.hours) h and is due at \(loan.due)")
      }
      if isRepeated(loan) { return }
    }
    if let holder = holder(of: asked), holder != nobody {
      if asked.isReplied {
        violated(.ty03, "tool \(asking.tool) was lent while \(name(holder)) had it")
      }
      if asked.refusal == .lent { held(.ty03) }
    }
    guard let member = asked.member, asked.isAnswered, let most = mostTools(during: asked),
      tools.indices.count(where: { has(member, $0, during: asked.during) }) >= most
    else { return }
    expect(.ty04, !asked.isReplied, "\(name(member)) got more than \(most) tools")
  }

  @inline(never)
  func judgeGivingBack(_ asked: Asked) {
    guard let member = asked.member, let holder = holder(of: asked), holder != member
    else { return }
    if asked.isReplied {
      violated(
        .ty05,
        "\(name(member)) gave back tool \(tools.names[asked.tool]), which \(name(holder)) has")
    }
    if asked.refusal == .notYours { held(.ty05) }
  }

  func judgeReminder(of loan: Loan) {
    expect(
      .ty08, abs((verdicts.moment.time - loan.due).seconds) < 30,
      "\(loan.member) was reminded of tool \(loan.tool) at another time than \(loan.due)")
  }

  // MARK: - Once all is known that may have happened meanwhile: refusals need a cause, and the right code

  func judgeTooMany(_ asked: Asked) {
    guard let member = asked.member, let most = mostTools(during: asked) else { return }
    expect(
      .ty04,
      tools.indices.count {
        tools[$0].holder.values(during: asked.during).contains(member)
      } >= most,
      "\(name(member)) has fewer than \(most) tools")
  }

  func judgeList(_ asked: Asked) {
    guard case .replied(.tools(let list)) = asked.call.outcome else { return }
    if !zip(list, list.dropFirst()).allSatisfy({ $0.tool < $1.tool }) {
      violated(.ty03, "tools are not listed by their numbers")
    }
    let wrong = list.first {
      guard $0.isFree, let tool = tools.known($0.tool),
        let holder = tools[tool].holder.value(during: asked.during)
      else { return false }
      return holder != nobody
    }
    expect(.ty03, wrong == nil, "tool \(wrong?.tool ?? 0) is lent and shown as free")
  }

  func judgeRefusedBorrowing(_ asking: Borrowing, _ asked: Asked) {
    guard let refusal = asked.refusal, !mayBeRepeated(asking, asked) else { return }
    guard tools[asked.tool].exists else { return expectUnknown(.ty03, asking.tool, asked) }
    guard let holder = holder(of: asked) else { return }
    expect(
      .ty03, (refusal == .lent) == (holder != nobody) && refusal != .unknownTool,
      "tool \(asking.tool), which \(name(holder)) has: \(asked.words)")
  }

  func judgeBroughtTool(_ tool: Int, _ asked: Asked) {
    guard tools[asked.tool].exists else { return expectUnknown(.ty05, tool, asked) }
    guard let holder = holder(of: asked) else { return }
    expect(
      .ty05, asked.refusal == (asked.member == holder ? nil : .notYours),
      "tool \(tool), which \(name(holder)) has, is brought: \(asked.words)")
  }

  func expectUnknown(_ rule: Toy.Rule, _ tool: Int, _ asked: Asked) {
    expect(rule, asked.refusal == .unknownTool, "there is no tool \(tool): \(asked.words)")
  }

  func judgeReminded(_ loan: Int, at moment: Moment) {
    if loans[loan].isBackInTime { return }
    verdicts.moment = moment
    let (tool, member) = (loans.names[loan].tool, loans.names[loan].member)
    expect(
      .ty08, loans[loan].isReminded,
      "\(name(member)) still has tool \(tools.names[tool]), unreminded")
  }

  // MARK: - By what

  private func mostTools(during asked: Asked) -> Int? {
    decided.value(during: asked.during) { $0.mostTools }
  }

  /// Whether a borrowing may be the repeat of an earlier one, whose answer it gets whatever has become of the tool (TY-09).
  private func mayBeRepeated(_ asking: Borrowing, _ asked: Asked) -> Bool {
    asked.member.map { members[$0].keys.contains(asking.key) } ?? true
  }

  /// Whether a loan was answered before.
  private func isRepeated(_ loan: Loan) -> Bool {
    guard let tool = tools.known(loan.tool), let member = members.known(loan.member),
      let number = loans.known(LoanName(tool: tool, member: member, due: loan.due))
    else { return false }
    return loans[number].isAnswered
  }
}
