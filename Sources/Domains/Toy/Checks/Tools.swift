import Contracts
import Observations
import Timekeeping
import ToyContract

/// What is known of a tool.
struct ToolFacts {
  /// The operator brought it.
  var exists = false
  /// Who has it.
  var holder = Register(nobody)
  /// The loan that was answered last.
  var loan: Int?
  /// Until when somebody may have borrowed it.
  var mayBeBorrowedUntil = Instant.distantPast
  /// When a member reserved it, or may have.
  var reservations: [(member: Int, at: Instant)] = []
  /// Who waits for it, and when each reservation was made, at the earliest and at the latest.
  var line: [(member: Int, from: Instant, to: Instant)] = []
  /// When members were told of it, and until when it is kept for them.
  var told: [(member: Int, at: Instant, until: Instant)] = []
  var kept: (member: Int, during: ClosedRange<Instant>)?

  /// For whom it was certainly kept throughout a call.
  func keeper(during call: ToyCall) -> Int? {
    guard let kept, kept.during.contains(call.sent), kept.during.contains(call.answered)
    else { return nil }
    return kept.member
  }

  func lastTold(_ member: Int) -> Instant {
    told.last { $0.member == member }?.at ?? .distantPast
  }

  /// Whether it may be kept while a call works: a member is told of it within a minute.
  func mayBeKept(for call: ToyCall) -> Bool {
    told.contains { $0.at - .minutes(1) <= call.answered && call.sent <= $0.until + .seconds(5) }
  }

  /// Whether a member may have reserved it before a call was answered, by another one: then it may be kept.
  func mayBeReserved(for call: ToyCall) -> Bool {
    reservations.contains { $0.at <= call.answered && $0.at != call.sent }
  }

  func mayBeReserved(by member: Int, in interval: ClosedRange<Instant>) -> Bool {
    reservations.contains { $0.member == member && interval.contains($0.at) }
  }
}

struct LoanName: Hashable {
  let tool: Int
  let member: Int
  let due: Instant
}

/// What is known of a loan.
struct LoanFacts {
  /// It was answered: another answer repeats it.
  var isAnswered = false
  var isBackInTime = false
  var isReminded = false
}

extension WorkshopChecks {
  /// Who had a tool throughout a call, `nobody` among them; `nil` when that is not certain.
  func holder(of asked: Asked) -> Int? { tools[asked.tool].holder.value(during: asked.during) }

  /// Whether a member certainly had a tool throughout an interval.
  func has(_ member: Int, _ tool: Int, during interval: ClosedRange<Instant>) -> Bool {
    tools[tool].holder.value(during: interval) == member
  }

  mutating func name(of loan: Loan) -> LoanName {
    LoanName(
      tool: tools.number(of: loan.tool), member: members.number(of: loan.member), due: loan.due)
  }

  mutating func learn(_ asking: Borrowing, _ asked: Asked) {
    var isRepeated = false
    if let loan = asked.lent {
      let name = name(of: loan)
      let number = loans.number(of: name)
      isRepeated = loans[number].isAnswered
      if tools[name.tool].loan != number {
        tools[name.tool].loan = number
        due.keep((number, asked.moment), until: name.due + .minutes(2))
      }
      if asked.member != nil { loans[number].isAnswered = true }
    }
    if asked.refusal == .kept {
      refusedAsKept.keep(asked, until: asked.call.answered + .minutes(1))
    }
    guard asked.call.mayHaveWorked else { return }
    if tools[asked.tool].kept?.member == asked.member { tools[asked.tool].kept = nil }
    guard let member = asked.member else { return }
    // Who may have borrowed it may wait still, in the place that they had.
    if asked.isReplied {
      tools[asked.tool].line.removeAll { $0.member == member }
    } else if let place = tools[asked.tool].line.firstIndex(where: { $0.member == member }) {
      tools[asked.tool].line[place].to = .distantFuture
    }
    tools[asked.tool].mayBeBorrowedUntil = max(
      tools[asked.tool].mayBeBorrowedUntil, asked.call.working.upperBound)
    members[member].keys.insert(asking.key)
    if !isRepeated { learnHolder(member, asked) }
  }

  mutating func learnGivenBack(_ asked: Asked) {
    guard asked.call.mayHaveWorked else { return }
    if let loan = tools[asked.tool].loan, asked.call.sent < loans.names[loan].due + .seconds(5) {
      loans[loan].isBackInTime = true
    }
    guard asked.member != nil else { return }
    learnHolder(nobody, asked)
    if asked.isReplied { expectNext(in: asked) }
  }

  private mutating func learnHolder(_ member: Int, _ asked: Asked) {
    tools[asked.tool].holder.set(member, during: asked.call.working, isCertain: asked.isReplied)
    tools[asked.tool].holder.forget(before: asked.call.sent - .minutes(5))
  }

  mutating func learnReserved(_ asked: Asked) {
    guard asked.call.mayHaveWorked, let member = asked.member else { return }
    tools[asked.tool].reservations.append((member, asked.call.sent))
    // Told before the answer came: the line has moved on.
    if tools[asked.tool].lastTold(member) >= asked.call.sent { return }
    let to = asked.isReplied ? asked.call.answered : .distantFuture
    if let place = tools[asked.tool].line.firstIndex(where: { $0.member == member }) {
      tools[asked.tool].line[place].to = min(to, tools[asked.tool].line[place].to)
    } else {
      tools[asked.tool].line.append((member, asked.call.sent, to))
    }
  }
}
