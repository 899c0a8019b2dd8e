import Backends
import Contracts
import DomainList
import Journeys
import Observations
import Replays
import ScenarioFiles
import Scenarios
import Simulation
import Synchronization
import Timekeeping

/// What the people of one cell asked in the domain's proving scenario: well-formed requests of everybody and of
/// everybody's adversaries, in the order in which they came, each with the state that it was made for.
struct Story<Contract: WireContract>: Sendable {
  struct Asked: Sendable {
    let at: Instant
    let request: Contract.Request
    let credential: Contract.Credential?
  }

  let setup: TwinSetup
  let starts: Instant
  /// What the operator does.
  let calendar: [(at: Instant, request: Contract.Request)]
  let asked: [Asked]
  /// The places in `asked` of each operation that somebody asked for.
  let byOperation: [[Int]]

  init(
    setup: TwinSetup, starts: Instant, calendar: [(at: Instant, request: Contract.Request)],
    asked: [Asked]
  ) {
    self.setup = setup
    self.starts = starts
    self.calendar = calendar
    self.asked = asked
    var places = [[Int]](repeating: [], count: Contract.operations.count)
    for (index, asked) in asked.enumerated() {
      places[Contract.operation(of: asked.request)].append(index)
    }
    byOperation = places.filter { !$0.isEmpty }
  }
}

extension Story {
  /// Lives the proving scenario once, without its checks, and writes down what every cell was asked.
  static func record<Domain: Backend>(of backend: Domain) -> [Story]
  where Domain.Contract == Contract {
    let scenario: Scenario
    do throws(ScenarioErrors) {
      scenario = try ScenarioFile.read(
        Array(backend.provingScenario.utf8), file: "\(Contract.domain) proving scenario",
        declarations: Domains.declarations
      ).scenario
    } catch {
      preconditionFailure(error.description)
    }
    let notebook = Notebook<Contract>()
    let domain = AnyDomain(ListenedDomain(backend: backend, notebook: notebook))
    _ = VirtualRun(scenario, domains: [domain], tokens: Domains.tokens)
      .run(replications: [0], workers: 1)

    let plans = VirtualRun.plans(
      of: scenario.worlds[0], in: scenario, seed: scenario.seed(ofReplication: 0),
      tokens: Domains.tokens)
    // Cells in the order of their regions, as the run made their twins.
    var calendars: [[(at: Instant, request: Contract.Request)]] = []
    for plan in plans {
      let populationPlan = backend.populate(plan)
      for cell in 0..<populationPlan.cells {
        calendars.append(
          populationPlan.controls.filter { $0.cell == cell }.map { ($0.at, $0.request) })
      }
    }
    let cells = notebook.cells
    precondition(cells.count == calendars.count, "a twin for each cell")
    return zip(cells, calendars).map { cell, calendar in
      Story(
        setup: cell.setup, starts: scenario.starts, calendar: calendar, asked: cell.asked)
    }
  }
}

/// Where twins that are listened to write down what they are asked.
private final class Notebook<Contract: WireContract>: Sendable {
  struct Cell: Sendable {
    let setup: TwinSetup
    var asked: [Story<Contract>.Asked] = []
  }

  private let state = Mutex<[Cell]>([])

  var cells: [Cell] { state.withLock { $0 } }

  func begin(_ setup: TwinSetup) -> Int {
    state.withLock {
      $0.append(Cell(setup: setup))
      return $0.count - 1
    }
  }

  func note(_ asked: Story<Contract>.Asked, in cell: Int) {
    state.withLock { $0[cell].asked.append(asked) }
  }
}

/// A domain whose twins write down what clients ask; nobody judges it.
private struct ListenedDomain<Domain: Backend>: Backend {
  typealias Contract = Domain.Contract

  let backend: Domain
  let notebook: Notebook<Contract>

  var declaration: WorldDeclaration { backend.declaration }
  var checks: [Check<Contract>] { [] }
  var business: [BusinessLatency<Contract>] { [] }
  var provingScenario: String { backend.provingScenario }
  func inspection(after last: Contract.Reply?) -> Contract.Request? { nil }

  func twin(_ setup: TwinSetup) -> ListenedTwin<Domain.Model> {
    ListenedTwin(twin: backend.twin(setup), notebook: notebook, cell: notebook.begin(setup))
  }
  func populate(_ region: RegionPlan) -> PopulationPlan<Contract> { backend.populate(region) }
  func persons(in population: Settings) -> Int { backend.persons(in: population) }
  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<Contract>] {
    try backend.assign(control, parameters, in: region)
  }
  func transit(of signal: Contract.Signal, in plan: RegionPlan) -> Distribution {
    backend.transit(of: signal, in: plan)
  }
  func environment(
    on signal: Contract.Signal, at address: Contract.Address
  ) -> [Contract.Request] { backend.environment(on: signal, at: address) }
  func receipt(
    of signal: Contract.Signal, at address: Contract.Address
  ) -> [Contract.Request] { backend.receipt(of: signal, at: address) }
}

private struct ListenedTwin<Model: Twin>: Twin where Model.Contract: WireContract {
  typealias Contract = Model.Contract

  var twin: Model
  let notebook: Notebook<Contract>
  let cell: Int

  mutating func handle(
    _ request: Contract.Request, from caller: Caller<Contract>, at now: Instant
  ) -> Handled<Contract> {
    if case .client(let credential) = caller {
      notebook.note(
        Story.Asked(at: now, request: request, credential: credential), in: cell)
    }
    return twin.handle(request, from: caller, at: now)
  }
  var nextDue: Instant? { twin.nextDue }
  mutating func advance(to now: Instant) -> Effects<Contract> { twin.advance(to: now) }
  mutating func abandon(_ ticket: Ticket) { twin.abandon(ticket) }
  func publication(at now: Instant) -> Model.Publication? { twin.publication(at: now) }
  mutating func read(_ publications: [Model.Publication]) { twin.read(publications) }
}
