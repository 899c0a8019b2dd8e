import Contracts
import Timekeeping

/// What a person does with its time: one session at a time, and what its device does by itself.
///
/// A behaviour is a class because the device and its user may act at the same time on one state; it never leaves its
/// region. Between sessions it is all that exists of a person: no task sleeps.
public protocol Behaviour<Contract>: AnyObject {
  associatedtype Contract: ServiceContract

  /// When the first session begins; `nil` for a person who only reacts.
  var begins: Instant? { get }

  /// Lives one session and says when the next one begins; `nil` ends the person's part in the run.
  func session(as me: Person<Contract>) async throws(JourneyEnded) -> Instant?

  /// Lives one session now, because a scenario's load says that somebody comes, whatever the person's own calendar says.
  func visit(as me: Person<Contract>) async throws(JourneyEnded)

  /// What the device does by itself when a signal arrives that no journey waits for; `false` leaves the signal
  /// in the mailbox.
  func reacts(to signal: Contract.Signal) -> Bool
  func react(to signal: Received<Contract>, as me: Person<Contract>) async throws(JourneyEnded)
}

extension Behaviour {
  public func visit(as me: Person<Contract>) async throws(JourneyEnded) {
    _ = try await session(as: me)
  }

  public func reacts(to signal: Contract.Signal) -> Bool { false }
  public func react(
    to signal: Received<Contract>, as me: Person<Contract>
  ) async throws(JourneyEnded) {}
}
