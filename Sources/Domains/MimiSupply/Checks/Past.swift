import Timekeeping

/// Values that were set one after another, each at some instant of an interval.
struct Past<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    let during: ClosedRange<Instant>
    let value: Value
    let isCertain: Bool
  }

  private var entries: [Entry] = []
  /// Older than this beside a newer value, an entry is forgotten: no request that is still judged was under way then.
  private static var memory: Span { .minutes(2) }

  var isEmpty: Bool { entries.isEmpty }
  /// The value that was set last, as far as anybody knows.
  var latest: Value? { entries.last?.value }

  mutating func set(_ value: Value, during: ClosedRange<Instant>, isCertain: Bool = true) {
    entries.append(Entry(during: during, value: value, isCertain: isCertain))
    let horizon = during.lowerBound - Self.memory
    guard
      let firm = entries.last(where: { $0.isCertain && $0.during.upperBound < horizon })
    else { return }
    entries.removeAll { $0.during.upperBound < firm.during.lowerBound }
  }

  /// What may have been in force at some instant of an interval; empty when nothing is known of it.
  func values(during window: ClosedRange<Instant>) -> [Value] {
    if entries.count == 1 {
      return entries[0].during.upperBound < window.lowerBound ? [entries[0].value] : []
    }
    guard entries.contains(where: { $0.isCertain && $0.during.upperBound < window.lowerBound })
    else { return [] }
    return entries.filter { entry in
      entry.during.lowerBound <= window.upperBound
        && !entries.contains {
          $0.isCertain && $0.during.lowerBound > entry.during.upperBound
            && $0.during.upperBound < window.lowerBound
        }
    }.map(\.value)
  }

  /// Whether something holds of every value that may have been in force (`true`), of none (`false`), or neither.
  func holds(during window: ClosedRange<Instant>, _ condition: (Value) -> Bool) -> Bool? {
    let found = values(during: window).map(condition)
    guard let first = found.first, found.allSatisfy({ $0 == first }) else { return nil }
    return first
  }
}
