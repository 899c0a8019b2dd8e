import Contracts
import MimiSupplyContract
import Timekeeping

// Claims, assignments by admins, releases, answers to offers (§6.5).
extension Market {
  /// Judges a changed `driverId`.
  func assignmentObjection(
    from before: CloudRecord, to after: CloudRecord, status: OrderStatus, by actor: Actor,
    on shelf: some Shelf, at now: Instant
  ) -> Failure? {
    guard let facts = orders[before.name] else { return nil }
    guard let driver = after[Order.driver] else {
      return status.isBeforePickup || !rules.binds(.ms64)
        ? nil : .illegalTransition("a picked up order keeps its driver")  // MS-64
    }
    let isOwn = actor.name.flatMap { driverOfUser[$0] } == driver
    if !isOwn {
      guard let record = shelf.record(driver), record.type == .driver else {
        return .dangling("driverId names no driver")  // MS-24
      }
    }
    return claimObjection(
      of: before.name, facts, by: driver, isAdmin: actor.isAdmin && !isOwn, at: now)
  }

  /// The reasons of a claim, in the order of §3.4.
  private func claimObjection(
    of order: RecordName, _ facts: OrderState, by driver: RecordName, isAdmin: Bool, at now: Instant
  ) -> Failure? {
    if rules.binds(.ms64), !facts.status.isBeforePickup {
      return facts.driver == nil
        ? .illegalTransition("the order is \(facts.status.rawValue)")
        : .unclaimable("order_already_assigned", "the order has its driver")  // MS-64
    }
    if facts.driver != nil, rules.binds(.ms69) {
      return .unclaimable("order_already_assigned", "the order has a driver")  // MS-69
    }
    guard facts.trigger != nil || facts.driver != nil else {
      return .illegalTransition("the order waits for no driver yet")
    }
    guard let candidate = drivers[driver] else { return nil }
    if isAdmin {
      guard candidate.isVerified, candidate.isOnline else {
        return .unclaimable("driver_not_eligible", "the driver is not verified and online")
      }
    } else {
      if settings.dispatchMode != .pool, rules.binds(.ms67) {  // MS-67
        guard let offer = facts.openOffer else {
          return .unclaimable("offer_expired", "the order has no open offer")
        }
        guard offers[offer]?.driver == driver else {
          let isPast = facts.offered.contains(driver)
          return .unclaimable(
            isPast ? "offer_expired" : "offer_not_yours", "the open offer is another driver's")
        }
      }
      guard isEligible(driver, for: facts, at: now) || !rules.binds(.ms66) else {
        return .unclaimable("driver_not_eligible", "the driver is no candidate")  // MS-66
      }
    }
    if candidate.activeOrders.count >= settings.driverCapacity, rules.binds(.ms65) {
      return .unclaimable("driver_at_capacity", "the driver holds as many orders as he may")
    }
    guard isAdmin || candidate.isAvailable || !rules.binds(.ms66) else {
      return .unclaimable("driver_not_eligible", "the driver is not available")  // MS-66
    }
    return nil
  }

  /// A driver's answer to an offer: claim or refusal.
  func answerObjection(
    _ change: Change, from before: CloudRecord, to after: CloudRecord, at now: Instant
  ) -> Failure? {
    let isAnswer =
      before.fields[.state] != after.fields[.state]
      || (change.named?.contains(.state) == true && before[DriverOffer.state] != "offered")
    guard isAnswer, let order = before[DriverOffer.order], let driver = before[DriverOffer.driver]
    else {
      return nil
    }
    let isOpen = offers[before.name] != nil
    if after[DriverOffer.state] == "declined" {
      return isOpen ? nil : .constraint("offer_closed", "the offer is answered or over")
    }
    guard let facts = orders[order] else {
      return .unclaimable("offer_expired", "the order is gone")
    }
    if facts.driver != nil, rules.binds(.ms69) {
      return .unclaimable("order_already_assigned", "the order has a driver")  // MS-69
    }
    guard isOpen || !rules.binds(.ms67) else {
      return .unclaimable("offer_expired", "the offer is over")  // MS-67
    }
    return claimObjection(of: order, facts, by: driver, isAdmin: false, at: now)
  }

  // MARK: - Who may take an order (§6.3)

  /// All that makes a candidate except being free: verified, online, a fresh position, consent, the vehicle, and in
  /// pool mode the radius.
  func isEligible(_ name: RecordName, for order: OrderState, at now: Instant) -> Bool {
    guard let driver = drivers[name], driver.isVerified, driver.isOnline,
      isFresh(driver, at: now), suits(driver)
    else { return false }
    guard settings.dispatchMode == .pool else { return true }
    return isInRadius(driver.position, of: order)
  }

  /// A candidate of §6.3, but for having been asked before.
  func isCandidate(_ name: RecordName, for order: OrderState, at now: Instant) -> Bool {
    guard let driver = drivers[name], isFree(driver), isFresh(driver, at: now) else {
      return false
    }
    return isInRadius(driver.position, of: order)
  }

  // These are inlined, since a call of them would copy the market for whoever changes it.

  /// What the grid holds: candidates but for freshness and distance.
  @inline(__always) func isFree(_ driver: DriverFacts) -> Bool {
    let works = driver.isVerified && driver.isOnline && driver.isAvailable
    return (works || !rules.binds(.ms66)) && driver.openOffer == nil  // MS-66
      && driver.activeOrders.count < settings.driverCapacity && driver.position != nil
      && suits(driver)
  }

  @inline(__always) func isFresh(_ driver: DriverFacts, at now: Instant) -> Bool {
    driver.isFresh(since: oldestFresh(at: now))
  }

  /// Since when a position is fresh; `nil` where every one is (MS-66 off).
  @inline(__always) func oldestFresh(at now: Instant) -> Instant? {
    rules.binds(.ms66) ? now.toMilliseconds - settings.positionMaxAge : nil
  }

  @inline(__always) private func suits(_ driver: DriverFacts) -> Bool {
    (settings.requiredVehicle.map { $0 == driver.vehicle } ?? true)
      && hasConsent(.location, of: driver.user)
  }

  @inline(__always) func isInRadius(_ position: Geography.Point?, of order: OrderState) -> Bool {
    guard let position, let partner = partners[order.partner] else { return false }
    guard
      (position.latitude - partner.point.latitude).magnitude * 111_000
        <= Double(settings.dispatchRadius) + 1
    else { return false }
    return Geography.metres(position, partner.point) <= settings.dispatchRadius
  }
}
