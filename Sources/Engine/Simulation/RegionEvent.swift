import Contracts
import Journeys
import Observations
import Timekeeping

/// What can be due in a region.
enum RegionEvent<Agreement: Contract> {
  case episode(PersonID)
  /// A person has thought long enough.
  case wake(Person<Agreement>, UnsafeContinuation<Wake, Never>)
  /// A request reaches the backend.
  case arrive(Flight<Agreement>)
  /// All outcomes of a question are known to the person.
  case answered(Asking<Agreement>)
  /// A request that waits for a server has waited as long as its client does.
  case unserved(Flight<Agreement>)
  /// A server may take the next of those who wait.
  case serve
  /// A request that holds a ticket has waited as long as its client does.
  case overdue(Flight<Agreement>, Ticket)
  indirect case deliver(PersonID, Agreement.Signal)
  /// A person begins to wait, at its own time.
  case wait(Waiting<Agreement>)
  case deadline(Waiting<Agreement>)
  indirect case environment(Int, Agreement.Request)
  case timer(Int)
  case control(Int)
}

/// One request under way: a class, since it goes through the queue and its request is large.
final class Flight<Agreement: Contract> {
  enum Loss { case nothing, request, answer, serverError, connection }

  let asking: Asking<Agreement>
  /// Its place among the requests asked together.
  let place: Int
  let person: Person<Agreement>
  let ask: Ask<Agreement>
  let operation: Int
  let sent: Instant
  /// When the client gives up.
  let deadline: Instant
  /// The time from the device to the backend, and the same back.
  let way: Span
  let loses: Loss
  /// Where its time goes, as far as that is known.
  var passage: Passage

  init(
    asking: Asking<Agreement>, place: Int, person: Person<Agreement>, ask: Ask<Agreement>,
    operation: Int, sent: Instant, deadline: Instant, way: Span, loses: Loss,
    passage: Passage
  ) {
    self.asking = asking
    self.place = place
    self.person = person
    self.ask = ask
    self.operation = operation
    self.sent = sent
    self.deadline = deadline
    self.way = way
    self.loses = loses
    self.passage = passage
  }
}

/// A request before the servers, with the twin's result; without one where a ticket will be completed.
struct ServiceJob<Agreement: Contract> {
  let flight: Flight<Agreement>
  let result: Result<Agreement.Reply, Agreement.Refusal>?
  let arrived: Instant
  let busy: Span
}

/// A journey that waits for the outcomes of one or more requests.
final class Asking<Agreement: Contract> {
  let person: Person<Agreement>
  var continuation: UnsafeContinuation<[Outcome<Agreement>]?, Never>?
  private(set) var outcomes: [Outcome<Agreement>?]
  private var open: Int
  /// When the last outcome was known.
  private(set) var latest = Instant.distantPast

  init(
    _ person: Person<Agreement>, count: Int,
    _ continuation: UnsafeContinuation<[Outcome<Agreement>]?, Never>
  ) {
    self.person = person
    self.continuation = continuation
    outcomes = Array(repeating: nil, count: count)
    open = count
  }

  var isComplete: Bool { open == 0 }

  func isSettled(_ place: Int) -> Bool { outcomes[place] != nil }

  func settle(_ place: Int, _ outcome: Outcome<Agreement>, at instant: Instant) {
    precondition(outcomes[place] == nil, "a request has one outcome")
    outcomes[place] = outcome
    open -= 1
    latest = max(latest, instant)
  }
}

/// A journey that waits for a signal.
final class Waiting<Agreement: Contract> {
  let person: Person<Agreement>
  let deadline: Instant
  let wanted: @Sendable (Agreement.Signal) -> Bool
  private var continuation: UnsafeContinuation<Waited<Agreement>, Never>?

  init(
    _ person: Person<Agreement>, until deadline: Instant,
    for wanted: @escaping @Sendable (Agreement.Signal) -> Bool,
    _ continuation: UnsafeContinuation<Waited<Agreement>, Never>
  ) {
    self.person = person
    self.deadline = deadline
    self.wanted = wanted
    self.continuation = continuation
  }

  var isOpen: Bool { continuation != nil }

  func resume(_ result: Waited<Agreement>) {
    continuation.take()?.resume(returning: result)
  }
}

/// Measures real time for whoever may: the engine itself reads no clock.
public struct Stopwatch: Sendable {
  public let nanoseconds: @Sendable () -> UInt64

  public init(nanoseconds: @escaping @Sendable () -> UInt64) { self.nanoseconds = nanoseconds }
}
