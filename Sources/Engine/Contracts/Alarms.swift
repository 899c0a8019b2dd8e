import Timekeeping

/// What a twin has to do by itself, the earliest first: a binary heap. Of what falls due at one instant, the least comes first.
public struct Alarms<Item: Comparable & Sendable>: Sendable {
  private var heap: [(at: Instant, item: Item)] = []

  public init() {}

  /// - Complexity: O(1).
  public var first: (at: Instant, item: Item)? { heap.first }

  /// - Complexity: O(log n).
  public mutating func set(_ item: Item, at instant: Instant) {
    heap.append((instant, item))
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// - Complexity: O(log n).
  public mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while 2 * parent + 1 < heap.count {
      var child = 2 * parent + 1
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
