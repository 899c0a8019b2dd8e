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
  /// Begins to watch one region.
  public let watch: @Sendable () -> any MilestoneWatch<Agreement>

  public init(
    _ name: String, _ title: String, bound: Span? = nil, limit: LimitID? = nil,
    concerns: Set<Concern>, milestones: @escaping @Sendable (Record<Agreement>) -> [Milestone]
  ) {
    self.init(
      name, title, bound: bound, limit: limit, concerns: concerns,
      watch: { EachRecord(milestones: milestones) })
  }

  /// A latency whose milestones follow from several records together.
  public init(
    _ name: String, _ title: String, bound: Span? = nil, limit: LimitID? = nil,
    concerns: Set<Concern>, watch: @escaping @Sendable () -> any MilestoneWatch<Agreement>
  ) {
    self.name = name
    self.title = title
    self.bound = bound
    self.limit = limit
    self.concerns = concerns
    self.watch = watch
  }
}

/// Finds the milestones of one latency in the records of one region, and remembers what it takes to find them.
public protocol MilestoneWatch<Agreement>: Sendable {
  associatedtype Agreement: Contract
  mutating func see(_ record: Record<Agreement>) -> [BusinessLatency<Agreement>.Milestone]
}

/// The usual watch: each record says by itself what it is a milestone of.
private struct EachRecord<Agreement: Contract>: MilestoneWatch {
  let milestones: @Sendable (Record<Agreement>) -> [BusinessLatency<Agreement>.Milestone]

  mutating func see(_ record: Record<Agreement>) -> [BusinessLatency<Agreement>.Milestone] {
    milestones(record)
  }
}
