import ArgumentParser
import Backends
import DomainList
import Foundation
import ScenarioFiles
import Scenarios
import Simulation
import Synchronization
import Timekeeping
import Verdicts

struct RegionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regions",
    abstract: "Deal the cells of each domain to every number of regions.",
    discussion: """
      A region is what lives on one worker; cells of one region share its streams of random numbers and its servers, and nothing else. \
      So a backend that keeps its rules is accused of nothing, however its cells are dealt. The first hours of each domain's \
      proving scenario, in which all rules are tried, are lived with 1 region up to as many as there are cells. A violation is a \
      failure (exit code 99).
      """)

  @Option(help: "The seed; another one each time when left out, and printed.")
  var seed: UInt64?

  @Option(help: "Only this domain.", completion: .list(Domains.all.map(\.domain)))
  var domain: String?

  func run() throws {
    let seed = seed ?? .random(in: 0...999_999)
    print("seed \(seed)")
    let chosen = Domains.entries.filter { domain == nil || $0.backend.domain == domain }
    guard !chosen.isEmpty else {
      throw ValidationError("--domain is one of \(Domains.names)")
    }
    var isAccused = false
    for entry in chosen {
      let scenario = try Self.scenario(of: entry.backend, seed: seed)
      // Where each region is a single cell, two of them are enough.
      let most = max(2, Self.cells(of: entry.backend, in: scenario))
      let found = Mutex([Int: [String]]())
      DispatchQueue.concurrentPerform(iterations: most) { index in
        let rules = Self.violated(entry, in: scenario, regions: index + 1)
        found.withLock { $0[index + 1] = rules }
      }
      let accused = found.withLock { $0 }.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
      for (regions, rules) in accused {
        print("  \(entry.backend.domain), \(regions) regions: \(rules.joined(separator: ", "))")
      }
      print(
        "\(entry.backend.domain): 1 to \(most) regions, "
          + (accused.isEmpty ? "no rule broken" : "with \(accused.count) of them rules are broken"))
      isAccused = isAccused || !accused.isEmpty
    }
    if isAccused { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private static func scenario<Domain: Backend>(
    of backend: Domain, seed: UInt64
  ) throws -> Scenario {
    var scenario = try ScenarioFile.read(
      Array(backend.provingScenario.utf8), file: backend.domain, declarations: Domains.declarations
    ).scenario
    scenario.seed = seed
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

  private static func violated(
    _ entry: AnyDomain, in scenario: Scenario, regions: Int
  ) -> [String] {
    var scenario = scenario
    scenario.worlds[0].regions = regions
    return VirtualRun(scenario, domains: [entry], tokens: Domains.tokens).run(workers: 1)
      .flatMap { $0.worlds.flatMap(\.limits) }.filter { $0.violations > 0 }.map(\.id.text)
  }
}
