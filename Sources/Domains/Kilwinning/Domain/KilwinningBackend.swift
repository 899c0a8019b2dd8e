import Backends
import Contracts
import Journeys
import KilwinningChecks
import KilwinningContract
import KilwinningJourneys
import KilwinningTwin
import Observations
import Timekeeping

/// Kilwinning as the engine sees it: its contract, its twin, its people and its checks. A lodge is a cell.
public struct KilwinningBackend: Backend {
  public typealias Contract = Kilwinning

  public init() {}

  public var declaration: WorldDeclaration {
    WorldDeclaration(
      domain: Kilwinning.domain, title: "Kilwinning: a lodge's attendance",
      population: LodgeSettings.population, parameters: LodgeSettings.parameters, quirks: [],
      profiles: [], operations: Kilwinning.operations, business: business.map(\.name),
      limits: Kilwinning.limits, controls: Kilwinning.controls)
  }

  /// KW-150.
  public var port: Int { 3_000 }
  public var checks: [Check<Kilwinning>] { KilwinningChecks.all }
  public var business: [BusinessLatency<Kilwinning>] { KilwinningBusiness.all }
  public var flow: Flow<Kilwinning>? { OfflineFlow.flow }

  public func inspection(after last: Kilwinning.Reply?) -> Kilwinning.Request? {
    .inspect(since: last?.inspection?.extent.look ?? 0)
  }

  public func twin(_ setup: TwinSetup) -> KilwinningTwin {
    KilwinningTwin(identifiers: setup.identifiers, rules: setup.rules())
  }

  /// A lodge has a backend of its own.
  public var isCellAServer: Bool { true }

  public func persons(in population: Settings) -> Int {
    let devices = Double(population.count("fratelli")) * (1 + population.share("twoDevices"))
    return Int(Double(population.count("lodges")) * devices)
  }

  /// A command of a scenario goes to every lodge.
  public func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<Kilwinning>] {
    let command = try Kilwinning.control(control, parameters)
    return lodges(in: region).map { CellCommand(cell: $0, at: region.starts, command) }
  }

  public func transit(of signal: Never, in plan: RegionPlan) -> Distribution {}

  public func populate(_ region: RegionPlan) -> PopulationPlan<Kilwinning> {
    var populationPlan = PopulationPlan<Kilwinning>(
      cells: lodges(in: region).count, persons: [], controls: [])
    for cell in lodges(in: region) {
      let lodge = Lodge(
        number: cell + 1, population: region.population, parameters: region.parameters,
        rules: region.rules(), adversaries: region.adversaries, starts: region.starts,
        ends: region.ends, stream: { region.stream($0) })
      populationPlan.controls += lodge.commands.map {
        CellCommand(cell: cell, at: region.starts, $0)
      }
      for seed in lodge.devices {
        populationPlan.persons.append(PersonPlan(name: seed.name, cell: cell) { Device(seed) })
      }
      for seed in lodge.adversaries {
        populationPlan.persons.append(PersonPlan(name: seed.name, cell: cell) { Adversary(seed) })
      }
    }
    return populationPlan
  }

  private func lodges(in region: RegionPlan) -> Range<Int> {
    0..<region.share(of: region.population.count("lodges")).count
  }
}
