import Contracts
import Timekeeping

/// The time between two things of the domain, as the harness can see them.
package struct BusinessLatency<Agreement: Contract>: Sendable {
  /// What a record says about one latency; several records of a key pair up by it.
  package enum Milestone: Sendable {
    case begins(String, Instant)
    case ends(String, Instant)
    /// It can no longer end, and that is no failure of the backend: left out, but counted.
    case abandoned(String)
  }

  /// The name in objectives and results: `orphan-revoked`.
  package let name: String
  package let title: String
  /// The documented bound and the limit that states it.
  package let bound: Span?
  package let limit: LimitID?
  package let concerns: Set<Concern>
  package let milestones: @Sendable (Record<Agreement>) -> [Milestone]

  package init(
    _ name: String, _ title: String, bound: Span? = nil, limit: LimitID? = nil,
    concerns: Set<Concern>, milestones: @escaping @Sendable (Record<Agreement>) -> [Milestone]
  ) {
    self.name = name
    self.title = title
    self.bound = bound
    self.limit = limit
    self.concerns = concerns
    self.milestones = milestones
  }
}
