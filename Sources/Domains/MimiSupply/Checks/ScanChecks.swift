import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges MS-10 and MS-11: reading in pages, and reading what changed.
enum ScanChecks {
  static let all: [MSCheck] = [
    .history(.ms10, .asking(.query, .modify), CursorScans.init)
      + .each(.ms10, .asking(.query), by: MarketFacts.self, QueryChecks.judge)
      + .history(.ms10, .asking(.query, .modify), by: AccountFacts.self, OwnOrders.init),
    .history(.ms11, .asking(.modify, .changes), by: AccountFacts.self, FeedReplicas.init),
  ]
}

/// MS-10, for products of one partner: nothing but a request takes one away or moves it.
private struct CursorScans: History {
  static let scope = Scope<MimiSupply>.cell

  /// A product that a request created.
  private struct Known {
    let partner: RecordName
    let since: Instant
    /// Requests touched it, or may have: the latest end.
    var touched: Instant
  }

  private struct Scan {
    let partner: RecordName
    let begun: Instant
    var names: Set<RecordName>
    var repeated: [RecordName] = []
  }

  private var products: [RecordName: Known] = [:]
  private var byPartner: [RecordName: [RecordName]] = [:]
  /// By the marker that leads on, with the query that it belongs to.
  private var open: [String: Scan] = [:]
  private static let mostOpen = 1_000

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    switch call.request {
    case .modify(_, let modification): see(modification, call)
    case .query(_, let query): see(query, call, &judge)
    default: break
    }
  }

  private mutating func see(_ modification: Modification, _ call: SeenCall) {
    let results = call.isUnknown ? [] : call.writes.map(\.result)
    for (index, item) in modification.items.enumerated() {
      guard let name = item.record.name else { continue }
      let result = results.indices.contains(index) ? results[index] : nil
      if item.kind == .create, let saved = result?.record, saved.type == .product,
        let partner = saved[Product.partner], products[name] == nil
      {
        products[name] = Known(
          partner: partner, since: call.answered, touched: .distantPast)
        byPartner[partner, default: []].append(name)
      } else if products[name] != nil, call.isUnknown || result?.failure == nil {
        products[name]?.touched = call.during.upperBound
        if case .deleted? = result { forget(name) }
      } else if item.kind == .delete || item.kind == .forceDelete, result?.failure == nil {
        // With a partner go its products.
        for product in byPartner.removeValue(forKey: name) ?? [] { products[product] = nil }
      }
    }
  }

  private mutating func forget(_ name: RecordName) {
    guard let known = products.removeValue(forKey: name) else { return }
    byPartner[known.partner]?.removeAll { $0 == name }
    if byPartner[known.partner]?.isEmpty == true { byPartner[known.partner] = nil }
  }

  private mutating func see(_ query: Query, _ call: SeenCall, _ judge: inout Judge) {
    guard case .found(let records, let next)? = call.content,
      query.query.recordType == .product, let partner = Self.partner(of: query)
    else { return }
    var scan: Scan
    if let marker = query.continuationMarker {
      guard let begun = open.removeValue(forKey: marker) else { return }
      scan = begun
    } else {
      scan = Scan(partner: partner, begun: call.sent, names: [])
    }
    for record in records where !scan.names.insert(record.name).inserted {
      scan.repeated.append(record.name)
    }
    if let next {
      if open.count >= Self.mostOpen { open = [:] }
      open[next] = scan
    } else {
      end(scan, &judge)
    }
  }

  /// The partner of a query that its partner's products alone can meet and all of them do.
  private static func partner(of query: Query) -> RecordName? {
    guard query.query.filters.count == 1, let filter = query.query.filters.first,
      filter.fieldName == FieldName.partnerId.text, filter.comparator == "EQUALS",
      case .identifier(let partner)? = filter.value
    else { return nil }
    return partner
  }

  private func end(_ scan: Scan, _ judge: inout Judge) {
    let known = byPartner[scan.partner] ?? []
    let undisturbed = known.filter { name in
      guard let product = products[name] else { return false }
      return product.since < scan.begun && product.touched < scan.begun
    }
    guard !undisturbed.isEmpty else { return }
    let missing = undisturbed.filter { !scan.names.contains($0) }
    let twice = undisturbed.filter { scan.repeated.contains($0) }
    judge.expect(
      missing.isEmpty && twice.isEmpty,
      "a scan of \(undisturbed.count) undisturbed products leaves out \(missing.count) and repeats "
        + "\(twice.count)")
  }
}

/// MS-11: what a user's feed of a custom zone has shown, against what he himself wrote there.
private struct FeedReplicas: History {
  static let scope = Scope<MimiSupply>.cell
  static let standpoint = Standpoint.after

  private struct Key: Hashable {
    let user: UserName
    let database: String
    let zone: String
  }

  /// What a user wrote in a zone.
  private struct Written {
    var modified: Instant
    var settled: Instant
    var isDeleted = false
    /// A request may still change it.
    var isUncertain = false
  }

  private struct Replica {
    /// When each was last modified.
    var records: [RecordName: Instant] = [:]
    /// When the reading began that is not at its end yet.
    var begun: Instant?
  }

  /// Retention takes nothing before (MS-114).
  private static let longest = Span.hours(20)

  private let accounts: AccountFacts
  private var written: [Key: [RecordName: Written]] = [:]
  private var replicas: [Key: [String: Replica]] = [:]

  init(_ accounts: AccountFacts) { self.accounts = accounts }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    switch call.request {
    case .modify(let location, let modification):
      guard let zone = modification.zone?.zoneName, zone != "_defaultZone" else { return }
      guard let key = key(location, zone, call) else { return }
      see(modification, call, key)
    case .changes(let location, let asked):
      guard let zone = asked.zone, let key = key(location, zone.zoneName, call) else { return }
      guard asked.desiredKeys == nil, asked.desiredRecordTypes == nil, !asked.reverse,
        zone.ownerRecordName.map({ $0 == key.user }) ?? true
      else { return }
      see(asked, call, key, &judge)
    default: break
    }
  }

  private func key(_ location: Location, _ zone: String, _ call: SeenCall) -> Key? {
    guard location.database == "private" else { return nil }
    return accounts.user(of: call).map { Key(user: $0, database: "private", zone: zone) }
  }

  private mutating func see(
    _ modification: Modification, _ call: SeenCall, _ key: Key
  ) {
    let results = call.isUnknown ? [] : call.writes.map(\.result)
    for (index, item) in modification.items.enumerated() {
      guard let name = item.record.name ?? results[safely: index]??.record?.name else { continue }
      switch results[safely: index] ?? nil {
      case .saved(let record)?:
        // What others own may leave this user's sight for many reasons.
        guard record.created.userRecordName == key.user else { continue }
        written[key, default: [:]][name] = Written(
          modified: record.modified.timestamp, settled: call.answered)
      case .deleted?:
        guard written[key]?[name] != nil else { continue }
        written[key]?[name]?.isDeleted = true
        written[key]?[name]?.settled = call.answered
      case .failed?: break
      case nil: if call.isUnknown { written[key]?[name]?.isUncertain = true }
      }
    }
  }

  private mutating func see(
    _ asked: FeedQuery, _ call: SeenCall, _ key: Key, _ judge: inout Judge
  ) {
    guard case .feed(let items, let token, let more)? = call.content else { return }
    var replica = Replica()
    if let sent = asked.syncToken {
      guard let begun = replicas[key]?.removeValue(forKey: sent) else { return }
      replica = begun
    }
    for item in items {
      switch item {
      case .saved(let record): replica.records[record.name] = record.modified.timestamp
      case .deleted(let name): replica.records[name] = nil
      case .failed: break
      }
    }
    let begun = replica.begun ?? call.sent
    replica.begun = more ? begun : nil
    if !more { compare(replica, since: begun, key, &judge) }
    if replicas[key]?.count ?? 0 >= 16 { replicas[key] = nil }
    replicas[key, default: [:]][token] = replica
  }

  private func compare(
    _ replica: Replica, since begun: Instant, _ key: Key, _ judge: inout Judge
  ) {
    for (name, known) in (written[key] ?? [:]).sorted(by: { $0.key < $1.key })
    where !known.isUncertain && known.settled < begun && begun < known.settled + Self.longest {
      let shown = replica.records[name]
      if known.isDeleted {
        judge.expect(shown == nil, "\(name) is deleted, and the feed has not said so")
      } else {
        judge.expect(
          shown.map { $0 >= known.modified } ?? false,
          "the feed shows \(name) as of \(shown.map { "\($0)" } ?? "never"), not of \(known.modified)"
        )
      }
    }
  }
}

extension Array {
  fileprivate subscript(safely index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
