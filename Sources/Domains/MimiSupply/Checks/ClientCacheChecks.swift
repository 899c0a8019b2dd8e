import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What the app remembers and fetches beforehand: MS-122, MS-126, MS-129.
enum ClientCacheChecks {
  static let all: [MSCheck] = [
    .byApp(.ms122) { OfflineReading() },
    .byApp(.ms126, .asking(.query)) { PrefetchWatch() },
    .byApp(.ms129, .asking(.query)) { CacheLevels() },
  ]
}

/// Lists of partners and products as an app was shown them, page after page.
private struct KnownLists {
  struct List {
    var copies: [AppNote.Copy] = []
    var at = Instant.distantPast
  }

  private(set) var whole: [RecordQuery: List] = [:]
  private var partial: [RecordQuery: List] = [:]

  /// - Returns: The query whose list is now whole.
  mutating func take(_ call: SeenCall) -> RecordQuery? {
    guard case .query(let place, let asked) = call.request, place.database == "public",
      asked.query.recordType == .partner || asked.query.recordType == .product,
      case .found(let records, let marker)? = call.content
    else { return nil }
    var list =
      asked.continuationMarker == nil ? List() : partial.removeValue(forKey: asked.query) ?? List()
    list.copies += records.map(AppNote.Copy.init)
    list.at = call.answered
    guard marker == nil else {
      partial[asked.query] = list
      return nil
    }
    whole[asked.query] = list
    return asked.query
  }
}

/// MS-122: in offline mode nothing leaves, and what is shown is the last state that the device was shown.
private struct OfflineReading: AppWatch {
  private var gone: Range<Instant>?
  private var lists = KnownLists()
  /// The newest state of each partner and product.
  private var newest: [RecordName: String] = [:]

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    switch note {
    case .network(isOnline: false, _): gone = time..<Instant.distantFuture
    case .network(isOnline: true, _): gone = gone.map { $0.lowerBound..<max($0.lowerBound, time) }
    case .served(let query, let level, let copies) where level != .nowhere:
      let last = Set(lists.whole[query]?.copies ?? [])
      let stale = copies.filter { !last.contains($0) && newest[$0.name] != $0.changeTag }
      judge.expect(
        stale.isEmpty && lists.whole[query] != nil,
        "the cache served \(stale.map(\.name)) in a state that is not the last one")
    default: break
    }
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    if let gone, gone.lowerBound < call.sent, call.sent < gone.upperBound {
      judge.violated("a request left the device in offline mode")
    }
    guard lists.take(call) != nil || !call.shown.isEmpty else { return }
    for record in call.shown where record.type == .partner || record.type == .product {
      newest[record.name] = record.changeTag
    }
  }
}

/// MS-126: the products of the first three partners of a list follow it, unless the app has them.
private struct PrefetchWatch: AppWatch {
  /// The rate budget may hold each of them back for a minute.
  private static let within = Span.minutes(5)
  private var awaited: [(partner: RecordName, until: Instant)] = []

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    expire(at: time, &judge)
    switch note {
    case .partnersListed(let missing):
      awaited += missing.prefix(3).map { ($0, time + Self.within) }
    // Who has no network, or whose backend is ill, fetches nothing beforehand.
    case .network(isOnline: false, _), .breaker(_, .open), .handled: awaited = []
    default: break
    }
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    expire(at: call.sent, &judge)
    guard case .query(_, let asked) = call.request, asked.query.recordType == .product else {
      return
    }
    for filter in asked.query.filters where filter.fieldName == FieldName.partnerId.text {
      guard case .identifier(let partner)? = filter.value,
        let index = awaited.firstIndex(where: { $0.partner == partner })
      else { continue }
      awaited.remove(at: index)
      judge.held()
    }
  }

  private mutating func expire(at time: Instant, _ judge: inout Judge) {
    awaited.removeAll { late in
      guard late.until < time else { return false }
      judge.violated("the products of \(late.partner) were not fetched after the list of partners")
      return true
    }
  }
}

/// MS-129: what the app was shown since its process began is in memory; what it was shown within a week is in its
/// store.
private struct CacheLevels: AppWatch {
  private static let lifetime = Span.days(7)
  /// With as many lists as this, the memory may have dropped some.
  private static let memoryEntries = 100

  private var lists = KnownLists()
  private var inMemory: Set<RecordQuery> = []

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    switch note {
    case .started: inMemory = []
    case .served(let query, let level, _):
      let list = lists.whole[query]
      let isKnown = list.map { time - $0.at < Self.lifetime } ?? false
      let expected: CacheLevel =
        !isKnown ? .nowhere : inMemory.contains(query) ? .memory : .store
      let mayBeDropped = inMemory.count >= Self.memoryEntries && level == .store
      judge.expect(
        level == expected || mayBeDropped && expected == .memory,
        "a list came from \(level.rawValue), not from \(expected.rawValue)")
      if level != .nowhere { inMemory.insert(query) }
    default: break
    }
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    if let query = lists.take(call) { inMemory.insert(query) }
  }
}
