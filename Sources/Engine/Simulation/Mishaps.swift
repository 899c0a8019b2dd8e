import Contracts
import Journeys
import Scenarios
import Timekeeping

/// What goes wrong between people and their backend, whatever carries their calls: losses at any time, and the scenario's faults.
struct Mishaps<Contract: ServiceContract> {
  /// A fault of the scenario: its number among all of them, and how many requests of this region it may meet and has met.
  private struct Lasting {
    let number: UInt32
    let kind: FaultKind
    let selection: FaultSelection
    var met = 0
  }

  private let requestLost: Double
  private let answerLost: Double
  private var faults: [Lasting]

  /// - Parameters:
  ///   - faults: Those that befall this backend, by their numbers in the scenario; what they count is this region's part.
  ///   - requestLost: The share of requests that the network loses at any time, in 0...1; of answers likewise.
  init(
    faults: [(number: UInt32, kind: FaultKind, selection: FaultSelection)] = [],
    requestLost: Double = 0, answerLost: Double = 0
  ) {
    self.requestLost = requestLost
    self.answerLost = answerLost
    self.faults = faults.map { Lasting(number: $0.number, kind: $0.kind, selection: $0.selection) }
  }

  /// A call leaves its person, and meets what it meets.
  ///
  /// - Parameters:
  ///   - way: How long it is under way, and its answer again, without faults.
  ///   - events: How many events the person has caused: chance meets each of them anew.
  @inline(__always)
  mutating func send(
    _ call: InFlightCall<Contract>, way: Span, events: UInt32
  ) -> Departure<Contract> {
    meet(call, events: events)
    call.way = way + call.met.delay / 2
    guard call.person.isOnline else { return .ends(.unsent(.offline), at: call.sent) }
    switch call.met.end {
    case .connectionRefused: return .ends(.unsent(.connectionRefused), at: call.sent + call.way)
    case .status: return .ends(.unknown(.serverError), at: call.sent + call.way + call.way)
    case .requestLost: return .ends(.unknown(.timedOut), at: call.deadline)
    default: return .arrives(at: call.sent + call.way)
    }
  }

  private mutating func meet(_ call: InFlightCall<Contract>, events: UInt32) {
    // The stream is drawn from for nothing else.
    if requestLost + answerLost > 0 {
      let loss = call.person.draw(.faults) { $0.unit() }
      if loss < requestLost {
        call.met.add(.requestLost)
      } else if loss < requestLost + answerLost {
        call.met.add(.answerLost)
      }
    }
    for index in faults.indices {
      let fault = faults[index]
      guard
        fault.selection.fits(
          operation: Contract.operations[call.operation].name, at: call.intended, met: fault.met),
        call.person.meets(fault: fault.number, share: fault.selection.share, at: events)
      else { continue }
      faults[index].met += 1
      call.met.add(fault.kind)
    }
  }
}

/// What becomes of a call that leaves.
enum Departure<Contract: ServiceContract> {
  /// It reaches the backend.
  case arrives(at: Instant)
  /// Its outcome is known to the person, and the backend has not acted.
  case ends(Outcome<Contract>, at: Instant)
}

extension InFlightCall {
  /// How an answer that leaves at an instant ends the call, by the faults that it met and its client's patience.
  @inline(__always)
  func ending(
    _ outcome: consuming Outcome<Contract>, leaving: Instant
  ) -> (outcome: Outcome<Contract>, at: Instant) {
    let arrives = leaving + way
    guard arrives <= deadline else { return (.unknown(.timedOut), deadline) }
    switch met.end {
    case .answerLost: return (.unknown(.timedOut), deadline)
    case .connectionReset: return (.unknown(.connectionReset), arrives)
    case .truncated: return (.unknown(.unparsable), arrives)
    default: return (outcome, arrives)
    }
  }
}
