import Contracts
import Timekeeping
import ToyContract

/// The workshop as a deterministic state machine: no clock, no randomness of its own, no I/O.
public struct ToyTwin: Twin {
  public typealias Contract = Toy
  typealias Answer = Result<Toy.Reply, Toy.Refusal>

  private var identifiers: RandomStream
  private var rules: Rules<Toy.Rule>
  private var deployment = Toy.Deployment()
  private var members: [String: Member] = [:]
  private var tools: [Int: Tool] = [:]
  /// What the call in hand has sent so far.
  private var sent: [Addressed<Toy>] = []

  public init(identifiers: RandomStream, rules: Rules<Toy.Rule>) {
    (self.identifiers, self.rules) = (identifiers, rules)
  }

  public mutating func handle(
    _ request: Toy.Request, from caller: Caller<Toy>, at now: Instant
  ) -> Handled<Toy> {
    let answer = answer(to: request, from: caller, at: now)
    return Handled(.now(answer), work: Work(rowsRead: 1), effects: takeEffects())
  }

  private mutating func answer(
    to request: Toy.Request, from caller: Caller<Toy>, at now: Instant
  ) -> Answer {
    switch request {
    case .unread(.malformed): return .refused(.unreadable)
    case .unread(.unrouted(let it)):
      return .failure(
        Toy.Refusal(it.allowed.isEmpty ? .unknownPath : .wrongMethod, allowed: it.allowed))
    case .addTool, .addMember, .setRule, .configure: return obey(request, from: caller)
    case .signIn(let asked): return signIn(asked)
    case .tools, .borrow, .giveBack, .reserve, .loans: break
    }
    guard let member = member(behind: caller) else { return .refused(.unknownToken) }
    switch request {
    case .borrow(let asked): return borrow(asked, as: member, at: now)
    case .giveBack(let tool): return giveBack(tool, as: member, at: now)
    case .reserve(let tool): return reserve(tool, as: member)
    case .loans(let asked): return loans(asked, for: member)
    default: return .success(.tools(list))
    }
  }

  // MARK: The operator

  private mutating func obey(_ command: Toy.Request, from caller: Caller<Toy>) -> Answer {
    guard case .administration = caller else { return .refused(.unknownPath) }
    switch command {
    case .addTool(let number): tools[number] = tools[number] ?? Tool()
    case .addMember(let it): members[it.member, default: Member(pin: it.pin)].pin = it.pin
    case .setRule(let it): rules.set(it.rule, binds: it.binds)
    case .configure(let it): it.apply(to: &deployment)
    default: break
    }
    return .success(.done)
  }

  // MARK: Members

  private mutating func signIn(_ asked: SignIn) -> Answer {
    guard let member = members[asked.member] else { return .refused(.unknownMember) }
    if rules.binds(.ty01), member.pin != asked.pin { return .refused(.unknownMember) }
    let token = asked.member + "~" + String(identifiers.next(), radix: 16)
    members[asked.member]?.token = token
    return .success(.signedIn(Session(member: asked.member, token: token)))
  }

  /// The member whose token it is; with TY-02 off whoever the token says.
  private func member(behind caller: Caller<Toy>) -> String? {
    guard case .client(.bearer(let token)?) = caller, let tilde = token.lastIndex(of: "~"),
      let member = members[String(token[..<tilde])]
    else { return nil }
    if rules.binds(.ty02), member.token != token { return nil }
    return String(token[..<tilde])
  }

  private func loans(_ asked: LoanQuery, for member: String) -> Answer {
    if rules.binds(.ty11), asked.member != member { return .refused(.notYours) }
    let found = tools.values.compactMap(\.loan).filter {
      $0.member == asked.member && $0.due <= asked.dueBy ?? .distantFuture
    }
    return .success(.loans(found.sorted { $0.tool < $1.tool }))
  }

  // MARK: Tools

  private var list: [ToolState] {
    tools.sorted { $0.key < $1.key }.map { ToolState(tool: $0.key, isFree: $0.value.isFree) }
  }

  private mutating func borrow(
    _ asked: Borrowing, as member: String, at now: Instant
  ) -> Answer {
    guard var tool = tools[asked.tool] else { return .refused(.unknownTool) }
    if rules.binds(.ty09), let last = members[member]?.last, last.key == asked.key,
      last.loan.tool == asked.tool
    {
      return .success(.lent(last.loan))
    }
    if rules.binds(.ty03), tool.loan != nil { return .refused(.lent) }
    if rules.binds(.ty06), let kept = tool.kept, kept.member != member { return .refused(.kept) }
    let held = tools.values.count(where: { $0.loan?.member == member })
    if rules.binds(.ty04), held >= deployment.mostTools { return .refused(.tooMany) }
    let loan = Loan(tool: asked.tool, member: member, due: now + .hours(Int64(asked.hours)))
    tool.lend(loan)
    tools[asked.tool] = tool
    members[member]?.last = (asked.key, loan)
    return .success(.lent(loan))
  }

  private mutating func giveBack(_ number: Int, as member: String, at now: Instant) -> Answer {
    guard let tool = tools[number] else { return .refused(.unknownTool) }
    guard let loan = tool.loan else { return .refused(.notYours) }
    if rules.binds(.ty05), loan.member != member { return .refused(.notYours) }
    tools[number]?.loan = nil
    keep(number, from: now)
    return .success(.givenBack(tool: number))
  }

  private mutating func reserve(_ number: Int, as member: String) -> Answer {
    guard let tool = tools[number] else { return .refused(.unknownTool) }
    if tool.loan?.member == member { return .refused(.lent) }
    if tool.isFree || tool.kept?.member == member { return .refused(.free) }
    if !tool.line.contains(member) { tools[number]?.line.append(member) }
    let place = (tools[number]?.line.firstIndex(of: member) ?? 0) + 1
    return .success(.reserved(Reservation(tool: number, place: place)))
  }

  /// Tells the next in line that the tool is theirs for an hour, if there is one.
  private mutating func keep(_ number: Int, from instant: Instant) {
    guard var tool = tools[number] else { return }
    tool.kept = nil
    if !tool.line.isEmpty {
      let next = rules.binds(.ty07) ? tool.line.removeFirst() : tool.line.removeLast()
      let until = instant + deployment.keptFor
      tool.kept = (next, until)
      sent.append(Addressed(to: next, .ready(tool: number, member: next, until: until)))
    }
    tools[number] = tool
  }

  // MARK: Time

  public var nextDue: Instant? { tools.values.compactMap(\.nextDue).min() }

  public mutating func advance(to now: Instant) -> Effects<Toy> {
    for number in tools.keys.sorted() {
      if let loan = tools[number]?.loan, let due = tools[number]?.reminder, due <= now {
        tools[number]?.reminder = nil
        if rules.binds(.ty08) { sent.append(Addressed(to: loan.member, .due(loan))) }
      }
      // Whoever is told later, because the first did not come, is told at the instant at which it was due.
      while let kept = tools[number]?.kept, kept.until <= now { keep(number, from: kept.until) }
    }
    return takeEffects()
  }

  private mutating func takeEffects() -> Effects<Toy> {
    defer { sent = [] }
    return Effects(signals: sent)
  }
}

private struct Member {
  var pin: String
  /// Of the last sign-in, which ends the one before.
  var token: String?
  var last: (key: String, loan: Loan)?

  init(pin: String) { self.pin = pin }
}

private struct Tool {
  var loan: Loan?
  /// When its borrower is to be reminded.
  var reminder: Instant?
  var kept: (member: String, until: Instant)?
  /// Who reserved it, the first in front.
  var line: [String] = []

  var isFree: Bool { loan == nil && kept == nil }
  var nextDue: Instant? { [loan == nil ? nil : reminder, kept?.until].compactMap { $0 }.min() }

  mutating func lend(_ loan: Loan) {
    (self.loan, reminder, kept) = (loan, loan.due, nil)
    line.removeAll { $0 == loan.member }
  }
}

extension Result where Success == Toy.Reply, Failure == Toy.Refusal {
  fileprivate static func refused(_ kind: Toy.RefusalKind) -> Self { .failure(Toy.Refusal(kind)) }
}
