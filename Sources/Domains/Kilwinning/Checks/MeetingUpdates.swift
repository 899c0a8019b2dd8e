import Timekeeping

/// Updates of one thing that two people make at once, each of a part of it. Which of them came first nobody can tell; where that makes no
/// difference, both hold afterwards.
struct MeetingUpdates<ID: Hashable, Value: Equatable> {
  private struct Update {
    /// What was updated, where that is certain.
    let base: Value?
    let during: ClosedRange<Instant>
    let isCertain: Bool
    let apply: (Value) -> Value
  }

  private var last: [ID: Update] = [:]
  /// When the last two that met were over.
  private var metUntil: [ID: Instant] = [:]

  /// The interval of an update, beyond what others came to that met before it was heard of: it may have come in between.
  func widened(_ id: ID, _ during: ClosedRange<Instant>) -> ClosedRange<Instant> {
    guard let until = metUntil[id], during.lowerBound < until else { return during }
    return during.lowerBound...max(during.upperBound, until + .nanoseconds(1))
  }

  /// - Parameter base: What is updated, where it is certain.
  /// - Returns: What the thing is since both updates are over; `nil` without another one at the same time, or where their order matters.
  mutating func take(
    _ id: ID, from base: Value?, _ during: ClosedRange<Instant>, isCertain: Bool,
    _ apply: @escaping (Value) -> Value
  ) -> (value: Value, since: Instant)? {
    let earlier = last[id]
    last[id] = Update(base: base, during: during, isCertain: isCertain, apply: apply)
    guard let earlier, earlier.during.overlaps(during) else { return nil }
    // A third one would have to be known together with these two.
    last[id] = Update(base: nil, during: during, isCertain: isCertain, apply: apply)
    guard isCertain, earlier.isCertain, let base = earlier.base else { return nil }
    let value = apply(earlier.apply(base))
    guard value == earlier.apply(apply(base)) else { return nil }
    let since = max(earlier.during.upperBound, during.upperBound)
    metUntil[id] = since
    return (value, since)
  }
}
