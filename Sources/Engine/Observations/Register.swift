import Timekeeping

/// What something certainly was throughout an interval, from changes of which nobody knows the very instant.
///
/// A change works at some instant of its interval: for a request from when it was sent to when it was answered. Of two
/// changes the one whose interval begins no earlier than the other's ends is the later; changes that overlap may have
/// worked in either order. A change that may never have worked, such as one without an answer, clouds what it may have
/// changed and makes nothing certain; before the first certain change nothing is.
public struct Register<Value: Equatable & Sendable>: Sendable {
  private struct Change: Sendable {
    let during: ClosedRange<Instant>
    let value: Value
    let isCertain: Bool
    /// It came after every change before it that one source made, whatever their intervals say.
    let isInTurn: Bool
  }

  private var changes: [Change] = []
  /// When the last of them was over, by the latest that any of them says.
  private var lastEnd = Instant.distantPast
  /// Whether the change that was heard of last is certain and began when all others were over: nearly always it is, and once it is over,
  /// too, it says what is so.
  private var isLastInOrder = false

  public init() {}

  /// Something that was so since ever.
  public init(_ initial: Value) {
    set(initial, during: .distantPast ... .distantPast)
  }

  /// The value of the change that was heard of last, whether or not it is certain.
  public var latest: Value? { changes.last?.value }
  public var isEmpty: Bool { changes.isEmpty }

  public mutating func set(
    _ value: Value, during interval: ClosedRange<Instant>, isCertain: Bool = true
  ) {
    add(Change(during: interval, value: value, isCertain: isCertain, isInTurn: false))
  }

  private mutating func add(_ change: Change) {
    isLastInOrder = change.isCertain && change.during.lowerBound >= lastEnd
    lastEnd = max(lastEnd, change.during.upperBound)
    changes.append(change)
  }

  /// The change that alone says what is so from an instant on, found without a look at the others.
  private func isSettled(by instant: Instant) -> Bool { isLastInOrder && lastEnd <= instant }

  /// A change by a source whose changes follow each other as they are told: the operator, who waits for each command. A
  /// command's record and its effect lie no further apart than the slack.
  public mutating func follow(
    _ value: Value, at instant: Instant, within slack: Span = .seconds(1)
  ) {
    add(
      Change(
        during: (instant - slack)...(instant + slack), value: value, isCertain: true,
        isInTurn: true))
  }

  /// The one value throughout an interval; `nil` when it may have changed meanwhile, or is not known.
  public func value(during interval: ClosedRange<Instant>) -> Value? {
    // Nearly everything changes never or long before.
    if isSettled(by: interval.lowerBound) { return changes[changes.count - 1].value }
    return doubtfulValue(during: interval)
  }

  private func doubtfulValue(during interval: ClosedRange<Instant>) -> Value? {
    guard let last = lastCertain(before: interval.lowerBound) else { return nil }
    let value = changes[last].value
    for index in changes.indices where index != last && changes[index].value != value {
      if mayHold(index, during: interval) { return nil }
    }
    return value
  }

  /// Whatever it may have been at some instant of an interval, in the order in which it was heard of; empty when nothing
  /// is known.
  public func values(during interval: ClosedRange<Instant>) -> [Value] {
    if isSettled(by: interval.lowerBound) { return [changes[changes.count - 1].value] }
    guard lastCertain(before: interval.lowerBound) != nil else { return [] }
    return changes.indices.filter { mayHold($0, during: interval) }.map { changes[$0].value }
  }

  /// Whether something holds of every value that it may have been (`true`), of none (`false`), or neither.
  public func holds(
    during interval: ClosedRange<Instant>, _ condition: (Value) -> Bool
  ) -> Bool? {
    if isSettled(by: interval.lowerBound) { return condition(changes[changes.count - 1].value) }
    let found = values(during: interval).map(condition)
    guard let first = found.first, found.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// Forgets changes that certain ones have certainly replaced by an instant: nothing earlier is asked any more.
  public mutating func forget(before instant: Instant) {
    guard changes.count > 1 else { return }
    if isSettled(by: instant) {
      changes[0] = changes[changes.count - 1]
      while changes.count > 1 { changes.removeLast() }
      return
    }
    guard changes.indices.contains(where: { isReplaced($0, by: instant) }) else { return }
    changes = changes.indices.filter { !isReplaced($0, by: instant) }.map { changes[$0] }
  }

  // MARK: What may be

  /// The certain change that was over by an instant and that none of those has certainly replaced.
  private func lastCertain(before instant: Instant) -> Int? {
    changes.indices.last {
      changes[$0].isCertain && changes[$0].during.upperBound <= instant
        && !isReplaced($0, by: instant)
    }
  }

  /// Whether a change may be the one that says what is so at some instant of an interval.
  private func mayHold(_ index: Int, during interval: ClosedRange<Instant>) -> Bool {
    changes[index].during.lowerBound <= interval.upperBound
      && !isReplaced(index, by: interval.lowerBound)
  }

  private func isReplaced(_ index: Int, by instant: Instant) -> Bool {
    let change = changes[index]
    return changes.indices.contains { other in
      other != index && changes[other].isCertain && changes[other].during.upperBound <= instant
        && follows(other, index, change)
    }
  }

  private func follows(_ other: Int, _ index: Int, _ change: Change) -> Bool {
    if other > index, changes[other].isInTurn, change.isInTurn { return true }
    let isLater = changes[other].during.lowerBound >= change.during.upperBound
    let isEarlier = changes[other].during.upperBound <= change.during.lowerBound
    // Of two at one instant the one that was heard of later.
    return isLater && (!isEarlier || other > index)
  }
}
