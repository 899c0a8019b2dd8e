import MimiSupplyContract
import Timekeeping

/// What the app remembers of partners and products (§7.7, MS-129): a small memory, and a store behind it that outlives
/// the process. CloudKit is the third level.
struct RecordCache: Sendable {
  static let memoryEntries = 100
  static let memoryBytes = 50 << 20
  static let storeBytes = 100 << 20
  static let lifetime = Span.days(7)

  struct Found: Sendable {
    let records: [CloudRecord]
    let level: CacheLevel
  }

  private struct Entry: Sendable {
    var records: [CloudRecord]
    var savedAt: Instant
    var bytes: Int
  }

  /// The least recently used first.
  private struct Level: Sendable {
    var entries: [RecordQuery: Entry] = [:]
    private var order: [RecordQuery] = []
    private(set) var bytes = 0

    mutating func keep(_ entry: Entry, for query: RecordQuery, most: Int, mostEntries: Int) {
      drop(query)
      entries[query] = entry
      order.append(query)
      bytes += entry.bytes
      while let oldest = order.first, order.count > mostEntries || bytes > most { drop(oldest) }
    }

    mutating func drop(_ query: RecordQuery) {
      guard let old = entries.removeValue(forKey: query) else { return }
      bytes -= old.bytes
      order.removeAll { $0 == query }
    }
  }

  private var memory = Level()
  private var store = Level()

  init() {}

  var isEmpty: Bool { memory.entries.isEmpty && store.entries.isEmpty }

  /// Both levels keep what the backend answered.
  mutating func keep(_ records: [CloudRecord], for query: RecordQuery, at now: Instant) {
    let entry = Entry(
      records: records, savedAt: now, bytes: records.reduce(64) { $0 + Self.bytes(of: $1) })
    remember(entry, query)
    store.keep(entry, for: query, most: Self.storeBytes, mostEntries: .max)
  }

  private mutating func remember(_ entry: Entry, _ query: RecordQuery) {
    memory.keep(entry, for: query, most: Self.memoryBytes, mostEntries: Self.memoryEntries)
  }

  /// What is known of a query; what the store has is in memory from then on.
  mutating func find(_ query: RecordQuery, at now: Instant, inStore looksInStore: Bool) -> Found? {
    if let entry = memory.entries[query], now - entry.savedAt < Self.lifetime {
      return Found(records: entry.records, level: .memory)
    }
    memory.drop(query)
    guard looksInStore, let entry = store.entries[query] else { return nil }
    guard now - entry.savedAt < Self.lifetime else {
      store.drop(query)
      return nil
    }
    remember(entry, query)
    return Found(records: entry.records, level: .store)
  }

  func has(_ query: RecordQuery, at now: Instant) -> Bool {
    guard let entry = memory.entries[query] ?? store.entries[query] else { return false }
    return now - entry.savedAt < Self.lifetime
  }

  /// The process ended.
  mutating func forgetMemory() { memory = Level() }

  mutating func forgetEverything() { self = RecordCache() }

  /// About how much room a record takes: its texts and eight bytes for anything else.
  private static func bytes(of record: CloudRecord) -> Int {
    record.fields.values.reduce(128 + record.fields.names.bytesOfTexts) { sum, value in
      switch value {
      case .string(let text): sum + text.utf8.count
      case .identifier(let name): sum + name.byteCount
      default: sum + 8
      }
    }
  }
}
