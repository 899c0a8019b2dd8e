import Contracts
import Timekeeping
import ToyContract

/// The workshop as a deterministic state machine: no clock, no randomness of its own, no I/O.
public struct ToyTwin: GuardedTwin {
  public typealias Contract = Toy

  private var identifiers: RandomStream
  public private(set) var rules: Rules<Toy.Rule>
  private var deployment = Toy.Deployment()
  /// Members and tools lie by the numbers of their names.
  private var memberNumbers = Numbering<String>()
  private var members: [Member] = []
  /// Whose each token is that holds.
  private var tokens: [String: Int] = [:]
  private var toolNumbers = SmallNumbering()
  private var tools: [Tool] = []
  /// All tools as members are shown them, in the order of their names.
  private var list: [ToolState] = []
  private var alarms = Alarms<Alarm>()
  /// What the call in hand has sent so far.
  private var sent: [Addressed<Toy>] = []

  public init(identifiers: RandomStream, rules: Rules<Toy.Rule>) {
    (self.identifiers, self.rules) = (identifiers, rules)
  }

  public mutating func handle(
    _ request: Toy.Request, from caller: Caller<Toy>, at now: Instant
  ) -> Handled<Toy> {
    do throws(Toy.Refusal) {
      let reply = try answer(to: request, from: caller, at: now)
      return Handled(.now(.success(reply)), work: Work(rowsRead: 1), effects: takeEffects())
    } catch {
      return Handled(.now(.failure(error)), work: Work(rowsRead: 1), effects: takeEffects())
    }
  }

  private mutating func answer(
    to request: Toy.Request, from caller: Caller<Toy>, at now: Instant
  ) throws(Toy.Refusal) -> Toy.Reply {
    switch request {
    case .tools:
      _ = try member(behind: caller)
      return .tools(list)
    case .borrow(let asked): return try borrow(asked, as: try member(behind: caller), at: now)
    case .giveBack(let tool): return try giveBack(tool, as: try member(behind: caller), at: now)
    case .reserve(let tool): return try reserve(tool, as: try member(behind: caller))
    case .loans(let asked): return try loans(asked, for: try member(behind: caller))
    case .signIn(let asked): return try signIn(asked)
    case .addTool, .addMember, .setRule, .configure: return try obey(request, from: caller)
    case .unread(.malformed): throw Toy.Refusal(.unreadable)
    case .unread(.unrouted(let it)):
      throw Toy.Refusal(it.allowed.isEmpty ? .unknownPath : .wrongMethod, allowed: it.allowed)
    }
  }

  // MARK: The operator

  private mutating func obey(
    _ command: Toy.Request, from caller: Caller<Toy>
  ) throws(Toy.Refusal) -> Toy.Reply {
    guard case .administration = caller else { throw Toy.Refusal(.unknownPath) }
    switch command {
    case .addTool(let number): add(tool: number)
    case .addMember(let it): members[number(of: it.member)].pin = it.pin
    case .setRule(let it): rules.set(it.rule, binds: it.binds)
    case .configure(let it): it.apply(to: &deployment)
    default: break
    }
    return .done
  }

  private mutating func add(tool name: Int) {
    guard toolNumbers.number(of: name) == tools.count else { return }
    tools.append(Tool(name: name))
    list = tools.map { ToolState(tool: $0.name, isFree: $0.isFree) }.sorted { $0.tool < $1.tool }
    for (place, state) in list.enumerated() { tools[toolNumbers.known(state.tool)!].place = place }
  }

  private mutating func number(of name: String) -> Int {
    let number = memberNumbers.number(of: name)
    if number == members.count { members.append(Member(name: name)) }
    return number
  }

  // MARK: Members

  private mutating func signIn(_ asked: SignIn) throws(Toy.Refusal) -> Toy.Reply {
    let number = try require(memberNumbers.known(asked.member), or: .unknownMember)
    try require(.ty01, members[number].pin == asked.pin, or: .unknownMember)
    let token = asked.member + "~" + String(identifiers.next(), radix: 16)
    if let last = members[number].token { tokens[last] = nil }
    members[number].token = token
    tokens[token] = number
    return .signedIn(Session(member: asked.member, token: token))
  }

  /// The member whose token it is; with TY-02 off whoever the token says.
  private func member(behind caller: Caller<Toy>) throws(Toy.Refusal) -> Int {
    guard case .client(.bearer(let token)?) = caller else { throw Toy.Refusal(.unknownToken) }
    if let number = tokens[token] { return number }
    let named = token.lastIndex(of: "~").flatMap { memberNumbers.known(String(token[..<$0])) }
    try require(.ty02, false, or: .unknownToken)
    return try require(named, or: .unknownToken)
  }

  private func loans(_ asked: LoanQuery, for member: Int) throws(Toy.Refusal) -> Toy.Reply {
    try require(.ty11, asked.member == members[member].name, or: .notYours)
    let latest = asked.dueBy ?? .distantFuture
    let wanted = memberNumbers.known(asked.member)
    return .loans(
      list.compactMap { state in
        let number = toolNumbers.known(state.tool)!
        guard tools[number].borrower == wanted, let loan = tools[number].loan, loan.due <= latest
        else { return nil }
        return loan
      })
  }

  // MARK: Tools

  private mutating func borrow(
    _ asked: Borrowing, as member: Int, at now: Instant
  ) throws(Toy.Refusal) -> Toy.Reply {
    let number = try require(toolNumbers.known(asked.tool), or: .unknownTool)
    if rules.binds(.ty09), let last = members[member].last, last.key == asked.key,
      last.loan.tool == asked.tool
    {
      return .lent(last.loan)
    }
    try require(.ty03, tools[number].loan == nil, or: .lent)
    try require(.ty06, tools[number].kept.map { $0.member == member } ?? true, or: .kept)
    try require(.ty04, members[member].loans < deployment.mostTools, or: .tooMany)
    let name = members[member].name
    let loan = Loan(tool: asked.tool, member: name, due: now + .hours(Int64(asked.hours)))
    takeBack(number)
    tools[number].lend(loan, to: member)
    members[member].loans += 1
    members[member].last = (asked.key, loan)
    show(number)
    alarms.set(Alarm(tool: asked.tool, isOfKeeping: false), at: loan.due)
    return .lent(loan)
  }

  private mutating func giveBack(
    _ name: Int, as member: Int, at now: Instant
  ) throws(Toy.Refusal) -> Toy.Reply {
    let number = try require(toolNumbers.known(name), or: .unknownTool)
    try require(tools[number].loan != nil, or: .notYours)
    try require(.ty05, tools[number].borrower == member, or: .notYours)
    takeBack(number)
    keep(number, from: now)
    return .givenBack(tool: name)
  }

  private mutating func takeBack(_ number: Int) {
    guard tools[number].loan != nil else { return }
    members[tools[number].borrower].loans -= 1
    (tools[number].loan, tools[number].reminder) = (nil, nil)
  }

  private mutating func reserve(_ name: Int, as member: Int) throws(Toy.Refusal) -> Toy.Reply {
    let number = try require(toolNumbers.known(name), or: .unknownTool)
    let isLent = tools[number].loan != nil
    try require(!isLent || tools[number].borrower != member, or: .lent)
    try require(!tools[number].isFree && tools[number].kept?.member != member, or: .free)
    if !tools[number].line.contains(member) { tools[number].line.append(member) }
    let place = tools[number].line.firstIndex(of: member)! + 1
    return .reserved(Reservation(tool: name, place: place))
  }

  /// Tells the next in line that the tool is theirs for an hour, if there is one.
  private mutating func keep(_ number: Int, from instant: Instant) {
    tools[number].kept = nil
    if !tools[number].line.isEmpty {
      let next =
        rules.binds(.ty07) ? tools[number].line.removeFirst() : tools[number].line.removeLast()
      let (name, member) = (tools[number].name, members[next].name)
      let until = instant + deployment.keptFor
      tools[number].kept = (next, until)
      alarms.set(Alarm(tool: name, isOfKeeping: true), at: until)
      sent.append(Addressed(to: member, .ready(tool: name, member: member, until: until)))
    }
    show(number)
  }

  private mutating func show(_ number: Int) {
    let (place, isFree) = (tools[number].place, tools[number].isFree)
    if list[place].isFree != isFree { list[place].isFree = isFree }
  }

  // MARK: Time

  public var nextDue: Instant? { alarms.first?.at }

  public mutating func advance(to now: Instant) -> Effects<Toy> {
    while let (at, alarm) = alarms.first, at <= now {
      let number = toolNumbers.known(alarm.tool)!
      if alarm.isOfKeeping {
        // Whoever is told later, because the first did not come, is told at the instant at which it was due.
        keep(number, from: at)
      } else {
        let loan = tools[number].loan!
        tools[number].reminder = nil
        if rules.binds(.ty08) { sent.append(Addressed(to: loan.member, .due(loan))) }
      }
      forgetAlarms()
    }
    return takeEffects()
  }

  private mutating func takeEffects() -> Effects<Toy> {
    forgetAlarms()
    defer { sent = [] }
    return Effects(signals: sent)
  }

  /// What was given back in time, or borrowed while it was kept, is not due any more.
  private mutating func forgetAlarms() {
    while let (at, alarm) = alarms.first {
      let number = toolNumbers.known(alarm.tool)!
      if at == (alarm.isOfKeeping ? tools[number].kept?.until : tools[number].reminder) { return }
      alarms.removeFirst()
    }
  }
}

/// Of a loan that is due, or of a tool that was kept long enough.
private struct Alarm: Comparable, Sendable {
  let tool: Int
  let isOfKeeping: Bool

  static func < (a: Alarm, b: Alarm) -> Bool {
    a.tool != b.tool ? a.tool < b.tool : !a.isOfKeeping && b.isOfKeeping
  }
}

private struct Member {
  let name: String
  var pin = ""
  /// Of the last sign-in, which ends the one before.
  var token: String?
  var last: (key: String, loan: Loan)?
  /// How many tools they have.
  var loans = 0
}

private struct Tool {
  let name: Int
  /// In the list that members are shown.
  var place = 0
  var loan: Loan?
  /// Whose the loan is, or was.
  var borrower = -1
  /// When its borrower is to be reminded.
  var reminder: Instant?
  var kept: (member: Int, until: Instant)?
  /// Who reserved it, the first in front.
  var line: [Int] = []

  init(name: Int) { self.name = name }

  var isFree: Bool { loan == nil && kept == nil }

  mutating func lend(_ loan: Loan, to member: Int) {
    (self.loan, borrower, reminder, kept) = (loan, member, loan.due, nil)
    line.removeAll { $0 == member }
  }
}
