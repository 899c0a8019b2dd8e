import Timekeeping

/// The order of everything that happens in a region: time, then source, then the source's own count.
///
/// One 128-bit word compares faster than three fields.
public struct EventKey: Comparable {
  public let word: UInt128

  public init(time: Instant, source: UInt32, sequence: UInt32) {
    // Flipping the sign bit makes instants before 1970 come first in unsigned order.
    let ticks = UInt64(bitPattern: time.nanoseconds) ^ (1 << 63)
    word = UInt128(ticks) << 64 | UInt128(source) << 32 | UInt128(sequence)
  }

  public var time: Instant {
    Instant(nanoseconds: Int64(bitPattern: UInt64(truncatingIfNeeded: word >> 64) ^ (1 << 63)))
  }

  var source: UInt32 { UInt32(truncatingIfNeeded: word >> 32) }

  public static func < (a: EventKey, b: EventKey) -> Bool { a.word < b.word }
}

/// A 4-ary heap of events over a pool of payloads: sifting moves an entry, never a payload.
///
/// In memory of its own: an array would be asked with every event whether it is the only one that holds its elements. What is earlier
/// than everything in the heap when it comes stands before it: most events of a journey are taken next, and are never sifted.
public struct EventQueue<Payload>: ~Copyable {
  private struct Entry {
    var key: EventKey
    var slot: Int32
  }

  /// Of what stands before the heap, if something does.
  private var frontKey: EventKey?
  private let front: UnsafeMutablePointer<Payload>
  /// Those beyond the first `size` are free, with their slots.
  private var heap: UnsafeMutablePointer<Entry>
  /// By slot; those of free entries hold nothing.
  private var payloads: UnsafeMutablePointer<Payload>
  private var capacity = 64
  private var size = 0

  public init() {
    front = .allocate(capacity: 1)
    heap = .allocate(capacity: capacity)
    payloads = .allocate(capacity: capacity)
    for place in 0..<capacity { free(place) }
  }

  deinit {
    if frontKey != nil { front.deinitialize(count: 1) }
    for place in 0..<size { (payloads + Int(heap[place].slot)).deinitialize(count: 1) }
    front.deallocate()
    heap.deallocate()
    payloads.deallocate()
  }

  public var count: Int { frontKey == nil ? size : size + 1 }

  public var first: EventKey? { frontKey ?? (size == 0 ? nil : heap[0].key) }

  /// Whether something holds of the first, if there is one.
  func isFirst(_ holds: (Payload) -> Bool) -> Bool {
    if frontKey != nil { return holds(front.pointee) }
    return size > 0 && holds(payloads[Int(heap[0].slot)])
  }

  public mutating func push(_ payload: consuming Payload, at key: EventKey) {
    guard first.map({ key < $0 }) ?? true else { return insert(payload, at: key) }
    if let frontKey { insert(front.move(), at: frontKey) }
    front.initialize(to: payload)
    frontKey = key
  }

  private mutating func insert(_ payload: consuming Payload, at key: EventKey) {
    if size == capacity { grow() }
    (payloads + Int(heap[size].slot)).initialize(to: payload)
    heap[size].key = key
    size += 1
    siftUp(size - 1)
  }

  public mutating func pop() -> (key: EventKey, payload: Payload)? {
    if let key = frontKey.take() { return (key, front.move()) }
    guard size > 0 else { return nil }
    size -= 1
    let (top, last) = (heap[0], heap[size])
    if size > 0 { siftUp(siftDown(last)) }
    heap[size].slot = top.slot
    return (top.key, (payloads + Int(top.slot)).move())
  }

  private func free(_ place: Int) {
    (heap + place).initialize(
      to: Entry(key: EventKey(time: .distantPast, source: 0, sequence: 0), slot: Int32(place)))
  }

  /// Every slot is taken.
  private mutating func grow() {
    let (entries, values) = (heap, payloads)
    heap = .allocate(capacity: capacity * 2)
    payloads = .allocate(capacity: capacity * 2)
    heap.moveInitialize(from: entries, count: capacity)
    payloads.moveInitialize(from: values, count: capacity)
    entries.deallocate()
    values.deallocate()
    for place in capacity..<capacity * 2 { free(place) }
    capacity *= 2
  }

  private func siftUp(_ start: Int) {
    var child = start
    let entry = heap[child]
    while child > 0 {
      let parent = (child - 1) >> 2
      guard entry.key < heap[parent].key else { break }
      heap[child] = heap[parent]
      child = parent
    }
    heap[child] = entry
  }

  /// Puts an entry in place of the top and lets it sink: the gap goes down to the bottom first, and the entry up from there, since what
  /// was last is late nearly always.
  ///
  /// - Returns: Where it lies at the bottom.
  private func siftDown(_ entry: Entry) -> Int {
    var parent = 0
    while true {
      let child = parent * 4 + 1
      guard child < size else { break }
      var smallest = child
      if child + 3 < size {
        let left = heap[child + 1].key < heap[child].key ? child + 1 : child
        let right = heap[child + 3].key < heap[child + 2].key ? child + 3 : child + 2
        smallest = heap[right].key < heap[left].key ? right : left
      } else {
        for other in child..<size where heap[other].key < heap[smallest].key {
          smallest = other
        }
      }
      heap[parent] = heap[smallest]
      parent = smallest
    }
    heap[parent] = entry
    return parent
  }
}
