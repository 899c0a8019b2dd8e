import Backends
import Contracts
import Journeys
import Observations
import Timekeeping

/// The twins of a region in its own process, a cell each.
final class Twins<Domain: Backend> {
  typealias Contract = Domain.Contract

  private struct Cell {
    var host: TwinHost<Domain.Model, InFlightCall<Contract>>
    var delivery: RandomStream
  }

  private let backend: Domain
  let plan: RegionPlan
  /// Measures what calls take; without it nothing is measured.
  private let stopwatch: Stopwatch?
  /// Whether calls search for something, whose time is measured each time.
  private let isSearching: Bool
  private var cells: [Cell]
  private var looks: Looks<Domain>

  init(_ backend: Domain, _ plan: RegionPlan, cells: Int, stopwatch: Stopwatch?) {
    self.backend = backend
    self.plan = plan
    self.stopwatch = stopwatch
    isSearching = backend.declaration.search != nil
    self.cells = (0..<cells).map { cell in
      Cell(
        host: TwinHost(backend.twin(TwinSetup(cell, of: plan))),
        delivery: plan.stream("cell-\(cell)", 2))
    }
    looks = Looks(backend, cells: cells)
  }

  /// Before the run.
  func obey(_ request: Contract.Request) -> Outcome<Contract> {
    guard
      case .now(let result) = cells[0].host.twin.handle(
        request, from: .administration, at: plan.starts
      ).answer
    else { programFault("\(plan.path): a control command was answered with a ticket") }
    return Outcome(result)
  }

  // MARK: - Calls

  /// Who the credential of a call proves its caller to be; `nil` where it proves nothing.
  func facts(of call: InFlightCall<Contract>, in region: Region<Domain>) -> [String: String]? {
    call.credential.flatMap {
      cells[call.person.cell].host.twin.facts(of: $0, at: region.loop.present)
    }
  }

  /// Asks the twin of a caller's cell.
  @inline(__always)
  func ask(_ call: InFlightCall<Contract>, in region: Region<Domain>) -> Handled<Contract> {
    ask(
      call.request, from: .client(call.credential), cell: call.person.cell,
      operation: call.operation, in: region)
  }

  /// The request comes a second time; nobody hears what is answered.
  /// - Returns: What it cost.
  func askAgain(_ call: InFlightCall<Contract>, in region: Region<Domain>) -> Work {
    let handled = ask(call, in: region)
    if case .later(let ticket) = handled.answer {
      cells[call.person.cell].host.abandon(ticket)
    }
    return handled.work
  }

  /// A call waits for the answer to a ticket, as long as its client does.
  func keep(_ call: InFlightCall<Contract>, for ticket: Ticket, in region: Region<Domain>) {
    guard !call.isConcluded else { return cells[call.person.cell].host.abandon(ticket) }
    cells[call.person.cell].host.keep(call, for: ticket, until: call.deadline)
    region.schedule(.overdue(call, ticket), at: call.deadline, by: call.person.id)
  }

  /// Inlined, since what a twin hands back is large, and would be copied for each function that passes it on.
  /// - Parameter operation: Of a client's call, whose time is measured.
  @inline(__always) @discardableResult
  private func ask(
    _ request: Contract.Request, from caller: Caller<Contract>, cell: Int, operation: Int? = nil,
    in region: Region<Domain>
  ) -> Handled<Contract> {
    let now = present(at: cell, in: region)
    let began = operation != nil || isSearching ? stopwatch?.nanoseconds() : nil
    let handled = cells[cell].host.twin.handle(request, from: caller, at: now)
    let took = stopwatch?.since(began)
    if let operation, let took {
      region.recorder.tally.operations[operation].inProcess.record(took)
    }
    region.recorder.tally.searching.count(handled.effects.searches, took: took)
    spread(handled.effects, of: cell, in: region)
    return handled
  }

  /// When what reaches a cell now does so. A clock that is ahead of the loop has passed alarms: what was due happens before.
  @inline(__always)
  private func present(at cell: Int, in region: Region<Domain>) -> Instant {
    let now = region.loop.present
    if now > region.loop.now, let effects = cells[cell].host.advance(to: now) {
      region.recorder.tally.searching.count(effects.searches, took: nil)
      spread(effects, of: cell, in: region)
    }
    return now
  }

  // MARK: - Events

  func happen(_ event: RegionEvent<Contract>, in region: Region<Domain>) {
    switch event {
    case .overdue(let call, let ticket):
      guard !call.isConcluded else { return }
      cells[call.person.cell].host.abandon(ticket)
      region.conclude(call, .unknown(.timedOut), at: region.loop.now)
    case .timer(let cell): ring(cell, in: region)
    case .environment(let cell, let request):
      ask(request, from: .environment, cell: cell, in: region)
    default: preconditionFailure("no twin asks a loop for that")
    }
  }

  private func ring(_ cell: Int, in region: Region<Domain>) {
    let began = isSearching ? stopwatch?.nanoseconds() : nil
    guard let effects = cells[cell].host.ring(at: region.loop.present) else {
      return wind(cell, in: region)
    }
    region.recorder.tally.searching.count(effects.searches, took: stopwatch?.since(began))
    spread(effects, of: cell, in: region)
  }

  private func spread(_ effects: Effects<Contract>, of cell: Int, in region: Region<Domain>) {
    for addressed in effects.signals { post(addressed, from: cell, in: region) }
    for completion in effects.completions {
      guard let call = cells[cell].host.complete(completion.ticket) else { continue }
      region.receive(Outcome(completion.result), of: call, leaving: region.loop.present)
    }
    wind(cell, in: region)
  }

  private func wind(_ cell: Int, in region: Region<Domain>) {
    guard let instant = cells[cell].host.wind(at: region.loop.now) else { return }
    region.loop.schedule(.timer(cell), at: instant, from: .timers)
  }

  private func post(
    _ addressed: Addressed<Contract>, from cell: Int, in region: Region<Domain>
  ) {
    let transit = backend.transit(of: addressed.signal, in: plan)
    region.post(
      addressed, from: cell,
      at: region.loop.present + max(.zero, cells[cell].delivery.sample(transit)),
      answers: backend.environment(on: addressed.signal, at: addressed.address))
  }

  // MARK: - Operator and harness

  func command(_ request: Contract.Request, cell: Int, in region: Region<Domain>) {
    let handled = ask(request, from: .administration, cell: cell, in: region)
    guard case .now(let result) = handled.answer else {
      programFault("\(plan.path): a control command was answered with a ticket")
    }
    region.observe(.control(request, Outcome(result)), at: region.loop.present, cell: cell)
  }

  /// The clock stands at the barrier, or a little behind it in real time.
  func inspect(in region: Region<Domain>) {
    for cell in cells.indices {
      guard let inspection = looks.next(at: cell) else { return }
      let now = present(at: cell, in: region)
      let handled = cells[cell].host.twin.handle(inspection, from: .harness, at: now)
      if case .now(.success(let reply)) = handled.answer {
        looks.take(reply, of: cell)
        region.observe(.inspection(reply), at: now, cell: cell)
      }
      // What was due at this very instant has happened in it, and tells others as ever.
      region.recorder.tally.searching.count(handled.effects.searches, took: nil)
      spread(handled.effects, of: cell, in: region)
    }
  }

  func publications(at instant: Instant) -> [Domain.Model.Publication] {
    cells.compactMap { $0.host.publication(at: instant) }
  }

  func read(_ publications: [Domain.Model.Publication]) {
    for cell in cells.indices { cells[cell].host.read(publications) }
  }
}

extension TwinSetup {
  init(_ cell: Int, of plan: RegionPlan) {
    self.init(
      identifiers: plan.stream("cell-\(cell)", 1), rulesOff: plan.rulesOff, tokens: plan.tokens)
  }
}
