import Backends
import Contracts
import Observations
import Scenarios
import Timekeeping

/// Carries calls over HTTP to a server that speaks the contract.
final class ServerTransport<Domain: Backend> {
  typealias Contract = Domain.Contract

  private let clock: WallTime
  private let backend: Domain
  private let plan: RegionPlan
  private let server: WireServer
  /// Gives services in place of the server, and says of callers who they are; what loads a population it obeys.
  private let twins: Twins<Domain>
  private let twin: InProcessTransport<Domain>
  /// Calls that wait until the one before them is over, where a server has one at a time.
  private var waiting: [Waiting] = []
  /// A call that could have left at an instant.
  private struct Waiting {
    let call: InFlightCall<Contract>
    let due: Instant
  }

  /// What is due before belongs to the warm-up.
  private let warmedUp: Instant
  /// By their numbers; an ended one has left.
  private var underWay: [Int: InFlightCall<Contract>] = [:]
  /// Whether answers follow the contract.
  private var contract = Judge()
  /// How long its signals travel.
  private var delivery: RandomStream
  /// What is heard of them.
  private var ear = WireEar()
  private var looks: Looks<Domain>
  /// Questions on the region's own behalf, without an answer yet.
  private var questions = 0

  init(
    _ backend: Domain, _ plan: RegionPlan, _ scenario: Scenario, _ clock: WallTime,
    _ server: WireServer
  ) {
    self.backend = backend
    self.plan = plan
    self.clock = clock
    self.server = server
    twins = Twins(backend, plan, cells: 1, stopwatch: nil)
    twin = InProcessTransport(twins: twins)
    warmedUp = scenario.starts + scenario.warmup
    delivery = plan.stream("cell-0", 2)
    looks = Looks(backend, cells: 1)
  }

  var erased: Transport<Domain> {
    Transport(
      send: { _ in .zero }, answer: { self.answer($0, in: $1) },
      happen: { self.happen($0, in: $1) },
      command: { self.command($0, cell: $1, in: $2) }, inspect: { self.inspect(in: $0) },
      hear: { self.hear(in: $0) }, hearAfter: { self.ear.begin(after: $0) },
      obey: { self.twins.obey($0) },
      isResolved: { self.questions == 0 }, abandon: { self.abandon() },
      close: { self.close(&$0, naming: $1) })
  }

  // MARK: - Calls

  /// Lets the server answer, now or when it is the call's turn; or the twin, for the services that it gives.
  private func answer(_ call: InFlightCall<Contract>, in region: Region<Domain>) {
    if server.twinServices.contains(Contract.service(of: call.request)) {
      return twin.answer(call, in: region)
    }
    guard server.isOneAtATime, !underWay.isEmpty else { return depart(call, in: region) }
    waiting.append(Waiting(call: call, due: clock.now))
  }

  /// The next in line leaves. The time in it is not its server's, and no client waits for that.
  private func moveOn(in region: Region<Domain>) {
    guard underWay.isEmpty, !waiting.isEmpty else { return }
    let next = waiting.removeFirst()
    let waited = max(.zero, clock.now - next.due)
    next.call.sent += waited
    next.call.deadline += waited
    depart(next.call, in: region)
  }

  /// A duplicate's answer is nobody's.
  private func depart(_ call: InFlightCall<Contract>, in region: Region<Domain>) {
    guard let number = call.number else { preconditionFailure("a call in real time has a number") }
    underWay[number] = call
    let wire = written(call, in: region)
    let patience = clock.real(max(.milliseconds(1), call.deadline - call.sent))
    server.client.send(
      wire, of: Contract.domain, as: call.person.id,
      for: call.intended < warmedUp ? .ofWarmUp : .counted, timeOut: patience
    ) { [weak self, weak region] ending in
      guard let self, let region else { return }
      land(number, ending, in: region)
    }
    guard call.met.isDuplicated, !server.isOneAtATime else { return }
    server.client.send(
      wire, of: Contract.domain, as: call.person.id, for: .ofHarness, timeOut: patience
    ) { _ in }
  }

  /// A server shows by a credential who asks, or is told so, where the twin in process signs callers in.
  private func written(
    _ call: InFlightCall<Contract>, in region: Region<Domain>
  ) -> WireRequest {
    guard !server.twinServices.isEmpty else {
      return Contract.write(call.request, credential: call.credential, tokens: plan.tokens)
    }
    var wire = Contract.write(call.request, credential: nil, tokens: plan.tokens)
    wire.caller = twins.facts(of: call, in: region)
    return wire
  }

  /// Something came of a call, perhaps after the run was over.
  private func land(_ number: Int, _ ending: WireEnding, in region: Region<Domain>) {
    guard let call = underWay.removeValue(forKey: number) else { return }
    defer { moveOn(in: region) }
    let at = max(call.sent, clock.instant(at: ending.nanoseconds))
    switch ending.answer {
    case .lost(.timedOut):
      region.conclude(call, .unknown(.timedOut), at: max(at, call.deadline))
    case .lost(let cause): region.conclude(call, .unknown(cause), at: at)
    case .unreached(let cause, _): region.conclude(call, .unsent(cause), at: at)
    case .response(let response):
      call.asked.headers =
        Contract.missingHeader(in: response, to: call.request)
        .map { .lacking(UInt8(clamping: $0)) } ?? .whole
      region.receive(outcome(of: call, response), of: call, leaving: at)
    }
  }

  /// With which a server says that it knows no such request, and not that it failed (RFC 9110 §15.6.2 and §15.6.6).
  private static var refusals: Set<Int> { [501, 505] }

  private func outcome(of call: InFlightCall<Contract>, _ response: WireResponse) -> Outcome<
    Contract
  > {
    if let result = Contract.read(response, to: call.request) {
      contract.held()
      return Outcome(result.map { Contract.recognised($0, by: plan.tokens) })
    }
    guard response.status < 500 || Self.refusals.contains(response.status) else {
      return .unknown(.serverError)
    }
    let objection = Contract.objection(to: response, of: call.request)
    contract.violated(
      "\(Contract.operations[call.operation].name) \(objection.words)",
      at: Moment(
        time: max(call.sent, clock.now), person: call.person.id, cell: call.person.cell))
    return .unknown(objection.isDeclared ? .contractViolation : .unexpectedStatus)
  }

  private func abandon() -> [InFlightCall<Contract>] {
    defer { (underWay, waiting) = ([:], []) }
    return underWay.sorted { $0.key < $1.key }.map(\.value) + waiting.map(\.call)
  }

  // MARK: - Operator and harness

  /// A served twin has neither tickets nor timers here; what the world outside says reaches it as a command.
  private func happen(_ event: RegionEvent<Contract>, in region: Region<Domain>) {
    guard server.isTwin else { return twins.happen(event, in: region) }
    if case .environment(_, let request) = event { tell(request) { _, _ in } }
  }

  private func command(_ request: Contract.Request, cell: Int, in region: Region<Domain>) {
    guard server.isTwin else { return }
    ask(request, in: region) { region, outcome, at in
      region.observe(.control(request, outcome), at: at, cell: cell)
    }
  }

  private func inspect(in region: Region<Domain>) {
    guard server.isTwin, server.isOperator, let inspection = looks.begin() else { return }
    ask(inspection, in: region) { [weak self] region, outcome, at in
      guard let self else { return }
      if case .replied(let look) = outcome {
        looks.take(look, of: 0)
        region.observe(.inspection(look), at: at, cell: 0)
      }
      if looks.end() { inspect(in: region) }
    }
  }

  /// Asks the server something on nobody's behalf; what was seen meanwhile waits for the answer.
  private func ask(
    _ request: Contract.Request, in region: Region<Domain>,
    onEnd: @escaping (Region<Domain>, Outcome<Contract>, Instant) -> Void
  ) {
    let number = region.recorder.opened(at: region.loop.present)
    questions += 1
    tell(request) { [weak self, weak region] outcome, at in
      guard let self, let region else { return }
      onEnd(region, outcome, at)
      questions -= 1
      region.recorder.closed(number)
    }
  }

  /// Sends a command of the operator, or a question of the harness.
  ///
  /// - Parameter onEnd: Told what came of it, and when: by the server's own clock where it says so, since others ask it meanwhile.
  private func tell(
    _ request: Contract.Request, onEnd: @escaping (Outcome<Contract>, Instant) -> Void
  ) {
    let sent = clock.now
    send(Contract.write(request, credential: nil, tokens: plan.tokens)) { [clock] ending in
      let at = max(sent, clock.instant(at: ending.nanoseconds))
      guard case .response(let response) = ending.answer,
        let result = Contract.read(response, to: request)
      else { return onEnd(.unknown(.unparsable), at) }
      onEnd(Outcome(result), min(at, max(sent, response.moment ?? at)))
    }
  }

  private func send(_ wire: WireRequest, onEnd: @escaping (WireEnding) -> Void) {
    server.client.send(
      wire, of: Contract.domain, as: nil, for: .ofHarness,
      timeOut: ServerControl<Contract>.patience, onEnd: onEnd)
  }

  // MARK: - Signals

  /// Asks the server now and then what it has sent of its own accord.
  private func hear(in region: Region<Domain>) {
    guard server.isTwin, let number = ear.turn(at: region.loop.present) else { return }
    send(WireRequest("GET", SentSignal.target(of: Contract.domain, after: number))) {
      [weak self, weak region] ending in
      guard let self, let region else { return }
      for signal in ear.heard(SentSignal.list(in: ending)) {
        guard let addressed = Contract.heard(signal.document, by: plan.tokens) else {
          ear.unread += 1
          continue
        }
        let transit = backend.transit(of: addressed.signal, in: plan)
        // The server has told the world outside by itself.
        region.post(
          addressed, from: 0,
          at: max(region.loop.present, signal.at + delivery.sample(transit)), answers: [])
      }
    }
  }

  // MARK: - The end

  private func close(_ tally: inout WorldTally, naming: (Finding.Location) -> String) {
    forgetUnheard(&tally)
    tally.limits.append(LimitTally(Limit.contractOverHTTP.id, contract, naming: naming))
  }

  /// What goes by signals is not judged where some were lost.
  private func forgetUnheard(_ tally: inout WorldTally) {
    guard ear.missed + ear.unread > 0 else { return }
    let why = "of the server's signals \(ear.missed) were lost and \(ear.unread) could not be read"
    let concerned = backend.judged.filter { $0.dependencies.contains(.signals) }.map(\.rule.id)
    tally.limits.removeAll { limit in
      limit.violations == 0 && concerned.contains(limit.id)
    }
    for id in concerned { tally.unseen[id] = why }
  }
}
