import Backends
import Contracts
import Journeys
import KantineKoningContract
import KantineKoningJourneys
import KantineKoningTwin
import Observations
import Timekeeping

public struct KantineKoningBackend: Backend {
  public typealias Agreement = KantineKoning
  public init() {}

  public var declaration: WorldDeclaration {
    WorldDeclaration(
      domain: KantineKoning.domain, title: "Kantine Koning",
      population: CanteenSettings.population, parameters: CanteenSettings.parameters,
      quirks: CanteenSettings.quirks, profiles: CanteenSettings.profiles,
      operations: KantineKoning.operations, business: [], limits: KantineKoning.limits,
      controls: KantineKoning.controls)
  }
  public var checks: [Check<KantineKoning>] { [] }
  public var business: [BusinessLatency<KantineKoning>] { [] }
  public func twin(_ setup: TwinSetup) -> KantineKoningTwin {
    KantineKoningTwin(identifiers: setup.identifiers, rules: setup.rules, tokens: setup.tokens)
  }
  public func settle(_ region: RegionPlan) -> Settlement<KantineKoning> {
    let plan = CanteenPlan(
      region: region.region, clubs: region.share(of: region.population.count("clubs")).count,
      population: region.population, parameters: region.parameters, quirks: region.quirks,
      adversaries: region.adversaries, rules: region.rules, starts: region.starts,
      ends: region.ends, tokens: region.tokens, stream: { region.stream($0, $1) })
    let population = Population(plan)
    var residents: [Resident<KantineKoning>] = population.phones.map { cell, seed in
      Resident(name: seed.name, cell: cell) { Phone(seed) }
    }
    residents += population.adversaries.map { cell, seed in
      Resident(name: seed.name, cell: cell) { Adversary(seed) }
    }
    let controls = (population.clubFixtures + population.enrollmentFixtures).map {
      Placed<KantineKoning>(cell: $0.cell, at: region.starts, .control(.load($0.fixture)))
    }
    return Settlement(cells: plan.cells, residents: residents, controls: controls)
  }
  public func persons(in population: Settings) -> Int { population.count("clubs") * 100 }
  public var provingScenario: String { "" }
  public var inspection: KantineKoning.Request? { .inspect }
  public func setRule(_ limit: LimitID, binds: Bool) -> KantineKoning.Request {
    .control(.setRule(limit, binds: binds))
  }
  public func place(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [Placed<KantineKoning>] { [] }
  public func transit(of signal: KantineKoning.Signal, in plan: RegionPlan) -> Distribution {
    .uniform(from: .seconds(5), to: .seconds(60))
  }
}
