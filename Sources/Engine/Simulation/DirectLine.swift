import Contracts
import Journeys
import Timekeeping

/// Carries calls to a backend in the same process in real time: a call leaves when its person is driven, and is answered when the
/// backend has acted. Nothing is modelled but the scenario's faults.
struct DirectLine<Contract: ServiceContract> {
  typealias Step = CallStep<Contract>

  private let time: WallTime
  private var mishaps: Mishaps<Contract>

  init(_ time: WallTime, mishaps: Mishaps<Contract> = Mishaps()) {
    self.time = time
    self.mishaps = mishaps
  }

  /// A call leaves its person, at the earliest when it was meant to.
  mutating func send(_ call: InFlightCall<Contract>, events: UInt32) -> Step {
    call.sent = max(call.intended, time.now)
    mishaps.meet(call, events: events)
    call.way = call.met.delay / 2
    guard call.person.isOnline else { return .ends(.unsent(.offline), at: call.sent) }
    switch call.met.end {
    case .connectionRefused: return .ends(.unsent(.connectionRefused), at: call.sent + call.way)
    case .status: return .ends(.unknown(.serverError), at: call.sent + call.met.delay)
    case .requestLost: return .ends(.unknown(.timedOut), at: call.deadline)
    default: return .arrives(call.sent + call.way)
    }
  }

  /// The backend has answered a call.
  func answer(
    _ call: InFlightCall<Contract>, _ result: Result<Contract.Reply, Contract.Refusal>
  ) -> Step {
    call.ending(Outcome(result), at: max(call.sent, time.now) + call.way)
  }
}

extension InFlightCall {
  /// How an answer that arrives at an instant ends the call, by the faults that it met and its client's patience.
  func ending(_ outcome: consuming Outcome<Contract>, at arrives: Instant) -> CallStep<Contract> {
    guard arrives <= deadline else { return .ends(.unknown(.timedOut), at: deadline) }
    switch met.end {
    case .answerLost: return .ends(.unknown(.timedOut), at: deadline)
    case .connectionReset: return .ends(.unknown(.connectionReset), at: arrives)
    case .truncated: return .ends(.unknown(.unparsable), at: arrives)
    default: return .ends(outcome, at: arrives)
    }
  }
}
