import Timekeeping

/// What requests without an answer may have made, until it is seen by its name.
struct PerhapsMade<Draft: Sendable>: Sendable {
  private var all: [(draft: Draft, during: ClosedRange<Instant>)] = []

  var drafts: some Sequence<Draft> { all.lazy.map(\.draft) }
  var isEmpty: Bool { all.isEmpty }

  mutating func add(_ draft: Draft, _ asked: Asked) { all.append((draft, asked.call.working)) }

  /// How many may be there by an instant.
  func count(by instant: Instant) -> Int { all.count { $0.during.lowerBound <= instant } }

  /// Whether one may have worked after an instant.
  func mayWork(after instant: Instant, where fits: (Draft) -> Bool) -> Bool {
    all.contains { $0.during.upperBound > instant && fits($0.draft) }
  }

  /// The first that may have worked by an instant, and after another.
  func place(
    by instant: Instant, after before: Instant = .distantPast, where fits: (Draft) -> Bool
  ) -> Int? {
    all.firstIndex {
      $0.during.lowerBound <= instant && $0.during.upperBound > before && fits($0.draft)
    }
  }

  /// It has worked, and what it made is known by name from now on.
  /// - Returns: When it worked.
  mutating func take(_ place: Int, by instant: Instant) -> ClosedRange<Instant> {
    all.remove(at: place).during.lowerBound...instant
  }

  /// What is seen by an instant is what one of them made, if one can have.
  mutating func take(
    by instant: Instant, where fits: (Draft) -> Bool = { _ in true }
  ) -> ClosedRange<Instant>? {
    place(by: instant, where: fits).map { take($0, by: instant) }
  }
}
