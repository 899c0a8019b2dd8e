import MimiSupplyContract
import Timekeeping

/// Writes that wait for the network (§7.7): the important first (MS-128), and those of one record in the order in
/// which they were made (MS-89).
struct OfflineQueue: Sendable {
  /// A write that failed is tried again so often.
  static let retries = 3

  struct Entry: Sendable {
    let write: QueuedWrite
    var tries = 0
  }

  private(set) var entries: [Entry] = []
  private var made = 0

  init() {}

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  func waits(forAnyOf records: [RecordName]) -> Bool {
    entries.contains { entry in entry.write.records.contains { records.contains($0) } }
  }

  mutating func add(
    _ kind: QueuedKind, database: String, _ items: [Modification.Item]
  ) -> QueuedWrite {
    made += 1
    let write = QueuedWrite(made, kind, database: database, items)
    entries.append(Entry(write: write))
    return write
  }

  /// Which writes go out next in one request: of the highest priority the first whose records no earlier write
  /// waits for; creations go together.
  ///
  /// - Parameters:
  ///   - priorities: `false` takes the lowest priority first (MS-128 off).
  ///   - fifo: `false` takes the youngest first (MS-89 off).
  func next(most: Int, priorities: Bool, fifo: Bool) -> [Entry] {
    let wanted = entries.map(\.write.kind.priority)
    guard let priority = priorities ? wanted.max() : wanted.min() else { return [] }
    let free = freeEntries(of: priority, fifo: fifo)
    guard let first = free.first else { return [] }
    guard first.write.isCreation else { return [first] }
    var batch: [Entry] = []
    var count = 0
    for entry in free where entry.write.isCreation && entry.write.database == first.write.database {
      guard count + entry.write.items.count <= most else { break }
      batch.append(entry)
      count += entry.write.items.count
    }
    return batch.isEmpty ? [first] : batch
  }

  private func freeEntries(of priority: SyncPriority, fifo: Bool) -> [Entry] {
    var taken: Set<RecordName> = []
    var free: [Entry] = []
    for entry in fifo ? entries : entries.reversed() {
      let records = entry.write.records
      let isFree = !records.contains { taken.contains($0) }
      taken.formUnion(records)
      if isFree, entry.write.kind.priority == priority { free.append(entry) }
    }
    // A write of this priority may wait for one of a lower priority that is about the same record.
    guard free.isEmpty, let blocked = entries.first(where: { $0.write.kind.priority == priority })
    else { return free }
    return entries.first { entry in
      entry.write.records.contains { blocked.write.records.contains($0) }
    }.map { [$0] } ?? []
  }

  mutating func remove(_ number: Int) { entries.removeAll { $0.write.number == number } }

  mutating func removeAll() { entries = [] }

  /// A write failed: it goes to the end, and with it all that is about its records, or no order of these would hold.
  ///
  /// - Returns: Whether it has a try left.
  mutating func putBack(_ number: Int) -> Bool {
    guard let index = entries.firstIndex(where: { $0.write.number == number }) else { return false }
    entries[index].tries += 1
    guard entries[index].tries <= Self.retries else { return false }
    let records = entries[index].write.records
    let moved = entries.filter { $0.write.records.contains { records.contains($0) } }
    entries.removeAll { entry in moved.contains { $0.write.number == entry.write.number } }
    entries += moved
    return true
  }
}

extension QueuedWrite {
  /// Whether it only makes new records.
  var isCreation: Bool { items.allSatisfy { $0.kind == .create } }
}
