import Backends
import Contracts
import Journeys
import MimiSupplyChecks
import MimiSupplyContract
import MimiSupplyJourneys
import MimiSupplyTwin
import Observations
import Timekeeping

/// MimiSupply as the engine sees it: its contract, its twin, and its people.
public struct MimiSupplyBackend: Backend {
  public typealias Contract = MimiSupply

  public init() {}

  public var declaration: WorldDeclaration {
    WorldDeclaration(
      domain: MimiSupply.domain, title: "MimiSupply", population: CitySettings.population,
      parameters: CitySettings.parameters, quirks: [],
      profiles: [Profile("documented", quirks: [])],
      operations: MimiSupply.operations, business: business.map(\.name),
      limits: MimiSupply.limits, controls: MimiSupply.controls,
      search: SearchDeclaration("matching", "Finding a driver"))
  }

  public var checks: [Check<MimiSupply>] { MimiSupplyChecks.all }
  public var business: [BusinessLatency<MimiSupply>] { MimiSupplyChecks.business }
  public var flow: Flow<MimiSupply>? { OrderFlow.flow }
  /// Without positions, of which there are too many to look at each time.
  public func inspection(after last: MimiSupply.Reply?) -> MimiSupply.Request? {
    var look: Int64 = 0
    if case .shown(let shown)? = last?.content { look = shown["look"]?.wholeNumber ?? 0 }
    return .inspect(
      types: [.partner, .order, .driver, .driverOffer, .deliveryCompletion],
      since: Int(clamping: look))
  }

  /// §3.1.
  public var port: Int { 8080 }

  public func twin(_ setup: TwinSetup) -> MimiSupplyTwin {
    MimiSupplyTwin(identifiers: setup.identifiers, rules: setup.rules(), tokens: setup.tokens)
  }

  public func persons(in population: Settings) -> Int {
    ["customers", "partners", "drivers", "admins"].reduce(0) { $0 + population.count($1) }
  }

  /// A push is there within a second or two.
  public func transit(of signal: MimiSupply.Signal, in plan: RegionPlan) -> Distribution {
    .lognormal(median: .milliseconds(300), p95: .seconds(2))
  }

  /// A region is one city, and a city one cell.
  public func populate(_ region: RegionPlan) -> PopulationPlan<MimiSupply> {
    let population = Population(CityPlan(region))
    var controls = population.fixtures.map(Control.load)
    if let adjustment = MimiSupply.Deployment.adjustment(region.parameters) {
      controls.insert(.configure(adjustment), at: 0)
    }
    controls += population.controls
    controls += population.refusedPayments.map { .setPayment(order: $0, isRefused: true) }
    return PopulationPlan(
      cells: 1,
      persons: population.people.enumerated().map { place, person in
        PersonPlan(
          name: person.name, cell: 0, keepsHours: !population.customers.contains(place),
          behaviour: person.behaviour)
      },
      controls: controls.map { CellCommand(cell: 0, at: region.starts, .control($0)) })
  }

  /// A notification that reached its device is fetched (MS-99).
  public func receipt(
    of signal: MimiSupply.Signal, at address: MimiSupply.Address
  ) -> [MimiSupply.Request] {
    switch (signal, address) {
    case (.notification(let push), .device(let token)):
      [.control(.delivered(token: token, notification: push.id))]
    }
  }

  /// Every command concerns the one city of each region.
  public func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<MimiSupply>] {
    [CellCommand(cell: 0, at: region.starts, try MimiSupply.control(control, parameters))]
  }
}

extension CityPlan {
  public init(_ region: RegionPlan) {
    self.init(
      region: region.region, path: region.path, share: { region.share(of: $0) },
      population: region.population, parameters: region.parameters, quirks: region.quirks,
      adversaries: region.adversaries, rules: region.rules(), starts: region.starts,
      ends: region.ends, tokens: region.tokens,
      stream: { name, purpose in region.stream(name, purpose) })
  }
}
