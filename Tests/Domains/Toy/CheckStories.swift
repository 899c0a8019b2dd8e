import Contracts
import Observations
import Testing
import Timekeeping
import ToyChecks
import ToyContract

/// Records by hand: what a check makes of answers that are known, and of those that are not.
private struct Story {
  var now = Instant("2026-03-21T08:00:00Z")!
  private var records: [Record<Toy>] = []

  init() {
    for tool in 1...4 { command(.addTool(tool)) }
    for (number, member) in ["anna", "ben", "cleo"].enumerated() {
      ask(
        .signIn(SignIn(member: member, pin: "1234")), as: number,
        .replied(.signedIn(Session(member: member, token: Self.token(number)))))
    }
  }

  private static func token(_ number: Int) -> String { "member-\(number)~1" }

  mutating func ask(
    _ request: Toy.Request, as number: Int, _ outcome: Outcome<Toy>, lasting: Span = .seconds(1),
    attempt: Int = 1, meeting fault: FaultKind? = nil
  ) {
    let call = Call<Toy>(
      request: request, operation: Toy.operation(of: request),
      credential: .bearer(Self.token(number)), intended: now, sent: now, answered: now + lasting,
      outcome: outcome, attempt: attempt)
    if let fault { call.met.add(fault) }
    now += lasting
    record(.request(call), as: number)
  }

  mutating func borrow(
    _ tool: Int, as number: Int, _ outcome: Outcome<Toy>? = nil, key: String = "k",
    attempt: Int = 1
  ) {
    let loan = Loan(tool: tool, member: "member-\(number)", due: now + .hours(1))
    ask(
      .borrow(Borrowing(tool: tool, hours: 1, key: key)), as: number,
      outcome ?? .replied(.lent(loan)), attempt: attempt)
  }

  mutating func reserve(_ tool: Int, as number: Int, place: Int) {
    ask(
      .reserve(tool: tool), as: number,
      .replied(.reserved(Reservation(tool: tool, place: place))))
  }

  mutating func command(_ request: Toy.Request) {
    record(.control(request, .replied(.done)), as: 0)
  }

  mutating func tell(_ signal: Toy.Signal, to number: Int) { record(.signal(signal), as: number) }

  private mutating func record(_ event: Record<Toy>.Event, as number: Int) {
    records.append(
      Record(
        time: now, person: PersonID(number), sequence: UInt32(records.count), cell: 0,
        event: event))
    now += .seconds(1)
  }

  func judged(by limit: Toy.Rule) -> Judge {
    var checks = CellCheckRuntime<WorkshopChecks> { $0.rule == limit }
    for record in records { checks.see(record) }
    // Late enough for all that waits for others to be known.
    checks.end(at: now + .minutes(2))
    return checks.judges[0]
  }
}

@Suite struct `Checks of the workshop` {
  private static func judge(_ limit: Toy.Rule, _ tell: (inout Story) -> Void) -> Judge {
    var story = Story()
    tell(&story)
    return story.judged(by: limit)
  }

  @Test func `a tool that was lent twice is found, one without an answer decides nothing: TY-03`() {
    let twice = Self.judge(.ty03) {
      $0.borrow(1, as: 0)
      $0.borrow(1, as: 1)
    }
    #expect(twice.violations == 1)
    let unknown = Self.judge(.ty03) {
      $0.borrow(1, as: 0, .unknown(.timedOut))
      $0.borrow(1, as: 1)
    }
    #expect(unknown.violations == 0 && unknown.exercised == 0)
    let back = Self.judge(.ty03) {
      $0.borrow(1, as: 0)
      $0.ask(.giveBack(tool: 1), as: 0, .unknown(.timedOut))
      $0.borrow(1, as: 1)
    }
    #expect(back.violations == 0)
  }

  @Test func `a repeat of an answer is no second loan: TY-03 and TY-09`() {
    let loan = Loan(tool: 1, member: "anna", due: Instant("2026-03-21T10:00:00Z")!)
    func tell(_ story: inout Story) {
      story.borrow(1, as: 0, .replied(.lent(loan)))
      story.borrow(1, as: 0, .replied(.lent(loan)))
    }
    #expect(Self.judge(.ty03, tell).exercised == 0)
    let repeats = Self.judge(.ty09, tell)
    #expect(repeats.exercised > 1 && repeats.violations == 0)
    let refused = Self.judge(.ty09) {
      $0.borrow(1, as: 0, .replied(.lent(loan)))
      $0.borrow(1, as: 0, .refused(Toy.Refusal(.lent)))
    }
    #expect(refused.violations == 1)
  }

  @Test func `what the workshop decided is what it is judged by: TY-04 and TY-06`() {
    func borrowed(_ most: Int) -> Judge {
      Self.judge(.ty04) { story in
        story.command(.configure(Adjustment { $0.mostTools = most }))
        story.now += .minutes(1)
        for tool in 1...4 { story.borrow(tool, as: 0) }
      }
    }
    #expect(borrowed(5).violations == 0)
    #expect(borrowed(2).violations == 2 && borrowed(2).exercised == 2)
    func kept(_ span: Span) -> Judge {
      Self.judge(.ty06) { story in
        story.command(.configure(Adjustment { $0.keptFor = .minutes(10) }))
        story.now += .minutes(5)
        story.tell(.ready(tool: 1, member: "member-0", until: story.now + span), to: 0)
      }
    }
    #expect(kept(.minutes(10)).violations == 0)
    #expect(kept(.hours(1)).violations == 1)
  }

  @Test func `who was told in front of another is found: TY-07`() {
    func told(_ number: Int) -> Judge {
      Self.judge(.ty07) { story in
        story.borrow(1, as: 0)
        for place in 1...2 {
          story.ask(
            .reserve(tool: 1), as: place,
            .replied(.reserved(Reservation(tool: 1, place: place))))
        }
        let name = number == 1 ? "ben" : "cleo"
        story.tell(
          .ready(tool: 1, member: name, until: story.now + .hours(1)), to: number)
      }
    }
    #expect(told(1).violations == 0 && told(1).exercised > 3)
    #expect(told(2).violations == 1)
  }

  @Test func `who may have borrowed a tool may keep their place in line: TY-07`() {
    /// Anna has the tool; Ben reserves it before Cleo and perhaps asks for it, and reserves it again after her.
    func told(_ number: Int, _ name: String, asking outcome: Outcome<Toy>?) -> Int {
      Self.judge(.ty07) { story in
        story.borrow(1, as: 0)
        story.reserve(1, as: 1, place: 1)
        if let outcome { story.borrow(1, as: 1, outcome) }
        story.reserve(1, as: 2, place: 2)
        story.reserve(1, as: 1, place: 1)
        story.tell(.ready(tool: 1, member: name, until: story.now + .hours(1)), to: number)
      }.violations
    }
    #expect(told(1, "ben", asking: .unknown(.timedOut)) == 0)
    #expect(told(2, "cleo", asking: .unknown(.timedOut)) == 0)
    #expect(told(2, "cleo", asking: nil) == 1)
  }

  @Test func `a tool that is there and of which nobody in line is told is found: TY-07`() {
    /// Anna has the tool, Ben reserves it; it comes back, and then?
    func back(_ then: (inout Story) -> Void) -> Judge {
      Self.judge(.ty07) { story in
        story.borrow(1, as: 0)
        story.reserve(1, as: 1, place: 1)
        story.ask(.giveBack(tool: 1), as: 0, .replied(.givenBack(tool: 1)))
        then(&story)
        story.now += .hours(2)
        for _ in 1...2 { story.ask(.tools, as: 2, .replied(.tools([]))) }
      }
    }
    #expect(
      back { $0.tell(.ready(tool: 1, member: "ben", until: $0.now), to: 1) }.violations == 0)
    #expect(back { _ in }.violations == 1)
    // Another member has borrowed it: Ben waits on.
    #expect(back { $0.borrow(1, as: 2) }.violations == 0)
  }

  @Test func `the next in line is told when the first did not come: TY-07`() {
    func lapsed(_ then: (inout Story) -> Void) -> Judge {
      Self.judge(.ty07) { story in
        story.borrow(1, as: 0)
        story.now += .minutes(10)
        for number in 1...2 { story.reserve(1, as: number, place: number) }
        story.ask(.giveBack(tool: 1), as: 0, .replied(.givenBack(tool: 1)))
        story.tell(.ready(tool: 1, member: "ben", until: story.now + .hours(1)), to: 1)
        story.now += .hours(1)
        then(&story)
        story.now += .hours(2)
        for _ in 1...2 { story.ask(.tools, as: 0, .replied(.tools([]))) }
      }
    }
    #expect(
      lapsed { $0.tell(.ready(tool: 1, member: "cleo", until: $0.now + .hours(1)), to: 2) }
        .violations == 0)
    #expect(lapsed { _ in }.violations == 1)
  }

  @Test func `who is told of a tool without having reserved it is found: TY-07`() {
    func told(_ isReserved: Bool) -> Int {
      Self.judge(.ty07) { story in
        story.borrow(1, as: 0)
        if isReserved { story.reserve(1, as: 1, place: 1) }
        story.tell(.ready(tool: 1, member: "ben", until: story.now + .hours(1)), to: 1)
        story.now += .minutes(5)
        for _ in 1...2 { story.ask(.tools, as: 0, .replied(.tools([]))) }
      }.violations
    }
    #expect(told(true) == 0 && told(false) == 1)
  }

  @Test func `a kept tool is not free, and its member reserves it in vain: TY-06, TY-07`() {
    func shown(_ isFree: Bool) -> Int {
      Self.judge(.ty06) { story in
        story.tell(.ready(tool: 1, member: "ben", until: story.now + .hours(1)), to: 1)
        story.ask(.tools, as: 0, .replied(.tools([ToolState(tool: 1, isFree: isFree)])))
      }.violations
    }
    #expect(shown(false) == 0 && shown(true) == 1)
    func reserved(_ code: Toy.RefusalKind) -> Int {
      Self.judge(.ty07) { story in
        story.borrow(1, as: 0)
        story.reserve(1, as: 1, place: 1)
        story.ask(.giveBack(tool: 1), as: 0, .replied(.givenBack(tool: 1)))
        story.tell(.ready(tool: 1, member: "ben", until: story.now + .hours(1)), to: 1)
        story.ask(.reserve(tool: 1), as: 1, .refused(Toy.Refusal(code)))
      }.violations
    }
    #expect(reserved(.free) == 0 && reserved(.kept) == 1)
  }

  @Test
  func `a loan is due after the hours that were asked for, and its reminder comes then: TY-08`() {
    func lent(for hours: Int) -> Int {
      Self.judge(.ty08) { story in
        let loan = Loan(tool: 1, member: "anna", due: story.now + .hours(Int64(hours)))
        story.borrow(1, as: 0, .replied(.lent(loan)))
      }.violations
    }
    #expect(lent(for: 1) == 0 && lent(for: 2) == 1)
    func reminded(after span: Span) -> Int {
      Self.judge(.ty08) { story in
        let loan = Loan(tool: 1, member: "anna", due: story.now + .hours(1))
        story.borrow(1, as: 0, .replied(.lent(loan)))
        story.now = loan.due + span
        story.tell(.due(loan), to: 0)
      }.violations
    }
    #expect(reminded(after: .seconds(1)) == 0)
    #expect(reminded(after: -.minutes(30)) == 1 && reminded(after: .minutes(1)) == 1)
  }

  @Test func `lists are in order, and hold what was asked for: TY-03 and TY-11`() {
    func listed(_ numbers: [Int]) -> Int {
      Self.judge(.ty03) {
        let list = numbers.map { ToolState(tool: $0, isFree: true) }
        $0.ask(.tools, as: 0, .replied(.tools(list)))
      }.violations
    }
    #expect(listed([1, 2, 3]) == 0 && listed([2, 1, 3]) == 1)
    func loans(_ numbers: [Int], until last: Span) -> Int {
      Self.judge(.ty11) {
        let due = $0.now
        let loans = numbers.map {
          Loan(tool: $0, member: "anna", due: due + .minutes(Int64($0)))
        }
        $0.ask(
          .loans(LoanQuery(member: "anna", dueBy: due + last)), as: 0, .replied(.loans(loans)))
      }.violations
    }
    #expect(loans([1, 2], until: .minutes(2)) == 0)
    #expect(loans([2, 1], until: .minutes(2)) == 1 && loans([1, 2], until: .minutes(1)) == 1)
  }

  @Test func `a reminder that never came is found, once it must have come: TY-08`() {
    let silent = Self.judge(.ty08) {
      $0.borrow(1, as: 0)
      $0.now += .hours(2)
      $0.borrow(2, as: 1)
      $0.borrow(3, as: 1)
    }
    #expect(silent.violations == 1)
    let inTime = Self.judge(.ty08) {
      $0.borrow(1, as: 0)
      $0.ask(.giveBack(tool: 1), as: 0, .replied(.givenBack(tool: 1)))
      $0.now += .hours(2)
      $0.borrow(2, as: 1)
      $0.borrow(3, as: 1)
    }
    #expect(inTime.violations == 0)
  }

  @Test func `a sign-in that arrived twice leaves open which token holds: TY-02`() {
    func refused(_ fault: FaultKind?) -> Judge {
      Self.judge(.ty02) {
        let session = Session(member: "anna", token: "member-0~1")
        $0.ask(
          .signIn(SignIn(member: "anna", pin: "1234")), as: 0, .replied(.signedIn(session)),
          meeting: fault)
        $0.ask(.tools, as: 0, .refused(Toy.Refusal(.unknownToken)))
      }
    }
    #expect(refused(.duplicate).violations == 0)
    #expect(refused(nil).violations == 1)
  }

  @Test func `what arrived twice may have been done twice: TY-03`() {
    // Ben brings the tool back, and the second arrival of Anna's request has it for her once more.
    func borrowed(_ fault: FaultKind?) -> Judge {
      Self.judge(.ty03) {
        let loan = Loan(tool: 1, member: "anna", due: $0.now + .hours(1))
        $0.ask(
          .borrow(Borrowing(tool: 1, hours: 1, key: "k")), as: 0, .replied(.lent(loan)),
          meeting: fault)
        $0.ask(.giveBack(tool: 1), as: 0, .replied(.givenBack(tool: 1)))
        $0.borrow(1, as: 1, .refused(Toy.Refusal(.lent)))
      }
    }
    #expect(borrowed(.duplicate).violations == 0)
    #expect(borrowed(nil).violations == 1)
  }

  @Test func `another key on a second attempt is found: TY-10`() {
    func attempt(_ key: String) -> Judge {
      Self.judge(.ty10) {
        $0.borrow(1, as: 0, .unknown(.timedOut), key: "a")
        $0.borrow(1, as: 0, key: key, attempt: 2)
      }
    }
    #expect(attempt("a").violations == 0 && attempt("a").exercised == 1)
    #expect(attempt("b").violations == 1)
  }

  /// Anna has tool 1 and nobody anything else; a request of hers (0), of Ben (1) or of Cleo (2), and what it may be refused for.
  @Test(
    arguments: [
      (.ty02, .tools, 0, nil), (.ty03, Self.borrowing(9), 1, .unknownTool),
      (.ty03, Self.borrowing(1), 1, .lent), (.ty04, Self.borrowing(2), 1, nil),
      (.ty05, .giveBack(tool: 1), 1, .notYours), (.ty05, .giveBack(tool: 2), 1, .notYours),
      (.ty05, .giveBack(tool: 9), 0, .unknownTool), (.ty05, .giveBack(tool: 1), 0, nil),
      (.ty06, Self.borrowing(2), 1, nil), (.ty07, .reserve(tool: 1), 0, .lent),
      (.ty07, .reserve(tool: 1), 1, nil), (.ty07, .reserve(tool: 2), 1, .free),
      (.ty07, .reserve(tool: 9), 1, .unknownTool),
      (.ty11, .loans(LoanQuery(member: "anna")), 0, nil),
      (.ty11, .loans(LoanQuery(member: "ben")), 0, .notYours),
    ] as [(Toy.Rule, Toy.Request, Int, Toy.RefusalKind?)])
  func `a refusal without its cause, or by another code, is found`(
    rule: Toy.Rule, request: Toy.Request, number: Int, due: Toy.RefusalKind?
  ) {
    let possible: [Toy.RefusalKind] =
      switch rule {
      case .ty02: [.unknownToken]
      case .ty04: [.tooMany]
      case .ty06: [.kept]
      default: [.unknownTool, .lent, .free, .notYours]
      }
    for kind in possible {
      let judge = Self.judge(rule) {
        $0.borrow(1, as: 0)
        $0.ask(request, as: number, .refused(Toy.Refusal(kind)))
      }
      #expect((judge.violations == 0) == (kind == due), "\(kind)")
    }
  }

  private static func borrowing(_ tool: Int) -> Toy.Request {
    .borrow(Borrowing(tool: tool, hours: 1, key: "other"))
  }

  @Test func `what has to be shown is missed when it is not: TY-03 and TY-11`() {
    func shown(_ isFree: Bool) -> Int {
      Self.judge(.ty03) {
        $0.borrow(1, as: 0)
        $0.ask(.tools, as: 1, .replied(.tools([ToolState(tool: 1, isFree: isFree)])))
      }.violations
    }
    #expect(shown(false) == 0 && shown(true) == 1)
    func listed(_ loans: (Loan) -> [Loan]) -> Int {
      Self.judge(.ty11) {
        let loan = Loan(tool: 1, member: "anna", due: $0.now + .hours(1))
        $0.borrow(1, as: 0, .replied(.lent(loan)))
        $0.ask(.loans(LoanQuery(member: "anna")), as: 0, .replied(.loans(loans(loan))))
      }.violations
    }
    #expect(listed { [$0] } == 0 && listed { _ in [] } == 1)
    #expect(listed { [$0, Loan(tool: 2, member: "ben", due: $0.due)] } == 1)
  }

  @Test func `a token that a later sign-in has ended opens nothing: TY-02`() {
    func asked(_ outcome: Outcome<Toy>) -> Int {
      Self.judge(.ty02) {
        $0.ask(
          .signIn(SignIn(member: "anna", pin: "1234")), as: 1,
          .replied(.signedIn(Session(member: "anna", token: "anna~2"))))
        $0.ask(.tools, as: 0, outcome)
      }.violations
    }
    #expect(asked(.refused(Toy.Refusal(.unknownToken))) == 0)
    #expect(asked(.replied(.tools([]))) == 1 && asked(.refused(Toy.Refusal(.notYours))) == 1)
  }
}
