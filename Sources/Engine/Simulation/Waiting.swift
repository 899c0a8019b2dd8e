import Contracts
import Journeys
import Timekeeping

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
