import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Timekeeping

/// Part of a world that lives by itself between exchange points: a clock, an event queue, people and cells.
///
/// One thread at a time drives a region; the coordinator's lock hands it from one to the next.
final class Region<Room: Backend>: @unchecked Sendable {
  typealias Agreement = Room.Agreement

  let room: Room
  let plan: RegionPlan
  private let scenario: Scenario
  private let stopwatch: Stopwatch?
  /// Whether calls of the twin search for something, whose time is measured each time.
  private let isSearching: Bool

  var cells: [Cell]
  var people: [Resident] = []
  var queue = EventQueue<RegionEvent<Agreement>>()
  let executor = RegionExecutor()
  /// The region's own time: that of the event at hand.
  private(set) var now: Instant
  /// No person runs ahead beyond it: the next exchange point, or the end.
  private(set) var horizon: Instant
  var listeners: [Agreement.Address: [PersonID]] = [:]
  private(set) var liveJourneys = 0

  private var service: ServiceQueue
  private let faults: [(index: UInt32, fault: Fault)]
  private let requestLost: Double
  private let answerLost: Double
  private let controls: [Placed<Agreement>]
  private var controlSequence: UInt32 = 0
  private var environmentSequence: UInt32 = 0
  private var timerSequence: UInt32 = 0
  private var waitingTickets: [TicketKey: Flight<Agreement>] = [:]

  private var router: CheckRouter<Agreement>
  private var business: [any MilestoneWatch<Agreement>]
  /// By class of records: which business latencies want to see them.
  private let classes = ConcernClasses<Agreement>()
  private let businessByClass: [[Int]]
  /// By operation; copied, because threads that share the contract's own table would contend for its count.
  private let timeouts: [Span]
  private(set) var tally: WorldTally
  private var reach = ReachRecorder(names: [], operations: 0)
  private var transcript: Transcript<Agreement>?

  struct Cell {
    var twin: Room.Copy
    var timer: Instant?
    var delivery: RandomStream
  }

  /// A person with what the region keeps about it.
  struct Resident {
    let person: Person<Agreement>
    let life: any Life<Agreement>
    /// Counts the person's records and the events it caused.
    var records: UInt32 = 0
    var events: UInt32 = 0
    var journeys = 0
    /// Whether signals can reach the person.
    var isListening = false
    var mailbox: [Received<Agreement>] = []
    var waiting: Waiting<Agreement>?
  }

  struct TicketKey: Hashable {
    let cell: Int
    let ticket: Ticket
  }

  init(
    _ room: Room, plan: RegionPlan, scenario: Scenario, stopwatch: Stopwatch?,
    recording: Recording
  ) {
    self.room = room
    self.plan = plan
    self.scenario = scenario
    self.stopwatch = stopwatch
    isSearching = room.declaration.search != nil
    now = plan.starts
    horizon = plan.starts
    service = ServiceQueue(servers: scenario.service.servers)
    faults = scenario.faults.enumerated()
      .filter { $0.element.domain == Agreement.domain }
      .map { (UInt32($0.offset), $0.element) }
    requestLost = plan.parameters.shareIfDeclared("requestLost") ?? 0
    answerLost = plan.parameters.shareIfDeclared("answerLost") ?? 0
    let settlement = room.settle(plan)
    cells = (0..<settlement.cells).map { cell in
      let setup = TwinSetup(
        identifiers: plan.stream("cell-\(cell)", 1), rules: plan.rules, tokens: plan.tokens)
      return Cell(twin: room.twin(setup), timer: nil, delivery: plan.stream("cell-\(cell)", 2))
    }
    router = CheckRouter(room.checks)
    let latencies = room.business
    business = latencies.map { [library = router.library] in $0.watch(library) }
    businessByClass = classes.distributed(latencies.map(\.concerns))
    timeouts = Agreement.operations.map {
      $0.isLongPoll ? $0.timeout : scenario.network.timeout ?? $0.timeout
    }
    let operations = Agreement.operations.map(OperationTally.init)
    let books = latencies.map {
      BusinessTally(
        name: $0.name, title: $0.title, bound: $0.bound, limit: $0.limit, notes: $0.notes,
        warmedUp: plan.starts + scenario.warmup)
    }
    tally = WorldTally(
      domain: Agreement.domain, operations: operations, business: books, limits: [],
      windows: scenario.windows(of: Agreement.domain).map {
        WindowTally(from: $0.from, to: $0.to, operations: operations, business: books)
      },
      load: LoadTally(starts: plan.starts, lasts: plan.ends - plan.starts))
    transcript = Transcript(region: plan.path, recording)
    controls = Self.calendar(settlement.controls, scenario, room, plan)
    settle(settlement.residents)
  }

  /// Everything that the operator does in this region: the settlement's fixtures and dates, then the scenario's
  /// events; at one instant in that order.
  private static func calendar(
    _ own: [Placed<Agreement>], _ scenario: Scenario, _ room: Room, _ plan: RegionPlan
  ) -> [Placed<Agreement>] {
    var controls = own
    for event in scenario.events where event.domain == Agreement.domain {
      do throws(ControlProblem) {
        controls += try room.place(event.command, event.parameters, in: plan).map {
          Placed(cell: $0.cell, at: event.at, $0.request)
        }
      } catch {
        preconditionFailure("line \(event.line) was checked before the run: \(error)")
      }
    }
    return controls.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }

  private func settle(_ residents: [Backends.Resident<Agreement>]) {
    people.reserveCapacity(residents.count)
    let calls = calls
    for (index, resident) in residents.enumerated() {
      let person = Person<Agreement>(
        id: PersonID(index), name: plan.path + "/" + resident.name, cell: resident.cell,
        seed: plan.seed, calls: calls)
      people.append(Resident(person: person, life: resident.life()))
    }
    tally.persons = people.count
    reach = ReachRecorder(
      names: residents.map(\.name), operations: Agreement.operations.count)
    for (index, control) in controls.enumerated() {
      queue.push(.control(index), at: key(control.at, source: 1, &controlSequence))
    }
    for index in people.indices {
      guard let begins = people[index].life.begins, begins < plan.ends else { continue }
      schedule(.episode(PersonID(index)), at: max(begins, plan.starts), by: PersonID(index))
    }
  }

  // MARK: - The loop

  /// Lives until an instant, which is the next exchange point or the end.
  func run(until end: Instant) {
    horizon = end
    while let next = queue.first, next.time < end {
      let (key, event) = queue.pop()!
      now = key.time
      handle(event)
      executor.runReady()
    }
    now = end
  }

  private func handle(_ event: RegionEvent<Agreement>) {
    switch event {
    case .episode(let id): beginEpisode(of: id)
    case .wake(let person, let continuation):
      person.now = max(person.now, now)
      continuation.resume(returning: .due)
    case .arrive(let flight): arrive(flight)
    case .answered(let asking): resume(asking)
    case .overdue(let flight, let ticket): giveUp(flight, ticket)
    case .deliver(let id, let signal): deliver(signal, to: id)
    case .wait(let waiting): look(for: waiting)
    case .deadline(let waiting): expire(waiting)
    case .environment(let cell, let request): call(request, from: .environment, cell: cell)
    case .timer(let cell): ring(cell)
    case .control(let index):
      let control = controls[index]
      command(control.request, cell: control.cell)
    }
  }

  /// Ends every journey that still lives, and closes the books.
  func finish(at end: Instant) -> (tally: WorldTally, lines: LineSpool) {
    while let (_, event) = queue.pop() {
      switch event {
      case .wake(_, let continuation): continuation.resume(returning: .ended)
      case .arrive(let flight), .overdue(let flight, _):
        settle(flight, .unknown(.runEnded), at: end)
        abandon(flight.asking)
      case .answered(let asking): abandon(asking)
      case .wait(let waiting), .deadline(let waiting):
        if waiting.isOpen { waiting.resume(.ended) }
      case .episode, .deliver, .environment, .timer, .control: break
      }
      executor.runReady()
    }
    precondition(
      liveJourneys == 0,
      "\(plan.path): \(liveJourneys) journeys outlived the run: a journey "
        + "swallowed its end or waits for something that nobody keeps")
    router.end(at: end)
    tally.reach = reach.tally()
    tally.close(at: end)
    tally.limits = zip(router.limits, router.judges).map { id, judge in
      LimitTally(id, judge) { [people, plan] place in
        place.person.map { people[Int($0.index)].person.name } ?? "\(plan.path), cell \(place.cell)"
      }
    }
    for (id, judge) in zip(router.limits, router.judges) {
      tally.digest.mix(id.text)
      tally.digest.mix(judge.exercised)
      tally.digest.mix(judge.violations)
      tally.digest.mix(judge.undecided)
    }
    // People hold the region and the region its people: the circle ends here.
    people = []
    return (tally, takeLines())
  }

  /// The lines for `--events` since they were last asked for.
  func takeLines() -> LineSpool { transcript?.take() ?? LineSpool() }

  private func abandon(_ asking: Asking<Agreement>) {
    guard let continuation = asking.continuation.take() else { return }
    continuation.resume(returning: nil)
  }

  // MARK: - Episodes

  private func beginEpisode(of id: PersonID) {
    let index = Int(id.index)
    let (person, life) = (people[index].person, people[index].life)
    person.now = max(person.now, now)
    people[index].journeys += 1
    liveJourneys += 1
    tally.episodesBegun += 1
    let unconfined = Unconfined((self, person, life))
    Task(executorPreference: executor) {
      let (region, person, life) = unconfined.value
      do throws(JourneyEnded) {
        let next = try await life.episode(as: person)
        region.endEpisode(of: person, next: next)
      } catch {
        region.endJourney(of: person)
      }
    }
  }

  private func endEpisode(of person: Person<Agreement>, next: Instant?) {
    people[Int(person.id.index)].journeys -= 1
    liveJourneys -= 1
    tally.episodesCompleted += 1
    guard let next, max(next, person.now) < plan.ends else { return }
    schedule(.episode(person.id), at: max(next, person.now), by: person.id)
  }

  private func endJourney(of person: Person<Agreement>) {
    people[Int(person.id.index)].journeys -= 1
    liveJourneys -= 1
  }

  private func beginReaction(of id: PersonID, to received: Received<Agreement>) {
    let index = Int(id.index)
    let (person, life) = (people[index].person, people[index].life)
    person.now = max(person.now, now)
    people[index].journeys += 1
    liveJourneys += 1
    let unconfined = Unconfined((self, person, life))
    Task(executorPreference: executor) {
      let (region, person, life) = unconfined.value
      do throws(JourneyEnded) {
        try await life.react(to: received, as: person)
        region.endReaction(of: person)
      } catch {
        region.endJourney(of: person)
      }
    }
  }

  private func endReaction(of person: Person<Agreement>) {
    people[Int(person.id.index)].journeys -= 1
    liveJourneys -= 1
  }

  // MARK: - Keys

  private func key(_ time: Instant, source: UInt32, _ sequence: inout UInt32) -> EventKey {
    defer { sequence &+= 1 }
    return EventKey(time: time, source: source, sequence: sequence)
  }

  /// Persons come after timers, control and environment, by their index.
  func schedule(_ event: RegionEvent<Agreement>, at time: Instant, by id: PersonID) {
    let index = Int(id.index)
    let key = EventKey(time: time, source: 3 + id.index, sequence: people[index].events)
    people[index].events &+= 1
    queue.push(event, at: key)
  }

  // MARK: - Requests

  func send(_ asks: [Ask<Agreement>], of person: Person<Agreement>, _ asking: Asking<Agreement>) {
    for (index, ask) in asks.enumerated() {
      let operation = Agreement.operation(of: ask.request)
      var way = person.draw(.network) { $0.sample(scenario.network.latency) } / 2
      let passage = Passage(network: way + way)
      var loses = Flight<Agreement>.Loss.nothing
      let fate = person.draw(.faults) { $0.unit() }
      if fate < requestLost {
        loses = .request
      } else if fate < requestLost + answerLost {
        loses = .answer
      }
      for (index, fault) in faults where fault.from <= person.now && person.now < fault.to {
        let count = people[Int(person.id.index)].events
        guard person.meets(fault: index, share: fault.share, at: count) else { continue }
        switch fault.kind {
        case .requestLost: loses = .request
        case .answerLost: if loses == .nothing { loses = .answer }
        case .serverError: loses = .serverError
        case .connectionRefused: loses = .connection
        case .delay(let span): way += span / 2
        }
      }
      launch(
        Flight(
          asking: asking, place: index, person: person, ask: ask, operation: operation,
          sent: person.now, deadline: person.now + timeouts[operation], way: way, loses: loses,
          passage: passage))
    }
  }

  private func launch(_ flight: Flight<Agreement>) {
    let person = flight.person
    guard person.isOnline else {
      settle(flight, .unsent(.offline), at: flight.sent)
      return
    }
    switch flight.loses {
    case .connection: settle(flight, .unsent(.connectionRefused), at: flight.sent + flight.way)
    case .serverError:
      settle(flight, .unknown(.serverError), at: flight.sent + flight.way + flight.way)
    case .request: settle(flight, .unknown(.timedOut), at: flight.deadline)
    case .nothing, .answer: schedule(.arrive(flight), at: flight.sent + flight.way, by: person.id)
    }
  }

  private func arrive(_ flight: Flight<Agreement>) {
    let cell = flight.person.cell
    let handled = call(
      flight.ask.request, from: .client(flight.ask.credential), cell: cell,
      operation: flight.operation)
    let busy = scenario.service.time(for: handled.work)
    let done = service.serve(arriving: now, busy: busy)
    switch handled.answer {
    case .now(let result):
      flight.passage.waiting = done - now - busy
      flight.passage.service = busy
      answer(flight, result, leaving: done)
    case .later(let ticket):
      waitingTickets[TicketKey(cell: cell, ticket: ticket)] = flight
      schedule(.overdue(flight, ticket), at: flight.deadline, by: flight.person.id)
    }
  }

  private func answer(
    _ flight: Flight<Agreement>, _ result: Result<Agreement.Reply, Agreement.Refusal>,
    leaving: Instant
  ) {
    let arrives = leaving + flight.way
    if flight.loses == .answer || arrives > flight.deadline {
      settle(flight, .unknown(.timedOut), at: flight.deadline)
    } else {
      settle(flight, Outcome(result), at: arrives)
    }
  }

  private func complete(_ completion: Completion<Agreement>, cell: Int) {
    let key = TicketKey(cell: cell, ticket: completion.ticket)
    guard let flight = waitingTickets.removeValue(forKey: key) else { return }
    guard !flight.asking.isSettled(flight.place) else { return }
    answer(flight, completion.result, leaving: now)
  }

  private func giveUp(_ flight: Flight<Agreement>, _ ticket: Ticket) {
    guard !flight.asking.isSettled(flight.place) else { return }
    let cell = flight.person.cell
    if waitingTickets.removeValue(forKey: TicketKey(cell: cell, ticket: ticket)) != nil {
      cells[cell].twin.abandon(ticket)
    }
    settle(flight, .unknown(.timedOut), at: now)
  }

  /// The outcome of a request is known; when it is the last of its question, the journey goes on.
  private func settle(
    _ flight: Flight<Agreement>, _ outcome: Outcome<Agreement>, at instant: Instant
  ) {
    guard !flight.asking.isSettled(flight.place) else { return }
    let person = flight.person
    // What would come after the end was never seen.
    let seen = instant <= plan.ends ? outcome : .unknown(.runEnded)
    let answered = min(instant, plan.ends)
    observe(
      .request(
        Exchange(
          request: flight.ask.request, operation: flight.operation,
          credential: flight.ask.credential, intended: flight.sent, sent: flight.sent,
          answered: answered, outcome: seen, attempt: flight.ask.attempt)),
      at: answered, person: person)
    if seen.isAnswered {
      tally.note(
        flight.passage, operation: flight.operation, intended: flight.sent,
        took: answered - flight.sent, warmedUp: plan.starts + scenario.warmup)
    }
    flight.asking.settle(flight.place, seen, at: answered)
    guard flight.asking.isComplete else { return }
    if mayRunAhead(person, to: flight.asking.latest) {
      resume(flight.asking)
    } else {
      schedule(.answered(flight.asking), at: flight.asking.latest, by: person.id)
    }
  }

  private func resume(_ asking: Asking<Agreement>) {
    guard let continuation = asking.continuation.take() else { return }
    asking.person.now = max(asking.person.now, asking.latest)
    continuation.resume(returning: asking.outcomes.map { $0! })
  }

  // MARK: - The twin

  @discardableResult
  private func call(
    _ request: Agreement.Request, from caller: Caller<Agreement>, cell: Int, operation: Int? = nil
  ) -> Handled<Agreement> {
    let (handled, took) = timed(operation != nil || isSearching) {
      cells[cell].twin.handle(request, from: caller, at: now)
    }
    if let operation, let took {
      tally.operations[operation].inProcess.record(took)
    }
    tally.searching.count(handled.effects.searches, took: took)
    spread(handled.effects, of: cell)
    return handled
  }

  /// What a call of a twin took, where that is wanted and measured.
  private func timed<Value>(_ isWanted: Bool, _ call: () -> Value) -> (Value, took: Span?) {
    guard isWanted, let stopwatch else { return (call(), nil) }
    let before = stopwatch.nanoseconds()
    let value = call()
    return (value, .nanoseconds(Int64(stopwatch.nanoseconds() - before)))
  }

  private func ring(_ cell: Int) {
    cells[cell].timer = nil
    guard let due = cells[cell].twin.nextDue else { return }
    guard due <= now else { return wind(cell) }
    let (effects, took) = timed(isSearching) { cells[cell].twin.advance(to: now) }
    tally.searching.count(effects.searches, took: took)
    spread(effects, of: cell)
  }

  private func spread(_ effects: Effects<Agreement>, of cell: Int) {
    for addressed in effects.signals { post(addressed, from: cell) }
    for completion in effects.completions { complete(completion, cell: cell) }
    wind(cell)
  }

  /// Sets the cell's timer to what is due next; an older, later one rings in vain.
  private func wind(_ cell: Int) {
    guard let due = cells[cell].twin.nextDue, due < cells[cell].timer ?? .distantFuture else {
      return
    }
    cells[cell].timer = due
    queue.push(.timer(cell), at: key(max(due, now), source: 0, &timerSequence))
  }

  private func post(_ addressed: Addressed<Agreement>, from cell: Int) {
    let transit = room.transit(of: addressed.signal, in: plan)
    let arrives = now + cells[cell].delivery.sample(transit)
    let audience = listeners[addressed.address] ?? []
    for id in audience {
      queue.push(
        .deliver(id, addressed.signal), at: key(arrives, source: 2, &environmentSequence))
    }
    let receipt =
      audience.isEmpty ? [] : room.receipt(of: addressed.signal, at: addressed.address)
    for request in room.environment(on: addressed.signal, at: addressed.address) + receipt {
      queue.push(
        .environment(cell, request), at: key(arrives, source: 2, &environmentSequence))
    }
  }

  /// What the operator does, as a record of its own.
  func command(_ request: Agreement.Request, cell: Int) {
    let handled = call(request, from: .administration, cell: cell)
    guard case .now(let result) = handled.answer else {
      preconditionFailure("\(plan.path): a control command was answered with a ticket")
    }
    observe(.control(request, Outcome(result)), at: now, cell: cell)
  }

  // MARK: - Signals

  private func deliver(_ signal: Agreement.Signal, to id: PersonID) {
    let index = Int(id.index)
    observe(.signal(signal), at: now, person: people[index].person)
    let received = Received<Agreement>(signal, at: now)
    if let waiting = people[index].waiting, waiting.isOpen, waiting.wanted(signal) {
      people[index].waiting = nil
      waiting.person.now = max(waiting.person.now, now)
      waiting.resume(.received(received))
    } else if people[index].life.reacts(to: signal) {
      beginReaction(of: id, to: received)
    } else {
      people[index].mailbox.append(received)
      // A mailbox that nobody empties would grow for ever; the oldest go first.
      if people[index].mailbox.count > Self.mailboxMax { people[index].mailbox.removeFirst() }
    }
  }

  private static var mailboxMax: Int { 64 }

  /// The person's own time has come to look: a signal may be there already.
  private func look(for waiting: Waiting<Agreement>) {
    let index = Int(waiting.person.id.index)
    waiting.person.now = max(waiting.person.now, now)
    if let place = people[index].mailbox.firstIndex(where: { waiting.wanted($0.signal) }) {
      let received = people[index].mailbox.remove(at: place)
      waiting.resume(.received(received))
      return
    }
    precondition(
      people[index].waiting?.isOpen != true, "two journeys of \(waiting.person.name) wait at once")
    people[index].waiting = waiting
    schedule(.deadline(waiting), at: max(now, waiting.deadline), by: waiting.person.id)
  }

  private func expire(_ waiting: Waiting<Agreement>) {
    guard waiting.isOpen else { return }
    people[Int(waiting.person.id.index)].waiting = nil
    waiting.person.now = max(waiting.person.now, now)
    waiting.resume(.deadline)
  }

  // MARK: - Exchange points

  func publications(at instant: Instant) -> [Room.Copy.Publication] {
    cells.compactMap { $0.twin.publication(at: instant) }
  }

  func read(_ publications: [Room.Copy.Publication]) {
    for index in cells.indices { cells[index].twin.read(publications) }
  }

  /// Looks at every cell, for the censuses.
  func inspect(at instant: Instant) {
    guard let inspection = room.inspection else { return }
    now = instant
    for cell in cells.indices {
      let handled = cells[cell].twin.handle(inspection, from: .harness, at: instant)
      if case .now(.success(let reply)) = handled.answer {
        observe(.inspection(reply), at: instant, cell: cell)
      }
      // What was due at this very instant has happened in it, and tells others as ever.
      tally.searching.count(handled.effects.searches, took: nil)
      spread(handled.effects, of: cell)
    }
  }

  // MARK: - Observing

  func observe(_ event: Record<Agreement>.Event, at time: Instant, person: Person<Agreement>) {
    let index = Int(person.id.index)
    let record = Record(
      time: time, person: person.id, sequence: people[index].records, cell: person.cell,
      event: event)
    people[index].records &+= 1
    take(record, who: person.name)
  }

  private func observe(_ event: Record<Agreement>.Event, at time: Instant, cell: Int) {
    take(Record(time: time, person: nil, sequence: 0, cell: cell, event: event), who: plan.path)
  }

  private func take(_ record: Record<Agreement>, who: String) {
    tally.note(record, warmedUp: plan.starts + scenario.warmup)
    if case .request(let exchange) = record.event, let person = record.person {
      reach.note(
        person, operation: exchange.operation, isReplied: exchange.outcome.isReplied,
        isRefused: exchange.outcome.isAnswered && !exchange.outcome.isReplied)
    }
    router.see(record)
    for index in businessByClass[classes.number(of: record.concern)] {
      for milestone in business[index].see(record) {
        tally.note(milestone, of: index)
      }
    }
    transcript?.add(record, who: who)
  }
}

/// Carries a region's own things into its own tasks: the region's executor runs them on the thread that drives it.
private struct Unconfined<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
