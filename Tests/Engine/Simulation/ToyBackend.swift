import Backends
import Contracts
import Journeys
import Observations
import Timekeeping

/// The smallest backend with everything that the engine drives: work, signals, timers, tickets, publications.
enum Toy: WireContract {
  enum Request: Hashable, Sendable {
    /// Costs so many rows.
    case work(rows: Int)
    /// Answered when the next bell rings.
    case bell
    /// A letter to an address.
    case letter(to: String)
    /// What the last publications said.
    case news
    case rule(Rule, Bool)
    case look
  }
  enum Reply: Hashable, Sendable {
    case done
    case rang(Instant)
    case news([Int])
    case seen(Int)
  }
  struct Refusal: RefusalCode { let code: String }
  enum Signal: Hashable, Sendable { case letter(number: Int) }
  enum Note: Hashable, Sendable { case remark(String) }
  typealias Credential = String
  typealias Address = String

  static let domain = "toy"
  static let operations = [
    Operation("work", "Work", source: "T1"), Operation("bell", "Bell", source: "T2"),
    Operation("letter", "Letter", source: "T3"), Operation("news", "News", source: "T4"),
    Operation("rule", "Rule", kind: .control, source: "T5"),
    Operation("look", "Look", kind: .inspection, source: "T6"),
  ]
  enum Rule: String, Contracts.Rule {
    case to01

    static let themes = [Theme<Self>("the toy", [.to01: "work of 13 rows is refused"])]
  }

  static func operation(of request: Request) -> Int {
    switch request {
    case .work: 0
    case .bell: 1
    case .letter: 2
    case .news: 3
    case .rule: 4
    case .look: 5
    }
  }

  static func fingerprint(of reply: Reply, into digest: inout Digest) {
    switch reply {
    case .done: digest.mix(1)
    case .rang(let at): digest.mix(UInt64(bitPattern: at.nanoseconds))
    case .news(let news): for item in news { digest.mix(item) }
    case .seen(let count): digest.mix(count)
    }
  }

  static let controls = [
    ControlDeclaration(
      "setRule", "Switches a rule.",
      [.init("id", "rule", "which"), .init("binds", "true or false", "whether it is kept")])
  ]
  static func read(_ wire: WireRequest) -> (request: Request, credential: String?) { (.look, nil) }
  static func write(_ request: Request, credential: String?, tokens: any TokenCodec) -> WireRequest
  {
    WireRequest("GET", "/\(operations[operation(of: request)].name)")
  }
  static func write(
    _ result: Result<Reply, Refusal>, to request: Request, tokens: any TokenCodec
  ) -> WireResponse { WireResponse(200) }
  static func read(_ response: WireResponse, to request: Request) -> Result<Reply, Refusal>? {
    guard response.status == 200 else { return nil }
    return .success(response.body?.int.map(Reply.seen) ?? .done)
  }
  static func control(_ name: String, _ parameters: JSON) throws(ControlProblem) -> Request {
    guard name == "setRule" else { throw ControlProblem("no command '\(name)'") }
    let id = LimitID(parameters["id"]?.string ?? "")
    guard let rule = Rule(id) else { throw ControlProblem("there is no limit '\(id)'") }
    return .rule(rule, parameters["binds"]?.bool ?? true)
  }
  static func show(_ signal: Signal) -> JSON { "letter" }
  static func show(_ signal: Signal, to address: String, tokens: any TokenCodec) -> JSON {
    "letter"
  }
  static func show(_ note: Note) -> JSON { "remark" }
  static func show(_ request: Request) -> JSON { .string("\(request)") }
  static func show(_ reply: Reply) -> JSON { .string("\(reply)") }
}

extension Toy: Observed {}

struct ToyTwin: Twin {
  typealias Contract = Toy
  var rules: Rules<Toy.Rule>
  var handled = 0
  var letters = 0
  var ringers: [Ticket] = []
  var nextTicket: UInt64 = 0
  var nextBell: Instant?
  var news: [Int] = []
  /// Every call's instant, to see that time never runs back.
  var last = Instant.distantPast

  mutating func handle(
    _ request: Toy.Request, from caller: Caller<Toy>, at now: Instant
  ) -> Handled<Toy> {
    precondition(now >= last, "time runs back")
    last = now
    handled += 1
    switch request {
    case .work(let rows):
      if rows == 13, rules.binds(.to01) { return .refused(Toy.Refusal(code: "unlucky")) }
      return .replied(.done, work: Work(rowsRead: rows))
    case .bell:
      let ticket = Ticket(nextTicket)
      nextTicket += 1
      ringers.append(ticket)
      nextBell = nextBell ?? now + .seconds(10)
      return Handled(.later(ticket))
    case .letter(let address):
      letters += 1
      return .replied(
        .done, effects: Effects(signals: [Addressed(to: address, .letter(number: letters))]))
    case .news: return .replied(.news(news))
    case .rule(let limit, let binds):
      rules.set(limit, binds: binds)
      return .replied(.done)
    // As a twin may: what is due at the instant of a request happens in it.
    case .look: return .replied(.seen(handled), effects: advance(to: now))
    }
  }

  var nextDue: Instant? { nextBell }

  mutating func advance(to now: Instant) -> Effects<Toy> {
    guard let bell = nextBell, bell <= now else { return Effects() }
    defer {
      ringers = []
      nextBell = nil
    }
    return Effects(completions: ringers.map { Completion($0, .success(.rang(bell))) })
  }

  func publication(at now: Instant) -> Int? { handled }
  mutating func read(_ publications: [Int]) { news = publications }
}

/// A behaviour given as a closure, one session long or more.
final class ToyBehaviour: Behaviour {
  typealias Contract = Toy
  typealias Session = @Sendable (Person<Toy>) async throws(JourneyEnded) -> Instant?
  let begins: Instant?
  private let body: Session
  private let reaction: (@Sendable (Received<Toy>, Person<Toy>) async throws(JourneyEnded) -> Void)?

  init(
    begins: Instant?, _ body: @escaping Session,
    reaction: (@Sendable (Received<Toy>, Person<Toy>) async throws(JourneyEnded) -> Void)? = nil
  ) {
    self.begins = begins
    self.body = body
    self.reaction = reaction
  }

  func session(as me: Person<Toy>) async throws(JourneyEnded) -> Instant? { try await body(me) }
  func reacts(to signal: Toy.Signal) -> Bool { reaction != nil }
  func react(to signal: Received<Toy>, as me: Person<Toy>) async throws(JourneyEnded) {
    try await reaction?(signal, me)
  }
}

struct ToyBackend: Backend {
  typealias Contract = Toy
  var persons: @Sendable (RegionPlan) -> [PersonPlan<Toy>]
  var controls: @Sendable (RegionPlan) -> [CellCommand<Toy>] = { _ in [] }
  var checks: [Check<Toy>] = []
  var business: [BusinessLatency<Toy>] = []
  var access: AccessMatrix?
  var letterDelay = Distribution.constant(.seconds(30))
  var looks: @Sendable (Toy.Reply?) -> Toy.Request? = { _ in .look }

  var judged: [JudgedRule<Toy>] { checks.map { JudgedRule($0) } }
  func checkRuntime(where isSeen: (JudgedRule<Toy>) -> Bool) -> RowsRuntime {
    RowsRuntime(CheckRouter(checks.filter { isSeen(JudgedRule($0)) }))
  }

  var declaration: WorldDeclaration {
    WorldDeclaration(
      domain: "toy", title: "Toy", population: [], parameters: [], quirks: [], profiles: [],
      operations: Toy.operations, business: [], limits: Toy.limits, controls: [])
  }
  func twin(_ setup: TwinSetup) -> ToyTwin { ToyTwin(rules: setup.rules()) }
  func populate(_ region: RegionPlan) -> PopulationPlan<Toy> {
    PopulationPlan(cells: 1, persons: persons(region), controls: controls(region))
  }
  func persons(in population: Settings) -> Int { 1 }
  var provingScenario: String { "" }
  func inspection(after last: Toy.Reply?) -> Toy.Request? { looks(last) }
  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<Toy>] { [] }
  func transit(of signal: Toy.Signal, in plan: RegionPlan) -> Distribution { letterDelay }
}

struct NoTokens: TokenCodec {
  func sign(payload: [UInt8]) -> String { "" }
  func verifiedPayload(of token: String) -> [UInt8]? { nil }
  func sign(payload: [UInt8], key: String) -> String { "" }
  func key(of token: String) -> String? { nil }
  func verifiedPayload(of token: String, key: String) -> [UInt8]? { nil }
  func modulus(of key: String) -> String { "" }
  func sha256(_ bytes: [UInt8]) -> [UInt8] { [] }
}

/// Who may do what, by how many rows are worked on.
let rights = AccessMatrix(columns: ["few", "many"])

/// Checks that tell of the table of rights, too: two rows should have been refused, and of none nothing is certain.
struct RowsRuntime: CheckRuntime {
  var router: CheckRouter<Toy>
  private var entries: [AccessMatrix.Entry] = []

  init(_ router: CheckRouter<Toy>) { self.router = router }

  var limits: [LimitID] { router.limits }
  var judges: [Judge] { router.judges }
  var violations: Int { router.violations }
  var library: Library<Toy> { router.library }

  mutating func see(_ record: Record<Toy>) {
    router.see(record)
    guard case .request(let call) = record.event, case .work(let rows) = call.request,
      call.outcome.isAnswered
    else { return }
    guard rows > 0 else {
      entries.append(
        AccessMatrix.Entry(
          .uncertain, operation: call.operation, isGranted: call.outcome.isReplied))
      return
    }
    entries.append(
      AccessMatrix.Entry(
        column: rows > 9 ? 1 : 0, operation: call.operation, isGranted: call.outcome.isReplied,
        isRight: rows != 2))
  }

  mutating func end(at instant: Instant) { router.end(at: instant) }

  mutating func takeEntries() -> [AccessMatrix.Entry] {
    defer { entries = [] }
    return entries
  }
}
