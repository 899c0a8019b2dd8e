import Contracts
import Timekeeping

/// The time between two things of the domain, as the harness can see them.
public struct BusinessLatency<Agreement: Contract>: Sendable {
  /// What a record says about one latency; several records of a key pair up by it.
  public enum Milestone: Sendable {
    case begins(String, Instant)
    case ends(String, Instant)
    /// It can no longer end, and that is no failure of the backend: left out, but counted.
    case abandoned(String)
  }

  /// The name in objectives and results: `orphan-revoked`.
  public let name: String
  public let title: String
  /// The documented bound and the limit that states it.
  public let bound: Span?
  public let limit: LimitID?
  public let concerns: Set<Concern>
  public let milestones: @Sendable (Record<Agreement>) -> [Milestone]

  public init(
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
