import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// How the app reads (§7.7): from the backend, and without a network what it remembers.
extension AppClient {
  /// Of how many partners of a list the products are fetched beforehand (MS-126).
  static let prefetched = 3

  /// All records that a query finds, page after page; `nil` when a page could not be had and nothing is remembered.
  func find(
    _ query: Query, in database: String = "public", as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [CloudRecord]? {
    start(as: me)
    let isCached = query.isCached(in: database)
    if isCached, let known = try await offline(query, as: me) { return known }
    guard let found = try await pages(query, in: database, as: me) else {
      return isCached ? cached(query, as: me) : nil
    }
    if isCached { cache.keep(found, for: query.query, at: me.now) }
    return found
  }

  /// Without a network the last state serves (MS-122).
  private func offline(
    _ query: Query, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [CloudRecord]? {
    try await noticeNetwork(as: me)
    guard isOffline else { return nil }
    // With MS-122 off the app asks the backend even so.
    guard rules.binds(.ms122) else {
      _ = try await me.ask(.query(Location(database: "public"), query), with: credential)
      return nil
    }
    return cached(query, as: me)
  }

  private func pages(
    _ query: Query, in database: String, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [CloudRecord]? {
    var query = query
    var found: [CloudRecord] = []
    while true {
      let outcome = try await ask(.query(Location(database: database), query), as: me)
      guard case .found(let records, let marker)? = outcome.reply?.content else { return nil }
      found += records
      guard let marker else { return found }
      query.continuationMarker = marker
    }
  }

  /// What the app remembers of a query, without any request; `nil` when it remembers nothing.
  func cached(_ query: Query, as me: Person<MimiSupply>) -> [CloudRecord]? {
    // With MS-129 off there is no store behind the memory.
    let known = cache.find(query.query, at: me.now, inStore: rules.binds(.ms129))
    note(
      .served(
        query.query, from: known?.level ?? .nowhere, (known?.records ?? []).map(AppNote.Copy.init)),
      me)
    return known?.records
  }

  /// One record; `nil` when there is none that this user may see, or it could not be had.
  func look(
    _ name: RecordName, in database: String = "private", as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> CloudRecord? {
    let outcome = try await ask(
      .lookup(Location(database: database), Lookup([.init(name)])), as: me)
    return outcome.items.first?.record
  }

  /// After a list of partners the products of the first three are fetched, unless the app has them (MS-126).
  ///
  /// - Returns: What was fetched, by partner.
  @discardableResult
  func prefetch(
    after partners: [CloudRecord], first count: Int = prefetched, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [(partner: RecordName, products: [CloudRecord])] {
    start(as: me)
    try await noticeNetwork(as: me)
    // Who has no network, or whose backend is ill, fetches nothing beforehand.
    guard !isOffline, breakersOpenAgain(for: .cloudKit) == nil, !partners.isEmpty else { return [] }
    let first = partners.prefix(count).map { ($0.name, Query.products(of: $0.name)) }
    let missing = first.filter { !cache.has($0.1.query, at: me.now) }
    note(.partnersListed(missing: missing.map(\.0)), me)
    guard rules.binds(.ms126) else { return [] }
    var fetched: [(partner: RecordName, products: [CloudRecord])] = []
    for (name, query) in missing {
      if let found = try await find(query, as: me) { fetched.append((name, found)) }
    }
    return fetched
  }
}

extension Query {
  /// `fetchProducts(for:)` (§3.4).
  static func products(of partner: RecordName) -> Query {
    Query(
      RecordQuery(
        .product, [Filter(.partnerId, .equals, .name(partner))], sortedBy: [Sort(.name)]))
  }

  /// Partners and products are remembered (MS-122).
  fileprivate func isCached(in database: String) -> Bool {
    database == "public" && (query.recordType == .partner || query.recordType == .product)
      && continuationMarker == nil
  }
}
