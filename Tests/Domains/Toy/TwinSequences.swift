import Contracts
import Testing
import Timekeeping
import ToyContract
import ToyTwin
import WireLine

/// A workshop with three tools and three members, asked over the wire.
private struct Workshop {
  static let start = Instant("2026-03-21T08:00:00Z")!

  var line: Line<ToyTwin>
  var now = Self.start
  private var tokens: [String: String] = [:]

  init(without rule: Toy.Rule? = nil) throws {
    let stream = RandomStream(seed: 1, owner: 1, purpose: 0)
    line = Line(ToyTwin(identifiers: stream, rules: Rules<Toy.Rule>(off: rule.map { [$0] } ?? [])))
    for tool in 1...5 { try line.tell(.addTool(tool), from: .administration, at: now) }
    for member in ["anna", "ben", "cleo"] {
      let joining = SignIn(member: member, pin: "1234")
      try line.tell(.addMember(joining), from: .administration, at: now)
      if case .replied(.signedIn(let session))? = line.ask(.signIn(joining), at: now) {
        tokens[member] = session.token
      }
    }
  }

  mutating func ask(_ request: Toy.Request, as member: String) -> Outcome<Toy>? {
    ask(request, with: tokens[member] ?? "")
  }

  mutating func ask(_ request: Toy.Request, with token: String) -> Outcome<Toy>? {
    line.ask(request, with: .bearer(token), at: now)
  }

  mutating func borrow(_ tool: Int, as member: String, key: String? = nil) -> Outcome<Toy>? {
    ask(.borrow(Borrowing(tool: tool, hours: 1, key: key ?? "\(tool)")), as: member)
  }

  mutating func wait(_ span: Span) {
    now += span
    line.advance(to: now)
  }
}

extension Outcome<Toy>? {
  fileprivate var code: Toy.RefusalKind? { self?.refusal?.kind }
  fileprivate var isGranted: Bool { self?.isReplied ?? false }
}

@Suite struct `The workshop` {
  @Test(arguments: [nil, Toy.Rule.ty01])
  func `takes the right PIN alone: TY-01`(rule: Toy.Rule?) throws {
    var shop = try Workshop(without: rule)
    let wrong = shop.line.ask(.signIn(SignIn(member: "anna", pin: "0000")), at: shop.now)
    #expect(wrong.isGranted == (rule != nil))
    let nobody = shop.line.ask(.signIn(SignIn(member: "dora", pin: "1234")), at: shop.now)
    #expect(nobody.code == .unknownMember)
  }

  @Test(arguments: [nil, Toy.Rule.ty02])
  func `takes the token of the last sign-in alone: TY-02`(rule: Toy.Rule?) throws {
    var shop = try Workshop(without: rule)
    #expect(shop.ask(.tools, with: "anna~0").isGranted == (rule != nil))
    #expect(shop.ask(.tools, with: "anna").code == .unknownToken)
    #expect(shop.line.ask(.tools, at: shop.now).code == .unknownToken)
  }

  @Test(arguments: [nil, Toy.Rule.ty03])
  func `lends a tool once at a time: TY-03`(rule: Toy.Rule?) throws {
    var shop = try Workshop(without: rule)
    #expect(shop.borrow(1, as: "anna").isGranted)
    #expect(shop.borrow(1, as: "ben").isGranted == (rule != nil))
    #expect(shop.ask(.giveBack(tool: 1), as: rule == nil ? "anna" : "ben").isGranted)
    #expect(shop.borrow(1, as: "cleo").isGranted)
  }

  @Test(arguments: [nil, Toy.Rule.ty04])
  func `lends three tools to a member: TY-04`(rule: Toy.Rule?) throws {
    var shop = try Workshop(without: rule)
    for tool in 1...3 { #expect(shop.borrow(tool, as: "anna").isGranted) }
    #expect(shop.borrow(4, as: "anna").code == (rule == nil ? .tooMany : nil))
    #expect(shop.ask(.giveBack(tool: 1), as: "anna").isGranted)
    #expect(rule != nil || shop.borrow(4, as: "anna").isGranted)
  }

  @Test func `lends and keeps as its own committee decides: TY-04 and TY-06`() throws {
    var shop = try Workshop()
    let decided = try Toy.control("configure", ["mostTools": 1, "keptFor": "10min"])
    try shop.line.tell(decided, from: .administration, at: shop.now)
    #expect(shop.borrow(1, as: "anna").isGranted)
    #expect(shop.borrow(2, as: "anna").code == .tooMany)
    #expect(shop.ask(.reserve(tool: 1), as: "ben").isGranted)
    #expect(shop.ask(.giveBack(tool: 1), as: "anna").isGranted)
    #expect(shop.line.twin.nextDue == shop.now + .minutes(10))
  }

  @Test(arguments: [nil, Toy.Rule.ty05])
  func `takes a tool back from its borrower: TY-05`(rule: Toy.Rule?) throws {
    var shop = try Workshop(without: rule)
    #expect(shop.ask(.giveBack(tool: 1), as: "ben").code == .notYours)
    #expect(shop.borrow(1, as: "anna").isGranted)
    #expect(shop.ask(.giveBack(tool: 1), as: "ben").isGranted == (rule != nil))
  }

  @Test(arguments: [nil, Toy.Rule.ty06])
  func `keeps a tool that came back for an hour: TY-06`(rule: Toy.Rule?) throws {
    var shop = try Workshop(without: rule)
    #expect(shop.ask(.reserve(tool: 1), as: "ben").code == .free)
    #expect(shop.borrow(1, as: "anna").isGranted)
    #expect(shop.ask(.reserve(tool: 1), as: "anna").code == .lent)
    #expect(shop.ask(.reserve(tool: 1), as: "ben")?.reply == .reserved(.init(tool: 1, place: 1)))
    #expect(shop.ask(.giveBack(tool: 1), as: "anna").isGranted)
    #expect(
      shop.line.signals.map(\.signal)
        == [.ready(tool: 1, member: "ben", until: shop.now + .hours(1))])
    shop.wait(.minutes(59))
    #expect(shop.borrow(1, as: "cleo").isGranted == (rule != nil))
    shop.wait(.minutes(1))
    #expect(rule != nil || shop.borrow(1, as: "cleo").isGranted)
  }

  @Test(arguments: [nil, Toy.Rule.ty07])
  func `tells first who reserved first, and the next when nobody comes: TY-07`(
    rule: Toy.Rule?
  ) throws {
    var shop = try Workshop(without: rule)
    #expect(shop.borrow(1, as: "anna").isGranted)
    for member in ["ben", "cleo", "ben"] {
      #expect(shop.ask(.reserve(tool: 1), as: member).isGranted)
    }
    #expect(shop.ask(.giveBack(tool: 1), as: "anna").isGranted)
    #expect(shop.line.signals.map(\.address) == [rule == nil ? "ben" : "cleo"])
    shop.wait(.hours(5))
    #expect(Set(shop.line.signals.map(\.address)) == ["ben", "cleo"])
    // Both hours passed long ago: anybody may have it.
    #expect(shop.borrow(1, as: "anna").isGranted)
  }

  @Test(arguments: [nil, Toy.Rule.ty08])
  func `reminds who still has a tool when it is due: TY-08`(rule: Toy.Rule?) throws {
    var shop = try Workshop(without: rule)
    #expect(shop.borrow(1, as: "anna").isGranted)
    #expect(shop.borrow(2, as: "anna").isGranted)
    #expect(shop.ask(.giveBack(tool: 2), as: "anna").isGranted)
    #expect(shop.line.twin.nextDue == shop.now + .hours(1))
    shop.wait(.hours(1))
    let loan = Loan(tool: 1, member: "anna", due: shop.now)
    #expect(shop.line.signals.map(\.signal) == (rule == nil ? [.due(loan)] : []))
    shop.wait(.hours(9))
    #expect(shop.line.signals.count <= 1 && shop.line.twin.nextDue == nil)
  }

  @Test(arguments: [nil, Toy.Rule.ty09])
  func `answers a repeated borrowing as the first time: TY-09`(rule: Toy.Rule?) throws {
    var shop = try Workshop(without: rule)
    let first = shop.borrow(1, as: "anna")
    shop.wait(.minutes(5))
    let again = shop.borrow(1, as: "anna")
    #expect(rule == nil ? again == first : again.code == .lent)
    #expect(shop.borrow(1, as: "anna", key: "other").code == .lent)
  }

  @Test(arguments: [nil, Toy.Rule.ty11])
  func `shows members their own loans: TY-11`(rule: Toy.Rule?) throws {
    var shop = try Workshop(without: rule)
    #expect(shop.borrow(1, as: "anna").isGranted)
    let loan = Loan(tool: 1, member: "anna", due: shop.now + .hours(1))
    let query = LoanQuery(member: "anna")
    #expect(shop.ask(.loans(query), as: "anna")?.reply == .loans([loan]))
    #expect(shop.ask(.loans(query), as: "ben").isGranted == (rule != nil))
    let early = LoanQuery(member: "anna", dueBy: shop.now)
    #expect(shop.ask(.loans(early), as: "anna")?.reply == .loans([]))
  }

  @Test func `refuses what nobody may ask`() throws {
    var shop = try Workshop()
    #expect(shop.borrow(9, as: "anna").code == .unknownTool)
    #expect(shop.ask(.unread(.unrouted(.init("GET", "/x"))), as: "anna").code == .unknownPath)
    let wrong = shop.ask(
      .unread(.unrouted(.init("POST", "/tools", allowed: ["GET"]))), as: "anna")
    #expect(wrong?.refusal == Toy.Refusal(.wrongMethod, allowed: ["GET"]))
    let malformed = Toy.Request.unread(.malformed(operation: 2, .missing("key")))
    #expect(shop.ask(malformed, as: "anna").code == .unreadable)
    let handled = shop.line.twin.handle(.addTool(9), from: .client(nil), at: shop.now)
    guard case .now(.failure(let refusal)) = handled.answer else {
      Issue.record("a client gave a command")
      return
    }
    #expect(refusal.kind == .unknownPath)
  }
}
