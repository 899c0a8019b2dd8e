import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

// Records to be broken: each would be taken as it is.

extension Corner {
  /// A further partner of `owner`, as who registers sends it (§2.2).
  func newPartner(_ name: RecordName, at now: Instant) -> RecordDraft {
    var fields = FieldChanges(Self.partnerFields("Probe of \(self.name)", at: point))
    fields[.rating] = .double(0)
    fields[.reviewCount] = .int64(0)
    fields[.createdAt] = .timestamp(now.toMilliseconds)
    return RecordDraft(name: name, type: .partner, fields: fields)
  }

  /// A further product (§2.3); `nil` stands for the corner's own partner.
  func newProduct(_ name: RecordName, of partner: RecordName? = nil, at now: Instant) -> RecordDraft
  {
    RecordDraft(
      name: name, type: .product,
      fields: [
        .partnerId: .name(partner ?? self.partner), .name: .string("Probe"),
        .description: .string("For a test"), .priceCents: .int64(990),
        .category: .string("food"), .isAvailable: .int64(1),
        .createdAt: .timestamp(now.toMilliseconds), .updatedAt: .timestamp(now.toMilliseconds),
      ])
  }

  /// A driver of `driver`, who has one already (§2.6).
  func newDriver(_ name: RecordName, at now: Instant) -> RecordDraft {
    RecordDraft(
      name: name, type: .driver,
      fields: [
        .userId: .name(user(.driver)), .name: .string("Probe"),
        .phoneNumber: .string("+49 30 5550"), .vehicleType: .string("car"),
        .licensePlate: .string("M-S 2"), .isOnline: .int64(0), .isAvailable: .int64(0),
        .rating: .double(0), .completedDeliveries: .int64(0),
        .verificationStatus: .string("pending"), .createdAt: .timestamp(now.toMilliseconds),
      ])
  }

  /// Where `driver` is (§2.7).
  func newPosition(
    _ name: RecordName, _ fields: FieldChanges = [:], at now: Instant
  ) -> RecordDraft {
    let common: FieldChanges = [
      .driverId: .name(driver), .latitude: .double(point.latitude),
      .longitude: .double(point.longitude), .timestamp: .timestamp(now.toMilliseconds),
    ]
    return RecordDraft(
      name: name, type: .driverLocation, fields: common.merging(fields))
  }

  /// The proof of a delivery by `driver` (§2.8).
  func newCompletion(_ name: RecordName, of order: RecordName, at now: Instant) -> RecordDraft {
    RecordDraft(
      name: name, type: .deliveryCompletion,
      fields: [
        .orderId: .name(order), .driverId: .name(driver),
        .completedAt: .timestamp(now.toMilliseconds),
      ])
  }
}

extension RecordDraft {
  /// Another record with some fields as they are given; `nil` leaves one out.
  func named(_ name: RecordName, with changes: FieldChanges = [:]) -> RecordDraft {
    var draft = self
    draft.name = name
    draft.fields = FieldChanges(fields.merging(changes).written)
    return draft
  }
}

extension Adversary {
  /// Sends new records that differ from a good one in some fields each, in one request, and takes away what may have
  /// been stored of them, whatever was answered.
  func attempt(
    _ good: RecordDraft, _ changes: [FieldChanges], as role: Corner.Role,
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    guard let schema = good.type.flatMap(RecordSchema.of) else { return }
    let database = schema.isPublic ? "public" : "private"
    let drafts = changes.map { good.named(fresh("probe"), with: $0) }
    try await write(drafts.map { .init(.create, $0) }, to: database, as: role, me)
    guard schema.isPublic || schema.type == .driverLocation else { return }
    try await write(
      drafts.map { .init(.forceDelete, RecordDraft(name: $0.name)) }, to: database, as: role, me)
  }

  /// Updates a record of a known type once for each of some changes, each time with the tag it has then.
  func revise(
    _ name: RecordName, _ type: RecordType, _ changes: [FieldChanges],
    in database: String = "private", as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    for fields in changes {
      let found = try await look(name, in: database, as: role, me)
      let draft = RecordDraft(
        name: name, type: type, changeTag: found?.changeTag ?? "0", fields: fields)
      try await write([.init(.update, draft)], to: database, as: role, me)
    }
  }

  /// Brings `driver` online without offering his services, as long as an act lasts.
  func whileOnline(
    _ me: Person<MimiSupply>, _ body: () async throws(JourneyEnded) -> Void
  ) async throws(JourneyEnded) {
    try await update(corner.driver, [.isOnline: .int64(1)], as: .driver, me)
    try await body()
    try await update(
      corner.driver, [.isOnline: .int64(0), .isAvailable: .int64(0)], as: .driver, me)
  }

  /// An order that `driver` has brought as far as a status between ready for pickup and delivered; `nil` when it was
  /// not even taken. The driver is online until `leave`.
  func bring(
    to status: OrderStatus, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> RecordName? {
    guard let order = try await place(order(at: me.now), me)?.name else { return nil }
    try await update(corner.driver, [.isOnline: .int64(1)], as: .driver, me)
    try await move(order, to: .accepted, as: .owner, me)
    try await update(order, [.driverId: .name(corner.driver)], as: .admin, me)
    try await move(order, to: .preparing, as: .owner, me)
    try await move(order, to: .readyForPickup, as: .owner, me)
    for next in [OrderStatus.pickedUp, .enRoute] where next.place <= status.place {
      try await move(order, to: next, as: .driver, me)
    }
    if status == .delivered { try await complete(order, me) }
    return order
  }

  /// Completes an order that is on its way.
  func complete(_ order: RecordName, _ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let now = me.now
    try await create(
      corner.newCompletion("\(order)-proof", of: order, at: now), as: .driver, me)
    try await move(order, to: .delivered, as: .driver, me)
  }

  /// Ends what `bring` began, from wherever it stands, and lets the driver go.
  func leave(_ order: RecordName, _ me: Person<MimiSupply>) async throws(JourneyEnded) {
    try await move(order, to: .failed, as: .admin, me)
    try await update(
      corner.driver, [.isOnline: .int64(0), .isAvailable: .int64(0)], as: .driver, me)
  }
}
