import Timekeeping

/// When a twin has to do something by itself, by the number of what it concerns: a binary heap. Of what falls due at one instant the
/// lower number comes first.
///
///     alarms[tool] = loan.due  // instead of what was set for it before
///     while let (tool, due) = alarms.next(until: now) { … }
public struct Alarms: Sendable {
  private var heap: [(at: Instant, number: Int)] = []
  /// By number, what is set; what else lies in the heap is out of date, and never in front.
  private var set: [Instant?] = []

  public init() {}

  /// The earliest.
  public var first: Instant? { heap.first?.at }

  /// - Complexity: O(log n).
  public subscript(number: Int) -> Instant? {
    get { number < set.count ? set[number] : nil }
    set {
      while set.count <= number { set.append(nil) }
      guard set[number] != newValue else { return }
      set[number] = newValue
      if let newValue { insert((newValue, number)) }
      removeOutdated()
    }
  }

  /// The earliest that falls due until an instant; it is set no more.
  ///
  /// - Complexity: O(log n).
  public mutating func next(until now: Instant) -> (number: Int, due: Instant)? {
    guard let (at, number) = heap.first, at <= now else { return nil }
    set[number] = nil
    removeOutdated()
    return (number, at)
  }

  private mutating func removeOutdated() {
    while let (at, number) = heap.first, set[number] != at { removeFirst() }
  }

  private mutating func insert(_ alarm: (at: Instant, number: Int)) {
    heap.append(alarm)
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func removeFirst() {
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
