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

  public static func < (a: EventKey, b: EventKey) -> Bool { a.word < b.word }
}

/// A 4-ary heap of events over a pool of payloads: sifting moves 24 bytes, never a payload.
public struct EventQueue<Payload>: ~Copyable {
  private struct Entry {
    var key: EventKey
    var slot: Int32
  }

  private var heap: ContiguousArray<Entry> = []
  private var payloads: ContiguousArray<Payload?> = []
  private var free: ContiguousArray<Int32> = []

  public init() {}

  public var count: Int { heap.count }
  public var first: EventKey? { heap.first?.key }

  public mutating func push(_ payload: Payload, at key: EventKey) {
    let slot: Int32
    if let reused = free.popLast() {
      slot = reused
      payloads[Int(reused)] = payload
    } else {
      slot = Int32(payloads.count)
      payloads.append(payload)
    }
    heap.append(Entry(key: key, slot: slot))
    siftUp(heap.count - 1)
  }

  public mutating func pop() -> (key: EventKey, payload: Payload)? {
    guard let top = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty { siftDown(last) }
    let payload = payloads[Int(top.slot)].take()!
    free.append(top.slot)
    return (top.key, payload)
  }

  private mutating func siftUp(_ start: Int) {
    heap.withUnsafeMutableBufferPointer { heap in
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
  }

  /// Puts an entry in place of the top and lets it sink.
  private mutating func siftDown(_ entry: Entry) {
    heap.withUnsafeMutableBufferPointer { heap in
      let count = heap.count
      var parent = 0
      while true {
        let firstChild = parent * 4 + 1
        guard firstChild < count else { break }
        var smallest = firstChild
        for child in (firstChild + 1)..<max(firstChild + 1, min(firstChild + 4, count))
        where heap[child].key < heap[smallest].key {
          smallest = child
        }
        guard heap[smallest].key < entry.key else { break }
        heap[parent] = heap[smallest]
        parent = smallest
      }
      heap[parent] = entry
    }
  }
}
