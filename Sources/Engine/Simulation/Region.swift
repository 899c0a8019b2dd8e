import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Timekeeping

/// Part of a world that lives by itself between barriers, put together from its parts: a loop of events, people, what carries
/// their calls to their cells, the hosts of the cells' twins, and the recorder of what people see.
///
/// One thread at a time drives a region; the coordinator's lock hands it from one to the next. In real time it is driven up to what the
/// clock shows: events happen at their own instants, however late the thread comes to them, and so a person's time is the intended one.
/// What reaches a twin has the clock's time.
final class Region<Domain: Backend>: @unchecked Sendable {
  typealias Contract = Domain.Contract

  private let backend: Domain
  private let plan: RegionPlan
  private let stopwatch: Stopwatch?
  /// Whether calls of the twin search for something, whose time is measured each time.
  private let isSearching: Bool
  /// By operation; copied, because threads that share the contract's own table would contend for its count.
  private let timeouts: [Span]

  var loop: EventLoop<RegionEvent<Contract>>
  var people = People<Contract>()
  let executor = RegionExecutor()
  private var network: ModelledNetwork<Contract>
  /// Takes the network's place in real time.
  private var line: DirectLine<Contract>?
  let time: WallTime?
  /// Where a server answers, and not the twins of this region.
  private var wire: WireLine<Contract>?
  private let server: WireServer?
  /// What is heard of the signals that a server sends.
  private var ear = WireEar()
  /// Questions to the server on this region's own behalf, without an answer yet.
  private var questions = 0
  private var load: RegionLoad?
  private var cells: [Cell]
  private var looks: Looks<Domain>
  private var recorder: Recorder<Domain.Checks>
  /// What the operator does, until he has done it: fixtures are large.
  private var controls: [CellCommand<Contract>?]

  private struct Cell {
    var host: TwinHost<Domain.Model, InFlightCall<Contract>>
    var delivery: RandomStream
  }

  init(
    _ backend: Domain, plan: RegionPlan, scenario: Scenario, stopwatch: Stopwatch?,
    recording: Recording, time: WallTime? = nil, server: WireServer? = nil
  ) {
    self.backend = backend
    self.plan = plan
    self.stopwatch = stopwatch
    self.time = time
    isSearching = backend.declaration.search != nil
    timeouts = Contract.operations.map {
      $0.isLongPoll ? $0.timeout : scenario.network.timeout ?? $0.timeout
    }
    loop = EventLoop(from: plan.starts)
    let mishaps = Mishaps<Contract>(scenario, in: plan)
    network = ModelledNetwork(
      scenario.network, scenario.service, from: plan.starts,
      server: { plan.stream("server-\($0)", 3) }, mishaps: mishaps)
    line = time.map { DirectLine($0, mishaps: mishaps) }
    self.server = server
    if let time, let server { wire = WireLine(server.transport, time, plan.tokens, scenario) }
    let (seen, unseen) = Self.checks(of: backend, before: server)
    let populationPlan = backend.populate(plan).sound(in: plan)
    cells = (0..<populationPlan.cells).map { cell in
      let setup = TwinSetup(
        identifiers: plan.stream("cell-\(cell)", 1), rulesOff: plan.rulesOff, tokens: plan.tokens)
      return Cell(
        host: TwinHost(backend.twin(setup)), delivery: plan.stream("cell-\(cell)", 2))
    }
    looks = Looks(backend, cells: cells.count)
    recorder = Recorder(
      plan.path, people: populationPlan.persons.map(\.name),
      checks: seen, business: backend.business, flow: backend.flow, access: backend.access,
      scenario: scenario, recording: recording, inRealTime: time != nil, share: server.share)
    recorder.tally.unseen = unseen
    controls = Self.calendar(populationPlan.controls, scenario, backend, plan)
    load = Self.load(populationPlan.persons, scenario, plan, server.share)
    // Made here and not where it is handed on: this initialiser is specialised for the domain, and so are closures that are made in it.
    populate(populationPlan.persons, actions)
  }

  private func populate(_ persons: [PersonPlan<Contract>], _ actions: PersonActions<Contract>) {
    people.reserveCapacity(persons.count)
    for (index, planned) in persons.enumerated() {
      let person = Person<Contract>(
        id: PersonID(index), name: plan.path + "/" + planned.name,
        cell: cell(ofCell: planned.cell),
        seed: plan.seed, actions: actions)
      people.add(person, as: planned.behaviour())
    }
    for (index, control) in controls.enumerated() {
      guard let control, !isPrepared(control), server?.isOperator != false else { continue }
      loop.schedule(.control(index), at: control.at, from: .control)
    }
    for index in 0..<people.count where server.share.takes(index) {
      let id = PersonID(index)
      let own = people.behaviour(of: id).begins.map { max($0, plan.starts) }
      if let load, load.decides(for: id), own != plan.starts {
        if let turn = load.nextTurn(of: id, from: plan.starts) {
          schedule(.visit(id), at: turn, by: id)
        }
        continue
      }
      // Under a load only what a device does at the very start is its own: from then on signals reach it.
      guard let own, own < plan.ends else { continue }
      schedule(.session(id), at: own, by: id)
    }
    expectArrival()
  }

  /// A server is one cell, whoever lives in it.
  private func cell(ofCell cell: Int) -> Int { wire == nil ? cell : 0 }

  /// A server is loaded before the run begins.
  private func isPrepared(_ control: CellCommand<Contract>) -> Bool {
    wire != nil && control.at <= plan.starts
  }

  private func takePrepared() -> [CellCommand<Contract>] {
    let prepared = controls.indices.filter { controls[$0].map(isPrepared) == true }
    return prepared.compactMap { controls[$0].take() }
  }

  /// What this region's part of the population is loaded with.
  var preparations: [Contract.Request] {
    controls.compactMap(\.self).filter(isPrepared).map(\.request)
  }

  /// Loads this region's part of the population into its server, unless another generator has.
  func prepare(_ server: ServerControl<Contract>, isLoaded: Bool = false) throws(TargetProblem) {
    for control in takePrepared() where !isLoaded {
      let outcome = try server.obey(control.request)
      observe(
        .control(control.request, outcome), at: plan.starts,
        cell: cell(ofCell: control.cell))
    }
    ear.begin(after: try server.lastSignal())
  }

  /// A server holds this region's part of the population already; of its commands those are refused that a twin refuses.
  func takeAsPrepared() {
    for control in takePrepared() {
      let handled = cells[control.cell].host.handle(
        control.request, from: .administration, at: plan.starts)
      guard case .now(let result) = handled.answer else {
        programFault("\(plan.path): a control command was answered with a ticket")
      }
      observe(
        .control(control.request, Outcome(result)), at: plan.starts,
        cell: cell(ofCell: control.cell))
    }
  }

  /// Whether nothing is unanswered that it asked its server on its own behalf.
  var isResolved: Bool { questions == 0 }

  private func expectArrival() {
    guard let next = load?.nextArrival(), next < plan.ends else { return }
    loop.schedule(.arrival, at: next, from: .environment)
  }

  /// Requests that people have made so far.
  var requests: Int { recorder.tally.requests }

  /// What was seen so far, for whoever watches.
  var live: LiveFigures { recorder.live }

  /// The lines for `--events` since they were last asked for.
  func takeLines() -> LineSpool { recorder.takeLines() }

  // MARK: - The loop

  /// Lives until an instant: the next barrier or the end, in real time what the clock shows.
  func run(until end: Instant) {
    loop.go(to: end)
    // What came from a server since the last time.
    executor.runReady()
    while let event = loop.next() {
      handle(event)
      executor.runReady()
    }
    listen()
    if time != nil { recorder.release(before: end) }
  }

  /// When something happens by itself next.
  var nextDue: Instant? { loop.nextDue }

  /// The time of what reaches a twin: in real time the clock's, however late an event is looked at.
  private var present: Instant { time.map { max(loop.now, $0.now) } ?? loop.now }

  @inline(__always)
  private func handle(_ event: RegionEvent<Contract>) {
    switch event {
    case .session(let id): beginSession(of: id)
    case .arrival: admit()
    case .visit(let id): beginSession(of: id, isVisit: true)
    case .wake(let person, let continuation):
      person.now = max(person.now, loop.now)
      continuation.resume(returning: .due)
    case .arrive(let call): arrive(call)
    case .answered(let call): call.resume(at: loop.now)
    case .overdue(let call, let ticket): giveUp(call, ticket)
    case .unserved(let call): conclude(call, .unknown(.timedOut), at: loop.now)
    case .serve: beginServices()
    case .deliver(let id, let signal): deliver(signal, to: id)
    case .wait(let waiting): look(for: waiting)
    case .deadline(let waiting): expire(waiting)
    case .environment(let cell, let request):
      guard let wire else {
        handle(request, from: .environment, cell: cell)
        return
      }
      wire.command(request) { _, _ in }
    case .timer(let cell): ring(cell)
    case .control(let index):
      if let control = controls[index].take() {
        command(control.request, cell: cell(ofCell: control.cell))
      }
    }
  }

  func schedule(_ event: RegionEvent<Contract>, at time: Instant, by id: PersonID) {
    loop.schedule(event, at: time, by: id, number: people.nextEvent(of: id))
  }

  /// Ends every journey that still lives, and closes the books.
  func finish(at end: Instant) -> (tally: WorldTally, lines: LineSpool) {
    while let event = loop.drain() {
      switch event {
      case .wake(_, let continuation): continuation.resume(returning: .ended)
      case .arrive(let call), .overdue(let call, _), .unserved(let call):
        conclude(call, .unknown(.runEnded), at: end)
        call.abandon()
      case .answered(let call): call.abandon()
      case .wait(let waiting), .deadline(let waiting):
        if waiting.isOpen { waiting.resume(.ended) }
      case .session, .visit, .arrival, .deliver, .environment, .timer, .control, .serve: break
      }
      executor.runReady()
    }
    for call in wire?.abandon() ?? [] {
      conclude(call, .unknown(.runEnded), at: end)
      call.abandon()
      executor.runReady()
    }
    precondition(
      people.liveJourneys == 0,
      "\(plan.path): \(people.liveJourneys) journeys outlived the run: a journey "
        + "swallowed its end or waits for something that nobody keeps")
    let naming = { (location: Finding.Location) in
      location.person.map { self.people.person($0).name }
        ?? "\(self.plan.path), cell \(location.cell)"
    }
    recorder.end(at: end, naming: naming)
    forgetUnheard()
    if let wire {
      recorder.tally.limits.append(
        LimitTally(Limit.contractOverHTTP.id, wire.contract, naming: naming))
    }
    // People hold the region and the region its people: the circle ends here.
    people = People()
    return (recorder.tally, takeLines())
  }

  /// What goes by signals is not judged where some were lost.
  private func forgetUnheard() {
    guard ear.missed + ear.unread > 0 else { return }
    let why = "of the server's signals \(ear.missed) were lost and \(ear.unread) could not be read"
    let concerned = backend.judged.filter { $0.dependencies.contains(.signals) }.map(\.rule.id)
    recorder.tally.limits.removeAll { limit in
      limit.violations == 0 && concerned.contains(limit.id)
    }
    for id in concerned { recorder.tally.unseen[id] = why }
  }

  // MARK: - Sessions

  /// - Parameter isVisit: Whether the load wants it, and not the person's own calendar.
  private func beginSession(of id: PersonID, isVisit: Bool = false) {
    let (person, behaviour) = (people.person(id), people.behaviour(of: id))
    person.now = max(person.now, loop.now)
    people.beginJourney(of: id)
    recorder.tally.sessionsBegun += 1
    let unconfined = Unconfined((self, person, behaviour))
    Task(executorPreference: executor) {
      let (region, person, behaviour) = unconfined.value
      do throws(JourneyEnded) {
        if isVisit {
          try await behaviour.visit(as: person)
          region.endSession(of: person, next: nil)
        } else {
          region.endSession(of: person, next: try await behaviour.session(as: person))
        }
      } catch {
        region.people.endJourney(of: person.id)
      }
    }
  }

  private func endSession(of person: Person<Contract>, next: Instant?) {
    people.endJourney(of: person.id)
    recorder.tally.sessionsCompleted += 1
    if let load, load.decides(for: person.id) {
      self.load?.leave(person.id)
      guard let next = load.nextTurn(of: person.id, after: person.now) else { return }
      return schedule(.visit(person.id), at: next, by: person.id)
    }
    guard let next, max(next, person.now) < plan.ends else { return }
    schedule(.session(person.id), at: max(next, person.now), by: person.id)
  }

  /// Somebody comes: whoever is free and has been away longest.
  private func admit() {
    recorder.tally.arrivals.due += 1
    let now = loop.now
    let visitor = load?.admit { people.isAway($0) && people.person($0).now <= now }
    if let visitor {
      beginSession(of: visitor, isVisit: true)
    } else {
      recorder.tally.arrivals.missed += 1
    }
    expectArrival()
  }

  private func beginReaction(of id: PersonID, to received: Received<Contract>) {
    let (person, behaviour) = (people.person(id), people.behaviour(of: id))
    person.now = max(person.now, loop.now)
    people.beginJourney(of: id)
    let unconfined = Unconfined((self, person, behaviour))
    Task(executorPreference: executor) {
      let (region, person, behaviour) = unconfined.value
      do throws(JourneyEnded) {
        try await behaviour.react(to: received, as: person)
        region.people.endJourney(of: person.id)
      } catch {
        region.people.endJourney(of: person.id)
      }
    }
  }

  // MARK: - Requests

  func send(
    _ asks: [Ask<Contract>], of person: Person<Contract>, resuming waiter: Question<Contract>.Waiter
  ) {
    let question = Question(of: asks.count, resuming: waiter)
    for ask in asks {
      send(ask.request, ask.credential, ask.attempt, of: person, in: question)
    }
  }

  func send(
    _ request: Contract.Request, _ credential: Contract.Credential?, _ attempt: Int,
    of person: Person<Contract>, in question: Question<Contract>? = nil,
    resuming waiter: InFlightCall<Contract>.Waiter? = nil
  ) {
    let operation = Contract.operation(of: request)
    let call = InFlightCall(
      request, credential, attempt: attempt, of: person, in: question, operation: operation,
      intended: person.now,
      deadline: (time == nil ? person.now : max(person.now, present)) + timeouts[operation],
      resuming: waiter)
    let events = people.events(of: person.id)
    let step = line?.send(call, events: events) ?? network.send(call, events: events)
    call.number = recorder.opened(at: call.sent)
    follow(step, of: call)
  }

  private func follow(
    _ step: consuming ModelledNetwork<Contract>.Step, of call: InFlightCall<Contract>
  ) {
    switch consume step {
    case .arrives(let instant):
      // In real time a call that has arrived does not wait behind what is overdue: that would be the generator's time, not the backend's.
      if time != nil, instant <= present { return arrive(call) }
      schedule(.arrive(call), at: instant, by: call.person.id)
    case .ends(let outcome, let instant): conclude(call, outcome, at: instant)
    }
  }

  private func arrive(_ call: InFlightCall<Contract>) {
    if wire != nil {
      wire?.carry(call) { [weak self] number, ending in
        guard let self, let (call, step) = wire?.land(number, ending) else { return }
        follow(step, of: call)
      }
      return
    }
    guard line != nil || network.hasRoom(at: loop.now) else {
      return follow(network.turnAway(call, at: loop.now), of: call)
    }
    let handled = handle(call)
    switch handled.answer {
    case .now(let result): serve(call, handled.work, result)
    case .later(let ticket):
      serve(call, handled.work, nil)
      cells[call.person.cell].host.keep(call, for: ticket, until: call.deadline)
      schedule(.overdue(call, ticket), at: call.deadline, by: call.person.id)
    }
    if call.met.isDuplicated { serveAgain(call) }
  }

  @inline(__always)
  private func handle(_ call: InFlightCall<Contract>) -> Handled<Contract> {
    handle(
      call.request, from: .client(call.credential), cell: call.person.cell,
      operation: call.operation)
  }

  /// The servers work on a request; without a result its answer comes by itself.
  private func serve(
    _ call: InFlightCall<Contract>, _ work: Work,
    _ result: Result<Contract.Reply, Contract.Refusal>?
  ) {
    if let line {
      if let result { follow(line.answer(call, result), of: call) }
      return
    }
    if let step = network.serve(call, work, result, arriving: loop.now) {
      return follow(step, of: call)
    }
    guard network.hasLine else { return }
    beginServices()
    if result != nil, !call.isConcluded {
      schedule(.unserved(call), at: call.deadline, by: call.person.id)
    }
  }

  /// Servers that are free take those who wait, and the loop comes back when the next one is.
  private func beginServices() {
    while let (call, step) = network.begin(at: loop.now) {
      if let step { follow(step, of: call) }
    }
    guard let next = network.asksAgain(at: loop.now) else { return }
    loop.schedule(.serve, at: next, from: .environment)
  }

  /// The request comes a second time; nobody hears what is answered.
  private func serveAgain(_ call: InFlightCall<Contract>) {
    guard line != nil || network.hasRoom(at: loop.now) else { return }
    let handled = handle(call)
    serve(call, handled.work, nil)
    guard case .later(let ticket) = handled.answer else { return }
    cells[call.person.cell].host.abandon(ticket)
  }

  private func complete(_ completion: Completion<Contract>, cell: Int) {
    guard let call = cells[cell].host.complete(completion.ticket), !call.isConcluded else { return }
    follow(
      line?.answer(call, completion.result)
        ?? network.answer(call, completion.result, leaving: loop.now), of: call)
  }

  private func giveUp(_ call: InFlightCall<Contract>, _ ticket: Ticket) {
    guard !call.isConcluded else { return }
    cells[call.person.cell].host.abandon(ticket)
    conclude(call, .unknown(.timedOut), at: loop.now)
  }

  /// The outcome of a request is known; when it is the last of its question, the journey goes on.
  private func conclude(
    _ call: InFlightCall<Contract>, _ outcome: consuming Outcome<Contract>, at instant: Instant
  ) {
    guard !call.isConcluded else { return }
    let person = call.person
    // What would come after the end was never seen.
    if instant > plan.ends { outcome = .unknown(.runEnded) }
    let answered = max(call.sent, min(instant, plan.ends))
    let isAnswered = outcome.isAnswered
    let latest = call.conclude(consume outcome, at: answered)
    observe(.request(call.asked), at: answered, person: person)
    recorder.closed(call.number)
    if isAnswered, line == nil {
      recorder.add(
        call.passage, operation: call.operation, intended: call.intended,
        took: answered - call.intended)
    }
    guard let latest else { return }
    if mayRunAhead(person, to: latest) {
      call.resume(at: latest)
    } else {
      schedule(.answered(call), at: latest, by: person.id)
    }
  }

  // MARK: - Twins

  /// Inlined, since what a twin hands back is large, and would be copied for each function that passes it on.
  @inline(__always) @discardableResult
  private func handle(
    _ request: Contract.Request, from caller: Caller<Contract>, cell: Int, operation: Int? = nil
  ) -> Handled<Contract> {
    let now = present
    if time != nil { catchUp(cell, at: now) }
    let began = operation != nil || isSearching ? stopwatch?.nanoseconds() : nil
    let handled = cells[cell].host.handle(request, from: caller, at: now)
    let took = stopwatch?.since(began)
    if let operation, let took {
      recorder.tally.operations[operation].inProcess.record(took)
    }
    recorder.tally.searching.count(handled.effects.searches, took: took)
    spread(handled.effects, of: cell)
    return handled
  }

  /// In real time an alarm may be overdue when a request comes: what was due happens before it.
  private func catchUp(_ cell: Int, at now: Instant) {
    guard let effects = cells[cell].host.advance(to: now) else { return }
    recorder.tally.searching.count(effects.searches, took: nil)
    spread(effects, of: cell)
  }

  private func ring(_ cell: Int) {
    let now = present
    let began = isSearching ? stopwatch?.nanoseconds() : nil
    guard let effects = cells[cell].host.ring(at: now) else { return wind(cell) }
    recorder.tally.searching.count(effects.searches, took: stopwatch?.since(began))
    spread(effects, of: cell)
  }

  private func spread(_ effects: Effects<Contract>, of cell: Int) {
    for addressed in effects.signals { post(addressed, from: cell) }
    for completion in effects.completions { complete(completion, cell: cell) }
    wind(cell)
  }

  private func wind(_ cell: Int) {
    guard let instant = cells[cell].host.wind(at: loop.now) else { return }
    loop.schedule(.timer(cell), at: instant, from: .timers)
  }

  /// - Parameter left: When a server sent it, which has told the world outside by itself.
  private func post(_ addressed: Addressed<Contract>, from cell: Int, left: Instant? = nil) {
    let transit = backend.transit(of: addressed.signal, in: plan)
    let arrives = max(present, (left ?? present) + cells[cell].delivery.sample(transit))
    let audience = people.listeners(at: addressed.address, in: cell)
    for id in audience {
      loop.schedule(.deliver(id, addressed.signal), at: arrives, from: .environment)
    }
    let receipt =
      audience.isEmpty ? [] : backend.receipt(of: addressed.signal, at: addressed.address)
    let answers =
      left == nil ? backend.environment(on: addressed.signal, at: addressed.address) : []
    for request in answers + receipt {
      loop.schedule(.environment(cell, request), at: arrives, from: .environment)
    }
  }

  /// What the operator does, as a record of its own.
  private func command(_ request: Contract.Request, cell: Int) {
    if let server {
      guard server.isTwin else { return }
      return ask(request) { [weak self] outcome, at in
        self?.observe(.control(request, outcome), at: at, cell: cell)
      }
    }
    let handled = handle(request, from: .administration, cell: cell)
    guard case .now(let result) = handled.answer else {
      programFault("\(plan.path): a control command was answered with a ticket")
    }
    observe(.control(request, Outcome(result)), at: present, cell: cell)
  }

  /// Asks the server something on nobody's behalf; what was seen meanwhile waits for the answer.
  private func ask(
    _ request: Contract.Request, onEnd: @escaping (Outcome<Contract>, Instant) -> Void
  ) {
    let number = recorder.opened(at: present)
    questions += 1
    wire?.command(request) { [weak self] outcome, at in
      guard let self else { return }
      onEnd(outcome, at)
      questions -= 1
      recorder.closed(number)
    }
  }

  // MARK: - Signals

  /// Asks the server now and then what it has sent.
  private func listen() {
    guard server?.isTwin == true, let number = ear.turn(at: present) else { return }
    wire?.listen(after: number) { [weak self] sent in
      guard let self else { return }
      for signal in ear.heard(sent) {
        guard let addressed = wire?.heard(signal) else {
          ear.unread += 1
          continue
        }
        post(addressed, from: 0, left: signal.at)
      }
    }
  }

  private func deliver(_ signal: Contract.Signal, to id: PersonID) {
    observe(.signal(signal), at: loop.now, person: people.person(id))
    let received = Received<Contract>(signal, at: loop.now)
    switch people.receive(received, by: id) {
    case .journey(let waiting):
      waiting.person.now = max(waiting.person.now, loop.now)
      waiting.resume(.received(received))
    case .device: beginReaction(of: id, to: received)
    case .mailbox: break
    }
  }

  /// The person's own time has come to look: a signal may be there already.
  func look(for waiting: Waiting<Contract>) {
    waiting.person.now = max(waiting.person.now, loop.now)
    if let received = people.look(for: waiting) {
      waiting.resume(.received(received))
    } else if waiting.deadline <= loop.now, nothingElseIsDue {
      _ = people.nextEvent(of: waiting.person.id)
      expire(waiting)
    } else {
      schedule(.deadline(waiting), at: max(loop.now, waiting.deadline), by: waiting.person.id)
    }
  }

  private func expire(_ waiting: Waiting<Contract>) {
    guard waiting.isOpen else { return }
    people.stopWaiting(waiting.person.id)
    waiting.person.now = max(waiting.person.now, loop.now)
    waiting.resume(.deadline)
  }

  // MARK: - Barriers

  func publications(at instant: Instant) -> [Domain.Model.Publication] {
    wire == nil ? cells.compactMap { $0.host.publication(at: instant) } : []
  }

  func read(_ publications: [Domain.Model.Publication]) {
    for index in cells.indices { cells[index].host.read(publications) }
  }

  /// Looks at every cell, for the censuses. The clock stands at the barrier, or a little behind it in real time.
  func inspect() {
    if let server {
      if server.isTwin, server.isOperator { askForLook() }
      return
    }
    for cell in cells.indices {
      guard let inspection = looks.next(at: cell) else { return }
      let now = present
      if time != nil { catchUp(cell, at: now) }
      let handled = cells[cell].host.handle(inspection, from: .harness, at: now)
      if case .now(.success(let reply)) = handled.answer { take(reply, at: now, cell: cell) }
      // What was due at this very instant has happened in it, and tells others as ever.
      recorder.tally.searching.count(handled.effects.searches, took: nil)
      spread(handled.effects, of: cell)
    }
  }

  private func askForLook() {
    guard let inspection = looks.begin() else { return }
    ask(inspection) { [weak self] outcome, at in
      guard let self else { return }
      if case .replied(let reply) = outcome { take(reply, at: at, cell: 0) }
      if looks.end() { askForLook() }
    }
  }

  private func take(_ look: Contract.Reply, at instant: Instant, cell: Int) {
    looks.take(look, of: cell)
    observe(.inspection(look), at: instant, cell: cell)
  }

  // MARK: - Observing

  func observe(_ event: Record<Contract>.Event, at time: Instant, person: Person<Contract>) {
    recorder.add(
      Record(
        time: time, person: person.id, sequence: people.nextRecord(of: person.id),
        cell: person.cell, event: event),
      who: person.name)
  }

  private func observe(_ event: Record<Contract>.Event, at time: Instant, cell: Int) {
    recorder.add(
      Record(time: time, person: nil, sequence: 0, cell: cell, event: event), who: plan.path)
  }
}
