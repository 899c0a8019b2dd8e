import Timekeeping

/// Rows by the instant at which something is due for them, earliest first: a binary heap.
///
/// - Complexity: O(log n) to insert and to take the earliest.
/// - Source: J. W. J. Williams, "Algorithm 232: Heapsort", CACM 7 (1964), 347–348.
struct DueQueue: Sendable {
  struct Entry: Sendable {
    let at: Instant
    let row: Int
  }

  private var heap: [Entry] = []

  var earliest: Instant? { heap.first?.at }

  mutating func insert(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].at < heap[parent].at else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the earliest entry that is due; among those of one instant any.
  mutating func next(until now: Instant) -> Entry? {
    guard let first = heap.first, first.at <= now else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return first }
      if child + 1 < heap.count, heap[child + 1].at < heap[child].at { child += 1 }
      guard heap[child].at < heap[parent].at else { return first }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
