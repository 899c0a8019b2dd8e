import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Simulation
import Synchronization
import Timekeeping

/// When toy runs begin.
let epoch = Instant("2026-03-21T05:00:00Z")!

/// What the people of a toy run came to know; filled from several regions, read after the run.
final class Diary<Entry: Sendable>: @unchecked Sendable {
  private let lock = Lock()
  private var entries: [Entry] = []
  func write(_ entry: Entry) { lock.with { entries.append(entry) } }
  var all: [Entry] { lock.with { entries } }
}

final class Lock: Sendable {
  private let mutex = Mutex(())
  func with<Value>(_ body: () -> Value) -> Value { mutex.withLock { _ in body() } }
}

func toyScenario(
  lasts: Span = .hours(1), regions: Int = 1, replications: Int = 1, seed: UInt64 = 1,
  network: Network = Network(latency: .constant(.milliseconds(100))),
  service: Service = Service(servers: 1, perRequest: .zero, perRowRead: .microseconds(1)),
  barrierInterval: Span = .minutes(15), warmup: Span = .zero, faults: [Fault] = []
) -> Scenario {
  let none = Settings([])
  return Scenario(
    name: "toy", title: "Toy", starts: epoch, zone: .utc, lasts: lasts, seed: seed,
    replications: replications,
    worlds: [World(domain: "toy", regions: regions, population: none, parameters: none)],
    network: network, service: service, barrierInterval: barrierInterval, warmup: warmup,
    faults: faults)
}

func live(
  _ scenario: Scenario, in backend: ToyBackend, workers: Int = 1,
  transcribing: Transcribing = .nobody
) -> [ReplicationResult] {
  VirtualRun(
    scenario, domains: [AnyDomain(backend)], tokens: NoTokens(), transcribing: transcribing
  )
  .run(workers: workers)
}

/// One person who lives one session from the start.
func alone(
  begins: Instant? = epoch, _ body: @escaping ToyBehaviour.Session
) -> ToyBackend {
  ToyBackend(persons: { _ in
    [PersonPlan(name: "one", cell: 0) { ToyBehaviour(begins: begins, body) }]
  })
}
