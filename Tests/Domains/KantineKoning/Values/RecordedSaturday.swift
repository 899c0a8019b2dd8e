import Backends
import Contracts
import KantineKoningContract
import KantineKoningDomain
import Observations
import Scenarios
import Simulation
import Timekeeping
import Tokens

/// The records of a match Saturday of two clubs, in one region and one cell.
enum RecordedSaturday {
  static func records(
    hours: Int64 = 10, adversaries: Double = 0.005, without rule: KantineKoning.Rule? = nil,
    quirks: Set<String> = [], seed: UInt64 = 1,
    endingSeasonAfter hour: Int64? = nil
  ) -> [Record<KantineKoning>] {
    let box = Box()
    let backend = Recorded(box: box)
    let declaration = backend.declaration
    var world = World(
      domain: declaration.domain, regions: 1,
      population: Settings(declaration.population, overridden: ["clubs": .count(2)]),
      parameters: Settings(
        declaration.parameters,
        overridden: ["requestLost": .share(0.01), "answerLost": .share(0.005)]),
      adversaries: adversaries)
    world.rulesOff = rule.map { [$0.id] } ?? []
    world.quirks = quirks
    let starts = Instant("2026-03-21T05:00:00Z")!
    let ends = hour.map {
      ScheduledEvent(
        at: starts + .hours($0), domain: declaration.domain, command: "endSeason",
        parameters: ["tenant": "kantine-koning/1/club-1"], line: 1)
    }
    let scenario = Scenario(
      name: "saturday", title: "Saturday", starts: starts, zone: .amsterdam, lasts: .hours(hours),
      seed: seed, replications: 1, worlds: [world], barrierInterval: .hours(1),
      events: ends.map { [$0] } ?? [])
    let tokens = TokenSignatures(secret: "rehearsal signs for simulated backends only")
    _ = VirtualRun(scenario, domains: [AnyDomain(backend)], tokens: tokens).run(workers: 1)
    return box.records
  }
}

private final class Box: @unchecked Sendable {
  var records: [Record<KantineKoning>] = []
}

/// A backend whose records are kept and not judged.
private struct Recorded: Backend {
  typealias Contract = KantineKoning

  struct Keeping: CheckRuntime {
    typealias Contract = KantineKoning
    let box: Box
    let library = CheckRouter<KantineKoning>([]).library
    var limits: [LimitID] { [] }
    var judges: [Judge] { [] }
    var violations: Int { 0 }

    mutating func see(_ record: Record<KantineKoning>) { box.records.append(record) }
    mutating func end(at instant: Instant) {}
  }

  private let backend = KantineKoningBackend()
  let box: Box

  init(box: Box) { self.box = box }

  var declaration: WorldDeclaration { backend.declaration }
  var judged: [JudgedRule<KantineKoning>] { [] }
  func checkRuntime(where isSeen: (JudgedRule<KantineKoning>) -> Bool) -> Keeping {
    Keeping(box: box)
  }
  var business: [BusinessLatency<KantineKoning>] { [] }
  var provingScenario: String { backend.provingScenario }
  func twin(_ setup: TwinSetup) -> KantineKoningBackend.Model { backend.twin(setup) }
  func populate(_ region: RegionPlan) -> PopulationPlan<KantineKoning> { backend.populate(region) }
  func persons(in population: Settings) -> Int { backend.persons(in: population) }
  func inspection(after last: KantineKoning.Reply?) -> KantineKoning.Request? {
    backend.inspection(after: last)
  }
  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<KantineKoning>] {
    try backend.assign(control, parameters, in: region)
  }
  func transit(of signal: KantineKoning.Signal, in plan: RegionPlan) -> Distribution {
    backend.transit(of: signal, in: plan)
  }
  func environment(
    on signal: KantineKoning.Signal, at address: KantineKoning.Address
  ) -> [KantineKoning.Request] { backend.environment(on: signal, at: address) }
}
