import Contracts
import MimiSupplyContract
import Timekeeping

// Derived audiences (§2.13). What is not visible looks as if it did not exist (MS-106).
extension Market {
  /// Whether a record lies in the caller's visible set.
  ///
  /// - Parameter now: Positions grow stale by it in pool mode; without it, the latest instant the market knows.
  func isVisible(
    _ record: CloudRecord, to actor: Actor, on shelf: some Shelf, at now: Instant? = nil
  ) -> Bool {
    if case .other = record.type { return false }
    if record.isPublic { return true }  // MS-102
    if actor == .system || actor.isAdmin { return true }
    guard let name = actor.name, actor != .anonymous else { return false }  // MS-101
    guard rules.binds(.ms106) else { return true }
    switch record.type {
    case .userProfile: return record.name == name.profile
    case .order: return seesOrder(record, name, at: max(now ?? self.now, self.now))
    case .driver: return seesDriver(record, name)
    case .driverLocation: return seesPosition(record, name)
    case .deliveryCompletion: return seesCompletion(record, name, on: shelf)
    case .driverOffer: return isOwn(driver: record[DriverOffer.driver], name)
    default: return false
    }
  }

  func isOwn(driver: RecordName?, _ user: UserName) -> Bool {
    guard let driver else { return false }
    return drivers[driver]?.user == user
  }

  private func seesOrder(_ order: CloudRecord, _ name: UserName, at now: Instant) -> Bool {
    if order[Order.customer] == name { return true }
    guard let facts = orders[order.name] else { return false }
    if facts.wasConfirmed, partners[facts.partner]?.owner == name { return true }
    guard let own = driverOfUser[name] else { return false }
    return facts.driver == own || isOpen(facts, to: own, at: now)
  }

  /// Whether an order that has no driver yet is offered to one, or lies in the pool before him.
  private func isOpen(_ order: OrderState, to driver: RecordName, at now: Instant) -> Bool {
    if let offer = order.openOffer, offers[offer]?.driver == driver { return true }
    return settings.dispatchMode == .pool && order.isWaiting
      && isCandidate(driver, for: order, at: now)
  }

  /// Whether an old state of an order was open to a user. The market may have taken note of the change that ended it;
  /// then the state itself must have been one in which a driver is searched.
  func wasOpen(_ before: CloudRecord, to user: UserName, at now: Instant) -> Bool {
    guard before.type == .order, before[Order.driver] == nil, let status = before.status,
      isSearched(status), let facts = orders[before.name], let driver = driverOfUser[user]
    else { return false }
    return isOpen(facts, to: driver, at: max(now, self.now))
  }

  /// The orders of the pool that a driver sees, in the order in which they wait.
  func pool(before driver: RecordName, at now: Instant) -> [RecordName] {
    guard settings.dispatchMode == .pool else { return [] }
    return line.places.map(\.order).filter { name in
      orders[name].map { isOpen($0, to: driver, at: max(now, self.now)) } ?? false
    }
  }

  /// What the drivers whom a commit may make eligible see of the pool before it.
  ///
  /// Of a driver's order the market has taken note when a timer changes it; with a capacity of 1 he saw nothing then.
  func pools(beside changes: [Change], at now: Instant) -> [RecordName: Set<RecordName>] {
    guard settings.dispatchMode == .pool else { return [:] }
    var pools: [RecordName: Set<RecordName>] = [:]
    for change in changes {
      guard let record = change.before ?? change.after else { continue }
      switch change.type {
      case .driver: pools[record.name] = Set(pool(before: record.name, at: now))
      case .driverLocation, .order:
        guard let driver = record[DriverLocation.driver] else { continue }
        let wasFull = change.type == .order && settings.driverCapacity == 1
        pools[driver] = wasFull ? [] : Set(pool(before: driver, at: now))
      default: break
      }
    }
    return pools
  }

  /// Step 8 of §3.1 for a modification: a driver who had the order before him and claims it too late is told so, as
  /// MS-69 wants it, although he sees it no longer.
  func isReachable(
    _ change: Change, to actor: Actor, on shelf: some Shelf, at now: Instant
  ) -> Bool {
    guard let before = change.before else { return true }
    if isVisible(before, to: actor, on: shelf, at: now) { return true }
    guard before.type == .order, let after = change.after, let name = actor.name,
      let own = driverOfUser[name], let facts = orders[before.name],
      after[Order.driver] == own || after[Order.status] == OrderStatus.claim
    else { return false }
    if facts.offered.contains(own) { return true }
    return settings.dispatchMode == .pool && facts.driver != nil && facts.status.isBeforePickup
      && isEligible(own, for: facts, at: now)
  }

  /// Takes note of what a driver was shown of orders that wait for one (MS-83): when he loses one of them, he sees it no
  /// longer, but the state on which his claim rests he had rightly read.
  mutating func noteShown(_ records: [CloudRecord], to actor: Actor) {
    guard let driver = actor.name.flatMap({ driverOfUser[$0] }) else { return }
    for record in records where record.type == .order && record[Order.driver] == nil {
      if orders[record.name]?.status.isBeforePickup == true {
        orders[record.name]!.shown[driver] = record.changeTag
      }
    }
  }

  func wasShown(_ order: RecordName, _ tag: String, to actor: Actor) -> Bool {
    guard let driver = actor.name.flatMap({ driverOfUser[$0] }) else { return false }
    return orders[order]?.shown[driver] == tag
  }

  private func seesDriver(_ driver: CloudRecord, _ name: UserName) -> Bool {
    if driver[Driver.user] == name { return true }
    return hasActiveOrder(with: driver.name, name) { _ in true }
  }

  private func seesPosition(_ position: CloudRecord, _ name: UserName) -> Bool {
    guard let driver = position[DriverLocation.driver] else { return false }
    if isOwn(driver: driver, name) { return true }
    guard let at = position[DriverLocation.timestamp] else { return false }
    return hasActiveOrder(with: driver, name) { facts in
      facts.assignedAt.map { at.unixMilliseconds >= $0.unixMilliseconds } ?? false
    }
  }

  /// As customer or as the partner's owner.
  private func hasActiveOrder(
    with driver: RecordName, _ name: UserName, where holds: (OrderState) -> Bool
  ) -> Bool {
    guard var active = drivers[driver]?.activeOrders else { return false }
    if !rules.binds(.ms107) {  // MS-107
      active.formUnion(orders.all.filter { $0.value.driver == driver }.keys)
    }
    return active.contains { order in
      guard let facts = orders[order], holds(facts) else { return false }
      return facts.customer == name
        || (facts.wasConfirmed && partners[facts.partner]?.owner == name)
    }
  }

  private func seesCompletion(
    _ completion: CloudRecord, _ name: UserName, on shelf: some Shelf
  ) -> Bool {
    if isOwn(driver: completion[DeliveryCompletion.driver], name) { return true }
    guard let order = completion[DeliveryCompletion.order], let facts = orders[order] else {
      return false
    }
    return facts.customer == name || partners[facts.partner]?.owner == name
  }

  /// The record as `fetchAvailableDrivers` shows it (§3.4); `nil`: refused.
  func supply(_ driver: CloudRecord, to actor: Actor) -> CloudRecord? {
    if actor == .system || actor.isAdmin { return driver }
    guard case .user(_, .partner, _) = actor else { return nil }
    var reduced = driver
    reduced.fields = driver.fields.reduced(to: [.vehicleType, .rating, .isOnline, .isAvailable])
    for field in [Driver.currentLatitude, Driver.currentLongitude] {
      reduced[field] = driver[field]?.rounded(decimals: 3)
    }
    // Stamps and zone would name the driver's user.
    reduced.zone.ownerRecordName = nil
    reduced.created = Stamp(driver.created.timestamp, by: .system, on: nil)
    reduced.modified = Stamp(driver.modified.timestamp, by: .system, on: nil)
    return reduced
  }
}
