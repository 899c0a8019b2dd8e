import Contracts
import Journeys
import Observations
import Timekeeping

/// One request under way from a person to its backend and back: a class, since it goes through the queue and its request is large.
final class InFlightCall<Contract: ServiceContract> {
  let asking: Asking<Contract>
  /// Its place among the requests asked together.
  let place: Int
  let person: Person<Contract>
  let ask: Ask<Contract>
  let operation: Int
  /// When it should leave: the person's own time.
  let intended: Instant
  /// When the client gives up.
  let deadline: Instant
  /// What the transport says of it: when it left, its way there (and the same back), the faults that it met, where its time went.
  var sent: Instant
  var way = Span.zero
  var met = FaultsMet()
  var passage = Passage(network: .zero)
  /// In real time its number among the region's calls.
  var number: Int?

  init(
    _ ask: Ask<Contract>, of person: Person<Contract>, for asking: Asking<Contract>, place: Int,
    operation: Int, intended: Instant, deadline: Instant
  ) {
    self.asking = asking
    self.place = place
    self.person = person
    self.ask = ask
    self.operation = operation
    self.intended = intended
    sent = intended
    self.deadline = deadline
  }
}

/// A journey that waits for the outcomes of one or more requests.
final class Asking<Contract: ServiceContract> {
  let person: Person<Contract>
  var continuation: UnsafeContinuation<[Outcome<Contract>]?, Never>?
  private(set) var outcomes: [Outcome<Contract>?]
  private var open: Int
  /// When the last outcome was known.
  private(set) var latest = Instant.distantPast

  init(
    _ person: Person<Contract>, count: Int,
    _ continuation: UnsafeContinuation<[Outcome<Contract>]?, Never>?
  ) {
    self.person = person
    self.continuation = continuation
    outcomes = Array(repeating: nil, count: count)
    open = count
  }

  var isComplete: Bool { open == 0 }

  func isResolved(_ place: Int) -> Bool { outcomes[place] != nil }

  func resolve(_ place: Int, _ outcome: Outcome<Contract>, at instant: Instant) {
    precondition(outcomes[place] == nil, "a request has one outcome")
    outcomes[place] = outcome
    open -= 1
    latest = max(latest, instant)
  }
}
