import Contracts
import Timekeeping
import ToyContract

/// The workshop as a deterministic state machine: no clock, no randomness of its own, no I/O.
public struct ToyTwin: GuardedTwin {
  public typealias Contract = Toy
  public static let enforced = RulesOfFile<Toy.Rule>(
    .ty01, .ty02, .ty03, .ty04, .ty05, .ty06, .ty07, .ty08, .ty09, .ty11)

  private var identifiers: RandomStream
  public private(set) var rules: Rules<Toy.Rule>
  private var deployment = Toy.Deployment()
  private var members = Rows<String, Member> { Member() }
  /// Whose each token is that holds.
  private var tokens: [String: Int] = [:]
  private var tools = Rows<Int, Tool> { Tool() }
  /// The tools as members are shown them: in the order of their names.
  private var list: [Int] = []
  /// By tool, when its loan is due or it has been kept long enough.
  private var alarms = Alarms()
  /// What is to be sent with the answer at hand.
  private var signals: [Addressed<Toy>] = []

  public init(identifiers: RandomStream, rules: Rules<Toy.Rule>) {
    (self.identifiers, self.rules) = (identifiers, rules)
  }

  public mutating func handle(
    _ request: Toy.Request, from caller: Caller<Toy>, at now: Instant
  ) -> Handled<Toy> {
    let result = Result { () throws(Toy.Refusal) in
      try answer(to: request, from: caller, at: now)
    }
    return Handled(.now(result), work: Work(rowsRead: 1), effects: takeEffects())
  }

  private mutating func answer(
    to request: Toy.Request, from caller: Caller<Toy>, at now: Instant
  ) throws(Toy.Refusal) -> Toy.Reply {
    switch request {
    case .signIn(let it): return try signIn(it)
    case .tools:
      _ = try member(behind: caller)
      return .tools(list.map { ToolState(tool: tools.names[$0], isFree: tools[$0].isFree) })
    case .borrow(let it): return try borrow(it, as: member(behind: caller), at: now)
    case .giveBack(let it): return try giveBack(it, as: member(behind: caller), at: now)
    case .reserve(let it): return try reserve(it, as: member(behind: caller))
    case .loans(let it): return try loans(it, for: member(behind: caller))
    case .addTool, .addMember, .setRule, .configure: return try obey(request, from: caller)
    case .unread(.malformed): throw Toy.Refusal(.unreadable)
    case .unread(.unrouted(let it)):
      throw Toy.Refusal(it.allowed.isEmpty ? .unknownPath : .wrongMethod, allowed: it.allowed)
    }
  }

  private mutating func obey(
    _ command: Toy.Request, from caller: Caller<Toy>
  ) throws(Toy.Refusal) -> Toy.Reply {
    guard case .administration = caller else { throw Toy.Refusal(.unknownPath) }
    switch command {
    case .addTool(let name):
      guard tools.known(name) == nil else { break }
      list.append(tools.number(of: name))
      list.sort { tools.names[$0] < tools.names[$1] }
    case .addMember(let it): members[members.number(of: it.member)].pin = it.pin
    case .setRule(let it): rules.set(it.rule, binds: it.binds)
    case .configure(let it): it.apply(to: &deployment)
    default: break
    }
    return .done
  }

  // MARK: Members

  private mutating func signIn(_ asked: SignIn) throws(Toy.Refusal) -> Toy.Reply {
    let member = try require(members.known(asked.member), or: .unknownMember)
    try require(.ty01, members[member].pin == asked.pin, or: .unknownMember)
    let token = asked.member + "~" + String(identifiers.next(), radix: 16)
    if let last = members[member].token { tokens[last] = nil }
    members[member].token = token
    tokens[token] = member
    return .signedIn(Session(member: asked.member, token: token))
  }

  /// The member whose token it is; with TY-02 off whoever the token says.
  private func member(behind caller: Caller<Toy>) throws(Toy.Refusal) -> Int {
    guard case .client(.bearer(let token)?) = caller else { throw Toy.Refusal(.unknownToken) }
    if let member = tokens[token] { return member }
    try require(.ty02, false, or: .unknownToken)
    let named = token.lastIndex(of: "~").flatMap { members.known(String(token[..<$0])) }
    return try require(named, or: .unknownToken)
  }

  private func loans(_ asked: LoanQuery, for member: Int) throws(Toy.Refusal) -> Toy.Reply {
    try require(.ty11, asked.member == members.names[member], or: .notYours)
    let latest = asked.dueBy ?? .distantFuture
    let borrower = members.known(asked.member)
    var loans: [Loan] = []
    for tool in list where tools[tool].borrower == borrower {
      if let loan = tools[tool].loan, loan.due <= latest { loans.append(loan) }
    }
    return .loans(loans)
  }

  // MARK: Tools

  private mutating func borrow(
    _ asked: Borrowing, as member: Int, at now: Instant
  ) throws(Toy.Refusal) -> Toy.Reply {
    let tool = try require(tools.known(asked.tool), or: .unknownTool)
    if rules.binds(.ty09), let (key, loan) = members[member].last, key == asked.key,
      loan.tool == asked.tool
    {
      return .lent(loan)
    }
    try require(.ty03, tools[tool].loan == nil, or: .lent)
    try require(.ty06, tools[tool].kept.map { $0 == member } ?? true, or: .kept)
    let held = list.count { tools[$0].borrower == member }
    try require(.ty04, held < deployment.mostTools, or: .tooMany)
    let due = now + .hours(Int64(asked.hours))
    let loan = Loan(tool: asked.tool, member: members.names[member], due: due)
    tools[tool].lend(loan, to: member)
    members[member].last = (asked.key, loan)
    alarms[tool] = due
    return .lent(loan)
  }

  private mutating func giveBack(
    _ name: Int, as member: Int, at now: Instant
  ) throws(Toy.Refusal) -> Toy.Reply {
    let tool = try require(tools.known(name), or: .unknownTool)
    try require(tools[tool].loan != nil, or: .notYours)
    try require(.ty05, tools[tool].borrower == member, or: .notYours)
    (tools[tool].loan, tools[tool].borrower) = (nil, nil)
    keep(tool, from: now)
    return .givenBack(tool: name)
  }

  private mutating func reserve(_ name: Int, as member: Int) throws(Toy.Refusal) -> Toy.Reply {
    let tool = try require(tools.known(name), or: .unknownTool)
    try require(tools[tool].borrower != member, or: .lent)
    try require(!tools[tool].isFree && tools[tool].kept != member, or: .free)
    if !tools[tool].line.contains(member) { tools[tool].line.append(member) }
    let place = tools[tool].line.firstIndex(of: member)! + 1
    return .reserved(Reservation(tool: name, place: place))
  }

  /// Tells the next in line that the tool is theirs for a while, if there is one.
  private mutating func keep(_ tool: Int, from instant: Instant) {
    (tools[tool].kept, alarms[tool]) = (nil, nil)
    guard !tools[tool].line.isEmpty else { return }
    let next = rules.binds(.ty07) ? tools[tool].line.removeFirst() : tools[tool].line.removeLast()
    let (member, until) = (members.names[next], instant + deployment.keptFor)
    (tools[tool].kept, alarms[tool]) = (next, until)
    signals.append(
      Addressed(to: member, .ready(tool: tools.names[tool], member: member, until: until)))
  }

  // MARK: Time

  public var nextDue: Instant? { alarms.first }

  public mutating func advance(to now: Instant) -> Effects<Toy> {
    while let (tool, instant) = alarms.next(until: now) {
      if let loan = tools[tool].loan {
        if rules.binds(.ty08) { signals.append(Addressed(to: loan.member, .due(loan))) }
      } else {
        // Whoever is told later, because the first did not come, is told at the instant at which it was due.
        keep(tool, from: instant)
      }
    }
    return takeEffects()
  }

  private mutating func takeEffects() -> Effects<Toy> {
    defer { signals = [] }
    return Effects(signals: signals)
  }
}

private struct Member {
  var pin = ""
  /// Of the last sign-in, which ends the one before.
  var token: String?
  /// The borrowing that was granted last.
  var last: (key: String, loan: Loan)?
}

private struct Tool {
  var loan: Loan?
  var borrower: Int?
  /// For whom it is kept.
  var kept: Int?
  /// Who reserved it, the first in front.
  var line: [Int] = []

  var isFree: Bool { loan == nil && kept == nil }

  mutating func lend(_ loan: Loan, to member: Int) {
    (self.loan, borrower, kept) = (loan, member, nil)
    line.removeAll { $0 == member }
  }
}
