import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// References to nothing, partners that are deleted with their products, and fields that never change.
enum ReferenceActs {
  static let all: [Act] = [
    dangling, invisible, cascade, immutablePublic, immutablePrivate, immutableOrders,
  ]

  /// MS-24: partners, orders and drivers that never were, and records of another type.
  private static let dangling = Act { adversary, me throws(JourneyEnded) in
    let (corner, now) = (adversary.corner, me.now)
    let nobody = adversary.fresh("nobody")
    try await adversary.attempt(
      corner.newProduct("", at: now),
      [[.partnerId: .name(nobody)], [.partnerId: .name(corner.dish)], [:]], as: .admin, me)
    try await adversary.attempt(
      corner.newProduct("", at: now), [[.partnerId: .name(nobody)]], as: .owner, me)
    try await adversary.attempt(
      adversary.order(at: now).draft(at: now),
      [[.partnerId: .name(nobody)], [.partnerId: .name(corner.dish)]], as: .customer, me)
    try await adversary.attempt(
      corner.newCompletion("", of: nobody, at: now), [[:], [.driverId: .name(nobody)]],
      as: .driver, me)
    guard let order = try await adversary.place(adversary.order(at: now), me) else { return }
    try await adversary.revise(
      order.name, .order,
      [nobody, corner.partner, corner.user(.customer).profile].map { [.driverId: .name($0)] },
      as: .admin, me)
    try await adversary.clear(order.name, me)
  }

  /// MS-24: an order that the caller may not see counts as missing.
  private static let invisible = Act { adversary, me throws(JourneyEnded) in
    guard let order = try await adversary.place(adversary.order(at: me.now), me) else { return }
    try await adversary.create(
      adversary.corner.newCompletion(adversary.fresh("proof"), of: order.name, at: me.now),
      as: .relief, me)
    try await adversary.clear(order.name, me)
  }

  /// MS-25: a partner goes, and its products with it.
  private static let cascade = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let partner = adversary.fresh("partner")
    let products = [adversary.fresh("product"), adversary.fresh("product")]
    var draft = corner.newPartner(partner, at: me.now)
    draft.fields[.isVerified] = .int64(1)
    try await adversary.create(draft, in: "public", as: .admin, me)
    try await adversary.write(
      products.map { .init(.create, corner.newProduct($0, of: partner, at: me.now)) },
      to: "public", as: .admin, me)
    try await adversary.write(
      [.init(.forceDelete, RecordDraft(name: partner))], to: "public", as: .admin, me)
    try await adversary.ask(
      .lookup(Location(database: "public"), Lookup(products.map { .init($0) })), as: .customer, me)
    let query = RecordQuery(.product, [Filter(.partnerId, .equals, .name(partner))])
    try await adversary.ask(.query(Location(database: "public"), Query(query)), as: .customer, me)
    try await adversary.write(
      products.map { .init(.forceDelete, RecordDraft(name: $0)) }, to: "public", as: .admin, me)
  }

  /// MS-26: by the owner and by an admin, with and without a tag, whole and in part.
  private static let immutablePublic = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let early = FieldValue.timestamp(me.now.toMilliseconds - .days(1))
    for role in [Corner.Role.owner, .admin] {
      try await adversary.revise(
        corner.partner, .partner, [[.createdAt: early]], in: "public", as: role, me)
      try await adversary.revise(
        corner.dish, .product,
        [[.createdAt: early], [.partnerId: .name(corner.rivalPartner)]], in: "public",
        as: role, me)
      try await adversary.write(
        [
          .init(.forceUpdate, draft(corner.partner, .partner, [.createdAt: early])),
          .init(.forceUpdate, draft(corner.dish, .product, [.createdAt: early])),
        ], to: "public", as: role, me)
    }
    guard let dish = try await adversary.look(corner.dish, in: "public", as: .owner, me) else {
      return
    }
    // Whole saves: with the value as it is, which harms nothing, and with another one.
    var whole = draft(dish.name, .product, FieldChanges(dish.fields))
    try await adversary.write([.init(.forceReplace, whole)], to: "public", as: .owner, me)
    whole.fields[.createdAt] = early
    try await adversary.write([.init(.forceReplace, whole)], to: "public", as: .owner, me)
  }

  /// MS-26
  private static let immutablePrivate = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let early = FieldValue.timestamp(me.now.toMilliseconds - .days(1))
    let (driver, profile) = (corner.driver, corner.user(.customer).profile)
    let changes: [(RecordName, RecordType, FieldChanges, Corner.Role)] = [
      (driver, .driver, [.createdAt: early], .driver),
      (driver, .driver, [.userId: .name(corner.user(.relief))], .admin),
      (profile, .userProfile, [.createdAt: early], .customer),
      (profile, .userProfile, [.appleUserID: .string("apple-x")], .admin),
    ]
    for (name, type, fields, role) in changes {
      try await adversary.revise(name, type, [fields], as: role, me)
      try await adversary.write([.init(.forceUpdate, draft(name, type, fields))], as: role, me)
    }
  }

  /// MS-26: each of the immutable fields of an order, by who may change others of it.
  private static let immutableOrders = Act { adversary, me throws(JourneyEnded) in
    guard let order = try await adversary.place(adversary.order(at: me.now), me) else { return }
    let corner = adversary.corner
    let changes: Fields = [
      .customerId: .name(corner.user(.stranger)), .partnerId: .name(corner.rivalPartner),
      .items: .string("[]"), .subtotalCents: .int64(1), .deliveryFeeCents: .int64(0),
      .platformFeeCents: .int64(1), .taxCents: .int64(1), .deliveryAddress: .string("{}"),
      .paymentMethod: .string("cash"), .createdAt: .timestamp(me.now.toMilliseconds - .days(1)),
    ]
    for (field, value) in changes.declared {
      try await adversary.revise(order.name, .order, [[field: value]], as: .admin, me)
      try await adversary.write(
        [.init(.forceUpdate, draft(order.name, .order, [field: value]))], as: .customer, me)
    }
    try await adversary.clear(order.name, me)
  }

  private static func draft(
    _ name: RecordName, _ type: RecordType, _ fields: FieldChanges
  ) -> RecordDraft {
    RecordDraft(name: name, type: type, fields: fields)
  }
}
