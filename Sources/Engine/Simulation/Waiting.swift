import Contracts
import Journeys
import Timekeeping

/// A journey that waits for a signal.
final class Waiting<Contract: ServiceContract> {
  let person: Person<Contract>
  let deadline: Instant
  let wanted: @Sendable (Contract.Signal) -> Bool
  private var continuation: UnsafeContinuation<Waited<Contract>, Never>?

  init(
    _ person: Person<Contract>, until deadline: Instant,
    for wanted: @escaping @Sendable (Contract.Signal) -> Bool,
    _ continuation: UnsafeContinuation<Waited<Contract>, Never>
  ) {
    self.person = person
    self.deadline = deadline
    self.wanted = wanted
    self.continuation = continuation
  }

  var isOpen: Bool { continuation != nil }

  func resume(_ result: Waited<Contract>) {
    continuation.take()?.resume(returning: result)
  }
}
