import Contracts
import Observations
import Timekeeping
import ToyContract

/// What is known of a workshop's tools: who certainly has which, who may wait for it, and for whom it is kept.
struct Shelf {
  /// Stands for a member where nobody has a tool.
  static let nobody = -1

  private struct Tool {
    /// The operator brought it.
    var exists = false
    var holder = Register(nobody)
    /// When somebody reserved it, or may have.
    var reservations: [(member: Int, at: Instant)] = []
    var kept: (member: Int, during: ClosedRange<Instant>)?
    /// When somebody was told of it, and until when it is kept for them.
    var told: [(at: Instant, until: Instant)] = []
    /// The loan that was answered last.
    var loan: Int?
    /// Who waits for it, with when each reservation was made, at the earliest and at the latest.
    var line: [(member: Int, from: Instant, to: Instant)] = []
    /// When each member was told of it last.
    var lastTold: [(member: Int, at: Instant)] = []
    /// Until when somebody may have borrowed it.
    var borrowed = Instant.distantPast
  }

  /// A loan by numbers.
  private struct LoanName: Hashable {
    let tool: Int
    let member: Int
    let due: Instant
  }

  /// What is known of a loan.
  struct Lent {
    let loan: Loan
    /// It was answered: another answer repeats it.
    var isAnswered = false
    var isBackInTime = false
    var isReminded = false
  }

  private var numbers = SmallNumbering()
  private var tools: ContiguousArray<Tool> = []
  private var loanNumbers = Numbering<LoanName>()
  private(set) var loans: ContiguousArray<Lent> = []
  /// With which keys each member has borrowed, or may have.
  private var keys: ContiguousArray<Set<String>> = []

  private mutating func place(of tool: Int) -> Int {
    let place = numbers.number(of: tool)
    if place == tools.count { tools.append(Tool()) }
    return place
  }

  private mutating func number(of loan: Loan, _ member: Int) -> Int {
    let name = LoanName(tool: loan.tool, member: member, due: loan.due)
    let number = loanNumbers.number(of: name)
    if number == loans.count { loans.append(Lent(loan: loan)) }
    return number
  }

  // MARK: - Asking

  func exists(_ tool: Int) -> Bool { numbers.known(tool).map { tools[$0].exists } ?? false }

  /// Who had a tool throughout an interval, `nobody` among them; `nil` when that is not certain.
  func holder(of tool: Int, during interval: ClosedRange<Instant>) -> Int? {
    guard let place = numbers.known(tool) else { return Self.nobody }
    return tools[place].holder.value(during: interval)
  }

  /// The tools that a member certainly had throughout an interval.
  func held(by member: Int?, during interval: ClosedRange<Instant>) -> [Int] {
    numbers.names.filter { holder(of: $0, during: interval) == member }
  }

  func count(of member: Int, during interval: ClosedRange<Instant>) -> Int {
    tools.reduce(0) { $0 + ($1.holder.value(during: interval) == member ? 1 : 0) }
  }

  /// How many tools a member may have had in an interval.
  func mayHold(_ member: Int, during interval: ClosedRange<Instant>) -> Int {
    tools.count { $0.holder.values(during: interval).contains(member) }
  }

  func mayBeFree(_ tool: Int, during interval: ClosedRange<Instant>) -> Bool {
    numbers.known(tool).map {
      tools[$0].holder.values(during: interval).contains(Self.nobody)
    } ?? true
  }

  /// For whom a tool was certainly kept throughout a call.
  func keeper(of tool: Int, during call: ToyCall) -> Int? {
    guard let place = numbers.known(tool), let kept = tools[place].kept,
      kept.during.contains(call.sent), kept.during.contains(call.answered)
    else { return nil }
    return kept.member
  }

  /// Whether somebody may have reserved a tool before a call was answered, by another one: then it may be kept.
  func mayBeReserved(_ tool: Int, for call: ToyCall) -> Bool {
    guard let place = numbers.known(tool) else { return false }
    return tools[place].reservations.contains {
      $0.at <= call.answered && $0.at != call.sent
    }
  }

  /// Whether a tool may be kept while a call works: somebody is told of it within a minute.
  func mayBeKept(_ tool: Int, for call: ToyCall) -> Bool {
    guard let place = numbers.known(tool) else { return false }
    return tools[place].told.contains {
      $0.at - .minutes(1) <= call.answered && call.sent <= $0.until + .seconds(5)
    }
  }

  /// Whether a borrowing may be the repeat of an earlier one, whose answer it gets whatever has become of the tool (TY-09).
  func mayBeRepeated(_ asking: Borrowing, by member: Int?) -> Bool {
    guard let member else { return true }
    return member < keys.count && keys[member].contains(asking.key)
  }

  /// Whether a loan was answered before: this answer repeats it.
  func isRepeated(_ loan: Loan, of member: Int?) -> Bool {
    guard let member,
      let number = loanNumbers.known(LoanName(tool: loan.tool, member: member, due: loan.due))
    else { return false }
    return loans[number].isAnswered
  }

  func mayBeBorrowed(_ tool: Int, since instant: Instant) -> Bool {
    numbers.known(tool).map { tools[$0].borrowed >= instant } ?? false
  }

  /// Whether somebody was told of a tool since an instant.
  func isTold(of tool: Int, since instant: Instant) -> Bool {
    numbers.known(tool).map { (tools[$0].told.last?.at ?? .distantPast) >= instant } ?? false
  }

  /// Whether somebody certainly stands in line since before an instant.
  func isAwaited(_ tool: Int, before instant: Instant) -> Bool {
    numbers.known(tool).map { tools[$0].line.contains { $0.to < instant } } ?? false
  }

  func mayHaveReserved(_ tool: Int, _ member: Int, in interval: ClosedRange<Instant>) -> Bool {
    guard let place = numbers.known(tool) else { return false }
    return tools[place].reservations.contains { $0.member == member && interval.contains($0.at) }
  }

  /// When a member was told of a tool last.
  func lastTold(_ member: Int, of tool: Int) -> Instant {
    numbers.known(tool).flatMap { tools[$0].lastTold.first { $0.member == member }?.at }
      ?? .distantPast
  }

  // MARK: - Learning

  mutating func learnTool(_ tool: Int) { tools[place(of: tool)].exists = true }

  /// - Parameter lent: The loan, and whose it is, of a borrowing that was granted.
  /// - Returns: The loan where it has to be seen whether it is reminded of.
  mutating func learnBorrowed(
    _ asking: Borrowing, _ asked: Asked, lent: (loan: Loan, member: Int)?
  ) -> Int? {
    var fresh: Int?
    var isRepeated = false
    if let lent {
      let number = number(of: lent.loan, lent.member)
      let place = place(of: lent.loan.tool)
      if tools[place].loan != number {
        tools[place].loan = number
        fresh = number
      }
      isRepeated = loans[number].isAnswered
    }
    guard asked.mayHaveWorked else { return fresh }
    let place = place(of: asking.tool)
    if tools[place].kept?.member == asked.member { tools[place].kept = nil }
    guard let caller = asked.member else { return fresh }
    tools[place].line.removeAll { $0.member == caller }
    tools[place].borrowed = max(tools[place].borrowed, asked.working.upperBound)
    while keys.count <= caller { keys.append([]) }
    keys[caller].insert(asking.key)
    if let lent { loans[number(of: lent.loan, lent.member)].isAnswered = true }
    if !isRepeated { set(asking.tool, to: caller, by: asked) }
    return fresh
  }

  mutating func learnGivenBack(_ tool: Int, _ asked: Asked) {
    guard asked.mayHaveWorked else { return }
    let place = place(of: tool)
    if let number = tools[place].loan, asked.call.sent < loans[number].loan.due + .seconds(5) {
      loans[number].isBackInTime = true
    }
    if asked.member != nil { set(tool, to: Self.nobody, by: asked) }
  }

  mutating func learnReserved(_ tool: Int, _ asked: Asked) {
    guard asked.mayHaveWorked, let member = asked.member else { return }
    let place = place(of: tool)
    tools[place].reservations.append((member, asked.call.sent))
    // Told before the answer came: the line has moved on.
    if let told = tools[place].lastTold.first(where: { $0.member == member }),
      told.at >= asked.call.sent
    {
      return
    }
    let to = asked.isReplied ? asked.call.answered : .distantFuture
    if let index = tools[place].line.firstIndex(where: { $0.member == member }) {
      tools[place].line[index].to = min(to, tools[place].line[index].to)
    } else {
      tools[place].line.append((member, asked.call.sent, to))
    }
  }

  /// A member is told of a tool.
  ///
  /// - Returns: Who certainly reserved it before that member; `nil` where nobody did, and no value where there was no line.
  mutating func learnKept(
    _ tool: Int, for member: Int, until: Instant, at now: Instant
  ) -> Int?? {
    let place = place(of: tool)
    tools[place].told.append((now, until))
    if now < until { tools[place].kept = (member, now...until) }
    if let index = tools[place].lastTold.firstIndex(where: { $0.member == member }) {
      tools[place].lastTold[index].at = now
    } else {
      tools[place].lastTold.append((member, now))
    }
    let line = tools[place].line
    guard let next = line.first(where: { $0.member == member }) else { return nil }
    tools[place].line.removeAll { $0.member == member }
    guard line.count > 1 else { return nil }
    return .some(line.first { $0.to <= next.from && $0.member != member }?.member)
  }

  mutating func learnReminded(_ loan: Loan, of member: Int) {
    loans[number(of: loan, member)].isReminded = true
  }

  private mutating func set(_ tool: Int, to holder: Int, by asked: Asked) {
    let place = place(of: tool)
    tools[place].holder.set(holder, during: asked.working, isCertain: asked.isReplied)
    tools[place].holder.forget(before: asked.call.sent - .minutes(5))
  }
}
