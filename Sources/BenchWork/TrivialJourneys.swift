import Backends
import Contracts
import Dispatch
import Journeys
import Observations
import Scenarios
import Simulation
import Timekeeping

/// People who do nothing but ask a twin that does nothing: what the engine itself costs.
public enum TrivialJourneys {
  public static func figure() -> String {
    var requests = 0
    let measurement = Measurement.interleaved([
      {
        let seconds = Measurement.processorSeconds { requests = live(workers: 1) }
        return Double(requests) / seconds / 1e6
      }
    ])[0]
    return """
      Journeys with a trivial twin, \(requests) requests
        one worker       \(measurement.text("M requests/s"))   goal 1
      """
  }

  public static func scaling() -> String {
    let measurements = Measurement.interleaved([
      { Measurement.seconds { _ = live(workers: 1) } },
      { Measurement.seconds { _ = live(workers: 2) } },
    ])
    let ratio = measurements[0].median / measurements[1].median
    return """
      Journeys with a trivial twin on two workers
        \((ratio * 100).rounded() / 100) times one worker
      """
  }

  public static func live(replications: Int) -> Int {
    live(workers: 1, replications: replications)
  }

  /// The same people at addresses that signals could reach, so that none runs ahead of its region.
  public static func liveListening(replications: Int) -> Int {
    live(workers: 1, replications: replications, isListening: true)
  }

  private static func live(
    workers: Int, replications: Int = 1, isListening: Bool = false
  ) -> Int {
    let none = Settings([])
    let scenario = Scenario(
      name: "trivial", title: "Trivial", starts: Instant("2026-03-21T05:00:00Z")!, zone: .utc,
      lasts: .hours(1), replications: replications,
      worlds: [World(domain: "trivial", regions: 8, population: none, parameters: none)],
      network: Network(latency: .constant(.milliseconds(50))),
      service: Service(servers: 64, perRequest: .microseconds(10)), barrierInterval: .minutes(15))
    let domain = AnyDomain(TrivialBackend(isListening: isListening))
    return VirtualRun(scenario, domains: [domain], tokens: NoTokens())
      .run(workers: workers).reduce(0) { $0 + $1.worlds[0].requests }
  }
}

/// The same arithmetic on one thread or split over several: what the machine itself gains from a second core.
public enum TrivialLoop {
  public static func seconds(threads: Int) -> Double {
    Measurement.seconds {
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        var word = UInt64(thread)
        for _ in 0..<(400_000_000 / threads) { word = word &* 6_364_136_223_846_793_005 &+ 1 }
        precondition(word != 42)
      }
    }
  }
}

private enum Trivial: WireContract {
  enum Request: Hashable, Sendable { case touch }
  enum Reply: Hashable, Sendable { case done }
  struct Refusal: RefusalCode { var code: String { "never" } }
  typealias Signal = Never
  typealias Credential = Int
  struct Note: Hashable, Sendable {}
  typealias Address = Int

  static let domain = "trivial"
  static let operations = [Operation("touch", "Touch", source: "bench")]
  static func operation(of request: Request) -> Int { 0 }
  static func fingerprint(of reply: Reply, into digest: inout Digest) { digest.mix(1) }
  static let controls: [ControlDeclaration] = []
  static func read(_ wire: WireRequest) -> (request: Request, credential: Int?) { (.touch, nil) }
  static func write(
    _ request: Request, credential: Int?, tokens: any TokenCodec
  ) -> WireRequest { WireRequest("POST", "/touch") }
  static func write(
    _ result: Result<Reply, Refusal>, to request: Request, tokens: any TokenCodec
  ) -> WireResponse { WireResponse(200) }
  static func read(
    _ response: WireResponse, to request: Request
  ) -> Result<Reply, Refusal>? { .success(.done) }
  static func control(_ name: String, _ parameters: JSON) throws(ControlProblem) -> Request {
    throw ControlProblem("there are no commands")
  }
  static func show(_ signal: Never, to address: Int, tokens: any TokenCodec) -> JSON {}
  static func show(_ signal: Never) -> JSON {}
  static func show(_ note: Note) -> JSON { "note" }
  static func show(_ request: Request) -> JSON { "touch" }
  static func show(_ reply: Reply) -> JSON { "done" }
}

private struct TrivialTwin: Twin {
  typealias Contract = Trivial
  var touched = 0

  mutating func handle(
    _ request: Trivial.Request, from caller: Caller<Trivial>, at now: Instant
  ) -> Handled<Trivial> {
    touched += 1
    return .replied(.done, work: Work(rowsWritten: 0))
  }
}

private final class Toucher: Behaviour {
  typealias Contract = Trivial
  let begins: Instant?
  private let isListening: Bool
  init(begins: Instant, isListening: Bool) {
    (self.begins, self.isListening) = (begins, isListening)
  }

  func session(as me: Person<Trivial>) async throws(JourneyEnded) -> Instant? {
    if isListening { me.listen(at: Int(me.id.index)) }
    for _ in 0..<20 {
      _ = try await me.ask(.touch)
      try await me.think(.seconds(3))
    }
    return me.now + .minutes(5)
  }
}

private struct TrivialBackend: Backend {
  let isListening: Bool

  var declaration: WorldDeclaration {
    WorldDeclaration(
      domain: "trivial", title: "Trivial", population: [], parameters: [], quirks: [],
      profiles: [], operations: Trivial.operations, business: [], limits: [], controls: [])
  }
  var checks: [Check<Trivial>] { [] }
  var business: [BusinessLatency<Trivial>] { [] }
  func twin(_ setup: TwinSetup) -> TrivialTwin { TrivialTwin() }
  func populate(_ region: RegionPlan) -> PopulationPlan<Trivial> {
    let persons = (0..<1_000).map { index in
      PersonPlan<Trivial>(name: "toucher-\(index)", cell: 0) {
        Toucher(
          begins: region.starts + .milliseconds(Int64(index)), isListening: isListening)
      }
    }
    return PopulationPlan(cells: 1, persons: persons, controls: [])
  }
  func persons(in population: Settings) -> Int { 8_000 }
  var provingScenario: String { "" }
  func inspection(after last: Trivial.Reply?) -> Trivial.Request? { nil }
  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<Trivial>] { [] }
  func transit(of signal: Never, in plan: RegionPlan) -> Distribution {}
}

struct NoTokens: TokenCodec {
  func sign(payload: [UInt8]) -> String { "" }
  func sign(payload: [UInt8], key: String) -> String { "" }
  func key(of token: String) -> String? { nil }
  func verifiedPayload(of token: String, key: String) -> [UInt8]? { nil }
  func modulus(of key: String) -> String { "" }
  func sha256(_ bytes: [UInt8]) -> [UInt8] { [] }
  func verifiedPayload(of token: String) -> [UInt8]? { nil }
}
