import Backends
import Contracts
import Replays
import Synchronization
import Timekeeping

/// One twin that many connections share: a lock around its session, a clock that lets timers happen by themselves, and
/// the clients that wait for tickets.
public final class ServedTwin<Domain: Backend>: Sendable {
  public typealias Contract = Domain.Contract

  private struct State: Sendable {
    var stepped: SteppedTwin<Domain>
    var clock: ServedClock
    var waiters: [Ticket: CheckedContinuation<WireResponse, Never>] = [:]
    /// Answers that came before their client began to wait for them.
    var early: [Ticket: WireResponse] = [:]
    var alarm: Alarm?
    var sent = SentSignals()
    /// Of the commands since the last reset.
    var commands = Digest()
    var isStopped = false
  }

  private struct Alarm: Sendable {
    let at: Instant
    let task: Task<Void, Never>
  }

  private let state: Mutex<State>

  public init(_ stepped: SteppedTwin<Domain>, clock: ServedClock) {
    state = Mutex(State(stepped: stepped, clock: clock))
    state.withLock { keepUp(&$0) }
  }

  /// What the twin's clock shows.
  public var now: Instant {
    state.withLock {
      keepUp(&$0)
      return $0.stepped.now
    }
  }

  /// What others who use this twin at the same time have to know of it.
  public struct Condition: Sendable {
    /// What the twin's clock shows.
    public let now: Instant
    /// The same, or an earlier instant where the clock stands still for a while; `nil` of one that only a command moves.
    public let reading: Instant?
    /// Of the commands since the last reset: twins with equal ones were loaded with the same.
    public let commands: Digest
  }

  public var condition: Condition {
    state.withLock {
      keepUp(&$0)
      return Condition(
        now: $0.stepped.now, reading: $0.clock.reading, commands: $0.commands)
    }
  }

  // MARK: - Requests

  /// What came of a request.
  public enum Begun: Sendable {
    case answered(WireResponse)
    /// The twin gave a ticket: `lateAnswer(to:)` waits for its answer.
    case waiting(Ticket)
  }

  /// Hands a request to the twin without waiting.
  public func begin(_ wire: WireRequest) -> Begun {
    withState { state -> (Begun, signals: [JSON]) in
      let began = ContinuousClock.now
      switch state.stepped.react(to: wire) {
      case .answered(let answer):
        return (.answered(Self.timed(answer.response, since: began)), answer.signals)
      case .waiting(let ticket, let signals): return (.waiting(ticket), signals)
      }
    }
  }

  /// The response with the time of the call, where the contract names a header for it.
  private static func timed(
    _ response: WireResponse, since began: ContinuousClock.Instant
  ) -> WireResponse {
    guard let name = Contract.serviceTimeHeader else { return response }
    let (seconds, attoseconds) = (ContinuousClock.now - began).components
    var response = response
    response.headers.append(
      WireHeader(name, String(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)))
    return response
  }

  /// Answers a request; where the twin gave a ticket, when its answer is there or its time-out has passed.
  public func answer(_ wire: WireRequest) async -> WireResponse {
    switch begin(wire) {
    case .answered(let response): response
    case .waiting(let ticket): await lateAnswer(to: ticket)
    }
  }

  /// Carries out a control command; the answer says when.
  public func control(_ name: String, _ parameters: JSON) throws(ControlProblem) -> WireResponse {
    let result: Result<WireResponse, ControlProblem> = withState { state in
      do throws(ControlProblem) {
        if name == "advance", state.clock.reading != nil {
          throw ControlProblem(
            "this server's clock is real time, which nobody moves; start it with --clock manual")
        }
        if name != "inspect" { state.commands.mix(command: name, parameters) }
        var answer = try state.stepped.control(name, parameters)
        if name == "reset" {
          Self.setBack(&state, startsIn: try SteppedTwin<Domain>.startsIn(parameters))
        }
        answer.response.headers.append(.moment(state.stepped.now))
        return (.success(answer.response), answer.signals)
      } catch {
        return (.failure(error), [])
      }
    }
    return try result.get()
  }

  /// After a reset of the session: the clock begins again with it, and nothing that was due is due any more.
  private static func setBack(_ state: inout State, startsIn pause: Span) {
    state.clock = state.clock.reset(startsIn: pause)
    state.commands = Digest()
    state.alarm?.task.cancel()
    state.alarm = nil
  }

  /// What the twin sent of its own accord (mail, push), the oldest of the last ten thousand first.
  ///
  /// - Parameter number: Only what came after the signal of this number.
  public func signals(after number: Int) -> JSON {
    state.withLock {
      keepUp(&$0)
      return $0.sent.list(after: number)
    }
  }

  /// Uses the session at the present instant, and lets everybody know what came of it.
  private func withState<Value: Sendable>(
    _ use: (inout State) -> (Value, signals: [JSON])
  ) -> Value {
    state.withLock { state in
      keepUp(&state)
      let (value, signals) = use(&state)
      state.sent.add(signals, at: state.stepped.now)
      deliver(&state)
      return value
    }
  }

  /// Ends all waiting; requests are still answered, but none waits from now on.
  public func stop() {
    state.withLock { state in
      state.isStopped = true
      state.alarm?.task.cancel()
      for waiter in state.waiters.values { waiter.resume(returning: Self.stopping) }
      state.waiters = [:]
    }
  }

  private static var stopping: WireResponse { WireResponse(503, body: ["error": "stopping"]) }

  // MARK: - Tickets

  /// Waits for the answer to a ticket, to be asked for once; cancelling the task gives the ticket up.
  public func lateAnswer(to ticket: Ticket) async -> WireResponse {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          if let answer = state.early.removeValue(forKey: ticket) {
            continuation.resume(returning: answer)
          } else if state.isStopped || Task.isCancelled {
            state.stepped.abandon(ticket)
            continuation.resume(returning: Self.stopping)
          } else {
            state.waiters[ticket] = continuation
          }
        }
      }
    } onCancel: {
      abandon(ticket)
    }
  }

  /// The client of a ticket is gone, or there was none.
  func abandon(_ ticket: Ticket) {
    state.withLock { state in
      state.early[ticket] = nil
      state.stepped.abandon(ticket)
      state.waiters.removeValue(forKey: ticket)?.resume(returning: Self.stopping)
    }
  }

  /// How many clients wait for the answer to a ticket.
  public var waiting: Int { state.withLock { $0.waiters.count } }

  // MARK: - Time

  /// Brings the session to what the clock shows.
  private func keepUp(_ state: inout State) {
    // At the end of every clock time stands still.
    if let reading = state.clock.reading.map({ min($0, SessionClock.ends) }),
      reading > state.stepped.now
    {
      do throws(ControlProblem) {
        state.sent.add(try state.stepped.advance(to: reading), at: reading)
      } catch {
        preconditionFailure("the session's clock ran ahead of the server's: \(error)")
      }
    }
    deliver(&state)
  }

  private func deliver(_ state: inout State) {
    for late in state.stepped.takeLateAnswers() {
      if let waiter = state.waiters.removeValue(forKey: late.ticket) {
        waiter.resume(returning: late.response)
      } else {
        state.early[late.ticket] = late.response
      }
    }
    wind(&state)
  }

  /// Sets the alarm to what is due next. One that rings too early does no harm: it is set anew.
  private func wind(_ state: inout State) {
    guard let reading = state.clock.reading, let due = state.stepped.nextDue, !state.isStopped,
      due <= SessionClock.ends
    else { return }
    if let alarm = state.alarm, alarm.at <= due { return }
    state.alarm?.task.cancel()
    let pause = max(.zero, min(due - reading, .hours(1)))
    state.alarm = Alarm(
      at: reading + pause,
      task: Task { [weak self] in
        do { try await Task.sleep(for: .nanoseconds(pause.nanoseconds)) } catch { return }
        self?.ring()
      })
  }

  private func ring() {
    state.withLock { state in
      state.alarm = nil
      keepUp(&state)
    }
  }
}
