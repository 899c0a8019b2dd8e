import Backends
import Contracts
import Journeys
import MimiSupplyContract
import MimiSupplyDomain
import MimiSupplyJourneys
import MimiSupplyTwin
import Observations
import Scenarios
import Simulation
import Synchronization
import Timekeeping
import Tokens

/// A city that lives an evening in virtual time, and what was seen of it.
struct SmallCity {
  /// Friday, half past four in Berlin.
  static let starts = Instant("2026-03-27T15:30:00Z")!
  static let tokens = TokenSignatures(secret: "a secret of at least 32 bytes, for tests")

  var population: [String: Setting.Value] = [
    "customers": .count(40), "partners": .count(4), "drivers": .count(24),
    "ordersPerDay": .number(1.5), "newcomers": .share(0), "signInAtCheckout": .share(0.2),
  ]
  var parameters: [String: Setting.Value] = ["ownHours": .share(0)]
  var lasts = Span.hours(5)
  var regions = 1
  var seed: UInt64 = 3
  var replications = 1

  func live(workers: Int = 1) -> (results: [ReplicationResult], records: [Record<MimiSupply>]) {
    let diary = Diary()
    let world = World(
      domain: MimiSupply.domain, regions: regions,
      population: Settings(CitySettings.population, overridden: population),
      parameters: Settings(CitySettings.parameters, overridden: parameters))
    let scenario = Scenario(
      name: "city", title: "A small city", starts: Self.starts, zone: .berlin, lasts: lasts,
      seed: seed, replications: replications, worlds: [world], barrierInterval: .hours(1))
    let results = VirtualRun(
      scenario, domains: [AnyDomain(WatchedMarket(diary: diary))], tokens: Self.tokens
    ).run(workers: workers)
    return (results, diary.all)
  }

  func plan() -> RegionPlan {
    RegionPlan(
      seed: seed, region: 1, regions: regions,
      population: Settings(CitySettings.population, overridden: population),
      parameters: Settings(CitySettings.parameters, overridden: parameters), quirks: [],
      adversaries: 0, rulesOff: [], starts: Self.starts, ends: Self.starts + lasts,
      path: "mimi-supply/1", tokens: Self.tokens)
  }
}

final class Diary: Sendable {
  private let records = Mutex<[Record<MimiSupply>]>([])
  func write(_ record: Record<MimiSupply>) { records.withLock { $0.append(record) } }
  var all: [Record<MimiSupply>] { records.withLock { $0 } }
}

/// The domain without checks, and with a business latency more, which keeps what it sees.
private struct WatchedMarket: Backend {
  typealias Contract = MimiSupply

  let backend = MimiSupplyBackend()
  let diary: Diary

  var declaration: WorldDeclaration { backend.declaration }
  var checks: [Check<MimiSupply>] { [] }
  var business: [BusinessLatency<MimiSupply>] {
    let concerns =
      Set(MimiSupply.operations.indices.map { Concern.operation($0) })
      .union([.signals, .notes])
    return backend.business + [
      BusinessLatency("diary", "What was seen", concerns: concerns) { record in
        diary.write(record)
        return []
      }
    ]
  }
  func inspection(after last: MimiSupply.Reply?) -> MimiSupply.Request? {
    backend.inspection(after: last)
  }
  var provingScenario: String { backend.provingScenario }
  func twin(_ setup: TwinSetup) -> MimiSupplyTwin { backend.twin(setup) }
  func populate(_ region: RegionPlan) -> PopulationPlan<MimiSupply> { backend.populate(region) }
  func persons(in population: Settings) -> Int { backend.persons(in: population) }
  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<MimiSupply>] {
    try backend.assign(control, parameters, in: region)
  }
  func transit(of signal: MimiSupply.Signal, in plan: RegionPlan) -> Distribution {
    backend.transit(of: signal, in: plan)
  }
  func environment(
    on signal: MimiSupply.Signal, at address: MimiSupply.Address
  ) -> [MimiSupply.Request] { backend.environment(on: signal, at: address) }
}

// MARK: - What tests look for in records

extension Record<MimiSupply> {
  var call: Call<MimiSupply>? {
    if case .request(let call) = event { call } else { nil }
  }

  /// Records of a type that the answer shows.
  func shown(_ type: RecordType) -> [CloudRecord] {
    let all: [CloudRecord]
    switch call?.outcome.reply?.content {
    case .found(let records, _): all = records
    case .items(let items):
      all = items.compactMap { if case .saved(let record) = $0 { record } else { nil } }
    default: all = []
    }
    return all.filter { $0.type == type }
  }

  /// Records of a type that the request creates.
  func created(_ type: RecordType) -> [RecordDraft] {
    guard case .modify(_, let asked)? = call?.request else { return [] }
    return asked.items.filter { $0.kind == .create && $0.record.type == type }.map(\.record)
  }
}
