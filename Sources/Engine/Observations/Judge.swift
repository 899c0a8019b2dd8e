import Contracts
import Timekeeping

/// Takes the decisions of one check in one region.
public struct Judge: Sendable {
  /// How often the rule was tried.
  public private(set) var exercised = 0
  public private(set) var violations = 0
  /// Tries that could not be decided either way.
  public private(set) var undecided = 0
  public private(set) var evidence: [Finding] = []
  public private(set) var undecidedReason: String?
  /// Findings of the record at hand, which whoever routes the record gives their location.
  private var unlocated = 0
  public static let evidenceMax = 5

  public init() {}

  public mutating func held() { exercised += 1 }

  public mutating func violated(_ what: @autoclosure () -> String) {
    exercised += 1
    violations += 1
    guard evidence.count < Self.evidenceMax else { return }
    evidence.append(Finding(what: what(), location: .nowhere))
    unlocated += 1
  }

  /// A violation with its location.
  public mutating func violated(_ what: @autoclosure () -> String, at moment: Moment) {
    violated(what())
    locate(moment)
  }

  /// Says where the findings since the last call were seen.
  mutating func locate(_ moment: Moment) {
    if unlocated > 0 { locateFindings(moment) }
  }

  private mutating func locateFindings(_ moment: Moment) {
    let location = Finding.Location(time: moment.time, person: moment.person, cell: moment.cell)
    for index in evidence.indices.suffix(unlocated) { evidence[index].location = location }
    unlocated = 0
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

/// A violation that a check saw, with its location.
public struct Finding: Hashable, Sendable {
  public struct Location: Hashable, Sendable {
    public var time: Instant
    public var person: PersonID?
    public var cell: Int

    static let nowhere = Location(time: .distantPast, person: nil, cell: 0)

    public init(time: Instant, person: PersonID?, cell: Int) {
      self.time = time
      self.person = person
      self.cell = cell
    }
  }

  public let what: String
  public internal(set) var location: Location

  public init(what: String, location: Location) {
    self.what = what
    self.location = location
  }
}
