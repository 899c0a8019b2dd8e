import Backends
import Contracts
import Observations
import Scenarios
import Simulation
import Timekeeping
import ToyChecks
import ToyContract
import ToyDomain
import ToyJourneys
import WireLine

/// A workshop whose records come to other checks than its own.
struct WatchedWorkshop<Checks: CheckRuntime<Toy>>: Backend {
  private let backend = ToyBackend()
  let make: @Sendable () -> Checks

  var declaration: WorldDeclaration { backend.declaration }
  var judged: [JudgedRule<Toy>] { backend.judged }
  var business: [BusinessLatency<Toy>] { backend.business }
  var provingScenario: String { backend.provingScenario }
  func checkRuntime(where isSeen: (JudgedRule<Toy>) -> Bool) -> Checks { make() }
  func twin(_ setup: TwinSetup) -> ToyBackend.Model { backend.twin(setup) }
  func populate(_ region: RegionPlan) -> PopulationPlan<Toy> { backend.populate(region) }
  func persons(in population: Settings) -> Int { backend.persons(in: population) }
  func inspection(after last: Toy.Reply?) -> Toy.Request? { nil }
  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<Toy>] {
    try backend.assign(control, parameters, in: region)
  }
  func transit(of signal: Toy.Signal, in plan: RegionPlan) -> Distribution {
    backend.transit(of: signal, in: plan)
  }

  /// Half a day of two workshops with people who break rules and a poor network, in so many regions.
  static func live(
    without rule: Toy.Rule?, seed: UInt64, regions: Int, deciding: Bool = false,
    _ make: @escaping @Sendable () -> Checks
  ) {
    var parameters: [String: Setting.Value] = [
      "visitEvery": .span(.minutes(20)), "mischiefEvery": .span(.minutes(10)),
      "requestLost": .share(0.02), "answerLost": .share(0.05),
    ]
    if deciding { parameters["mostTools"] = .count(2) }
    if deciding { parameters["keptFor"] = .span(.minutes(30)) }
    var world = World(
      domain: Toy.domain, regions: regions, population: Settings(WorkshopSettings.population),
      parameters: Settings(WorkshopSettings.parameters, overridden: parameters), adversaries: 0.2)
    world.rulesOff = rule.map { [$0.id] } ?? []
    let scenario = Scenario(
      name: "toy", title: "Toy", starts: Instant("2026-03-21T07:00:00Z")!, zone: .utc,
      lasts: .hours(12), seed: seed, replications: 1, worlds: [world], barrierInterval: .hours(1))
    _ = VirtualRun(scenario, domains: [AnyDomain(WatchedWorkshop(make: make))], tokens: codec)
      .run(workers: 1)
  }
}
