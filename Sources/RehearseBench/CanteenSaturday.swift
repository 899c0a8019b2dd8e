import Backends
import BenchWork
import Contracts
import Foundation
import KantineKoningContract
import KantineKoningDomain
import Observations
import Scenarios
import Simulation
import Timekeeping
import Tokens

/// A match Saturday of Kantine Koning from end to end: journeys, network, twin, checks, digest, histograms.
enum CanteenSaturday {
  static func figure() -> String {
    let scenario = scenario(clubs: 20, regions: 2)
    var requests = 0
    let measurement = Measurement.interleaved([
      {
        let seconds = Measurement.processorSeconds { requests = live(scenario, workers: 1) }
        return Double(requests) / seconds / 1e3
      }
    ])[0]
    return """
      Kantine Koning, a Saturday of \(requests) requests, everything on
        one worker       \(measurement.text("k requests/s"))   goal 300
      """
  }

  /// What the parts cost, by leaving them out.
  static func parts() -> String {
    let scenario = scenario(clubs: 20, regions: 2)
    let backend = KantineKoningBackend()
    let measurements = Measurement.interleaved([
      { Measurement.seconds { _ = live(scenario, workers: 1) } },
      {
        Measurement.seconds {
          _ = live(scenario, workers: 1, domain: AnyDomain(Unchecked(backend: backend)))
        }
      },
      { Measurement.seconds { populate(scenario) } },
    ])
    let whole = measurements[0].median
    func share(_ seconds: Double) -> String { String(format: "%.0f %%", seconds / whole * 100) }
    return """
      Where a Saturday's time goes
        checks and business latencies  \(share(whole - measurements[1].median))
        making the population          \(share(measurements[2].median))
        twin, journeys, kernel, digest \(share(measurements[1].median - measurements[2].median))
      """
  }

  static func scaling() -> String {
    let scenario = scenario(clubs: 20, regions: 4)
    let measurements = Measurement.interleaved([
      { Measurement.seconds { _ = live(scenario, workers: 1) } },
      { Measurement.seconds { _ = live(scenario, workers: 2) } },
      { TrivialLoop.seconds(threads: 1) }, { TrivialLoop.seconds(threads: 2) },
    ])
    let ours = measurements[0].median / measurements[1].median
    let machine = measurements[2].median / measurements[3].median
    return String(
      format: """
        Two workers
          Kantine Koning %.2f times one worker, a trivial loop %.2f times; quotient %.2f   goal 0.9
        """, ours, machine, ours / machine)
  }

  static func memory() -> String {
    let before = resident()
    let plan = VirtualRun.plans(
      of: world(clubs: 1_000, regions: 1), in: scenario(clubs: 1_000, regions: 1), seed: 1,
      tokens: tokens)[0]
    let populationPlan = KantineKoningBackend().populate(plan)
    var twins = (0..<populationPlan.cells).map { _ in
      KantineKoningBackend().twin(
        TwinSetup(identifiers: plan.stream("bench"), rulesOff: [], tokens: tokens))
    }
    for control in populationPlan.controls {
      _ = twins[control.cell].handle(control.request, from: .administration, at: plan.starts)
    }
    let behaviours = populationPlan.persons.map { $0.behaviour() }
    let after = resident()
    return withExtendedLifetime((twins, behaviours)) {
      String(
        format: """
          Memory
            %d phones, twin and lives included: %.1f KB a phone   goal 4
          """, behaviours.count, Double(after - before) / Double(behaviours.count) / 1_024)
    }
  }

  private static func resident() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4_096
  }

  // MARK: - The scenario

  private static let tokens = TokenSignatures(secret: "rehearsal signs for simulated backends only")

  private static func world(clubs: Int, regions: Int) -> World {
    let declaration = KantineKoningBackend().declaration
    return World(
      domain: declaration.domain, regions: regions,
      population: Settings(declaration.population, overridden: ["clubs": .count(clubs)]),
      parameters: Settings(declaration.parameters), adversaries: 0.005)
  }

  private static func scenario(clubs: Int, regions: Int) -> Scenario {
    Scenario(
      name: "bench", title: "Bench", starts: Instant("2026-03-21T05:00:00Z")!, zone: .amsterdam,
      lasts: .hours(18), worlds: [world(clubs: clubs, regions: regions)], barrierInterval: .hours(1)
    )
  }

  static func live(replications: Int) -> Int {
    var scenario = scenario(clubs: 2, regions: 1)
    scenario.replications = replications
    return live(scenario, workers: 1)
  }

  private static func live(
    _ scenario: Scenario, workers: Int, domain: AnyDomain = AnyDomain(KantineKoningBackend())
  ) -> Int {
    VirtualRun(scenario, domains: [domain], tokens: tokens).run(workers: workers)
      .reduce(0) { $0 + $1.worlds.reduce(0) { $0 + $1.requests } }
  }

  private static func populate(_ scenario: Scenario) {
    let plans = VirtualRun.plans(
      of: scenario.worlds[0], in: scenario, seed: scenario.seed(ofReplication: 0), tokens: tokens)
    for plan in plans { _ = KantineKoningBackend().populate(plan) }
  }
}

/// A domain without its checks, to see what they cost.
private struct Unchecked: Backend {
  typealias Contract = KantineKoning
  let backend: KantineKoningBackend

  var declaration: WorldDeclaration { backend.declaration }
  var checks: [Check<Contract>] { [] }
  var business: [BusinessLatency<Contract>] { [] }
  func twin(_ setup: TwinSetup) -> KantineKoningBackend.Model { backend.twin(setup) }
  func populate(_ region: RegionPlan) -> PopulationPlan<Contract> { backend.populate(region) }
  func persons(in population: Settings) -> Int { backend.persons(in: population) }
  var provingScenario: String { backend.provingScenario }
  func inspection(after last: Contract.Reply?) -> Contract.Request? { nil }
  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<Contract>] {
    try backend.assign(control, parameters, in: region)
  }
  func transit(of signal: Contract.Signal, in plan: RegionPlan) -> Distribution {
    backend.transit(of: signal, in: plan)
  }
}
