import Contracts
import Timekeeping

/// Decides from records alone whether a limit held.
public struct Check<Agreement: Contract>: Sendable {
  public enum Kind: Sendable {
    /// Judges each record by itself.
    case reply(@Sendable (Record<Agreement>, inout Judge) -> Void)
    /// Judges all records of a key together; one reducer lives per key.
    case history(
      keys: @Sendable (Record<Agreement>) -> [CheckKey],
      start: @Sendable (CheckKey) -> any History<Agreement>)
    /// Judges each record in the light of what is known before it; the knowledge is gathered once for all checks that
    /// go by the same kind of facts.
    case informed(Informed<Agreement>)
    /// Judges what inspection shows, at exchange points and at the end.
    case census(@Sendable (Agreement.Reply, inout Judge) -> Void)
  }

  public let limit: LimitID
  /// Which records it wants to see; others never reach it.
  public let concerns: Set<Concern>
  public let kind: Kind

  public init(_ limit: LimitID, concerns: Set<Concern>, _ kind: Kind) {
    self.limit = limit
    self.concerns = concerns
    self.kind = kind
  }

  /// What a target must offer for this check to judge anything.
  public var needs: Set<Evidence> {
    var needs = Set(concerns.compactMap(\.evidence))
    if case .census = kind { needs.insert(.inspection) }
    return needs
  }
}

/// A class of records that a check wants to see.
public enum Concern: Hashable, Sendable {
  /// Requests of one operation, by its index in the contract.
  case operation(Int)
  case signals
  case controls
  case notes
  case inspections

  var evidence: Evidence? {
    switch self {
    case .operation, .signals: nil
    case .controls: .controls
    case .notes: .notes
    case .inspections: .inspection
    }
  }
}

/// Records beyond requests and signals, which not every target offers.
public enum Evidence: String, Hashable, Sendable { case controls, notes, inspection }

/// What a history is about: one shift, one token, one phone.
public enum CheckKey: Hashable, Sendable {
  case text(String)
  case person(PersonID)
  case number(Int)
}

/// Judges all records of one key. It sees them in the order in which their outcomes became known to the region, so
/// two requests may overlap and may be seen in either order: it goes by their intervals.
public protocol History<Agreement>: Sendable {
  associatedtype Agreement: Contract
  mutating func see(_ record: Record<Agreement>, _ judge: inout Judge)
  /// The run has ended; what is still open is judged or left open here.
  mutating func end(at instant: Instant, _ judge: inout Judge)
}

extension History {
  public mutating func end(at instant: Instant, _ judge: inout Judge) {}
}

/// Takes the decisions of one check in one region.
public struct Judge: Sendable {
  /// How often the rule was tried.
  public private(set) var exercised = 0
  public private(set) var violations = 0
  /// Tries that could not be decided either way.
  public private(set) var undecided = 0
  public private(set) var evidence: [Finding] = []
  public private(set) var undecidedReason: String?
  /// Findings of the record at hand, which whoever routes the record gives their place.
  private var unplaced = 0
  public static let evidenceMax = 5

  public init() {}

  public mutating func held() { exercised += 1 }

  public mutating func violated(_ what: @autoclosure () -> String) {
    exercised += 1
    violations += 1
    guard evidence.count < Self.evidenceMax else { return }
    evidence.append(Finding(what: what(), place: .nowhere))
    unplaced += 1
  }

  /// Says where the findings since the last call were seen.
  mutating func place(_ place: @autoclosure () -> Finding.Place) {
    guard unplaced > 0 else { return }
    for index in evidence.indices.suffix(unplaced) { evidence[index].place = place() }
    unplaced = 0
  }

  public mutating func undecided(_ why: String) {
    exercised += 1
    undecided += 1
    undecidedReason = undecidedReason ?? why
  }

  /// Held or violated, by a condition.
  public mutating func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
    if condition { held() } else { violated(what()) }
  }

  /// Adds the decisions of another region; order matters only for which evidence is kept.
  public mutating func merge(_ other: Judge) {
    exercised += other.exercised
    violations += other.violations
    undecided += other.undecided
    undecidedReason = undecidedReason ?? other.undecidedReason
    evidence.append(contentsOf: other.evidence.prefix(max(0, Self.evidenceMax - evidence.count)))
  }
}

/// A violation that a check saw, with its place.
public struct Finding: Hashable, Sendable {
  public struct Place: Hashable, Sendable {
    public var time: Instant
    public var person: PersonID?
    public var cell: Int

    static let nowhere = Place(time: .distantPast, person: nil, cell: 0)

    public init(time: Instant, person: PersonID?, cell: Int) {
      self.time = time
      self.person = person
      self.cell = cell
    }
  }

  public let what: String
  public internal(set) var place: Place

  public init(what: String, place: Place) {
    self.what = what
    self.place = place
  }
}
