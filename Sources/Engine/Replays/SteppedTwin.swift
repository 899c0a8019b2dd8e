import Backends
import Contracts
import Timekeeping

/// What is the same for the clock of every session.
public enum SessionClock {
  /// Where it ends, 2200-01-01T00:00:00Z: 62 years before the last instant that can be counted, which is room for what
  /// a domain adds to the present (lifetimes of tokens, seasons, time-outs).
  public static let ends = Instant(unixSeconds: 7_258_118_400)
}

/// One twin behind its wire mapping with a clock that only its user moves: what `replay` drives line by line, and
/// what a server drives by its own clock.
///
/// The world outside (push feedback, key sets) answers at once. What cells tell one another is exchanged often enough
/// for the bound that the domain states; a session has one cell, so it tells itself.
public struct SteppedTwin<Domain: Backend>: Sendable {
  public typealias Contract = Domain.Contract

  private let backend: Domain
  private let setup: TwinSetup
  private let starts: Instant
  private let barrierInterval: Span
  private var host: TwinHost<Domain.Model, Contract.Request>
  /// What the twin's clock shows.
  public private(set) var now: Instant
  private var lastBarrier: Instant
  private var late: [LateAnswer] = []
  /// Commands of the operator that are still to come, the next one last.
  private var calendar: [Scheduled] = []

  private struct Scheduled: Sendable {
    let at: Instant
    let request: Contract.Request
  }

  public init(_ backend: Domain, setup: TwinSetup, starts: Instant) {
    self.backend = backend
    self.setup = setup
    barrierInterval = min(backend.declaration.longestBarrierInterval ?? .minutes(15), .minutes(15))
    host = TwinHost(backend.twin(setup))
    self.starts = starts
    now = starts
    lastBarrier = starts
  }

  /// What came of one line: the answer, and the signals that left the backend until it was given.
  public struct Answer: Sendable {
    public var response: WireResponse
    public var signals: [JSON]
    /// How far the clock went until the answer was there.
    public var waited = Span.zero
  }

  /// What came of a request: an answer, or a ticket whose answer comes later, with `takeLateAnswers()`.
  public enum Reaction: Sendable {
    case answered(Answer)
    case waiting(Ticket, signals: [JSON])
  }

  /// The answer that a ticket promised, or the 504 that took its place when the operation's time-out passed.
  public struct LateAnswer: Sendable {
    public let ticket: Ticket
    public let response: WireResponse
    fileprivate var isTimeout = false
  }

  // MARK: - Time

  /// When something happens by itself next: a timer of the twin, a command of the calendar, a time-out.
  public var nextDue: Instant? {
    [host.nextDue, calendar.last?.at, host.nextDeadline].compactMap(\.self).min()
  }

  /// Moves the clock; an earlier instant is refused, and one beyond the clock's end.
  public mutating func advance(to instant: Instant) throws(ControlProblem) -> [JSON] {
    guard instant >= now else {
      throw ControlProblem("\(instant) lies before \(now): time does not run back")
    }
    guard instant <= max(now, SessionClock.ends) else {
      throw ControlProblem("the time lies beyond \(SessionClock.ends), where every clock ends")
    }
    var signals: [JSON] = []
    while let due = nextDue, due <= instant { signals += step(to: due) }
    now = instant
    synchroniseIfDue()
    return signals
  }

  /// Lets happen what is due at one instant: the twin's timers before the operator, time-outs last.
  private mutating func step(to due: Instant) -> [JSON] {
    now = max(now, due)
    synchroniseIfDue()
    var signals: [JSON] = []
    if let effects = host.advance(to: now) { signals += spread(effects) }
    while let next = calendar.last, next.at <= now {
      calendar.removeLast()
      signals += command(next.request, from: .administration).signals
    }
    late += host.expire(at: now).map {
      LateAnswer(
        ticket: $0.ticket, response: WireResponse(504, body: ["error": "timed_out"]),
        isTimeout: true)
    }
    return signals
  }

  /// Barriers lie a fixed span apart; those at which nobody looked are left out.
  private mutating func synchroniseIfDue() {
    let points = (now - lastBarrier).nanoseconds / barrierInterval.nanoseconds
    guard points > 0 else { return }
    lastBarrier += barrierInterval * points
    if let publication = host.publication(at: lastBarrier) { host.read([publication]) }
  }

  /// Enters what the operator will do into the calendar; what lies in the past happens with the next step.
  public mutating func schedule(_ commands: [(at: Instant, request: Contract.Request)]) {
    let order = commands.enumerated().sorted {
      ($0.element.at, $0.offset) > ($1.element.at, $1.offset)
    }
    calendar = order.map { Scheduled(at: $0.element.at, request: $0.element.request) }
  }

  // MARK: - Requests

  /// Answers a request as the served backend would; where it has to wait, the clock moves until the answer is there.
  ///
  /// Where no answer comes before the client's time-out, because it was lost or because there is nothing to say, the
  /// client is told so at once, and the clock stays: what it waits for in vain must not happen behind anybody's back.
  public mutating func answer(_ wire: WireRequest) -> Answer {
    switch react(to: wire) {
    case .answered(let answer): return answer
    case .waiting(let ticket, let signals):
      var future = self
      if var answer = future.wait(for: ticket) {
        answer.response = Contract.suited(answer.response, to: wire)
        answer.signals = signals + answer.signals
        self = future
        return answer
      }
      abandon(ticket)
      let body: JSON = [
        "error": "timed_out", "message": "no answer comes before the time-out; the clock stays",
      ]
      return Answer(response: WireResponse(504, body: body), signals: signals)
    }
  }

  /// Lets happen what is due until a ticket's answer is there; `nil` when its time passes without one.
  private mutating func wait(for ticket: Ticket) -> Answer? {
    let begun = now
    var signals: [JSON] = []
    while host.isWaiting(for: ticket) {
      guard let due = nextDue else { preconditionFailure("a request waits without a time-out") }
      signals += step(to: due)
    }
    guard let index = late.firstIndex(where: { $0.ticket == ticket }), !late[index].isTimeout
    else { return nil }
    return Answer(
      response: late.remove(at: index).response, signals: signals, waited: now - begun)
  }

  /// Hands a request to the twin without waiting.
  public mutating func react(to wire: WireRequest) -> Reaction {
    let (request, credential) = Contract.read(wire)
    let reaction = perform(request, from: .client(credential))
    guard case .answered(var answer) = reaction else { return reaction }
    if answer.response.status == 405, answer.response.header("Allow") == nil,
      let methods = Contract.methods(at: wire.target, service: wire.service)
    {
      answer.response.headers.append(WireHeader("Allow", methods))
    }
    answer.response = Contract.suited(answer.response, to: wire)
    return .answered(answer)
  }

  /// Answers to tickets since this was last asked for.
  public mutating func takeLateAnswers() -> [LateAnswer] {
    defer { late = [] }
    return late
  }

  /// Nobody waits for a ticket any more: its client has hung up.
  public mutating func abandon(_ ticket: Ticket) {
    late.removeAll { $0.ticket == ticket }
    host.abandon(ticket)
  }

  private mutating func perform(
    _ request: Contract.Request, from caller: Caller<Contract>
  ) -> Reaction {
    let handled = host.twin.handle(request, from: caller, at: now)
    switch handled.answer {
    case .now(let result):
      return .answered(
        Answer(
          response: Contract.write(result, to: request, tokens: setup.tokens),
          signals: spread(handled.effects)))
    case .later(let ticket):
      let timeout = Contract.operations[Contract.operation(of: request)].timeout
      host.keep(request, for: ticket, until: now + timeout)
      return .waiting(ticket, signals: spread(handled.effects))
    }
  }

  /// Shows signals, completes tickets, and lets the world outside answer, until nothing follows any more.
  private mutating func spread(_ effects: Effects<Contract>) -> [JSON] {
    var shown: [JSON] = []
    var pending = [effects]
    var next = 0
    while next < pending.count {
      let effects = pending[next]
      next += 1
      for completion in effects.completions { complete(completion) }
      for signal in effects.signals {
        shown.append(Contract.show(signal.signal, to: signal.address, tokens: setup.tokens))
        for request in backend.environment(on: signal.signal, at: signal.address) {
          pending.append(host.twin.handle(request, from: .environment, at: now).effects)
        }
      }
    }
    return shown
  }

  private mutating func complete(_ completion: Completion<Contract>) {
    guard let request = host.complete(completion.ticket) else { return }
    late.append(
      LateAnswer(
        ticket: completion.ticket,
        response: Contract.write(completion.result, to: request, tokens: setup.tokens)))
  }

  // MARK: - Commands

  /// Carries out a control command by its name, as the operator of a served twin would: what is wrong with it is answered.
  public mutating func obey(_ name: String, _ parameters: JSON) -> Answer {
    guard Self.controls.contains(where: { $0.name == name }) else {
      return Answer(response: .unknownCommand(name, among: Self.controls), signals: [])
    }
    do throws(ControlProblem) {
      return try control(name, parameters)
    } catch {
      return Answer(response: .refused(error), signals: [])
    }
  }

  /// Who may be called how after a command, and with which token.
  public func sessions(broughtBy name: String, _ parameters: JSON) -> [(
    name: String, token: String
  )] {
    guard Contract.controls.contains(where: { $0.name == name }) else { return [] }
    do throws(ControlProblem) {
      return Contract.sessions(
        broughtBy: try Contract.control(name, parameters), at: now, tokens: setup.tokens)
    } catch {
      return []
    }
  }

  /// Carries out a control command by its name.
  public mutating func control(_ name: String, _ parameters: JSON) throws(ControlProblem) -> Answer
  {
    switch name {
    case "advance":
      let signals = try advance(to: target(of: parameters))
      return Answer(
        response: WireResponse(200, body: ["now": .string(now.description)]), signals: signals)
    case "reset":
      _ = try Self.startsIn(parameters)
      reset()
      return Answer(response: WireResponse(200, body: [:]), signals: [])
    case "inspect":
      // A domain that declares it takes parameters; what a run's censuses look at may be less than the whole state.
      guard !Contract.controls.contains(where: { $0.name == name }) else {
        return command(try Contract.control(name, parameters), from: .harness)
      }
      guard let inspection = backend.inspection(after: nil) else {
        throw ControlProblem("\(Contract.domain) has nothing to inspect")
      }
      return command(inspection, from: .harness)
    default: return command(try Contract.control(name, parameters), from: .administration)
    }
  }

  /// Everything is as at the start, the clock included. Who waited for the old twin learns that it is gone.
  private mutating func reset() {
    late += host.clients.map {
      LateAnswer(ticket: $0.ticket, response: WireResponse(503, body: ["error": "reset"]))
    }
    host = TwinHost(backend.twin(setup))
    now = starts
    lastBarrier = starts
    calendar = []
  }

  private mutating func command(
    _ request: Contract.Request, from caller: Caller<Contract>
  ) -> Answer {
    switch perform(request, from: caller) {
    case .answered(let answer): return answer
    case .waiting: programFault("\(Contract.domain): a command was answered with a ticket")
    }
  }

  /// How long a clock stands still after a reset.
  public static func startsIn(_ parameters: JSON) throws(ControlProblem) -> Span {
    let given = try ControlParameters(parameters, known: ["startsIn"], at: "reset")
    let span = try given.optionalSpan("startsIn") ?? .zero
    guard span >= .zero, span <= .hours(1) else {
      throw ControlProblem("reset: 'startsIn' is a span of up to an hour, e.g. 30s")
    }
    return span
  }

  private func target(of parameters: JSON) throws(ControlProblem) -> Instant {
    let given = try ControlParameters(parameters, known: ["by", "to"], at: "advance")
    let (by, to) = (try given.optionalSpan("by"), try given.optionalInstant("to"))
    switch (by, to) {
    case (let span?, nil): return now + span
    case (nil, let instant?): return instant
    case (_?, _?): throw ControlProblem("advance: either 'by' or 'to', not both")
    case (nil, nil):
      throw ControlProblem(
        "advance needs {\"by\": \"1h\"} or {\"to\": \"2026-03-21T09:00:00Z\"}")
    }
  }
}

extension WireResponse {
  /// The answer to a command that cannot be carried out.
  public static func refused(_ problem: ControlProblem) -> WireResponse {
    WireResponse(
      400, body: ["error": "invalid_command", "message": .string(problem.description)])
  }

  public static func unknownCommand(
    _ name: String, among controls: [ControlDeclaration]
  ) -> WireResponse {
    let names = controls.map(\.name)
    let hint = nearest(name, among: names).map { "did you mean '\($0)'? " } ?? ""
    let message =
      "no command '\(printable(name))'; \(hint)there are: \(names.joined(separator: ", "))"
    return WireResponse(404, body: ["error": "not_found", "message": .string(message)])
  }
}
