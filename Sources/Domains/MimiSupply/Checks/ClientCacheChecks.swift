import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What the app remembers and fetches beforehand: MS-122, MS-126, MS-129.
enum ClientCacheChecks {
  static let all: [MSCheck] = [
    .byApp(.ms122, by: ListsShown.self) { OfflineReading(lists: $0) },
    .byApp(.ms126, .asking(.query)) { PrefetchWatch() },
    .byApp(.ms129, .asking(.query), by: ListsShown.self) { CacheLevels(lists: $0) },
  ]
}

/// Numbers for what many apps of a city are shown: partners and products, their states, and the queries for them. A person
/// remembers numbers instead.
final class CatalogueNumbers: Facts {
  static let concerns = Set<Concern>()

  private var records: [RecordName: Int32] = [:]
  private var states: [AppNote.Copy: Int32] = [:]
  private var queries: [RecordQuery: Int32] = [:]

  init(_ subject: Subject<Nothing<MimiSupply>>) {}

  func number(of record: RecordName) -> Int32 { Self.number(of: record, in: &records) }
  func number(of state: AppNote.Copy) -> Int32 { Self.number(of: state, in: &states) }
  func number(of query: RecordQuery) -> Int32 { Self.number(of: query, in: &queries) }

  private static func number<Thing>(of thing: Thing, in numbers: inout [Thing: Int32]) -> Int32 {
    if let known = numbers[thing] { return known }
    let number = Int32(numbers.count)
    numbers[thing] = number
    return number
  }
}

/// Lists of partners and products as an app was shown them, page after page.
final class ListsShown: Facts {
  static let scope = Scope<MimiSupply>.person
  static let concerns = Set<Concern>.asking(.query)

  struct List {
    /// Of records, by the numbers of their states.
    var states: [Int32] = []
    var at = Instant.distantPast
  }

  let numbers: CatalogueNumbers
  let app: AppOnDevice
  private var whole: [Int32: List] = [:]
  private var partial: [Int32: List] = [:]
  /// The query whose list became whole with the call at hand.
  private(set) var latest: Int32?

  init(_ subject: Subject<Both<AppOnDevice, CatalogueNumbers>>) {
    (app, numbers) = (subject.known.first, subject.known.second)
  }

  func list(_ query: RecordQuery) -> List? { whole[numbers.number(of: query)] }

  func asked(_ call: SeenCall, at moment: Moment) {
    latest = nil
    guard app.sent(call), case .query(let place, let asked) = call.request,
      place.database == "public",
      asked.query.recordType == .partner || asked.query.recordType == .product,
      case .found(let records, let marker)? = call.content
    else { return }
    let query = numbers.number(of: asked.query)
    var list =
      asked.continuationMarker == nil ? List() : partial.removeValue(forKey: query) ?? List()
    list.states.reserveCapacity(list.states.count + records.count)
    for record in records { list.states.append(numbers.number(of: AppNote.Copy(record))) }
    list.at = call.answered
    guard marker == nil else {
      partial[query] = list
      return
    }
    whole[query] = list
    latest = query
  }
}

/// MS-122: in offline mode nothing leaves, and what is shown is the last state that the device was shown.
private struct OfflineReading: AppWatch {
  let lists: ListsShown
  private var gone: Range<Instant>?
  /// The newest state of each partner and product, by their numbers.
  private var newest: [Int32: Int32] = [:]

  init(lists: ListsShown) { self.lists = lists }

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    switch note {
    case .network(isOnline: false, _): gone = time..<Instant.distantFuture
    case .network(isOnline: true, _): gone = gone.map { $0.lowerBound..<max($0.lowerBound, time) }
    case .served(let query, let level, let copies) where level != .nowhere:
      let (numbers, list) = (lists.numbers, lists.list(query))
      let last = Set(list?.states ?? [])
      let stale = copies.filter { copy in
        let state = numbers.number(of: copy)
        return !last.contains(state) && newest[numbers.number(of: copy.name)] != state
      }
      judge.expect(
        stale.isEmpty && list != nil,
        "the cache served \(stale.map(\.name)) in a state that is not the last one")
    default: break
    }
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    if let gone, gone.lowerBound < call.sent, call.sent < gone.upperBound {
      judge.violated("a request left the device in offline mode")
    }
    let numbers = lists.numbers
    for record in call.shown where record.type == .partner || record.type == .product {
      newest[numbers.number(of: record.name)] = numbers.number(of: AppNote.Copy(record))
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

  let lists: ListsShown
  private var inMemory: Set<Int32> = []

  init(lists: ListsShown) { self.lists = lists }

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    switch note {
    case .started: inMemory = []
    case .served(let query, let level, _):
      let (list, query) = (lists.list(query), lists.numbers.number(of: query))
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
    if let query = lists.latest { inMemory.insert(query) }
  }
}
