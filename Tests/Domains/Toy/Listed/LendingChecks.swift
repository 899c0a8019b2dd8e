import Contracts
import Observations
import Timekeeping
import ToyContract

/// Who certainly has which tool.
final class Shelf: Facts {
  typealias Contract = Toy
  typealias Known = Roll
  /// A call that was answered, once all are known that it may have overlapped.
  typealias Ripe = (call: ToyCall, moment: Moment)
  static let concerns = MemberChecks.everything
  static func moment(of ripe: Ripe) -> Moment? { ripe.moment }
  private static let nobody = ""

  var ripening = Ripening<Ripe>()

  let roll: Roll
  private var holders: [Int: Register<String>] = [:]
  private var loans: Set<Loan> = []
  /// When somebody reserved each tool, or may have.
  private var reservations: [Int: [Instant]] = [:]
  /// With which keys each member has borrowed, or may have.
  private var keys: [String: Set<String>] = [:]

  init(_ subject: Subject<Roll>) { roll = subject.known }

  func asked(_ call: ToyCall, at moment: Moment) {
    if call.outcome.isAnswered {
      ripening.keep((call, moment), until: call.answered + Toy.patience + .seconds(1))
    }
    guard let caller = roll.caller(of: call), call.mayHaveWorked else { return }
    if let tool = call.request.reserve {
      reservations[tool, default: []].append(call.sent)
    } else if let asked = call.request.borrow {
      keys[caller, default: []].insert(asked.key)
      if let loan = call.outcome.reply?.lent, !loans.insert(loan).inserted { return }
      set(asked.tool, to: caller, by: call)
    } else if let tool = call.request.giveBack {
      set(tool, to: Self.nobody, by: call)
    }
  }

  private func set(_ tool: Int, to holder: String, by call: ToyCall) {
    var register = holders[tool] ?? Register(Self.nobody)
    register.set(holder, during: call.working, isCertain: call.isReplied)
    register.forget(before: call.sent - .minutes(5))
    holders[tool] = register
  }

  /// Who had a tool throughout an interval; empty for nobody, `nil` when that is not certain.
  func holder(of tool: Int, during interval: ClosedRange<Instant>) -> String? {
    guard let register = holders[tool] else { return Self.nobody }
    return register.value(during: interval)
  }

  func count(of member: String, during interval: ClosedRange<Instant>) -> Int {
    held(by: member, during: interval).count
  }

  /// What a member certainly had throughout an interval.
  func held(by member: String, during interval: ClosedRange<Instant>) -> Set<Int> {
    Set(holders.filter { $0.value.value(during: interval) == member }.keys)
  }

  /// How many tools a member may have had in an interval.
  func mayHold(_ member: String, during interval: ClosedRange<Instant>) -> Int {
    holders.values.count(where: { $0.values(during: interval).contains(member) })
  }

  func mayBeFree(_ tool: Int, during interval: ClosedRange<Instant>) -> Bool {
    holders[tool].map { $0.values(during: interval).contains(Self.nobody) } ?? true
  }

  /// Whether somebody may have reserved a tool before a call was answered, by another one: then it may be kept.
  func mayBeKept(_ tool: Int, for call: ToyCall) -> Bool {
    reservations[tool]?.contains { $0 <= call.answered && $0 != call.sent } ?? false
  }

  /// Whether a borrowing may be the repeat of an earlier one, whose answer it gets whatever has become of the tool (TY-09).
  func mayBeRepeated(_ call: ToyCall) -> Bool {
    guard let asked = call.request.borrow, let caller = roll.caller(of: call) else { return true }
    return keys[caller]?.contains(asked.key) ?? false
  }

  /// Whether a loan was answered before: this answer repeats it.
  func isRepeated(_ loan: Loan?) -> Bool { loan.map(loans.contains) ?? false }
}

extension Call<Toy> {
  /// Whether it may have changed something: it was granted, or nobody knows.
  var mayHaveWorked: Bool { isReplied || isUnknown }

  /// When it worked, if it did; a backend that does not answer acts within a minute or not at all.
  var working: ClosedRange<Instant> { sent...(isUnknown ? answered + .minutes(1) : answered) }
}

/// Which tools are certainly kept, and for whom.
final class Keepings: Facts {
  typealias Contract = Toy
  typealias Known = Shelf
  static let concerns = MemberChecks.everything

  /// A borrowing that was refused because its tool is kept.
  typealias Ripe = (call: ToyCall, moment: Moment)
  static func moment(of ripe: Ripe) -> Moment? { ripe.moment }

  let shelf: Shelf
  private(set) var kept: [Int: (member: String, during: ClosedRange<Instant>)] = [:]
  /// When somebody was told of each tool, and until when it is kept for them.
  private var told: [Int: [(at: Instant, until: Instant)]] = [:]
  var ripening = Ripening<Ripe>()

  init(_ subject: Subject<Shelf>) { shelf = subject.known }

  func signalled(_ signal: Toy.Signal, at moment: Moment) {
    guard case .ready(let tool, let member, let until) = signal else { return }
    told[tool, default: []].append((moment.time, until))
    if moment.time < until {
      kept[tool] = (member, moment.time...until)
    }
  }

  /// Whether a tool may be kept while a call works: somebody is told of it within a minute.
  func mayBeKept(_ tool: Int, for call: ToyCall) -> Bool {
    told[tool]?.contains {
      $0.at - .minutes(1) <= call.answered && call.sent <= $0.until + .seconds(5)
    } ?? false
  }

  func asked(_ call: ToyCall, at moment: Moment) {
    if call.outcome.refusal?.kind == .kept {
      ripening.keep((call, moment), until: call.answered + .minutes(1))
    }
    guard let tool = call.request.borrow?.tool, call.mayHaveWorked,
      kept[tool]?.member == shelf.roll.caller(of: call)
    else { return }
    kept[tool] = nil
  }
}

/// Loans that are to be judged once their reminder must have come.
final class Reminders: Facts {
  typealias Contract = Toy
  static let concerns = MemberChecks.everything

  /// With when and by whom it was borrowed.
  typealias Ripe = (loan: Loan, moment: Moment)
  static func moment(of ripe: Ripe) -> Moment? { ripe.moment }
  var ripening = Ripening<Ripe>()
  /// By tool, the loan that was answered last.
  private var current: [Int: Loan] = [:]
  private var backInTime: Set<Loan> = []
  private(set) var reminded: Set<Loan> = []

  init(_ subject: Subject<Nothing<Toy>>) {}

  func asked(_ call: ToyCall, at moment: Moment) {
    if let loan = call.outcome.reply?.lent, current[loan.tool] != loan {
      current[loan.tool] = loan
      ripening.keep((loan, moment), until: loan.due + .minutes(2))
    }
    if let tool = call.request.giveBack, call.mayHaveWorked, let loan = current[tool],
      call.sent < loan.due + .seconds(5)
    {
      backInTime.insert(loan)
    }
  }

  func signalled(_ signal: Toy.Signal, at moment: Moment) {
    if case .due(let loan) = signal { reminded.insert(loan) }
  }

  func wasOut(_ loan: Loan) -> Bool { !backInTime.contains(loan) }
}

/// Borrowing, giving back and reserving: TY-03 to TY-09.
enum LendingChecks {
  static let all: [Check<Toy>] = granted + refused

  private static let granted: [Check<Toy>] = [
    .each(.ty03, [.asks(Toy.borrow)], by: Shelf.self) { call, shelf, judge in
      guard let tool = call.request.borrow?.tool,
        !shelf.isRepeated(call.outcome.reply?.lent),
        let holder = shelf.holder(of: tool, during: call.during), !holder.isEmpty
      else { return }
      if call.isReplied { judge.violated("tool \(tool) was lent while \(holder) had it") }
      if call.outcome.refusal?.kind == .lent { judge.held() }
    },
    .each(.ty04, [.asks(Toy.borrow)], by: Shelf.self) { call, shelf, judge in
      guard let caller = shelf.roll.caller(of: call), call.outcome.isAnswered,
        !shelf.isRepeated(call.outcome.reply?.lent),
        let most = shelf.roll.decided.value(\.mostTools, during: call.during),
        shelf.count(of: caller, during: call.during) >= most
      else { return }
      judge.expect(!call.isReplied, "\(caller) got more than \(most) tools")
    },
    .each(.ty05, [.asks(Toy.giveBack)], by: Shelf.self) { call, shelf, judge in
      guard let tool = call.request.giveBack, let caller = shelf.roll.caller(of: call),
        let holder = shelf.holder(of: tool, during: call.during), holder != caller
      else { return }
      if call.isReplied {
        judge.violated(
          "\(caller) gave back tool \(tool), which \(holder.isEmpty ? "nobody" : holder) has")
      }
      if call.outcome.refusal?.kind == .notYours { judge.held() }
    },
    .each(.ty06, [.asks(Toy.borrow)], by: Keepings.self) { call, keepings, judge in
      guard let tool = call.request.borrow?.tool, let kept = keepings.kept[tool],
        kept.during.contains(call.sent), kept.during.contains(call.answered),
        let caller = keepings.shelf.roll.caller(of: call), caller != kept.member
      else { return }
      if call.isReplied { judge.violated("tool \(tool) was kept for \(kept.member)") }
      if call.outcome.refusal?.kind == .kept { judge.held() }
    }
      + .each(.ty06, [.asks(Toy.tools)], by: Keepings.self) { call, keepings, judge in
        guard case .replied(.tools(let list)) = call.outcome else { return }
        let wrong = list.first { tool in
          guard let kept = keepings.kept[tool.tool]?.during else { return false }
          return tool.isFree && kept.contains(call.sent) && kept.contains(call.answered)
        }
        judge.expect(wrong == nil, "tool \(wrong?.tool ?? 0) is kept and shown as free")
      }
      + .signal(.ty06, by: Roll.self) { signal, moment, roll, judge in
        guard case .ready(let tool, _, let until) = signal,
          let span = roll.decided.value(\.keptFor, during: moment.time...moment.time)
        else { return }
        judge.expect(
          abs((until - moment.time - span).seconds) < 60, "tool \(tool) is kept until \(until)")
      },
    .history(
      .ty07, [.signals, .asks(Toy.reserve), .asks(Toy.borrow)], by: Roll.self, Lines.init)
      + .ripe(.ty07, of: Turns.self) { turn, turns, judge in
        switch turn.what {
        case .due(let from, let since):
          if turns.mayBeBorrowed(turn.tool, since: since) { return }
          if turns.isTold(of: turn.tool, since: from) { return judge.held() }
          if turns.isAwaited(turn.tool, before: from) {
            judge.violated("tool \(turn.tool) is there, and nobody who reserved it is told")
          }
        case .told(let member, let last):
          judge.expect(
            turns.mayHaveReserved(turn.tool, member, in: last...turn.moment.time),
            "\(member) was told of tool \(turn.tool) and has not reserved it")
        }
      },
    .ripe(.ty08, of: Reminders.self) { ripe, reminders, judge in
      let loan = ripe.loan
      guard reminders.wasOut(loan) else { return }
      judge.expect(
        reminders.reminded.contains(loan), "\(loan.member) still has tool \(loan.tool), unreminded")
    }
      + .signal(.ty08) { signal, moment, judge in
        guard case .due(let loan) = signal else { return }
        judge.expect(
          abs((moment.time - loan.due).seconds) < 30,
          "\(loan.member) was reminded of tool \(loan.tool) at another time than \(loan.due)")
      }
      + .each(.ty08, [.asks(Toy.borrow)], by: Shelf.self) { call, shelf, judge in
        guard let asked = call.request.borrow, let loan = call.outcome.reply?.lent,
          !shelf.mayBeRepeated(call)
        else { return }
        judge.expect(
          abs((loan.due - call.answered - .hours(Int64(asked.hours))).seconds) < 60,
          "tool \(asked.tool) was lent for \(asked.hours) h and is due at \(loan.due)")
      },
  ]

  /// Refusals need a cause, and the right code: what is known of a tool, once all is known that may have happened meanwhile, says which of
  /// them cannot be.
  private static let refused: [Check<Toy>] = [
    .answered(.ty03) { call, shelf, judge in
      guard call.isByAMember(shelf) else { return }
      if case .replied(.tools(let list)) = call.outcome {
        if !zip(list, list.dropFirst()).allSatisfy({ $0.tool < $1.tool }) {
          judge.violated("tools are not listed by their numbers")
        }
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
    .ripe(.ty06, of: Keepings.self) { ripe, keepings, judge in
      guard let tool = ripe.call.request.borrow?.tool else { return }
      judge.expect(
        keepings.mayBeKept(tool, for: ripe.call)
          && keepings.shelf.mayBeFree(tool, during: ripe.call.during),
        "tool \(tool) is said to be kept, and nobody is told of it, or somebody has it")
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
      } else if let code = call.outcome.refusal?.kind {
        judge.expect(code == .free, "tool \(tool), which nobody has, is \(code.rawValue)")
      }
    },
  ]
}

/// Who waits for which tool of a workshop.
private struct Lines: History {
  static let scope = Scope<Toy>.cell

  let roll: Roll
  /// When each reservation was made, at the earliest and at the latest.
  private var lines: [Int: [(member: String, from: Instant, to: Instant)]] = [:]
  /// By tool, when each member was told last.
  private var told: [Int: [String: Instant]] = [:]

  init(_ roll: Roll) { self.roll = roll }

  mutating func asked(_ call: ToyCall, at moment: Moment, _ judge: inout Judge) {
    guard let member = roll.caller(of: call), call.mayHaveWorked else { return }
    if let tool = call.request.borrow?.tool {
      if call.isReplied {
        lines[tool]?.removeAll { $0.member == member }
      } else if let place = lines[tool]?.firstIndex(where: { $0.member == member }) {
        lines[tool]?[place].to = .distantFuture
      }
    } else if let tool = call.request.reserve {
      // Told before the answer came: the line has moved on.
      if let at = told[tool]?[member], at >= call.sent { return }
      let place = lines[tool, default: []].firstIndex { $0.member == member }
      let to = call.isUnknown ? .distantFuture : call.answered
      if let place {
        let known = lines[tool]?[place].to ?? to
        lines[tool]?[place].to = min(to, known)
      } else {
        lines[tool, default: []].append((member, call.sent, to))
      }
    }
  }

  mutating func signalled(_ signal: Toy.Signal, at moment: Moment, _ judge: inout Judge) {
    guard case .ready(let tool, let member, _) = signal else { return }
    told[tool, default: [:]][member] = moment.time
    guard let line = lines[tool], let next = line.first(where: { $0.member == member }) else {
      return
    }
    lines[tool]?.removeAll { $0.member == member }
    guard line.count > 1 else { return }
    let passedOver = line.first { $0.to <= next.from && $0.member != member }
    judge.expect(
      passedOver == nil,
      "\(member) was told of tool \(tool) before \(passedOver?.member ?? "")")
  }
}
