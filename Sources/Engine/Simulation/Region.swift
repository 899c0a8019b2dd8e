import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Timekeeping

/// Part of a world that lives by itself between barriers, put together from its parts: a loop of events, people, the transport to
/// their backend, and the recorder of what people see.
///
/// One thread at a time drives a region; the coordinator's lock hands it from one to the next. In real time it is driven up to what the
/// clock shows: events happen at their own instants, however late the thread comes to them, and so a person's time is the intended one.
final class Region<Domain: Backend>: @unchecked Sendable {
  typealias Contract = Domain.Contract

  let backend: Domain
  let plan: RegionPlan
  /// By operation; copied, because threads that share the contract's own table would contend for its count.
  private let timeouts: [Span]

  var loop: EventLoop<RegionEvent<Contract>>
  var people = People<Contract>()
  let executor = RegionExecutor()
  let transport: Transport<Domain>
  private var mishaps: Mishaps<Contract>
  var recorder: Recorder<Domain.Checks>
  var load: RegionLoad?
  /// Tasks without a session.
  var idle: [UnsafeContinuation<Session<Contract>?, Never>] = []
  private(set) var isFinishing = false
  /// What the backend is loaded with before the run, until it is.
  var preparations: [CellCommand<Contract>]
  /// What the operator does, until he has done it: fixtures are large.
  private var controls: [CellCommand<Contract>?]

  init(
    _ backend: Domain, plan: RegionPlan, scenario: Scenario, stopwatch: Stopwatch?,
    recording: Recording, time: WallTime? = nil, server: WireServer? = nil
  ) {
    self.backend = backend
    self.plan = plan
    timeouts = Contract.operations.map {
      $0.isLongPoll ? $0.timeout : scenario.network.timeout ?? $0.timeout
    }
    loop = EventLoop(from: plan.starts, by: time)
    mishaps = Mishaps(scenario, in: plan)
    let (seen, unseen) = Self.checks(of: backend, before: server)
    let population = Self.population(of: backend, plan, before: server)
    transport = Self.transport(
      to: backend, plan, cells: population.cells, scenario, stopwatch, time, server)
    recorder = Recorder(
      plan.path, people: population.persons.map(\.name),
      checks: seen, business: backend.business, flow: backend.flow, access: backend.access,
      scenario: scenario, recording: recording, inRealTime: time != nil, share: server.share)
    recorder.tally.unseen = unseen
    (preparations, controls) = Self.calendar(
      population.controls, scenario, backend, plan, before: server)
    load = Self.load(population.persons, scenario, plan, server.share)
    // Made here and not where it is handed on: this initialiser is specialised for the domain, and so are closures that are made in it.
    populate(population.persons, actions, server.share)
  }

  private func populate(
    _ persons: [PersonPlan<Contract>], _ actions: PersonActions<Contract>, _ share: Share
  ) {
    people.reserveCapacity(persons.count)
    for (index, planned) in persons.enumerated() {
      let person = Person<Contract>(
        id: PersonID(index), name: plan.path + "/" + planned.name,
        cell: planned.cell, seed: plan.seed, actions: actions)
      people.add(person, as: planned.behaviour())
    }
    for (index, control) in controls.enumerated() {
      guard let control else { continue }
      loop.schedule(.control(index), at: control.at, from: .control)
    }
    for index in 0..<people.count where share.takes(index) {
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

  func expectArrival() {
    guard let next = load?.nextArrival(), next < plan.ends else { return }
    loop.schedule(.arrival, at: next, from: .environment)
  }

  /// Requests that people have made so far.
  var requests: Int { recorder.tally.requests }

  /// What was seen so far, for whoever watches.
  var live: LiveFigures { recorder.live }

  func isViolated(_ limit: LimitID) -> Bool { recorder.isViolated(limit) }

  /// The lines for `--events` since they were last asked for.
  func takeLines() -> LineSpool { recorder.takeLines() }

  // MARK: - The loop

  /// Lives until an instant: the next barrier or the end, in real time what the clock shows.
  func run(until end: Instant) {
    loop.go(to: end)
    // What came from outside since the last time.
    executor.runReady()
    while let event = loop.next() {
      happen(event)
      executor.runReady()
    }
    transport.hear(self)
    recorder.release(before: end)
  }

  /// When something happens by itself next.
  var nextDue: Instant? { loop.nextDue }

  @inline(__always)
  func happen(_ event: RegionEvent<Contract>) {
    switch event {
    case .session(let id): beginSession(of: id)
    case .arrival: admit()
    case .visit(let id): beginSession(of: id, isVisit: true)
    case .wake(let person, let continuation):
      person.now = max(person.now, loop.now)
      continuation.resume(returning: .due)
    case .arrive(let call): transport.answer(call, self)
    case .overdue, .unserved, .serve, .timer, .environment: transport.happen(event, self)
    case .answered(let call): call.resume(at: loop.now)
    case .deliver(let id, let signal): deliver(signal, to: id)
    case .wait(let waiting): look(for: waiting)
    case .deadline(let waiting): expire(waiting)
    case .control(let index):
      if let control = controls[index].take() {
        transport.command(control.request, control.cell, self)
      }
    }
  }

  func schedule(_ event: RegionEvent<Contract>, at time: Instant, by id: PersonID) {
    loop.schedule(event, at: time, by: id, number: people.nextEvent(of: id))
  }

  /// Ends every journey that still lives, and closes the books.
  func finish(at end: Instant) -> (tally: WorldTally, lines: LineSpool) {
    isFinishing = true
    while let task = idle.popLast() { task.resume(returning: nil) }
    executor.runReady()
    while let event = loop.drain() {
      switch event {
      case .wake(_, let continuation): continuation.resume(returning: .ended)
      case .arrive(let call), .overdue(let call, _), .unserved(let call): cutOff(call, at: end)
      case .answered(let call): call.abandon()
      case .wait(let waiting), .deadline(let waiting):
        if waiting.isOpen { waiting.resume(.ended) }
      case .session, .visit, .arrival, .deliver, .environment, .timer, .control, .serve: break
      }
      executor.runReady()
    }
    for call in transport.abandon() {
      cutOff(call, at: end)
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
    transport.close(&recorder.tally, naming)
    // People hold the region and the region its people: the circle ends here.
    people = People()
    return (recorder.tally, takeLines())
  }

  private func cutOff(_ call: InFlightCall<Contract>, at end: Instant) {
    conclude(call, .unknown(.runEnded), at: end)
    call.abandon()
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

  @discardableResult
  func send(
    _ request: Contract.Request, _ credential: Contract.Credential?, _ attempt: Int,
    of person: Person<Contract>, in question: Question<Contract>? = nil
  ) -> InFlightCall<Contract> {
    let operation = Contract.operation(of: request)
    let call = InFlightCall(
      request, credential, attempt: attempt, of: person, in: question, operation: operation,
      intended: person.now, sent: max(person.now, loop.present), patience: timeouts[operation])
    call.number = recorder.opened(at: call.sent)
    let way = transport.send(call)
    switch mishaps.send(call, way: way, events: people.events(of: person.id)) {
    case .arrives(let instant): bring(call, at: instant)
    case .ends(let outcome, let instant): conclude(call, outcome, at: instant)
    }
    return call
  }

  /// A call is on its way to the backend. It arrives even when its client has given up before.
  private func bring(_ call: InFlightCall<Contract>, at arrives: Instant) {
    // It does not wait behind what is overdue: that would be the generator's time, not the backend's.
    if arrives < loop.present { return transport.answer(call, self) }
    if arrives > call.deadline { conclude(call, .unknown(.timedOut), at: call.deadline) }
    schedule(.arrive(call), at: arrives, by: call.person.id)
  }

  /// The backend's answer to a call leaves at an instant.
  @inline(__always)
  func receive(
    _ outcome: consuming Outcome<Contract>, of call: InFlightCall<Contract>, leaving: Instant
  ) {
    let (outcome, instant) = call.ending(outcome, leaving: leaving)
    conclude(call, outcome, at: instant)
  }

  /// The outcome of a request is known; when it is the last of its question, the journey goes on.
  func conclude(
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
    if isAnswered, let passage = call.passage {
      recorder.add(
        passage, operation: call.operation, intended: call.intended,
        took: answered - call.intended)
    }
    guard let latest else { return }
    if mayRunAhead(person, to: latest) {
      call.resume(at: latest)
    } else {
      schedule(.answered(call), at: latest, by: person.id)
    }
  }

  // MARK: - Signals

  /// The backend has sent a signal that arrives at an instant; then the world outside answers it to the backend, and so do devices.
  func post(
    _ addressed: Addressed<Contract>, from cell: Int, at arrives: Instant,
    answers: [Contract.Request]
  ) {
    let audience = people.listeners(at: addressed.address, in: cell)
    for id in audience {
      loop.schedule(.deliver(id, addressed.signal), at: arrives, from: .environment)
    }
    let receipt =
      audience.isEmpty ? [] : backend.receipt(of: addressed.signal, at: addressed.address)
    for request in answers + receipt {
      loop.schedule(.environment(cell, request), at: arrives, from: .environment)
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

  // MARK: - Observing

  func observe(_ event: Record<Contract>.Event, at time: Instant, person: Person<Contract>) {
    recorder.add(
      Record(
        time: time, person: person.id, sequence: people.nextRecord(of: person.id),
        cell: person.cell, event: event),
      who: person.name)
  }

  func observe(_ event: Record<Contract>.Event, at time: Instant, cell: Int) {
    recorder.add(
      Record(time: time, person: nil, sequence: 0, cell: cell, event: event), who: plan.path)
  }
}
