import Contracts
import Timekeeping

/// What readers of a report have to know of a business latency besides its name and its figures.
public struct BusinessNotes: Hashable, Sendable {
  /// How much it says about the product.
  public enum Weight: String, Hashable, Sendable {
    /// What people use the product for: a summary begins with it.
    case first
    case usual
    /// Of interest to engineers, or open at the end of every run by its nature.
    case last
  }

  public let weight: Weight
  /// Who or what is abandoned, in the plural: `orders that were cancelled or failed`.
  public let abandoned: String?
  /// A sentence on why the limit may hold for what took longer than the bound.
  public let excuse: String?

  public init(weight: Weight = .usual, abandoned: String? = nil, excuse: String? = nil) {
    self.weight = weight
    self.abandoned = abandoned
    self.excuse = excuse
  }
}

/// By which the beginning and the end of one thing find each other.
public enum MilestoneKey: Hashable, Sendable {
  case text(String)
  /// As of a person and a tool: no text is made of them.
  case numbers(Int, Int)
}

extension MilestoneKey: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self = .text(text) }
}

/// The time between two things of the domain, as the harness can see them.
public struct BusinessLatency<Contract: ServiceContract>: Sendable {
  /// What a record says about one latency; several records of a key pair up by it, in the whole region: what cells call alike has the
  /// cell in its key.
  public enum Milestone: Sendable {
    case begins(MilestoneKey, Instant)
    case ends(MilestoneKey, Instant)
    /// It can no longer end, and that is no failure of the backend: left out, but counted.
    case abandoned(MilestoneKey)

    public static func begins(_ key: String, _ at: Instant) -> Milestone { .begins(.text(key), at) }
    public static func ends(_ key: String, _ at: Instant) -> Milestone { .ends(.text(key), at) }
    public static func abandoned(_ key: String) -> Milestone { .abandoned(.text(key)) }
  }

  /// The name in objectives and results: `orphan-revoked`.
  public let name: String
  public let title: String
  /// The documented bound and the limit that states it.
  public let bound: Span?
  public let rule: Contract.Rule?
  public let notes: BusinessNotes
  public let concerns: Set<Concern>
  /// Begins to watch one region, by what its checks know.
  public let watch: @Sendable (Library<Contract>) -> any MilestoneWatch<Contract>

  public init(
    _ name: String, _ title: String, bound: Span? = nil, rule: Contract.Rule? = nil,
    notes: BusinessNotes = BusinessNotes(), concerns: Set<Concern>,
    milestones: @escaping @Sendable (Record<Contract>) -> [Milestone]
  ) {
    self.init(
      name, title, bound: bound, rule: rule, notes: notes, concerns: concerns,
      watching: { _ in EachRecord(milestones: milestones) })
  }

  /// A latency whose milestones follow from several records together.
  public init(
    _ name: String, _ title: String, bound: Span? = nil, rule: Contract.Rule? = nil,
    notes: BusinessNotes = BusinessNotes(), concerns: Set<Concern>,
    watch: @escaping @Sendable () -> any MilestoneWatch<Contract>
  ) {
    self.init(
      name, title, bound: bound, rule: rule, notes: notes, concerns: concerns,
      watching: { _ in watch() })
  }

  /// A latency whose milestones follow from records in the light of facts; of each kind there is one for the region,
  /// which is lent as it is with the record at hand.
  public init(
    _ name: String, _ title: String, bound: Span? = nil, rule: Contract.Rule? = nil,
    notes: BusinessNotes = BusinessNotes(), concerns: Set<Concern>,
    watching: @escaping @Sendable (Library<Contract>) -> any MilestoneWatch<Contract>
  ) {
    self.name = name
    self.title = title
    self.bound = bound
    self.rule = rule
    self.notes = notes
    self.concerns = concerns
    self.watch = watching
  }
}

/// Finds the milestones of one latency in the records of one region, and remembers what it takes to find them.
public protocol MilestoneWatch<Contract> {
  associatedtype Contract: ServiceContract
  mutating func see(_ record: Record<Contract>) -> [BusinessLatency<Contract>.Milestone]
}

/// The usual watch: each record says by itself what it is a milestone of.
private struct EachRecord<Contract: ServiceContract>: MilestoneWatch {
  let milestones: @Sendable (Record<Contract>) -> [BusinessLatency<Contract>.Milestone]

  mutating func see(_ record: Record<Contract>) -> [BusinessLatency<Contract>.Milestone] {
    milestones(record)
  }
}
