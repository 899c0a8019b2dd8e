import Backends
import Contracts
import Journeys
import Observations
import Replays
import Rooms
import ScenarioFiles
import Scenarios
import Simulation
import Synchronization
import Timekeeping

/// What the people of one cell asked in the domain's proving scenario: well-formed requests of everybody and of
/// everybody's adversaries, in the order in which they came, each with the state that it was made for.
struct Story<Agreement: WireContract>: Sendable {
  struct Asked: Sendable {
    let at: Instant
    let request: Agreement.Request
    let credential: Agreement.Credential?
  }

  let setup: TwinSetup
  let starts: Instant
  /// What the operator does.
  let calendar: [(at: Instant, request: Agreement.Request)]
  let asked: [Asked]
  /// The places in `asked` of each operation that somebody asked for.
  let byOperation: [[Int]]

  init(
    setup: TwinSetup, starts: Instant, calendar: [(at: Instant, request: Agreement.Request)],
    asked: [Asked]
  ) {
    self.setup = setup
    self.starts = starts
    self.calendar = calendar
    self.asked = asked
    var places = [[Int]](repeating: [], count: Agreement.operations.count)
    for (index, asked) in asked.enumerated() {
      places[Agreement.operation(of: asked.request)].append(index)
    }
    byOperation = places.filter { !$0.isEmpty }
  }
}

extension Story {
  /// Lives the proving scenario once, without its checks, and writes down what every cell was asked.
  static func record<Room: Backend>(of room: Room) -> [Story] where Room.Agreement == Agreement {
    let scenario: Scenario
    do throws(ScenarioErrors) {
      scenario = try ScenarioFile.read(
        Array(room.provingScenario.utf8), file: "\(Agreement.domain) proving scenario",
        declarations: Rooms.declarations
      ).scenario
    } catch {
      preconditionFailure(error.description)
    }
    let notebook = Notebook<Agreement>()
    let stage = Stage(ListenedRoom(room: room, notebook: notebook))
    _ = VirtualRun(scenario, rooms: [stage], tokens: Rooms.tokens)
      .run(replications: 0..<1, workers: 1)

    let plans = VirtualRun.plans(
      of: scenario.worlds[0], in: scenario, seed: scenario.seed(ofReplication: 0),
      tokens: Rooms.tokens)
    // Cells in the order of their regions, as the run made their twins.
    var calendars: [[(at: Instant, request: Agreement.Request)]] = []
    for plan in plans {
      let settlement = room.settle(plan)
      for cell in 0..<settlement.cells {
        calendars.append(
          settlement.controls.filter { $0.cell == cell }.map { ($0.at, $0.request) })
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
private final class Notebook<Agreement: WireContract>: Sendable {
  struct Cell: Sendable {
    let setup: TwinSetup
    var asked: [Story<Agreement>.Asked] = []
  }

  private let state = Mutex<[Cell]>([])

  var cells: [Cell] { state.withLock { $0 } }

  func begin(_ setup: TwinSetup) -> Int {
    state.withLock {
      $0.append(Cell(setup: setup))
      return $0.count - 1
    }
  }

  func note(_ asked: Story<Agreement>.Asked, in cell: Int) {
    state.withLock { $0[cell].asked.append(asked) }
  }
}

/// A room whose twins write down what clients ask; nobody judges it.
private struct ListenedRoom<Room: Backend>: Backend {
  typealias Agreement = Room.Agreement

  let room: Room
  let notebook: Notebook<Agreement>

  var declaration: WorldDeclaration { room.declaration }
  var checks: [Check<Agreement>] { [] }
  var business: [BusinessLatency<Agreement>] { [] }
  var provingScenario: String { room.provingScenario }
  var inspection: Agreement.Request? { nil }

  func twin(_ setup: TwinSetup) -> ListenedTwin<Room.Copy> {
    ListenedTwin(twin: room.twin(setup), notebook: notebook, cell: notebook.begin(setup))
  }
  func settle(_ region: RegionPlan) -> Settlement<Agreement> { room.settle(region) }
  func persons(in population: Settings) -> Int { room.persons(in: population) }
  func place(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [Placed<Agreement>] {
    try room.place(control, parameters, in: region)
  }
  func transit(of signal: Agreement.Signal, in plan: RegionPlan) -> Distribution {
    room.transit(of: signal, in: plan)
  }
  func environment(
    on signal: Agreement.Signal, at address: Agreement.Address
  ) -> [Agreement.Request] { room.environment(on: signal, at: address) }
  func receipt(
    of signal: Agreement.Signal, at address: Agreement.Address
  ) -> [Agreement.Request] { room.receipt(of: signal, at: address) }
}

private struct ListenedTwin<Copy: Twin>: Twin where Copy.Agreement: WireContract {
  typealias Agreement = Copy.Agreement

  var twin: Copy
  let notebook: Notebook<Agreement>
  let cell: Int

  mutating func handle(
    _ request: Agreement.Request, from caller: Caller<Agreement>, at now: Instant
  ) -> Handled<Agreement> {
    if case .client(let credential) = caller {
      notebook.note(
        Story.Asked(at: now, request: request, credential: credential), in: cell)
    }
    return twin.handle(request, from: caller, at: now)
  }
  var nextDue: Instant? { twin.nextDue }
  mutating func advance(to now: Instant) -> Effects<Agreement> { twin.advance(to: now) }
  mutating func abandon(_ ticket: Ticket) { twin.abandon(ticket) }
  func publication(at now: Instant) -> Copy.Publication? { twin.publication(at: now) }
  mutating func read(_ publications: [Copy.Publication]) { twin.read(publications) }
}
