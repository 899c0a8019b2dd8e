import Contracts
import Testing
import Timekeeping
import ToyContract
import WireLine

@Suite struct `The workshop's wire` {
  private static let due = Instant("2026-03-21T10:00:00.250Z")!
  private static let loan = Loan(tool: 7, member: "anna", due: due)
  private static let requests: [Toy.Request] = [
    .signIn(SignIn(member: "anna", pin: "1234")), .tools,
    .borrow(Borrowing(tool: 7, hours: 8, key: "k ü 1")), .giveBack(tool: 7), .reserve(tool: 7),
    .loans(LoanQuery(member: "anna", dueBy: due)), .loans(LoanQuery(member: "anna")),
    .unread(.unrouted(.init("POST", "/tools", allowed: ["GET"]))),
    .unread(.malformed(operation: 2, .invalid("hours"))),
    .unread(.malformed(operation: 0, .noDocument)),
  ]
  private static let commands: [Toy.Request] = [
    .addTool(7), .addMember(SignIn(member: "anna", pin: "1234")),
    .setRule(RuleSwitch(.ty03, binds: false)),
  ]

  @Test func `every request has its operation`() {
    expectOperations(Toy.self, Self.requests + Self.commands)
  }

  @Test(arguments: requests)
  func `a request comes back from the wire as it went`(request: Toy.Request) {
    expectRoundTrip(Toy.self, request, with: .bearer("anna~1"))
    expectRoundTrip(Toy.self, request)
  }

  @Test(
    arguments: [
      (
        .signIn(SignIn(member: "anna", pin: "1234")),
        .success(.signedIn(Session(member: "anna", token: "anna~1")))
      ),
      (.tools, .success(.tools([ToolState(tool: 7, isFree: true)]))),
      (.borrow(Borrowing(tool: 7, hours: 1, key: "k")), .success(.lent(loan))),
      (.borrow(Borrowing(tool: 7, hours: 1, key: "k")), .failure(Toy.Refusal(.tooMany))),
      (.giveBack(tool: 7), .success(.givenBack(tool: 7))),
      (.reserve(tool: 7), .success(.reserved(Reservation(tool: 7, place: 2)))),
      (.loans(LoanQuery(member: "anna")), .success(.loans([loan]))),
      (.addTool(7), .success(.done)),
      (
        .unread(.unrouted(.init("POST", "/tools", allowed: ["GET"]))),
        .failure(Toy.Refusal(.wrongMethod, allowed: ["GET"]))
      ),
    ] as [(Toy.Request, Result<Toy.Reply, Toy.Refusal>)])
  func `an answer comes back from the wire as it went`(
    request: Toy.Request, result: Result<Toy.Reply, Toy.Refusal>
  ) { expectRoundTrip(Toy.self, result, to: request) }

  @Test(arguments: Toy.RefusalKind.allCases)
  func `every refusal comes back from the wire as it went`(kind: Toy.RefusalKind) {
    expectRoundTrip(Toy.self, .failure(Toy.Refusal(kind)), to: .tools)
  }

  @Test(arguments: commands)
  func `a command is read as it was written`(command: Toy.Request) throws {
    let wire = Toy.write(command, credential: nil, tokens: codec)
    let name = try #require(wire.target.split(separator: "/").last.map(String.init))
    #expect(try Toy.control(name, try #require(JSON(parsing: wire.body))) == command)
  }

  @Test func `names and rules that are none are told so`() {
    #expect(throws: ControlProblem.self) { try Toy.control("addTool", ["tool": 0]) }
    #expect(throws: ControlProblem.self) { try Toy.control("setRule", ["id": "X", "binds": true]) }
    let wire = WireRequest("GET", "/members/ANNA/loans")
    #expect(Toy.read(wire).request == .unread(.malformed(operation: 5, .invalid("member"))))
  }

  @Test func `no PIN and no token is shown to people who read along`() {
    #expect("\(Toy.show(Self.requests[0]))".contains("1234") == false)
    let shown = Toy.show(.signedIn(Session(member: "anna", token: "anna~1")))
    #expect(shown["token"] == "…")
  }

  @Test(
    arguments: [
      (0, .signedIn(Session(member: "anna", token: "anna~1"))),
      (1, .tools([ToolState(tool: 7, isFree: true), ToolState(tool: 8, isFree: false)])),
      (2, .lent(loan)), (3, .givenBack(tool: 7)),
      (4, .reserved(Reservation(tool: 7, place: 2))), (5, .loans([loan])), (7, .done),
    ] as [(Int, Toy.Reply)])
  func `a digest takes the same of a reply, whether or not it is known what it answers`(
    operation: Int, reply: Toy.Reply
  ) {
    var (searched, known, wrong) = (Digest(), Digest(), Digest())
    Toy.fingerprint(of: reply, into: &searched)
    Toy.fingerprint(of: reply, to: operation, into: &known)
    Toy.fingerprint(of: reply, to: operation == 0 ? 1 : 0, into: &wrong)
    #expect(searched == known && searched == wrong)
  }

  @Test func `a digest takes the list of tools as what it is declared to be`() {
    var (taken, declared) = (Digest(), Digest())
    Toy.fingerprint(of: .tools([ToolState(tool: 7, isFree: true)]), into: &taken)
    // How many, the members of each, and the operation that is answered.
    declared.mix(1)
    Coding<Int>.int.mix(7, &declared)
    Coding<Bool>.flag.mix(true, &declared)
    declared.mix(1)
    #expect(taken == declared)
  }
}
