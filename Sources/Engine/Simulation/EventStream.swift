import Synchronization

/// The records of a run as lines, written as they happen, in an order that depends on nothing but the run: replication by replication,
/// in each window by window, in each the worlds and their regions.
///
/// What belongs to the oldest replication that still lives is written at the end of each window; what others have seen meanwhile waits
/// its turn in blocks outside memory, so that memory holds a block for each region and no more, however long the run.
public final class EventStream: Sendable {
  /// Where blocks wait, given by who may open files.
  public struct Blocks: Sendable {
    /// Keeps a block of `EventStream.blockBytes`; its number, or `nil` when it cannot be kept.
    let store: @Sendable ([UInt8]) -> Int?
    /// Hands a block out, for good; `nil` when it cannot be read.
    let load: @Sendable (Int) -> [UInt8]?

    public init(
      store: @escaping @Sendable ([UInt8]) -> Int?, load: @escaping @Sendable (Int) -> [UInt8]?
    ) {
      self.store = store
      self.load = load
    }
  }

  public static let blockBytes = 1 << 15

  private let blocks: Blocks
  private let write: @Sendable (ArraySlice<UInt8>) -> Bool
  private let isClosed = Atomic<Bool>(false)
  private let queue = Mutex(Queue())

  private struct Queue {
    /// The oldest replication that has not ended.
    var oldest = 0
    /// The last one that counts.
    var last = Int.max
    var ended: Set<Int> = []
    var waiting: [Int: LineSpool] = [:]
  }

  /// - Parameters:
  ///   - blocks: Where lines wait that are ahead of their turn.
  ///   - write: Takes the next bytes, from any thread, never from two at once; `false` when it takes no more.
  public init(blocks: Blocks, write: @escaping @Sendable (ArraySlice<UInt8>) -> Bool) {
    self.blocks = blocks
    self.write = write
  }

  /// Whether anybody still wants lines.
  var isOpen: Bool { !isClosed.load(ordering: .relaxed) }

  /// Lines of a window, by worlds and regions. Called once for each window of a replication, in order.
  func add(_ lines: [LineSpool], of replication: Int) {
    queue.withLock { queue in
      for spool in lines {
        if replication == queue.oldest {
          pour(spool)
        } else {
          spool.forEachPart(of: self) {
            queue.waiting[replication, default: LineSpool()].append($0, in: self)
          }
        }
      }
    }
  }

  /// A replication has ended, and none after `last` counts.
  func end(_ replication: Int, last: Int) {
    queue.withLock { queue in
      queue.ended.insert(replication)
      queue.last = min(queue.last, last)
      while queue.ended.remove(queue.oldest) != nil {
        queue.oldest += 1
        guard queue.oldest <= queue.last else {
          isClosed.store(true, ordering: .relaxed)
          return
        }
        if let next = queue.waiting.removeValue(forKey: queue.oldest) { pour(next) }
      }
    }
  }

  private func pour(_ spool: LineSpool) {
    spool.forEachPart(of: self) { part in
      if isOpen, !write(part) { isClosed.store(true, ordering: .relaxed) }
    }
  }

  fileprivate func store(_ block: [UInt8]) -> Int? {
    guard isOpen else { return nil }
    let number = blocks.store(block)
    if number == nil { isClosed.store(true, ordering: .relaxed) }
    return number
  }

  fileprivate func load(_ number: Int) -> [UInt8]? {
    let block = blocks.load(number)
    if block == nil { isClosed.store(true, ordering: .relaxed) }
    return block
  }
}

/// Lines that wait: whole blocks outside memory, the rest in it. Without a stream all of it is in memory.
struct LineSpool {
  private var blocks: [Int] = []
  private var rest: [UInt8] = []

  mutating func append(_ bytes: some Sequence<UInt8>, in stream: EventStream?) {
    rest.append(contentsOf: bytes)
    guard let stream else { return }
    let size = EventStream.blockBytes
    while rest.count >= size {
      if let number = stream.store(Array(rest.prefix(size))) { blocks.append(number) }
      rest.removeFirst(size)
    }
  }

  /// Hands out everything in order; each block is gone afterwards.
  func forEachPart(of stream: EventStream, _ take: (ArraySlice<UInt8>) -> Void) {
    for number in blocks {
      guard let block = stream.load(number) else { return }
      take(block[...])
    }
    if !rest.isEmpty { take(rest[...]) }
  }

  /// The lines themselves, where nothing lies outside memory.
  var lines: [String] {
    rest.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Whose records a replication keeps as lines, and where they go; without a stream they stay with the result.
struct Recording {
  let whose: Transcribing
  let replication: Int
  let stream: EventStream?
}
