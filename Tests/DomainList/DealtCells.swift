import Backends
import DomainList
import ScenarioFiles
import Scenarios
import Simulation
import Testing
import Timekeeping

@Suite struct `Cells` {
  /// The first hours of the scenario in which all rules of a domain are tried.
  private static func scenario<Domain: Backend>(of backend: Domain) throws -> Scenario {
    var scenario = try ScenarioFile.read(
      Array(backend.provingScenario.utf8), file: backend.declaration.domain,
      declarations: Domains.declarations
    ).scenario
    scenario.lasts = min(scenario.lasts, scenario.lasts / 4 + .hours(1))
    return scenario
  }

  private static func cells<Domain: Backend>(of backend: Domain, in scenario: Scenario) -> Int {
    let world = scenario.worlds[0]
    let plan = RegionPlan(
      seed: scenario.seed, region: 1, regions: 1, population: world.population,
      parameters: world.parameters, quirks: world.quirks, adversaries: world.adversaries,
      rulesOff: [], starts: scenario.starts, ends: scenario.ends,
      path: world.domain + "/1", tokens: Domains.tokens)
    return backend.populate(plan).cells
  }

  @Test(arguments: Domains.entries)
  func `are accused of nothing, however they are dealt to regions`(entry: AnyDomain) throws {
    var scenario = try Self.scenario(of: entry.backend)
    scenario.seed = UInt64.random(in: 1...1_000_000)
    // Where each region is a single cell, two of them are enough.
    for regions in 1...max(2, Self.cells(of: entry.backend, in: scenario)) {
      scenario.worlds[0].regions = regions
      let results = VirtualRun(scenario, domains: [entry], tokens: Domains.tokens).run(workers: 1)
      let violated = results.flatMap { $0.worlds.flatMap(\.limits) }.filter { $0.violations > 0 }
      #expect(
        violated.map(\.id.text) == [],
        "\(scenario.worlds[0].domain), seed \(scenario.seed), \(regions) regions")
    }
  }
}
