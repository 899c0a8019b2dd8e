import Backends
import Contracts
import Journeys
import Observations
import Timekeeping
import ToyChecks
import ToyContract
import ToyJourneys
import ToyTwin

/// The workshop as the engine sees it: its contract, its twin, its people and its checks. A workshop is a cell.
public struct ToyBackend: Backend {
  public typealias Contract = Toy

  public init() {}

  public var declaration: WorldDeclaration {
    WorldDeclaration(
      domain: Toy.domain, title: "Toy: a workshop that lends tools",
      population: WorkshopSettings.population, parameters: WorkshopSettings.parameters, quirks: [],
      profiles: [], operations: Toy.operations, business: business.map(\.name), limits: Toy.limits,
      controls: Toy.controls)
  }

  public var port: Int { 8_400 }
  public var judged: [JudgedRule<Toy>] { WorkshopChecks.judged }
  public func checkRuntime(
    where isSeen: (JudgedRule<Toy>) -> Bool
  ) -> CellCheckRuntime<WorkshopChecks> { CellCheckRuntime(isSeen) }
  public var enforced: [RulesOfFile<Toy.Rule>] { [ToyTwin.enforced, Member.enforced] }
  public var tried: [RulesOfFile<Toy.Rule>] { [Adversary.tried, Member.tried] }
  public var business: [BusinessLatency<Toy>] { ToyBusiness.all }
  public func inspection(after last: Toy.Reply?) -> Toy.Request? { nil }

  public func twin(_ setup: TwinSetup) -> ToyTwin {
    ToyTwin(identifiers: setup.identifiers, rules: setup.rules())
  }

  public func persons(in population: Settings) -> Int {
    population.count("workshops") * population.count("members")
  }

  /// A command of a scenario goes to every workshop.
  public func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<Toy>] {
    let command = try Toy.control(control, parameters)
    return workshops(in: region).map { CellCommand(cell: $0, at: region.starts, command) }
  }

  public func transit(of signal: Toy.Signal, in plan: RegionPlan) -> Distribution {
    .constant(.seconds(1))
  }

  public func populate(_ region: RegionPlan) -> PopulationPlan<Toy> {
    var persons: [PersonPlan<Toy>] = []
    var controls: [CellCommand<Toy>] = []
    for cell in workshops(in: region) {
      let (members, tools) = (
        region.population.count("members"), region.population.count("tools")
      )
      let adversaries =
        region.adversaries > 0 ? max(1, Int(region.adversaries * Double(members))) : 0
      if let decided = Toy.Deployment.adjustment(region.parameters) {
        controls.append(CellCommand(cell: cell, at: region.starts, .configure(decided)))
      }
      controls += (1...tools).map { CellCommand(cell: cell, at: region.starts, .addTool($0)) }
      for place in 0..<(members + adversaries) {
        let isAdversary = place >= members
        var stream = region.stream("workshop-\(cell + 1)/\(place + 1)")
        let begins = region.starts + stream.sample(.uniform(from: .zero, to: .minutes(30)))
        let seed = MemberSeed(
          number: isAdversary ? place - members + 1 : place + 1, of: members, tools: tools,
          parameters: region.parameters, rules: region.rules(), begins: begins,
          isAdversary: isAdversary, drawing: &stream)
        let joining = Toy.Request.addMember(SignIn(member: seed.name, pin: seed.pin))
        controls.append(CellCommand(cell: cell, at: region.starts, joining))
        let name = "workshop-\(cell + 1)-\(seed.name)"
        persons.append(
          isAdversary
            ? PersonPlan(name: name, cell: cell) { Adversary(seed) }
            : PersonPlan(name: name, cell: cell) { Member(seed) })
      }
    }
    return PopulationPlan(cells: workshops(in: region).count, persons: persons, controls: controls)
  }

  private func workshops(in region: RegionPlan) -> Range<Int> {
    0..<region.share(of: region.population.count("workshops")).count
  }
}
