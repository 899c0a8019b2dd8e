import MimiSupplyContract
import Timekeeping

// What the market takes from a stored change. Taking the same change twice changes nothing: the store tells the market
// of the market's own changes too.
extension Market {
  mutating func index(_ change: Change, at now: Instant) {
    self.now = max(self.now, now)
    switch change.type {
    case .partner: indexPartner(change)
    case .product: indexProduct(change)
    case .driver: indexDriver(change, at: now)
    case .driverOffer: indexOffer(change, at: now)
    case .order: indexOrder(change, at: now)
    default: break
    }
  }

  private mutating func indexPartner(_ change: Change) {
    guard let after = change.after else {
      partners[change.name] = nil
      return
    }
    let rating = after[Partner.rating] ?? 0
    let count = after[Partner.reviewCount] ?? 0
    let before = partners[after.name]
    partners[after.name] = PartnerState(
      owner: after.created.userRecordName,
      point: after.point(Partner.latitude, Partner.longitude) ?? Geography.Point(0, 0),
      // In whole millimetres: a decimal number of kilometres is no exact double.
      radiusMetres: ((after[Partner.deliveryRadius] ?? 0) * 1_000_000).rounded() / 1_000,
      hours: change.before?.fields[.openingHours] == after.fields[.openingHours]
        && before != nil
        ? before?.hours : after[Partner.openingHours].flatMap { OpeningHours(parsing: $0) },
      minimumOrderAmount: after[Partner.minimumOrderAmount] ?? 0,
      isVerified: after[Partner.isVerified], isActive: after[Partner.isActive],
      ratings: before?.ratings
        ?? RatingSum(mean: rating, count: count),
      activeOrders: before?.activeOrders ?? [])
  }

  private mutating func indexProduct(_ change: Change) {
    guard let after = change.after else {
      switchedOff.remove(change.name)
      return
    }
    guard let before = change.before,
      before.fields[.isAvailable] != after.fields[.isAvailable]
    else { return }
    let isUsedUp =
      !after[Product.isAvailable] && after[Product.stockQuantity] == 0
      && before[Product.stockQuantity] != 0
    if isUsedUp { switchedOff.insert(after.name) } else { switchedOff.remove(after.name) }
  }

  // MARK: - Drivers

  private mutating func indexDriver(_ change: Change, at now: Instant) {
    guard let after = change.after else {
      if let facts = drivers[change.name] { driverOfUser[facts.user] = nil }
      drivers[change.name] = nil
      grid.place(change.name, at: nil)
      return
    }
    var facts =
      drivers[after.name]
      ?? DriverFacts(
        user: after[Driver.user] ?? "", isVerified: false, isOnline: false, isAvailable: false,
        vehicle: "", rating: 0, completedDeliveries: 0, ratings: RatingSum())
    facts.isVerified = after[Driver.verificationStatus] == "verified"
    facts.isOnline = after[Driver.isOnline]
    facts.isAvailable = after[Driver.isAvailable]
    facts.vehicle = after[Driver.vehicleType] ?? ""
    facts.rating = after[Driver.rating] ?? 0
    facts.completedDeliveries = after[Driver.completedDeliveries] ?? 0
    let point = after.point(Driver.currentLatitude, Driver.currentLongitude)
    if point != facts.position || change.named?.contains(.currentLatitude) == true {
      facts.position = point
      facts.positionAt = point.map { _ in now.toMilliseconds }
      facts.heardAt = now
    }
    drivers[after.name] = facts
    driverOfUser[facts.user] = after.name
    placeInGrid(after.name)
  }

  /// Puts a driver where a search finds him, or takes him out.
  mutating func placeInGrid(_ name: RecordName) {
    guard let facts = drivers[name] else { return }
    let isFree = isFree(facts)
    grid.place(name, at: isFree ? facts.position : nil)
    if isFree { stirred.append(name) }
  }

  // MARK: - Offers

  private mutating func indexOffer(_ change: Change, at now: Instant) {
    let name = change.name
    guard let record = change.after ?? change.before, let order = record[DriverOffer.order],
      let driver = record[DriverOffer.driver]
    else { return }
    let state = change.after?[DriverOffer.state]
    if state == "offered" {
      guard offers[name] == nil else { return }
      offers[name] = OfferFacts(order: order, driver: driver)
      orders[order]?.openOffer = name
      orders[order]?.offered.insert(driver)
      orders[order]?.asked.insert(driver)
      let attempt = max(orders[order]?.attempts ?? 0, record[DriverOffer.attempt] ?? 0)
      orders[order]?.attempts = attempt
      drivers[driver]?.openOffer = name
      timers.set(.retry, order, at: nil)
      timers.set(.offer, name, at: expiry(of: record, at: now))
    } else {
      guard offers.removeValue(forKey: name) != nil else { return }
      if orders[order]?.openOffer == name { orders[order]?.openOffer = nil }
      if drivers[driver]?.openOffer == name { drivers[driver]?.openOffer = nil }
      if state == "accepted" { orders[order]?.acceptedOffer = name }
      timers.set(.offer, name, at: nil)
    }
    placeInGrid(driver)
  }

  /// To the nanosecond for an offer made now; to the record's millisecond for one that was loaded.
  private func expiry(of offer: CloudRecord, at now: Instant) -> Instant {
    guard let offered = offer[DriverOffer.offeredAt],
      let expires = offer[DriverOffer.expiresAt], offered != now.toMilliseconds
    else { return now + settings.offerLifetime }
    return expires
  }

  // MARK: - Orders

  private mutating func indexOrder(_ change: Change, at now: Instant) {
    guard let after = change.after, let status = after.status,
      let partner = after[Order.partner], let customer = after[Order.customer]
    else {
      forgetOrder(change.name)
      return
    }
    let known = orders[after.name]
    var facts =
      known
      ?? OrderState(
        customer: customer, partner: partner, status: status, createdAt: now, enteredAt: now)
    facts.customer = customer
    if facts.status != status {
      facts.status = status
      facts.enteredAt = now
    }
    if status.place >= OrderStatus.paymentConfirmed.place, !status.isTerminal {
      facts.wasConfirmed = true
    } else if status == .delivered || after[Order.paymentStatus] == "refunded" {
      facts.wasConfirmed = true
    }
    if status == .pickedUp, facts.pickedUpAt == nil { facts.pickedUpAt = now }
    if !status.isBeforePickup { facts.shown = [:] }
    indexPayment(of: after, into: &facts)
    let driverBefore = known?.driver
    let driver = after[Order.driver]
    if driver != driverBefore {
      facts.driver = driver
      facts.assignedAt = driver == nil ? nil : now
      facts.waitingSince = nil
      if driver == nil { facts.acceptedOffer = nil }
    }
    indexSearch(of: after.name, known: known, into: &facts, at: now)
    orders[after.name] = facts
    if status.isActive {
      partners[partner]?.activeOrders.insert(after.name)
    } else {
      partners[partner]?.activeOrders.remove(after.name)
    }
    if let driverBefore, driverBefore != driver { detach(after.name, from: driverBefore) }
    if let driver {
      if status.isActive {
        if drivers[driver]?.activeOrders.insert(after.name).inserted == true {
          placeInGrid(driver)
        }
      } else {
        detach(after.name, from: driver)
      }
    }
    setTimers(of: after.name, facts, at: now)
  }

  private mutating func detach(_ order: RecordName, from driver: RecordName) {
    if drivers[driver]?.activeOrders.remove(order) != nil { placeInGrid(driver) }
  }

  private mutating func forgetOrder(_ name: RecordName) {
    guard let facts = orders.removeValue(forKey: name) else { return }
    if let trigger = facts.trigger { line.remove(WaitingLine.Place(trigger: trigger, order: name)) }
    partners[facts.partner]?.activeOrders.remove(name)
    if let driver = facts.driver { detach(name, from: driver) }
    for kind: TimerKind in [.partner, .pickup, .offline, .giveUp, .unpaid, .payment, .retry] {
      timers.set(kind, name, at: nil)
    }
  }

  /// What was paid and given back, by payment status (MS-37, MS-38).
  private func indexPayment(of order: CloudRecord, into facts: inout OrderState) {
    let total = order[Order.totalCents] ?? 0
    switch order[Order.paymentStatus] {
    // MS-38: what a tip adds comes in, too.
    case "completed" where facts.paidCents == 0 || rules.binds(.ms38): facts.paidCents = total
    case "refunded":
      facts.paidCents = total
      facts.refundedCents = total
    default: break
    }
  }

  /// Whether a driver is searched for an order in this status that has none (§6.1).
  func isSearched(_ status: OrderStatus) -> Bool {
    let trigger = OrderStatus.of(settings.dispatchTrigger.rawValue)!
    return status.isBeforePickup && status.place >= trigger.place
  }

  /// Begins, goes on with or ends the search for a driver (§6.1).
  private mutating func indexSearch(
    of name: RecordName, known: OrderState?, into facts: inout OrderState, at now: Instant
  ) {
    if !isSearched(facts.status) || facts.driver != nil {
      facts.trigger = nil
    } else if facts.trigger == nil {
      facts.trigger = now
      facts.cause = known?.driver == nil ? .first : .redispatch
      facts.asked = []
      facts.roundIsOver = false
    }
    guard facts.trigger != known?.trigger else { return }
    if let trigger = known?.trigger {
      line.remove(WaitingLine.Place(trigger: trigger, order: name))
    }
    if let trigger = facts.trigger {
      line.insert(WaitingLine.Place(trigger: trigger, order: name))
      // The commit that runs makes the first attempt; where none runs, as when records are loaded, this does.
      beginSearch(for: name, at: now)
    } else {
      timers.set(.retry, name, at: nil)
      assignable.remove(name)
    }
  }

  /// The timers of §6.6 that a state of an order asks for.
  private mutating func setTimers(of name: RecordName, _ facts: OrderState, at now: Instant) {
    let isUnpaid = facts.status == .created || facts.status == .paymentProcessing
    timers.set(
      .unpaid, name,
      at: isUnpaid && rules.binds(.ms55) ? facts.createdAt + settings.unpaidTimeout : nil)
    timers.set(
      .partner, name,
      at: facts.status == .paymentConfirmed && rules.binds(.ms62)
        ? facts.enteredAt + settings.partnerAcceptTimeout : nil)
    timers.set(
      .payment, name,
      at: facts.status == .paymentProcessing && settings.paymentMode == .stub
        ? facts.enteredAt + settings.paymentDelay : nil)
    var pickup: Instant?
    var offline: Instant?
    if let driver = facts.driver, let assigned = facts.assignedAt, facts.status.isBeforePickup {
      if facts.status == .readyForPickup {
        pickup = max(assigned, facts.enteredAt) + settings.pickupTimeout
      }
      let heard = drivers[driver]?.heardAt ?? assigned
      if rules.binds(.ms71) { offline = max(assigned, heard) + settings.offlineGrace }
    }
    timers.set(.pickup, name, at: pickup)
    timers.set(.offline, name, at: offline)
    var giveUp: Instant?
    if facts.isWaiting, facts.status != .paymentConfirmed, rules.binds(.ms70),
      let trigger = facts.trigger
    {
      giveUp = max(trigger + settings.dispatchGiveUp, facts.enteredAt)
      // A later status must not put it off: it was due when the order was accepted, at the latest.
      giveUp = timers.due(.giveUp, name).map { min($0, giveUp!) } ?? giveUp
    }
    timers.set(.giveUp, name, at: giveUp)
  }
}
