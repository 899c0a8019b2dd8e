import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against batches, scans, feeds and busy zones (MS-09 to MS-12).
enum BatchActs {
  static let all: [Act] = [atomic, undone, independent, scan, feed, busy]

  // MS-09: in an atomic zone one bad operation, at each place in turn, undoes the others.
  private static let atomic = Act { adversary, me throws(JourneyEnded) in
    let bad = me.draw(.mischief) { $0.pick(0..<3) }
    let drafts = try await adversary.batch(withBad: bad, in: Corner.zone, atomic: nil, me)
    let names = drafts.compactMap(\.name)
    _ = try await adversary.ask(
      .lookup(
        Location(database: "private"), Lookup(names.map { .init($0) }, zone: Corner.zone)),
      as: .customer, me)
    try await adversary.forceCancel(names, in: Corner.zone, me)
  }

  // MS-09: without atomicity, and in the default zone, each operation stands alone.
  private static let independent = Act { adversary, me throws(JourneyEnded) in
    let bad = me.draw(.mischief) { $0.pick(0..<3) }
    let zone = me.draw(.mischief) { $0.pick([Corner.zone, Zone()]) }
    let drafts = try await adversary.batch(withBad: bad, in: zone, atomic: false, me)
    try await adversary.forceCancel(drafts.compactMap(\.name), in: zone, me)
  }

  // MS-10: a scan in pages while the catalogue changes.
  private static let scan = Act { adversary, me throws(JourneyEnded) in
    let partner = adversary.corner.rivalPartner
    let drafts = (1...9).map { _ in
      adversary.product(adversary.fresh("scan"), of: partner, at: me.now)
    }
    try await adversary.write(
      drafts.map { .init(.create, $0) }, to: "public", as: .rival, me)
    let extra = adversary.product(adversary.fresh("scan"), of: partner, at: me.now)
    let disturbance = [
      Modification.Item(
        .forceUpdate, RecordDraft(name: drafts[4].name, fields: [.name: .string("Another dish")])),
      .init(.forceDelete, RecordDraft(name: drafts[6].name)), .init(.create, extra),
    ]
    var query = Query(
      RecordQuery(
        .product, [Filter(.partnerId, .equals, .name(partner))], sortedBy: [Sort(.name)]),
      resultsLimit: 3)
    for page in 1...8 {
      try await adversary.pause(me)
      var asks = [
        Ask<MimiSupply>(.query(Location(database: "public"), query), with: adversary.corner.nobody)
      ]
      if page == 2 {
        asks.append(
          Ask(
            .modify(Location(database: "public"), Modification(disturbance)),
            with: adversary.corner.credential(.rival)))
      }
      let outcomes = try await me.ask(all: asks)
      guard case .found(_, let marker?)? = outcomes[0].reply?.content else { break }
      query.continuationMarker = marker
    }
    try await scanUpToTheLast(of: partner, adversary, me)
    let gone = (drafts + [extra]).map {
      Modification.Item(.forceDelete, RecordDraft(name: $0.name))
    }
    try await adversary.write(gone, to: "public", as: .rival, me)
  }

  /// MS-10: a scan whose first page leaves one record, the newest.
  private static func scanUpToTheLast(
    of partner: RecordName, _ adversary: Adversary, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    var query = Query(
      RecordQuery(
        .product, [Filter(.partnerId, .equals, .name(partner))], sortedBy: [Sort(.createdAt)]))
    func ask() async throws(JourneyEnded) -> Outcome<MimiSupply> {
      try await adversary.ask(
        .query(Location(database: "public"), query), with: adversary.corner.nobody, me)
    }
    guard case .found(let all, _)? = try await ask().reply?.content, all.count > 1 else { return }
    query.resultsLimit = all.count - 1
    guard case .found(_, let marker?)? = try await ask().reply?.content else { return }
    query.continuationMarker = marker
    _ = try await ask()
  }

  // MS-11: a driver follows the zone in which his positions come and go.
  private static let feed = Act { adversary, me throws(JourneyEnded) in
    try await adversary.update(
      adversary.corner.driver, [.isOnline: .int64(1)], as: .driver, me)
    let first = try await adversary.position(me)
    var token = try await adversary.follow(from: nil, me)
    let second = try await adversary.position(me)
    token = try await adversary.follow(from: token, me)
    for position in [first, second] {
      guard let position else { continue }
      try await adversary.zoned(
        [.init(.delete, RecordDraft(name: position.name, changeTag: position.changeTag))], .driver,
        me)
      token = try await adversary.follow(from: token, me)
    }
    try await adversary.update(
      adversary.corner.driver, [.isOnline: .int64(0), .isAvailable: .int64(0)], as: .driver, me)
  }

  // MS-09, MS-112: of a batch that is undone nothing is left: no pieces are gone, nobody is told, nothing is written down.
  private static let undone = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let kept = adversary.order(at: me.now)
    try await adversary.zoned([.init(.create, kept.draft(at: me.now))], .customer, me)
    let dish = try await adversary.stock(of: 5, me)
    try await adversary.listen(on: adversary.tablet(of: .customer), as: .customer, me)
    let own = adversary.fresh("orders").text
    try await adversary.subscribe(
      own, to: .of(.order, .customerId, corner.user(.customer)), on: [.create, .update],
      as: .customer, me)
    let watch = AuditWatch(.user, corner.user(.customer).text, from: me.now)
    try await adversary.list(watch, me)
    let order = adversary.order(at: me.now, of: dish, quantity: 2)
    var bad = adversary.order(at: me.now)
    bad.lines[0].unitPriceCents = 1
    let found = try await adversary.ask(
      .lookup(Location(database: "private"), Lookup([.init(kept.name)], zone: Corner.zone)),
      as: .customer, me)
    let tip = RecordDraft(
      name: kept.name, changeTag: found.items.first?.record?.changeTag ?? "0",
      fields: [.deliveryInstructions: .string(adversary.fresh("ring").text)])
    try await adversary.zoned(
      [
        .init(.create, order.draft(at: me.now)), .init(.update, tip),
        .init(.create, bad.draft(at: me.now)),
      ], .customer, me)
    _ = try await adversary.look(dish, in: "public", as: .customer, me)
    try await adversary.ask(
      .lookup(
        Location(database: "private"),
        Lookup([.init(kept.name), .init(order.name)], zone: Corner.zone)),
      as: .customer, me)
    try await adversary.list(watch, me)
    let since = FieldValue.timestamp(me.now.toMilliseconds - .seconds(12))
    // The numbers of the log, of which none was used up.
    try await adversary.ask(
      .query(
        Location(database: "private"),
        Query(
          RecordQuery(
            .auditEvent,
            [Filter(.timestamp, .greaterThanOrEquals, since)],
            sortedBy: [Sort(.sequence)]))), as: .admin, me)
    try await adversary.unsubscribe([own], as: .customer, me)
    try await adversary.forceCancel([kept.name, order.name], in: Corner.zone, me)
  }

  // MS-12: a busy zone works on nothing; an admin, whose zone it is not, looks.
  private static let busy = Act { adversary, me throws(JourneyEnded) in
    var order = adversary.order(at: me.now)
    order.customer = adversary.corner.user(.subject)
    try await adversary.zoned([.init(.create, order.draft(at: me.now))], .subject, me)
    let look = MimiSupply.Request.lookup(
      Location(database: "private"), Lookup([.init(order.name)], zone: Corner.zone))
    try await adversary.ask(look, as: .subject, me)
    try await adversary.ask(look, as: .admin, me)
    try await adversary.forceCancel([order.name], in: Corner.zone, me)
  }
}

extension Adversary {
  /// Writes in the zone of the atomic batches.
  @discardableResult
  fileprivate func zoned(
    _ items: [Modification.Item], _ role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [ItemResult] {
    try await ask(
      .modify(Location(database: "private"), Modification(items, zone: Corner.zone)), as: role, me
    ).items
  }

  /// Three orders in one request, one of which does not add up.
  fileprivate func batch(
    withBad bad: Int, in zone: Zone, atomic: Bool?, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [RecordDraft] {
    var drafts = (0..<3).map { _ in order(at: me.now).draft(at: me.now) }
    drafts[bad].fields[.totalCents] = .int64(1)
    let batch = Modification(drafts.map { .init(.create, $0) }, zone: zone, atomic: atomic)
    try await ask(.modify(Location(database: "private"), batch), as: .customer, me)
    return drafts
  }

  /// An admin cancels what an act may have left, each for itself.
  func forceCancel(
    _ names: [RecordName], in zone: Zone, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let items = names.map {
      Modification.Item(
        .forceUpdate, RecordDraft(name: $0, fields: [.status: .string("cancelled")]))
    }
    try await ask(
      .modify(Location(database: "private"), Modification(items, zone: zone, atomic: false)),
      as: .admin, me)
  }

  /// A position of the corner's driver.
  fileprivate func position(
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> CloudRecord? {
    let draft = RecordDraft(
      name: fresh("position"), type: .driverLocation,
      fields: [
        .driverId: .name(corner.driver), .latitude: .double(corner.point.latitude),
        .longitude: .double(corner.point.longitude),
        .timestamp: .timestamp(me.now.toMilliseconds),
      ])
    return try await zoned([.init(.create, draft)], .driver, me).first?.record
  }

  /// Reads the driver's feed to its end, in small pages.
  fileprivate func follow(
    from token: String?, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> String? {
    var token = token
    for _ in 1...20 {
      let asked = FeedQuery(zone: Corner.zone, syncToken: token, resultsLimit: 50)
      let outcome = try await ask(
        .changes(Location(database: "private"), asked), as: .driver, me)
      guard case .feed(_, let next, let more)? = outcome.reply?.content else { return token }
      token = next
      if !more { break }
    }
    return token
  }
}
