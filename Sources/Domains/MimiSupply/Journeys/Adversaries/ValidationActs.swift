import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against schema and validation (§4.2): values of every field that are missing, of another type,
/// unknown or out of range, and good ones at the ends of the ranges.
enum ValidationActs {
  static let all: [Act] =
    [
      missing, missingOfOrders, mistyped, mistypedOfOrders, unknown, control, hostile,
    ] + RangeActs.all + DocumentActs.all + ReferenceActs.all

  /// MS-13: every required field left out in turn, then taken away.
  private static let missing = Act { adversary, me throws(JourneyEnded) in
    let (corner, now) = (adversary.corner, me.now)
    for (good, role) in [
      (corner.newPartner("", at: now), Corner.Role.owner),
      (corner.newProduct("", at: now), .owner), (corner.newDriver("", at: now), .driver),
      (corner.newPosition("", at: now), .driver),
      (corner.newCompletion("", of: adversary.fresh("order"), at: now), .driver),
    ] {
      let required = good.required
      try await adversary.attempt(good, required.map { [$0: nil] }, as: role, me)
    }
    try await adversary.revise(
      corner.dish, .product, [[.name: nil], [.priceCents: nil]], in: "public",
      as: .owner, me)
    try await adversary.revise(
      corner.user(.customer).profile, .userProfile, [[.lastActiveAt: nil]], as: .customer, me)
    // A driver has one record: only of the one that is there can it be seen whether a field may be missing.
    try await adversary.revise(
      corner.driver, .driver,
      [[.name: nil], [.phoneNumber: nil], [.vehicleType: nil], [.licensePlate: nil]],
      as: .driver, me)
  }

  /// MS-13
  private static let missingOfOrders = Act { adversary, me throws(JourneyEnded) in
    let good = adversary.order(at: me.now).draft(at: me.now)
    try await adversary.attempt(good, good.required.map { [$0: nil] }, as: .customer, me)
    guard let order = try await adversary.place(adversary.order(at: me.now), me) else { return }
    try await adversary.revise(
      order.name, .order, [[.estimatedDeliveryTime: nil]], as: .admin, me)
    try await adversary.clear(order.name, me)
  }

  /// MS-14: every field with a value of another type; flags that are 2.
  private static let mistyped = Act { adversary, me throws(JourneyEnded) in
    let (corner, now) = (adversary.corner, me.now)
    for (good, role) in [
      (corner.newPartner("", at: now), Corner.Role.owner),
      (corner.newProduct("", at: now), .owner), (corner.newDriver("", at: now), .driver),
      (corner.newPosition("", at: now), .driver),
      (corner.newCompletion("", of: adversary.fresh("order"), at: now), .driver),
    ] {
      try await adversary.attempt(good, good.mistyped, as: role, me)
    }
    try await adversary.attempt(
      corner.newProduct("", at: now),
      [[.isAvailable: .int64(2)], [.isAvailable: .int64(-1)], [.isAvailable: .int64(0)]],
      as: .owner, me)
    try await adversary.revise(
      corner.driver, .driver, [[.isOnline: .int64(2)], [.isAvailable: .string("1")]],
      as: .driver, me)
    try await adversary.revise(
      corner.user(.customer).profile, .userProfile,
      [[.lastActiveAt: .string("now")], [.email: .int64(7)]], as: .customer, me)
  }

  /// MS-14
  private static let mistypedOfOrders = Act { adversary, me throws(JourneyEnded) in
    let good = adversary.order(at: me.now).draft(at: me.now)
    try await adversary.attempt(good, good.mistyped, as: .customer, me)
    try await adversary.attempt(
      good,
      [[.paymentMethod: .string("barter")], [.paymentStatus: .string("perhaps")]],
      as: .customer, me)
  }

  /// MS-15: types and fields that there are not, and types in the other database.
  private static let unknown = Act { adversary, me throws(JourneyEnded) in
    let (corner, now) = (adversary.corner, me.now)
    let pizza = FieldChanges(undeclared: "size", .int64(32))
    for database in ["private", "public"] {
      try await adversary.write(
        [.init(.create, RecordDraft(name: adversary.fresh("pizza"), type: "Pizza", fields: pizza))],
        to: database, as: .owner, me)
    }
    for (good, role) in [
      (corner.newPartner("", at: now), Corner.Role.owner),
      (corner.newProduct("", at: now), .owner), (corner.newDriver("", at: now), .driver),
      (corner.newPosition("", at: now), .driver),
      (adversary.order(at: now).draft(at: now), .customer),
    ] {
      try await adversary.attempt(
        good, [FieldChanges(undeclared: "colour", .string("blue"))], as: role, me)
    }
    try await adversary.revise(
      corner.user(.customer).profile, .userProfile,
      [FieldChanges(undeclared: "colour", .string("blue"))], as: .customer, me)
    // In the wrong database, so that it is unknown there.
    try await adversary.write(
      [.init(.create, corner.newProduct(adversary.fresh("product"), at: now))], as: .owner, me)
  }

  /// MS-27: control characters in text and in lists of texts.
  private static let control = Act { adversary, me throws(JourneyEnded) in
    let (corner, now) = (adversary.corner, me.now)
    let texts = ["bell \u{7}", "null \u{0}", "return \r\n", "delete \u{7F}", "next \u{85}"]
    try await adversary.attempt(
      corner.newProduct("", at: now), texts.map { [.description: .string($0)] }, as: .owner, me)
    try await adversary.attempt(
      corner.newProduct("", at: now), [[.tags: .strings(["fine", "bell \u{7}"])]], as: .owner, me)
    try await adversary.revise(
      corner.user(.customer).profile, .userProfile, [[.fullName: .string("Eva \u{1B}[31m")]],
      as: .customer, me)
    var order = adversary.order(at: now)
    order.instructions = "ring \u{7} twice"
    try await adversary.write([.init(.create, order.draft(at: now))], as: .customer, me)
  }

  /// MS-27: what looks like markup or code is text like any other, and comes back as it was sent.
  private static let hostile = Act { adversary, me throws(JourneyEnded) in
    let texts = [
      "<script>alert(1)</script>", "\"}],\"x\":[{\"", "'; DROP TABLE orders; --", "\\u0000\\\"",
      "${7*7} {{7*7}} %s %n", "line\nand\ttab", "Grüße, 你好, 🛵\u{200D}🍕", "e\u{301} and é",
    ]
    let good = adversary.corner.newProduct("", at: me.now)
    let drafts = texts.map {
      good.named(adversary.fresh("text"), with: [.description: .string($0)])
    }
    let names = drafts.compactMap(\.name)
    try await adversary.write(drafts.map { .init(.create, $0) }, to: "public", as: .owner, me)
    try await adversary.ask(
      .lookup(Location(database: "public"), Lookup(names.map { .init($0) })), as: .stranger, me)
    try await adversary.write(
      names.map { .init(.forceDelete, RecordDraft(name: $0)) }, to: "public", as: .owner, me)
  }
}

extension RecordDraft {
  /// The fields of this record that its type requires, ascending.
  fileprivate var required: [FieldName] {
    guard let schema = type.flatMap(RecordSchema.of) else { return [] }
    return schema.fields.filter { $0.isRequired && fields[$0.name] != nil }.map(\.name)
  }

  /// For each field of the type a value that is not of its type; one of them not even of its own.
  fileprivate var mistyped: [FieldChanges] {
    guard let schema = type.flatMap(RecordSchema.of) else { return [] }
    return schema.fields.map { rule in
      switch rule.kind {
      case .string: [rule.name: .int64(7)]
      case .int64: [rule.name: .string("7")]
      case .double: [rule.name: .untyped("\"seven\"")]
      case .timestamp: [rule.name: .string("2026-03-27")]
      case .strings: [rule.name: .string("milk")]
      case .asset, .assets: [rule.name: .mistyped(type: "ASSETID", "true")]
      }
    }
  }
}
