import Contracts
import Journeys
import Observations
import Scenarios
import Timekeeping

/// Carries calls from people to their backend and the answers back, by a model: latency, faults, and the queue before the servers.
///
/// It takes a call and says what comes next for it, down to its outcome; who drives it has a clock and a backend. The latencies
/// that come of it are modelled: a call leaves when it was intended, and is answered when the model says so.
struct ModelledNetwork<Agreement: Contract> {
  /// What comes next for a call.
  enum Step {
    /// It reaches the backend.
    case arrives(Instant)
    /// Its outcome is known to the person.
    case ends(Outcome<Agreement>, at: Instant)
  }

  /// A request with the servers: it arrived, waited, was worked on, and then its answer was there.
  struct Served {
    let arrived: Instant
    let busy: Span
    let done: Instant
  }

  /// A fault of the scenario: its number among all of them, and how many requests of this region it may meet and has met.
  private struct Lasting {
    let number: UInt32
    let kind: FaultKind
    let selection: FaultSelection
    var met = 0
  }

  private let latency: Distribution
  private let prices: Service
  private var servers: ServiceQueue
  private let requestLost: Double
  private let answerLost: Double
  private var faults: [Lasting]

  /// - Parameters:
  ///   - faults: Those that befall this backend, by their numbers in the scenario; what they count is this region's part.
  ///   - requestLost: The share of requests that the network loses at any time, in 0...1; of answers likewise.
  init(
    _ network: Network, _ service: Service,
    faults: [(number: UInt32, kind: FaultKind, selection: FaultSelection)] = [],
    requestLost: Double = 0, answerLost: Double = 0
  ) {
    latency = network.latency
    prices = service
    servers = ServiceQueue(servers: service.servers)
    self.requestLost = requestLost
    self.answerLost = answerLost
    self.faults = faults.map { Lasting(number: $0.number, kind: $0.kind, selection: $0.selection) }
  }

  /// A call leaves its person.
  ///
  /// - Parameter events: How many events the person has caused: chance meets each of them anew.
  mutating func send(_ call: Call<Agreement>, events: UInt32) -> Step {
    let person = call.person
    let way = person.draw(.network) { $0.sample(latency) } / 2
    call.passage = Passage(network: way + way)
    let loss = person.draw(.faults) { $0.unit() }
    if loss < requestLost {
      call.met.add(.requestLost)
    } else if loss < requestLost + answerLost {
      call.met.add(.answerLost)
    }
    if !faults.isEmpty { meetFaults(call, events: events) }
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

  private mutating func meetFaults(_ call: Call<Agreement>, events: UInt32) {
    for index in faults.indices {
      let fault = faults[index]
      guard
        fault.selection.fits(
          operation: Agreement.operations[call.operation].name, at: call.intended, met: fault.met),
        call.person.meets(fault: fault.number, share: fault.selection.share, at: events)
      else { continue }
      faults[index].met += 1
      call.met.add(fault.kind)
    }
  }

  /// The backend has acted on a request: how long that keeps one of its servers busy. Arrivals come in the order of time.
  mutating func serve(_ work: Work, arriving now: Instant) -> Served {
    let busy = prices.time(for: work)
    return Served(arrived: now, busy: busy, done: servers.serve(arriving: now, busy: busy))
  }

  /// The answer to a call leaves when the servers have done with it.
  func answer(
    _ call: Call<Agreement>, _ result: Result<Agreement.Reply, Agreement.Refusal>,
    after served: Served
  ) -> Step {
    call.passage.waiting = served.done - served.arrived - served.busy
    call.passage.service = served.busy
    return answer(call, result, leaving: served.done)
  }

  /// The answer to a call leaves at an instant.
  func answer(
    _ call: Call<Agreement>, _ result: Result<Agreement.Reply, Agreement.Refusal>,
    leaving: Instant
  ) -> Step {
    let arrives = leaving + call.way
    guard arrives <= call.deadline else {
      return .ends(.unknown(.timedOut), at: call.deadline)
    }
    switch call.met.end {
    case .answerLost: return .ends(.unknown(.timedOut), at: call.deadline)
    case .connectionReset: return .ends(.unknown(.connectionReset), at: arrives)
    case .truncated: return .ends(.unknown(.unparsable), at: arrives)
    default: return .ends(Outcome(result), at: arrives)
    }
  }
}
