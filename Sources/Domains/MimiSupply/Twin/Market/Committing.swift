import Contracts
import MimiSupplyContract
import Timekeeping

// The side effects of a change, in its own commit (§0.2, §5.1).
extension Market {
  /// After the store has stored a change: what else the same commit changes, each record at most once.
  ///
  /// The system's own changes have no further effects: whoever made them made those too.
  mutating func committed(
    _ change: Change, by actor: Actor, on shelf: some Shelf, at now: Instant
  ) -> [Change] {
    index(change, at: now)
    adopt(change, on: shelf)
    guard actor != .system else {
      stirred = []
      return []
    }
    var commit = Commit(on: shelf, at: now)
    switch (change.type, change.before, change.after) {
    case (.order, nil, let after?): reserve(after, in: &commit)
    case (.order, let before?, let after?): followOrder(from: before, to: after, in: &commit)
    case (.driver, let before?, let after?): followDriver(from: before, to: after, in: &commit)
    case (.driverLocation, nil, let after?): followPosition(after, in: &commit)
    case (.deliveryCompletion, let before?, let after?):
      followRating(from: before, to: after, in: &commit)
    case (.driverOffer, let before?, let after?):
      followAnswer(from: before, to: after, in: &commit)
    case (.partner, let before?, nil): removeProducts(of: before.name, in: &commit)
    default: break
    }
    stir(in: &commit)
    return commit.changes
  }

  /// Orders that were there before their partner or driver, as when records are loaded.
  private mutating func adopt(_ change: Change, on shelf: some Shelf) {
    guard change.before == nil, let after = change.after else { return }
    let field: FieldName
    switch after.type {
    case .partner: field = .partnerId
    case .driver: field = .driverId
    default: return
    }
    let active = shelf.names(of: .order, where: field, is: after.name).filter {
      orders[$0]?.status.isActive == true
    }
    guard !active.isEmpty else { return }
    if after.type == .partner {
      partners[after.name]?.activeOrders.formUnion(active)
    } else {
      drivers[after.name]?.activeOrders.formUnion(active)
      placeInGrid(after.name)
    }
  }

  /// Stores a further change of the commit and takes note of it.
  mutating func write(
    _ record: CloudRecord?, for name: RecordName, publicly: Bool = false,
    because reason: String? = nil, in commit: inout Commit<some Shelf>
  ) {
    index(commit.put(record, for: name, publicly: publicly, reason: reason), at: commit.now)
  }

  /// Changes fields of a record that exists.
  mutating func change(
    _ name: RecordName, publicly: Bool = false, _ fields: FieldChanges,
    in commit: inout Commit<some Shelf>
  ) {
    guard let record = commit.record(name, publicly: publicly) else { return }
    let after = record.with(fields)
    guard after.fields != record.fields else { return }
    write(after, for: name, publicly: publicly, in: &commit)
  }

  // MARK: - Orders

  /// What follows from a changed order, whoever changed it.
  mutating func followOrder(
    from before: CloudRecord, to after: CloudRecord, in commit: inout Commit<some Shelf>
  ) {
    guard let from = before.status, let to = after.status else { return }
    let (old, new) = (before[Order.driver], after[Order.driver])
    if from != to, to.isTerminal {
      end(after, from: from, driver: new ?? old, in: &commit)
    } else if old == nil, let new {
      follow(assignmentOf: after.name, to: new, in: &commit)
    } else if let old, new == nil {
      follow(removalOf: old, from: after.name, in: &commit)
    } else if from != to, to.rawValue == settings.dispatchTrigger.rawValue {
      commit.searching.insert(after.name)
    }
  }

  private mutating func end(
    _ order: CloudRecord, from: OrderStatus, driver: RecordName?,
    in commit: inout Commit<some Shelf>
  ) {
    let name = order.name
    if let offer = orders[name]?.openOffer {
      change(offer, [.state: .string("withdrawn")], in: &commit)
    }
    if from.isBeforePickup, rules.binds(.ms52) { returnStock(of: name, in: &commit) }  // MS-52
    guard let driver else { return }
    if order.status == .delivered { count(deliveryOf: order, by: driver, in: &commit) }
    free(driver, in: &commit)
  }

  /// MS-79, and what the driver earns (MS-36).
  private mutating func count(
    deliveryOf order: CloudRecord, by driver: RecordName, in commit: inout Commit<some Shelf>
  ) {
    let pay = rules.binds(.ms36) ? pay(for: order) : 0  // MS-36
    orders[order.name]?.payCents = pay
    drivers[driver]?.lastDeliveryEnd = commit.now
    let deliveries = commit.record(driver)?[Driver.completedDeliveries] ?? 0
    guard rules.binds(.ms79) else { return }
    change(driver, [.completedDeliveries: .int64(deliveries.plus(1))], in: &commit)  // MS-79
  }

  /// "Driver freed" (§5.1).
  private mutating func free(_ driver: RecordName, in commit: inout Commit<some Shelf>) {
    guard let facts = drivers[driver], facts.isOnline else { return }
    let isCarrying = facts.activeOrders.contains { orders[$0]?.status.isCarried == true }
    if !facts.isVerified {
      guard !isCarrying else { return }
      change(driver, [.isOnline: .int64(0), .isAvailable: .int64(0)], in: &commit)
    } else if facts.activeOrders.isEmpty, rules.binds(.ms72) {
      change(driver, [.isAvailable: .int64(1)], in: &commit)  // MS-72
    }
  }

  /// A transition that nobody asked for.
  ///
  /// - Parameter reason: Noted with it (§7.1); `nil` where nothing went wrong.
  mutating func transition(
    _ name: RecordName, to status: OrderStatus, because reason: String?,
    in commit: inout Commit<some Shelf>
  ) {
    guard let before = commit.record(name), let from = before.status,
      let transition = Transition.from(from, to: status)
    else { return }
    var fields: FieldChanges = effects(
      of: transition, on: before, to: status, completedAt: nil, bySystem: true)
    fields[.status] = .string(status.rawValue)
    fields[.updatedAt] = .timestamp(later(than: before, commit.now))
    let after = before.with(fields)
    write(after, for: name, because: reason, in: &commit)
    followOrder(from: before, to: after, in: &commit)
  }

  // MARK: - Drivers of orders

  /// What an assignment brings with it (§6.5).
  private mutating func follow(
    assignmentOf order: RecordName, to driver: RecordName, in commit: inout Commit<some Shelf>
  ) {
    if let offer = orders[order]?.openOffer {
      let isTheirs = offers[offer]?.driver == driver
      change(offer, [.state: .string(isTheirs ? "accepted" : "withdrawn")], in: &commit)
    }
    work.assignments += 1
    guard let facts = drivers[driver], facts.activeOrders.count >= settings.driverCapacity else {
      return
    }
    if facts.isAvailable, rules.binds(.ms72) {
      change(driver, [.isAvailable: .int64(0)], in: &commit)  // MS-72
    }
    withdrawOffer(of: driver, in: &commit)
  }

  /// Sets an order's driver; whoever calls has judged.
  mutating func assign(
    _ order: RecordName, to driver: RecordName, in commit: inout Commit<some Shelf>
  ) {
    guard let before = commit.record(order) else { return }
    let after = before.with([
      .driverId: .name(driver), .updatedAt: .timestamp(later(than: before, commit.now)),
    ])
    write(after, for: order, in: &commit)
    follow(assignmentOf: order, to: driver, in: &commit)
  }

  /// An order's offer that brought its driver, before the order loses him.
  private func offer(of order: RecordName, by driver: RecordName, on shelf: some Shelf)
    -> RecordName?
  {
    shelf.names(of: .driverOffer, where: .orderId, is: order).last {
      guard let record = shelf.record($0) else { return false }
      return record[Order.driver] == driver && record[DriverOffer.state] == "accepted"
    }
  }

  private mutating func follow(
    removalOf driver: RecordName, from order: RecordName, in commit: inout Commit<some Shelf>
  ) {
    if let offer = offer(of: order, by: driver, on: commit.shelf) {
      change(offer, [.state: .string("withdrawn")], in: &commit)
    }
    free(driver, in: &commit)
    commit.searching.insert(order)
  }

  /// Takes the driver from an order before pickup (MS-71).
  mutating func removeDriver(
    from order: RecordName, because reason: String? = nil, in commit: inout Commit<some Shelf>
  ) {
    guard let before = commit.record(order), let driver = before[Order.driver],
      before.status?.isBeforePickup == true
    else { return }
    let after = before.with([
      .driverId: nil, .updatedAt: .timestamp(later(than: before, commit.now)),
    ])
    write(after, for: order, because: reason, in: &commit)
    follow(removalOf: driver, from: order, in: &commit)
  }

  /// The order of a withdrawn offer goes on looking.
  private mutating func withdrawOffer(
    of driver: RecordName, in commit: inout Commit<some Shelf>
  ) {
    guard let offer = drivers[driver]?.openOffer, let order = offers[offer]?.order else { return }
    change(offer, [.state: .string("withdrawn")], in: &commit)
    commit.searching.insert(order)
  }

  // MARK: - Drivers

  /// MS-73, and suspension (§5.5).
  private mutating func followDriver(
    from before: CloudRecord, to after: CloudRecord, in commit: inout Commit<some Shelf>
  ) {
    let goesOffline = before[Driver.isOnline] && !after[Driver.isOnline]
    let losesTrust =
      before[Driver.verificationStatus] == "verified"
      && after[Driver.verificationStatus] != "verified"
    guard goesOffline || losesTrust, rules.binds(.ms73) else { return }
    withdrawOffer(of: after.name, in: &commit)
    let held = (drivers[after.name]?.activeOrders ?? []).sorted()
    for order in held where orders[order]?.status.isBeforePickup == true {
      removeDriver(from: order, in: &commit)
    }
  }

  /// MS-75, and when paid waiting begins (§5.4).
  private mutating func followPosition(
    _ position: CloudRecord, in commit: inout Commit<some Shelf>
  ) {
    guard let name = position[DriverLocation.driver], let facts = drivers[name],
      let point = position.point(DriverLocation.latitude, DriverLocation.longitude),
      let at = position[DriverLocation.timestamp]
    else { return }
    drivers[name]!.heardAt = commit.now
    for order in facts.activeOrders.sorted() {
      heard(driver: name, at: point, for: order, commit.now)
    }
    if let latest = facts.positionAt, at < latest, rules.binds(.ms75) { return }  // MS-75
    let wasFresh = isFresh(facts, at: commit.now)
    drivers[name]!.position = point
    drivers[name]!.positionAt = at
    let moved = drivers[name]!
    if grid.contains(name) || isFree(moved) {
      grid.place(name, at: point)
      if wasFresh, let old = facts.position {
        stirIfNearer(name, from: old)
      } else {
        stirred.append(name)
      }
    }
    guard let record = commit.record(name) else { return }
    var after = record
    after[Driver.currentLatitude] = point.latitude
    after[Driver.currentLongitude] = point.longitude
    guard after.fields != record.fields else { return }
    write(after, for: name, in: &commit)
  }

  /// A driver who was a candidate for all orders near him already is no news.
  private mutating func stirIfNearer(_ driver: RecordName, from old: Geography.Point) {
    var isNews = false
    // No closure: it would hold a copy of the market.
    for place in line.places where !isNews {
      guard let order = orders[place.order] else { continue }
      isNews = !isInRadius(old, of: order) && isInRadius(drivers[driver]!.position, of: order)
    }
    stirred.removeAll { $0 == driver }
    if isNews { stirred.append(driver) }
  }

  private mutating func heard(
    driver: RecordName, at point: Geography.Point, for order: RecordName, _ now: Instant
  ) {
    guard let facts = orders[order], facts.status.isBeforePickup else { return }
    if timers.due(.offline, order) != nil {
      timers.set(.offline, order, at: now + settings.offlineGrace)
    }
    if facts.waitingSince == nil, let partner = partners[facts.partner],
      Geography.metres(point, partner.point) <= settings.pay.waitingRadius
    {
      orders[order]!.waitingSince = now
    }
  }

  /// A driver's answer to his offer: the same as a claim of the order (§3.4).
  private mutating func followAnswer(
    from before: CloudRecord, to after: CloudRecord, in commit: inout Commit<some Shelf>
  ) {
    guard before[DriverOffer.state] == "offered", let order = after[DriverOffer.order],
      let driver = after[DriverOffer.driver]
    else { return }
    switch after[DriverOffer.state] {
    case "accepted": assign(order, to: driver, in: &commit)
    case "declined": commit.searching.insert(order)
    default: break
    }
  }

  // MARK: - Ratings

  /// MS-80: the value counts for driver and partner (OP-16).
  private mutating func followRating(
    from before: CloudRecord, to after: CloudRecord, in commit: inout Commit<some Shelf>
  ) {
    guard before[DeliveryCompletion.customerRating] == nil,
      let stars = after[DeliveryCompletion.customerRating],
      rules.binds(.ms80), let order = after[DeliveryCompletion.order], let facts = orders[order]
    else { return }
    if let driver = facts.driver, drivers[driver] != nil {
      drivers[driver]!.ratings.add(stars)
      change(driver, [.rating: .double(drivers[driver]!.ratings.mean)], in: &commit)
    }
    if partners[facts.partner] != nil {
      partners[facts.partner]!.ratings.add(stars)
      let ratings = partners[facts.partner]!.ratings
      change(
        facts.partner, publicly: true,
        [.rating: .double(ratings.mean), .reviewCount: .int64(ratings.count)], in: &commit)
    }
  }

  /// MS-25.
  private mutating func removeProducts(
    of partner: RecordName, in commit: inout Commit<some Shelf>
  ) {
    guard rules.binds(.ms25) else { return }
    for product in commit.shelf.names(of: .product, where: .partnerId, is: partner) {
      write(nil, for: product, publicly: true, in: &commit)
    }
  }
}
