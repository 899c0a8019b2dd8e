import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against money and ordering preconditions: MS-28 to MS-48.
enum OrderingActs {
  static let all: [Act] = MoneyActs.all + preconditions

  static let preconditions: [Act] = [
    Act { adversary, me throws(JourneyEnded) in try await adversary.minimum(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.radius(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.closing(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.nights(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.closedPartners(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.wrongProducts(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.priceChange(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.estimates(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.sizes(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.beginnings(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.replay(me) },
  ]
}

extension Adversary {
  // MARK: What these acts are made of

  /// A new partner of the admin's with one product of 1,200 cents, like the corner's but for some fields.
  func shop(
    _ changes: Fields = [:], _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> (partner: RecordName, product: RecordName) {
    let (partner, product) = (fresh("shop"), fresh("shop-dish"))
    var fields = Corner.partnerFields("Shop", at: corner.point).merging(changes)
    fields[.createdAt] = .timestamp(me.now.toMilliseconds)
    fields[.rating] = .double(0)
    fields[.reviewCount] = .int64(0)
    let shop = RecordDraft(name: partner, type: .partner, fields: FieldChanges(fields))
    try await write(
      [
        .init(.create, shop),
        .init(.create, self.product(product, of: partner, price: 1_200, at: me.now)),
      ], to: "public", as: .admin, me)
    return (partner, product)
  }

  /// A product as its partner saves it (§2.3).
  func product(
    _ name: RecordName, of partner: RecordName, price: Int64, stock: Int64? = nil, at now: Instant
  ) -> RecordDraft {
    var fields: FieldChanges = [
      .partnerId: .name(partner), .name: .string("Dish"), .description: .string(""),
      .category: .string("food"), .priceCents: .int64(price), .isAvailable: .int64(1),
      .createdAt: .timestamp(now.toMilliseconds), .updatedAt: .timestamp(now.toMilliseconds),
    ]
    fields[.stockQuantity] = stock.map { .int64($0) }
    return RecordDraft(name: name, type: .product, fields: fields)
  }

  /// An order that would be taken at a shop: two dishes, to a door so many metres away.
  func order(
    from shop: (partner: RecordName, product: RecordName), metres: Double = 500,
    quantity: Int64 = 2,
    at now: Instant
  ) -> NewOrder {
    var order = order(at: now, of: shop.product, quantity: quantity)
    order.partner = shop.partner
    order.address = NewOrder.address(street: "Weg 2", at: corner.north(metres: metres))
    return order
  }

  /// Tries several orders in one request, each its own way.
  func tryAll(_ drafts: [RecordDraft], _ me: Person<MimiSupply>) async throws(JourneyEnded) {
    try await write(drafts.map { .init(.create, $0) }, as: .customer, me)
  }

  // MARK: Preconditions

  /// MS-39: at the minimum, and one cent below it.
  fileprivate func minimum(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let met = try await shop([.minimumOrderAmount: .int64(2_400)], me)
    let missed = try await shop([.minimumOrderAmount: .int64(2_401)], me)
    var generous = order(from: missed, at: me.now)
    generous.tipCents = 1_000  // Tips do not count.
    let drafts = [order(from: met, at: me.now), order(from: missed, at: me.now), generous]
    try await tryAll(drafts.map { $0.draft(at: me.now) }, me)
  }

  /// MS-40: at the radius, and a metre beyond it.
  fileprivate func radius(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let shop = try await shop([.deliveryRadius: .double(2.3)], me)
    let drafts = [2_299, 2_300, 2_301, 2_600].map {
      order(from: shop, metres: $0, at: me.now).draft(at: me.now)
    }
    try await tryAll(drafts, me)
  }

  /// MS-41: a second before the closing minute, and a second after it.
  fileprivate func closing(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let closing = Self.minute(after: me.now + .seconds(40))
    let shop = try await shop(
      [.openingHours: Self.hours(from: closing - .hours(1), to: closing)], me)
    for wait in [closing - .seconds(3), closing + .seconds(1)] {
      try await me.think(until: wait)
      _ = try await create(order(from: shop, at: me.now).draft(at: me.now), as: .customer, me)
    }
  }

  /// MS-41: over midnight and back, before the opening minute and after it.
  fileprivate func nights(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let opening = Self.minute(after: me.now + .seconds(40))
    // Open all the day but for a minute: whatever the hour is, the interval runs over midnight.
    let night = try await shop(
      [.openingHours: Self.hours(from: opening, to: opening - .minutes(1))], me)
    let late = try await shop(
      [.openingHours: Self.hours(from: opening + .hours(2), to: opening + .hours(1))], me)
    let never = try await shop([.openingHours: .string("{}")], me)
    for wait in [opening - .seconds(10), opening + .seconds(1)] {
      try await me.think(until: wait)
      try await tryAll(
        [night, late, never].map { order(from: $0, at: me.now).draft(at: me.now) }, me)
    }
  }

  /// MS-42: inactive, unverified, gone.
  fileprivate func closedPartners(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let inactive = try await shop([.isActive: .int64(0)], me)
    let unverified = try await shop([.isVerified: .int64(0)], me)
    var drafts = [inactive, unverified].map { order(from: $0, at: me.now).draft(at: me.now) }
    let gone = try await shop([:], me)
    try await write(
      [.init(.forceDelete, RecordDraft(name: gone.partner))], to: "public", as: .admin, me)
    drafts.append(order(from: gone, at: me.now).draft(at: me.now))
    try await tryAll(drafts, me)
  }

  /// MS-43, MS-44: products that are off, gone or somebody else's.
  fileprivate func wrongProducts(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    var drafts = [corner.gone, corner.rivalDish, fresh("no-dish")].map {
      order(at: me.now, of: $0).draft(at: me.now)
    }
    var mixed = order(at: me.now)
    mixed.lines.append(
      .init(product: corner.rivalDish, name: "Dish", quantity: 1, unitPriceCents: 1_200))
    drafts.append(mixed.draft(at: me.now))
    let dish = fresh("dish")
    try await create(
      product(dish, of: corner.partner, price: 1_200, at: me.now), in: "public", as: .owner, me)
    try await update(dish, [.isAvailable: .int64(0)], in: "public", as: .owner, me)
    drafts.append(order(at: me.now, of: dish).draft(at: me.now))
    try await tryAll(drafts, me)
    try await write([.init(.forceDelete, RecordDraft(name: dish))], to: "public", as: .owner, me)
    try await tryAll([order(at: me.now, of: dish).draft(at: me.now)], me)
  }

  /// MS-32: a price changes, and an order still has the old one.
  fileprivate func priceChange(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let dish = fresh("dish")
    try await create(
      product(dish, of: corner.partner, price: 1_200, at: me.now), in: "public", as: .owner, me)
    try await tryAll([order(at: me.now, of: dish).draft(at: me.now)], me)
    try await update(dish, [.priceCents: .int64(1_201)], in: "public", as: .owner, me)
    var dearer = order(at: me.now, of: dish)
    dearer.lines[0].unitPriceCents = 1_201
    try await tryAll([order(at: me.now, of: dish).draft(at: me.now), dearer.draft(at: me.now)], me)
  }

  /// MS-45: in the past, hardly ahead, nearly a day ahead, more than a day ahead.
  fileprivate func estimates(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let ahead: [Span] = [
      .minutes(-5), .seconds(-1), .minutes(1), .hours(24), .hours(24) + .minutes(1),
    ]
    let drafts = ahead.map { span in
      var order = order(at: me.now)
      order.estimate = me.now + span
      return order.draft(at: me.now)
    }
    try await tryAll(drafts, me)
  }

  /// MS-46: 50 and 51 lines, 0, 99 and 100 pieces, none at all.
  fileprivate func sizes(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let line = order(at: me.now, quantity: 1).lines[0]
    var drafts: [RecordDraft] = []
    for count in [0, 50, 51] {
      var many = order(at: me.now)
      many.lines = Array(repeating: line, count: count)
      drafts.append(many.draft(at: me.now))
    }
    for quantity: Int64 in [0, 99, 100, -1] {
      drafts.append(order(at: me.now, quantity: quantity).draft(at: me.now))
    }
    try await tryAll(drafts, me)
  }

  /// MS-47: every status with every state of payment, by card and in cash.
  fileprivate func beginnings(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    var drafts: [RecordDraft] = []
    for status in OrderStatus.allCases {
      for payment in Stored.paymentStatuses {
        for method in ["apple_pay", "cash"] {
          var order = order(at: me.now)
          (order.status, order.paymentStatus, order.paymentMethod) = (status, payment, method)
          drafts.append(order.draft(at: me.now))
        }
      }
    }
    var taken = order(at: me.now).draft(at: me.now)
    taken.fields[.driverId] = .name(corner.driver)
    var delivered = order(at: me.now).draft(at: me.now)
    delivered.fields[.actualDeliveryTime] = .timestamp(me.now.toMilliseconds)
    try await tryAll(drafts + [taken, delivered], me)
  }

  /// MS-48: the same order twice, as an offline queue may send it; pieces are reserved once.
  fileprivate func replay(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let dish = try await stock(of: 5, me)
    let draft = order(at: me.now, of: dish).draft(at: me.now)
    for _ in 0..<2 { _ = try await create(draft, as: .customer, me) }
    _ = try await look(dish, in: "public", as: .customer, me)
    _ = try await look(draft.name ?? "", as: .customer, me)
    try await clear(draft.name ?? "", me)
  }

  // MARK: Hours

  /// The next full minute.
  private static func minute(after instant: Instant) -> Instant {
    Instant(unixSeconds: (instant.unixSeconds / 60 + 1) * 60)
  }

  /// The same hours on every day, by local wall-clock time.
  private static func hours(from opens: Instant, to closes: Instant) -> FieldValue {
    func clock(_ instant: Instant) -> JSON {
      let minute = CivilZone.berlin.civil(at: instant).timeOfDay.nanoseconds / 60_000_000_000
      func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return .string("\(two(minute / 60)):\(two(minute % 60))")
    }
    var week = JSONObject()
    for day in OpeningHours.weekdays {
      week[day] = ["isOpen": true, "openTime": clock(opens), "closeTime": clock(closes)]
    }
    return .string(JSON.object(week).description)
  }
}
