import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

// Whole deliveries, for acts that need an order further on than its customer can bring it (§5.3, §5.4).
extension Adversary {
  /// The Driver record of a driving role.
  func driver(of role: Corner.Role) -> RecordName {
    role == .relief ? corner.relief : corner.driver
  }

  /// Brings a driver of the corner online, near the partner, where offers find him.
  func goOnline(
    as role: Corner.Role = .driver, metres: Double = 200, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await update(
      driver(of: role), [.isOnline: .int64(1), .isAvailable: .int64(1)], as: role, me)
    try await drive(as: role, metres: metres, me)
  }

  func goOffline(
    as role: Corner.Role = .driver, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await update(driver(of: role), [.isOnline: .int64(0)], as: role, me)
  }

  /// Sends a position so many metres north of the partner.
  @discardableResult
  func drive(
    as role: Corner.Role = .driver, metres: Double, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> CloudRecord? {
    try await create(
      position(of: role, at: corner.north(metres: metres), at: me.now), as: role, me)
  }

  /// A position as a driver's phone sends it (§2.7).
  func position(
    of role: Corner.Role, at point: Geography.Point, at instant: Instant
  ) -> RecordDraft {
    RecordDraft(
      name: fresh("position"), type: .driverLocation,
      fields: [
        .driverId: .name(driver(of: role)), .latitude: .double(point.latitude),
        .longitude: .double(point.longitude), .timestamp: .timestamp(instant.toMilliseconds),
      ])
  }

  /// The offer of an order that is open for a driver, who asks a few times.
  func offer(
    of order: RecordName, to role: Corner.Role = .driver, tries: Int = 5, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> CloudRecord? {
    let query = Query(
      RecordQuery(
        .driverOffer,
        [
          Filter(.orderId, .equals, .name(order)),
          Filter(.driverId, .equals, .name(driver(of: role))),
          Filter(.state, .equals, .string("offered")),
        ]))
    for _ in 0..<tries {
      let outcome = try await ask(.query(Location(database: "private"), query), as: role, me)
      if case .found(let offers, _)? = outcome.reply?.content, let offer = offers.first {
        return offer
      }
    }
    return nil
  }

  /// Takes the offer of an order.
  @discardableResult
  func take(
    _ order: RecordName, as role: Corner.Role = .driver, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> ItemResult? {
    guard let offer = try await offer(of: order, to: role, me) else { return nil }
    let draft = RecordDraft(
      name: offer.name, changeTag: offer.changeTag, fields: [.state: .string("accepted")])
    return try await write([.init(.update, draft)], as: role, me).first
  }

  /// Proof of a delivery (§2.8).
  func completion(
    of order: RecordName, by role: Corner.Role = .driver, at instant: Instant
  ) -> RecordDraft {
    RecordDraft(
      name: fresh("completion"), type: .deliveryCompletion,
      fields: [
        .orderId: .name(order), .driverId: .name(driver(of: role)),
        .completedAt: .timestamp(instant.toMilliseconds),
      ])
  }

  /// Walks a confirmed order on to a state, each step by whom it belongs to; the driver must be online from
  /// `picked_up` on and takes the offer.
  ///
  /// - Returns: The name of the completion, where the order was delivered.
  @discardableResult
  func advance(
    _ order: RecordName, to target: OrderStatus, by role: Corner.Role = .driver,
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> RecordName? {
    for status in [OrderStatus.accepted, .preparing, .readyForPickup]
    where status.place <= target.place {
      try await move(order, to: status, as: .owner, me)
      if status == .accepted, target.place >= OrderStatus.pickedUp.place {
        try await take(order, as: role, me)
      }
    }
    for status in [OrderStatus.pickedUp, .enRoute] where status.place <= target.place {
      try await move(order, to: status, as: role, me)
    }
    return target == .delivered ? try await complete(order, by: role, me) : nil
  }

  /// Hands an order over that is on its way.
  ///
  /// - Returns: The name of the completion.
  @discardableResult
  func complete(
    _ order: RecordName, by role: Corner.Role = .driver, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> RecordName? {
    let proof = completion(of: order, by: role, at: me.now)
    try await create(proof, as: role, me)
    try await move(order, to: .delivered, as: role, me)
    return proof.name
  }

  /// A whole delivery: an order, its way to a state, with the driver online before and offline after it unless he
  /// still carries it.
  func deliver(
    _ order: NewOrder, to target: OrderStatus = .delivered, by role: Corner.Role = .driver,
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> RecordName? {
    if target.place >= OrderStatus.pickedUp.place { try await goOnline(as: role, me) }
    _ = try await place(order, me)
    return try await advance(order.name, to: target, by: role, me)
  }

  /// Ends whatever an act left of an order, before pickup or after it, and sends the driver home.
  func finish(
    _ order: RecordName, carriedBy role: Corner.Role = .driver, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await clear(order, me)
    try await move(order, to: .failed, as: .admin, me)
    try await goOffline(as: role, me)
  }
}
