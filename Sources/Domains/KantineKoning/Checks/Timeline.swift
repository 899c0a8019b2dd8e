import Timekeeping

/// The values that something had over time, as the operator's commands tell.
struct Timeline<Value: Equatable & Sendable>: Sendable {
  private var changes: [(at: Instant, value: Value)] = []

  /// A command's record and its effect lie this close together.
  private let slack = Span.seconds(1)

  mutating func set(_ value: Value, at instant: Instant) { changes.append((instant, value)) }

  /// The one value throughout an interval; `nil` when it changed meanwhile or was not known before.
  func value(during interval: ClosedRange<Instant>) -> Value? {
    var current: Value?
    for change in changes {
      if change.at + slack < interval.lowerBound {
        current = change.value
      } else if change.at - slack <= interval.upperBound, change.value != current {
        return nil
      }
    }
    return current
  }
}
