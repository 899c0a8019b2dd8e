import MimiSupplyContract
import Timekeeping

/// What a timer is for; at equal instants the lower one fires first (§6.6), then the lower name.
enum TimerKind: UInt8, Hashable, Comparable, Sendable {
  case offer, partner, pickup, offline, giveUp, unpaid
  // Not in the specification's order, and so behind all that are.
  case payment, retry, assignment, tick

  static func < (a: TimerKind, b: TimerKind) -> Bool { a.rawValue < b.rawValue }
}

struct TimerKey: Hashable, Comparable, Sendable {
  let kind: TimerKind
  /// The offer's or the order's record name; empty for a timer that there is once.
  let name: RecordName

  static func < (a: TimerKey, b: TimerKey) -> Bool {
    a.kind == b.kind ? a.name < b.name : a.kind < b.kind
  }
}

/// Timers by instant, kind and name: a binary heap in which a timer that moved later keeps its place until it is
/// reached, so that a driver's every position does not leave an entry behind.
///
/// - Complexity: O(log n) to set and to take, O(1) to cancel and to put off.
struct Timers: Sendable {
  private struct Entry: Sendable {
    let due: Instant
    let key: TimerKey

    static func < (a: Entry, b: Entry) -> Bool { a.due == b.due ? a.key < b.key : a.due < b.due }
  }

  private struct State: Sendable {
    /// `nil`: cancelled, or taken.
    var due: Instant?
    /// Where the timer's one valid entry stands.
    var queued: Instant?
  }

  private var heap: [Entry] = []
  private var states: [TimerKey: State] = [:]
  /// How many timers are set.
  private(set) var count = 0
  /// When each timer was due before it was set or cancelled; nothing is taken in a batch.
  var log = UndoLog<(key: TimerKey, due: Instant?)>()

  /// The earliest instant at which one is due; exact, because the head is kept valid.
  @inline(__always) var earliest: Instant? { heap.first?.due }

  func due(_ kind: TimerKind, _ name: RecordName) -> Instant? {
    states[TimerKey(kind: kind, name: name)]?.due
  }

  /// Sets, moves or, with `nil`, cancels a timer.
  mutating func set(_ kind: TimerKind, _ name: RecordName, at due: Instant?) {
    let key = TimerKey(kind: kind, name: name)
    guard let due else { return cancel(key) }
    let state = Self.set(&states[key, default: State()], at: due)
    guard state.before != due else { return }
    log.note((key, state.before))
    if state.before == nil { count += 1 }
    if state.isQueuedAnew { push(Entry(due: due, key: key)) }
    prune()
  }

  private static func set(
    _ state: inout State, at due: Instant
  ) -> (before: Instant?, isQueuedAnew: Bool) {
    let before = state.due
    state.due = due
    let isQueuedAnew = state.queued.map { due < $0 } ?? true
    if isQueuedAnew { state.queued = due }
    return (before, isQueuedAnew)
  }

  private mutating func cancel(_ key: TimerKey) {
    guard let due = states[key]?.due else { return }
    log.note((key, due))
    states[key]!.due = nil
    count -= 1
    prune()
  }

  /// Takes the first timer that is due at or before an instant.
  mutating func take(until instant: Instant) -> TimerKey? {
    guard let head = heap.first, head.due <= instant else { return nil }
    precondition(!log.isOpen, "a timer fired within a batch")
    pop()
    states[head.key] = nil
    count -= 1
    prune()
    return head.key
  }

  private mutating func prune() {
    while let head = heap.first {
      let state = states[head.key]
      if state?.queued != head.due {
        pop()  // Superseded by an earlier entry.
      } else if let due = state?.due {
        guard due > head.due else { return }
        pop()
        states[head.key]!.queued = due
        push(Entry(due: due, key: head.key))
      } else {
        pop()
        states[head.key] = nil
      }
    }
  }

  private mutating func push(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func pop() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
