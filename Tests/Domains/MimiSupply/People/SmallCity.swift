import Backends
import Contracts
import Journeys
import MimiSupplyContract
import MimiSupplyJourneys
import MimiSupplyRoom
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
  static let tokens = HS256(secret: "a secret of at least 32 bytes, for tests")

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
      population: Settings(MarketSettings.population, overridden: population),
      parameters: Settings(MarketSettings.parameters, overridden: parameters))
    let scenario = Scenario(
      name: "city", title: "A small city", starts: Self.starts, zone: .berlin, lasts: lasts,
      seed: seed, replications: replications, worlds: [world], exchange: .hours(1))
    let results = VirtualRun(
      scenario, rooms: [Stage(WatchedMarket(diary: diary))], tokens: Self.tokens
    ).run(workers: workers)
    return (results, diary.all)
  }

  func plan() -> RegionPlan {
    RegionPlan(
      seed: seed, region: 1, regions: regions,
      population: Settings(MarketSettings.population, overridden: population),
      parameters: Settings(MarketSettings.parameters, overridden: parameters), quirks: [],
      adversaries: 0, rulesOff: [], starts: Self.starts, ends: Self.starts + lasts,
      path: "mimi-supply/1", tokens: Self.tokens)
  }
}

final class Diary: Sendable {
  private let records = Mutex<[Record<MimiSupply>]>([])
  func write(_ record: Record<MimiSupply>) { records.withLock { $0.append(record) } }
  var all: [Record<MimiSupply>] { records.withLock { $0 } }
}

/// The room with one check, which keeps what it sees.
private struct WatchedMarket: Backend {
  typealias Agreement = MimiSupply

  let room = MimiSupplyBackend()
  let diary: Diary

  var declaration: WorldDeclaration { room.declaration }
  var business: [BusinessLatency<MimiSupply>] { room.business }
  var inspection: MimiSupply.Request? { room.inspection }
  var provingScenario: String { room.provingScenario }
  func twin(_ setup: TwinSetup) -> MimiSupplyTwin { room.twin(setup) }
  func settle(_ region: RegionPlan) -> Settlement<MimiSupply> { room.settle(region) }
  func persons(in population: Settings) -> Int { room.persons(in: population) }
  func place(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [Placed<MimiSupply>] {
    try room.place(control, parameters, in: region)
  }
  func transit(of signal: MimiSupply.Signal, in plan: RegionPlan) -> Distribution {
    room.transit(of: signal, in: plan)
  }
  func environment(
    on signal: MimiSupply.Signal, at address: MimiSupply.Address
  ) -> [MimiSupply.Request] { room.environment(on: signal, at: address) }

  var checks: [Check<MimiSupply>] {
    let concerns =
      Set(MimiSupply.operations.indices.map { Concern.operation($0) })
      .union([.signals, .notes])
    return [.record(.ms01, concerns) { record, _ in diary.write(record) }]
  }
}

// MARK: - What tests look for in records

extension Record<MimiSupply> {
  var exchange: Exchange<MimiSupply>? {
    if case .request(let exchange) = event { exchange } else { nil }
  }

  /// Records of a type that the answer shows.
  func shown(_ type: RecordType) -> [CloudRecord] {
    let all: [CloudRecord]
    switch exchange?.outcome.reply?.content {
    case .found(let records, _): all = records
    case .items(let items):
      all = items.compactMap { if case .saved(let record) = $0 { record } else { nil } }
    default: all = []
    }
    return all.filter { $0.type == type }
  }

  /// Records of a type that the request creates.
  func created(_ type: RecordType) -> [RecordDraft] {
    guard case .modify(_, let asked)? = exchange?.request else { return [] }
    return asked.items.filter { $0.kind == .create && $0.record.type == type }.map(\.record)
  }
}
