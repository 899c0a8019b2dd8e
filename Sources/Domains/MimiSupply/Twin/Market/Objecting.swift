import Contracts
import MimiSupplyContract
import Timekeeping

// Step 12 of §3.1: the domain's rules, after the change tag.
extension Market {
  func objection(
    to change: Change, by actor: Actor, on shelf: some Shelf, at now: Instant
  ) -> Failure? {
    if actor == .system { return nil }
    switch (change.type, change.before, change.after) {
    case (.partner, let before?, nil):
      return partners[before.name]?.activeOrders.isEmpty ?? true
        ? nil : .constraint(nil, "the partner has active orders")
    case (_, _, nil): return nil
    case (.product, nil, let after?):
      let isKnown = after[Product.partner].map { partners[$0] != nil } ?? false
      return isKnown ? nil : danglingObjection("partnerId names no partner")
    case (.userProfile, let before?, let after?): return profileObjection(from: before, to: after)
    case (.order, nil, let after?): return objection(toNew: after, on: shelf, at: now)
    case (.order, let before?, let after?):
      return objection(
        toOrder: change, from: before, to: after, by: actor, on: shelf, at: now)
    case (.driver, nil, let after?): return driverCreationObjection(after)
    case (.driver, let before?, let after?): return shiftObjection(from: before, to: after)
    case (.driverLocation, nil, let after?): return positionObjection(after, at: now)
    case (.deliveryCompletion, nil, let after?):
      return completionObjection(after, by: actor, on: shelf, at: now)
    case (.deliveryCompletion, let before?, let after?):
      return ratingObjection(from: before, to: after)
    case (.driverOffer, let before?, let after?):
      return answerObjection(change, from: before, to: after, at: now)
    default: return nil
    }
  }

  /// MS-24: what is named must exist.
  func danglingObjection(_ text: String) -> Failure? {
    rules.binds(.ms24) ? .dangling(text) : nil
  }

  private func profileObjection(from before: CloudRecord, to after: CloudRecord) -> Failure? {
    guard let last = before[UserProfile.lastActiveAt],
      let next = after[UserProfile.lastActiveAt], next < last
    else { return nil }
    return .constraint(nil, "lastActiveAt never decreases")
  }

  // MARK: - Drivers (MS-19, MS-65, MS-72, MS-73, MS-118)

  private func driverCreationObjection(_ driver: CloudRecord) -> Failure? {
    guard let user = driver[Driver.user], driverOfUser[user] != nil, keeps(.ms19) else {
      return nil
    }
    return .constraint(nil, "a user has one Driver record")  // MS-19
  }

  /// The reasons of `setDriverStatus`, in the order of §3.4.
  private func shiftObjection(from before: CloudRecord, to after: CloudRecord) -> Failure? {
    let goesOnline = !before[Driver.isOnline] && after[Driver.isOnline]
    let goesOffline = before[Driver.isOnline] && !after[Driver.isOnline]
    let becomesAvailable = !before[Driver.isAvailable] && after[Driver.isAvailable]
    let facts = drivers[after.name]
    if goesOnline || becomesAvailable, after[Driver.verificationStatus] != "verified" {
      return .constraint("driver_not_verified", "only verified drivers work")  // MS-66
    }
    if after[Driver.isAvailable], !after[Driver.isOnline] {
      return .constraint("available_requires_online", "who is offline is not available")
    }
    let active = facts?.activeOrders ?? []
    let isCarrying = active.contains { orders[$0]?.status.isCarried == true }
    if goesOffline, isCarrying {
      return .constraint("driver_busy", "an order is picked up")  // MS-73
    }
    if becomesAvailable, active.count >= settings.driverCapacity {
      return .constraint("driver_busy", "the driver holds as many orders as he may")  // MS-72
    }
    if goesOnline, let user = after[Driver.user], !hasConsent(.location, of: user) {
      return .constraint("consent_missing", "going online needs consent to location")  // MS-118
    }
    return nil
  }

  private func positionObjection(_ position: CloudRecord, at now: Instant) -> Failure? {
    guard let driver = position[DriverLocation.driver].flatMap({ drivers[$0] }) else { return nil }
    if !driver.isOnline { return .constraint("driver_offline", "the driver is offline") }
    guard let at = position[DriverLocation.timestamp], keeps(.ms20) else {
      return nil
    }
    return at > now.toMilliseconds + settings.clockLeeway
      ? .constraint("timestamp_in_future", "timestamp is more than a minute ahead") : nil  // MS-20
  }

  // MARK: - Orders

  private func objection(
    toOrder change: Change, from before: CloudRecord, to after: CloudRecord, by actor: Actor,
    on shelf: some Shelf, at now: Instant
  ) -> Failure? {
    guard let from = before.status, let to = after.status else { return nil }
    if let failure = transitionObjection(to: change, from: from, to: to, on: shelf) {
      return failure
    }
    if before.fields[.driverId] != after.fields[.driverId] {
      if let failure = assignmentObjection(
        from: before, to: after, status: from, by: actor, on: shelf, at: now)
      {
        return failure
      }
    } else if change.named?.contains(.driverId) == true, !isWholeRecord(change),
      let driver = after[Order.driver], actor.name.flatMap({ driverOfUser[$0] }) == driver,
      from == to
    {
      return .unclaimable("order_already_assigned", "the order is yours already")  // MS-69
    }
    return amountObjection(from: before, to: after, status: from, isEnding: to.isTerminal)
      ?? detailObjection(from: before, to: after, status: from, at: now)
  }

  /// A write that names every field of the record is a save of the whole.
  private func isWholeRecord(_ change: Change) -> Bool {
    guard let named = change.named, let before = change.before else { return true }
    let system: FieldNames = [.updatedAt, .actualDeliveryTime]
    return before.fields.names.isSubset(of: named.union(system))
  }

  /// The canonical status that an alias stands for (MS-59).
  func canonical(_ status: String) -> String {
    rules.binds(.ms59) ? OrderStatus.aliases[status] ?? status : status
  }

  private func transitionObjection(
    to change: Change, from: OrderStatus, to: OrderStatus, on shelf: some Shelf
  ) -> Failure? {
    let after = change.after!
    guard from != to else {
      let isNamed = change.named?.contains(.status) == true && !isWholeRecord(change)
      return isNamed && rules.binds(.ms59)
        ? .illegalTransition("the order is \(from.rawValue) already") : nil  // MS-59
    }
    guard let transition = Transition.from(from, to: to) else {
      return (from.isTerminal ? rules.binds(.ms58) : rules.binds(.ms56))
        ? .illegalTransition("\(from.rawValue) does not become \(to.rawValue)") : nil  // MS-56
    }
    switch transition.id {
    case "T2" where after[Order.paymentStatus] != "completed" && rules.binds(.ms63):
      return .constraint(
        "payment_state_invalid", "a confirmed payment is completed",
        mimiError: Failure.paymentFailed)  // MS-63
    case "T6":
      return isTrusted(after[Order.partner])
        ? nil : .constraint("partner_unverified", "the partner is not verified")
    case "T16": return deliveryObjection(after, on: shelf)
    default: return nil
    }
  }

  private func detailObjection(
    from before: CloudRecord, to after: CloudRecord, status: OrderStatus, at now: Instant
  ) -> Failure? {
    if before.fields[.deliveryInstructions] != after.fields[.deliveryInstructions],
      !status.isBeforePickup, !isAnonymised(.deliveryInstructions, from: before, to: after)
    {
      return .illegalTransition("instructions change until pickup")
    }
    if before.fields[.estimatedDeliveryTime] != after.fields[.estimatedDeliveryTime],
      let estimate = after[Order.estimatedDeliveryTime],
      hasPassed(estimate, at: now)
    {
      return .constraint("eta_not_in_future", "estimatedDeliveryTime has passed")  // MS-45
    }
    return nil
  }
}
