import Contracts
import MimiSupplyContract
import Timekeeping

// What the twin adds to a write before it is judged: types, aliases, forced and system-maintained values, and the
// fields of the same record that follow from it, so that a commit changes a record once.
extension Market {
  func completed(
    _ change: Change, by actor: Actor, on shelf: some Shelf, at now: Instant
  ) -> Change {
    guard var after = change.after, let schema = RecordSchema.of(after.type) else { return change }
    schema.type(&after)
    var change = change
    change.after = after
    guard actor != .system else { return change }
    switch after.type {
    case .partner: change.after = completedPartner(after, since: change.before, by: actor)
    case .product: change.after = completedProduct(after, since: change.before, at: now)
    case .order: completeOrder(&change, by: actor, on: shelf, at: now)
    case .driver: change.after = completedDriver(after, since: change.before, by: actor)
    case .userProfile: change.after = completedProfile(after, since: change.before, at: now)
    default: break
    }
    return change
  }

  private func completedPartner(
    _ after: CloudRecord, since before: CloudRecord?, by actor: Actor
  ) -> CloudRecord {
    guard before == nil else { return after }
    var forced: FieldChanges = [.rating: .double(0), .reviewCount: .int64(0)]
    if !actor.isAdmin {
      forced[.isVerified] = .int64(0)
      forced[.isActive] = .int64(0)
    }
    return after.with(forced)
  }

  private func completedProduct(
    _ after: CloudRecord, since before: CloudRecord?, at now: Instant
  ) -> CloudRecord {
    var after = after.with([.updatedAt: .timestamp(later(than: before, now))])
    let reachesZero = after[Product.stockQuantity] == 0 && before?[Product.stockQuantity] != 0
    if reachesZero, after.fields[.isAvailable] != nil { switchOff(&after.fields) }
    return after
  }

  private func completedDriver(
    _ after: CloudRecord, since before: CloudRecord?, by actor: Actor
  ) -> CloudRecord {
    guard let before else {
      return after.with([
        .verificationStatus: .string("pending"), .rating: .double(0),
        .completedDeliveries: .int64(0), .isOnline: .int64(0), .isAvailable: .int64(0),
      ])
    }
    var after = after
    let isCarrying = drivers[after.name]?.activeOrders.contains {
      orders[$0]?.status.isCarried == true
    }
    // §5.5: a driver who is no longer verified goes offline, once what was picked up has been delivered.
    if before[Driver.verificationStatus] == "verified",
      after[Driver.verificationStatus] != "verified"
    {
      after.fields[.isAvailable] = .int64(0)
      if isCarrying != true { after.fields[.isOnline] = .int64(0) }
    }
    let goesOffline = before[Driver.isOnline] && after.fields[.isOnline] == .int64(0)
    let wasAvailable = before.fields[.isAvailable] == after.fields[.isAvailable]
    if goesOffline, wasAvailable {
      after.fields[.isAvailable] = .int64(0)  // MS-73
    }
    return after
  }

  private func completedProfile(
    _ after: CloudRecord, since before: CloudRecord?, at now: Instant
  ) -> CloudRecord {
    // Setting the push token counts as activity (§2.4).
    guard let before, before.fields[.deviceToken] != after.fields[.deviceToken],
      before.fields[.lastActiveAt] == after.fields[.lastActiveAt],
      let last = before[UserProfile.lastActiveAt]
    else { return after }
    return after.with([.lastActiveAt: .timestamp(max(last, now.toMilliseconds))])
  }

  private func completeOrder(
    _ change: inout Change, by actor: Actor, on shelf: some Shelf, at now: Instant
  ) {
    var after = change.after!
    if let status = after[Order.status] { after.fields[.status] = .string(canonical(status)) }
    after.fields[.updatedAt] = .timestamp(later(than: change.before, now))
    guard let before = change.before else {
      change.after = after
      return
    }
    if after[Order.status] == OrderStatus.claim {
      after.fields[.status] = before.fields[.status]
      if before.fields[.driverId] == after.fields[.driverId],
        let own = actor.name.flatMap({ driverOfUser[$0] })
      {
        after.fields[.driverId] = .name(own)
      }
      change.named?.remove(.status)
      change.named?.insert(.driverId)
    }
    let implied = impliedFields(from: before, to: after, by: actor, on: shelf)
    for (field, value) in implied.declared where before.fields[field] == after.fields[field] {
      after.fields[field] = value
    }
    change.after = after
  }

  /// What a legal transition changes besides the status.
  func impliedFields(
    from before: CloudRecord, to after: CloudRecord, by actor: Actor, on shelf: some Shelf
  ) -> FieldChanges {
    guard let from = before.status, let to = after.status,
      let transition = Transition.from(from, to: to)
    else { return [:] }
    var completedAt: Instant?
    if to == .delivered,
      let completion = shelf.names(of: .deliveryCompletion, where: .orderId, is: after.name)
        .first,
      let at = shelf.record(completion)?[DeliveryCompletion.completedAt]
    {
      completedAt = at
    }
    return effects(
      of: transition, on: before, to: to, completedAt: completedAt, bySystem: actor == .system)
  }
}
