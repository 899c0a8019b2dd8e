import Contracts
import Journeys
import Observations
import Scenarios
import Timekeeping

/// Carries calls from people to their backend and the answers back, by a model: latency, faults, and the queue before the servers.
///
/// It takes a call and says what comes next for it, down to its outcome; who drives it has a clock and a backend. The latencies
/// that come of it are modelled: a call leaves when it was intended, and is answered when the model says so.
struct ModelledNetwork<Contract: ServiceContract> {
  typealias Step = CallStep<Contract>

  /// A request before the servers, with the backend's result; without one its answer comes by itself, or nobody waits for it.
  private struct Job {
    let call: InFlightCall<Contract>
    let result: Result<Contract.Reply, Contract.Refusal>?
    let arrived: Instant
    let busy: Span
  }

  private let latency: Distribution
  private let prices: Service
  private var servers: ServiceQueue<Job>
  /// By operation, where some go before others.
  private let priorities: [Service.Priority]?
  /// When `begin` is asked for next.
  private var asksNext: Instant?
  private var mishaps: Mishaps<Contract>

  /// - Parameters:
  ///   - starts: When the servers begin to work.
  ///   - server: The stream of a server's failures.
  init(
    _ network: Network, _ service: Service, from starts: Instant,
    server: (Int) -> RandomStream, mishaps: Mishaps<Contract> = Mishaps()
  ) {
    latency = network.latency
    prices = service
    servers = ServiceQueue(service, from: starts, stream: server)
    priorities = service.priorities(
      ofOperations: Contract.operations.map(\.name), of: Contract.domain)
    self.mishaps = mishaps
  }

  /// A call leaves its person.
  ///
  /// - Parameter events: How many events the person has caused: chance meets each of them anew.
  mutating func send(_ call: InFlightCall<Contract>, events: UInt32) -> Step {
    let person = call.person
    let way = person.draw(.network) { $0.sample(latency) } / 2
    call.passage = Passage(network: way + way)
    mishaps.meet(call, events: events)
    call.way = way + call.met.delay / 2
    guard person.isOnline else { return .ends(.unsent(.offline), at: call.intended) }
    switch call.met.end {
    case .connectionRefused:
      return .ends(.unsent(.connectionRefused), at: call.intended + call.way)
    case .status:
      return .ends(.unknown(.serverError), at: call.intended + call.way + call.way)
    case .requestLost: return .ends(.unknown(.timedOut), at: call.deadline)
    default: return .arrives(call.intended + call.way)
    }
  }

  /// Whether a request that arrives finds room before the servers.
  mutating func hasRoom(at now: Instant) -> Bool { servers.hasRoom(at: now) }

  /// A request finds none: an overloaded front answers for the backend, which has not acted; the client cannot know that.
  func turnAway(_ call: InFlightCall<Contract>, at now: Instant) -> Step {
    answer(call, .unknown(.serverError), leaving: now)
  }

  /// The backend has acted on a request, which keeps one of its servers busy. Arrivals come in the order of time.
  ///
  /// - Parameter result: `nil` where the answer comes by itself, and where nobody waits for it.
  /// - Returns: `nil` where there is nothing to tell, or not yet: see `hasLine`.
  mutating func serve(
    _ call: InFlightCall<Contract>, _ work: Work,
    _ result: Result<Contract.Reply, Contract.Refusal>?, arriving now: Instant
  ) -> Step? {
    let busy = prices.time(for: work)
    guard let priorities else {
      // By itself: as an argument it would change the network while its caller holds a copy, queue and all.
      let done = servers.serve(arriving: now, busy: busy)
      return leave(call, result, arrived: now, busy: busy, at: done)
    }
    let job = Job(call: call, result: result, arrived: now, busy: busy)
    servers.enqueue(job, priorities[call.operation], busy: busy)
    return nil
  }

  /// Whether some go before others, so that only a server that is free decides who is next: then `begin` has to be asked.
  var hasLine: Bool { priorities != nil }

  /// A free server takes the most important of those who wait; `nil` where none is free or nobody waits.
  mutating func begin(at now: Instant) -> (call: InFlightCall<Contract>, step: Step?)? {
    servers.begin(at: now).map { job, done in
      (job.call, leave(job.call, job.result, arrived: job.arrived, busy: job.busy, at: done))
    }
  }

  /// When `begin` has to be asked again; `nil` where that is known already, or nobody waits.
  mutating func asksAgain(at now: Instant) -> Instant? {
    guard let next = servers.nextBeginning(at: now) else { return nil }
    if let asksNext, asksNext > now, asksNext <= next { return nil }
    asksNext = next
    return next
  }

  /// A server is done with a request.
  private func leave(
    _ call: InFlightCall<Contract>, _ result: Result<Contract.Reply, Contract.Refusal>?,
    arrived: Instant, busy: Span, at done: Instant
  ) -> Step? {
    guard let result else { return nil }
    call.passage.waiting = done - arrived - busy
    call.passage.service = busy
    return answer(call, result, leaving: done)
  }

  /// The answer to a call leaves at an instant.
  func answer(
    _ call: InFlightCall<Contract>, _ result: Result<Contract.Reply, Contract.Refusal>,
    leaving: Instant
  ) -> Step { answer(call, Outcome(result), leaving: leaving) }

  private func answer(
    _ call: InFlightCall<Contract>, _ outcome: consuming Outcome<Contract>, leaving: Instant
  ) -> Step {
    call.ending(outcome, at: leaving + call.way)
  }
}
