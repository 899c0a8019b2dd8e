import Contracts
import Timekeeping

/// Decides from records alone whether a limit held.
package struct Check<Agreement: Contract>: Sendable {
  package enum Kind: Sendable {
    /// Judges each record by itself.
    case reply(@Sendable (Record<Agreement>, inout Judge) -> Void)
    /// Judges all records of a key together; one reducer lives per key.
    case history(
      keys: @Sendable (Record<Agreement>) -> [CheckKey],
      start: @Sendable (CheckKey) -> any History<Agreement>)
    /// Judges what inspection shows, at exchange points and at the end.
    case census(@Sendable (Agreement.Reply, inout Judge) -> Void)
  }

  package let limit: LimitID
  /// Which records it wants to see; others never reach it.
  package let concerns: Set<Concern>
  package let kind: Kind

  package init(_ limit: LimitID, concerns: Set<Concern>, _ kind: Kind) {
    self.limit = limit
    self.concerns = concerns
    self.kind = kind
  }

  /// What a target must offer for this check to judge anything.
  package var needs: Set<Evidence> {
    var needs = Set(concerns.compactMap(\.evidence))
    if case .census = kind { needs.insert(.inspection) }
    return needs
  }
}

/// A class of records that a check wants to see.
package enum Concern: Hashable, Sendable {
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
package enum Evidence: String, Hashable, Sendable { case controls, notes, inspection }

/// What a history is about: one dienst, one token, one phone.
package enum CheckKey: Hashable, Sendable {
  case text(String)
  case person(PersonID)
  case number(Int)
}

/// Judges all records of one key. It sees them in the order in which their outcomes became known to the region, so
/// two requests may overlap and may be seen in either order: it goes by their intervals.
package protocol History<Agreement>: Sendable {
  associatedtype Agreement: Contract
  mutating func see(_ record: Record<Agreement>, _ judge: inout Judge)
  /// The run has ended; what is still open is judged or left open here.
  mutating func end(at instant: Instant, _ judge: inout Judge)
}

extension History {
  package mutating func end(at instant: Instant, _ judge: inout Judge) {}
}

/// Takes the decisions of one check in one region.
package struct Judge: Sendable {
  /// How often the rule was tried.
  package private(set) var exercised = 0
  package private(set) var violations = 0
  /// Tries that could not be decided either way.
  package private(set) var undecided = 0
  package private(set) var evidence: [Finding] = []
  package private(set) var undecidedReason: String?
  /// Where findings are seen, set by whoever routes the record.
  package var place = Finding.Place(time: .distantPast, person: nil, cell: 0)
  package static let evidenceMax = 5

  package init() {}

  package mutating func held() { exercised += 1 }

  package mutating func violated(_ what: @autoclosure () -> String) {
    exercised += 1
    violations += 1
    if evidence.count < Self.evidenceMax { evidence.append(Finding(what: what(), place: place)) }
  }

  package mutating func undecided(_ why: String) {
    exercised += 1
    undecided += 1
    undecidedReason = undecidedReason ?? why
  }

  /// Held or violated, by a condition.
  package mutating func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
    if condition { held() } else { violated(what()) }
  }

  /// Adds the decisions of another region; order matters only for which evidence is kept.
  package mutating func merge(_ other: Judge) {
    exercised += other.exercised
    violations += other.violations
    undecided += other.undecided
    undecidedReason = undecidedReason ?? other.undecidedReason
    evidence.append(contentsOf: other.evidence.prefix(max(0, Self.evidenceMax - evidence.count)))
  }
}

/// A violation that a check saw, with its place.
package struct Finding: Hashable, Sendable {
  package struct Place: Hashable, Sendable {
    package var time: Instant
    package var person: PersonID?
    package var cell: Int

    package init(time: Instant, person: PersonID?, cell: Int) {
      self.time = time
      self.person = person
      self.cell = cell
    }
  }

  package let what: String
  package let place: Place

  package init(what: String, place: Place) {
    self.what = what
    self.place = place
  }
}
