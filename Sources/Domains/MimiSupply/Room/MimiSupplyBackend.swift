import Backends
import Contracts
import Journeys
import MimiSupplyChecks
import MimiSupplyContract
import MimiSupplyJourneys
import MimiSupplyTwin
import Observations
import Timekeeping

/// MimiSupply as the engine sees it: its contract, its twin, and the people that it has so far.
public struct MimiSupplyBackend: Backend {
  public typealias Agreement = MimiSupply

  public init() {}

  public var declaration: WorldDeclaration {
    WorldDeclaration(
      domain: MimiSupply.domain, title: "MimiSupply", population: MarketSettlers.population,
      parameters: MarketSettlers.parameters, quirks: [],
      profiles: [Profile("documented", quirks: [])],
      operations: MimiSupply.operations, business: business.map(\.name),
      limits: MimiSupply.limits, controls: MimiSupply.controls)
  }

  public var checks: [Check<MimiSupply>] { MimiSupplyChecks.all }
  public var business: [BusinessLatency<MimiSupply>] { MimiSupplyChecks.business }
  public var inspection: MimiSupply.Request? { .inspect }

  /// §3.1.
  public var port: Int { 8080 }

  public func twin(_ setup: TwinSetup) -> MimiSupplyTwin {
    MimiSupplyTwin(identifiers: setup.identifiers, rules: setup.rules, tokens: setup.tokens)
  }

  public func persons(in population: Settings) -> Int { population.count("customers") }

  public func setRule(_ limit: LimitID, binds: Bool) -> MimiSupply.Request {
    .control(.setRule(limit, binds: binds))
  }

  /// A push is there within a second or two.
  public func transit(of signal: MimiSupply.Signal, in plan: RegionPlan) -> Distribution {
    .lognormal(median: .milliseconds(300), p95: .seconds(2))
  }

  /// A region is one city with the sample world in it (§12).
  public func settle(_ region: RegionPlan) -> Settlement<MimiSupply> {
    let between = region.parameters.span("betweenSessions")
    let thinking = region.parameters.span("thinking")
    let residents = region.share(of: region.population.count("customers")).map { index in
      let name = "customer-\(index + 1)"
      var stream = region.stream(name)
      let begins = region.starts + stream.sample(.exponential(mean: between))
      let device = "\(region.path)/\(name)"
      return Resident<MimiSupply>(name: name, cell: 0) {
        Browser(begins: begins, betweenSessions: between, thinking: thinking, device: device)
      }
    }
    return Settlement(
      cells: 1, residents: residents,
      controls: [Placed(cell: 0, at: region.starts, .control(.loadSampleWorld))])
  }

  /// Every command concerns the one city of each region.
  public func place(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [Placed<MimiSupply>] {
    [Placed(cell: 0, at: region.starts, try MimiSupply.control(control, parameters))]
  }

  public var provingScenario: String {
    """
    rehearsal: 1
    name: prove-mimi-supply
    title: A city in which people look around
    starts: 2026-03-21T06:00 Europe/Berlin
    lasts: 2h
    seed: 7
    replications: 1
    worlds:
      - domain: mimi-supply
        regions: 1
        population: {customers: 50}
    """
  }
}
