import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

/// The least of a shelf: a dictionary that is looked through.
struct PlainShelf: Shelf {
  var records: [RecordName: CloudRecord] = [:]

  func record(_ name: RecordName, publicly: Bool) -> CloudRecord? {
    records[name].flatMap { $0.isPublic == publicly ? $0 : nil }
  }

  func names<Kind>(
    of type: RecordType, where field: FieldName, is value: Name<Kind>
  ) -> [RecordName] {
    records.values.filter { $0.type == type && $0.fields[field] == .name(value) }
      .map(\.name).sorted()
  }

  func partners(ownedBy user: UserName) -> [RecordName] {
    records.values.filter { $0.type == "Partner" && $0.created.userRecordName == user }
      .map(\.name).sorted()
  }
}

/// A market on a plain shelf, asked as a store asks it; without tags, zones and sessions.
struct Bazaar {
  /// Monday 2 March 2026, 12:00 in Berlin.
  static let noon = Instant("2026-03-02T12:00:00+01:00")!
  static let restaurant = Geography.Point(52.5170, 13.3888)
  /// 1,112 m north of the restaurant.
  static let home = Geography.Point(52.5270, 13.3888)

  static let customer = Actor.user(name: "u-customer", role: .customer, device: "phone")
  static let stranger = Actor.user(name: "u-stranger", role: .customer, device: "phone")
  static let partner = Actor.user(name: "u-partner", role: .partner, device: "till")
  static let otherPartner = Actor.user(name: "u-other", role: .partner, device: "till")
  static let admin = Actor.user(name: "u-admin", role: .admin, device: "desk")

  static func driver(_ number: Int) -> Actor {
    .user(name: "u-driver-\(number)", role: .driver, device: "bike")
  }

  var market: Market
  var shelf = PlainShelf()
  var now = Bazaar.noon
  private(set) var csn = 0
  /// Every change stored, in order.
  private(set) var log: [Change] = []

  init(_ settings: MarketSettings = MarketSettings(), off: Set<MimiSupply.Rule> = []) {
    market = Market(settings, rules: Rules<MimiSupply.Rule>(off: off))
    load("p-1", "Partner", Self.partnerFields(), by: "u-partner")
    load("p-2", "Partner", Self.partnerFields(), by: "u-other")
    load("soup", "Product", Self.productFields(), by: "u-partner")
    load("cake", "Product", Self.productFields(price: 350, stock: 5), by: "u-partner")
    load("tea", "Product", Self.productFields(of: "p-2"), by: "u-other")
  }

  // MARK: Records

  static func partnerFields(
    _ changes: FieldChanges = [:], at point: Geography.Point = restaurant
  ) -> Fields {
    let day = #"{"isOpen":true,"openTime":"00:00","closeTime":"24:00"}"#
    let hours = OpeningHours.weekdays.map { "\"\($0)\":\(day)" }.joined(separator: ",")
    let fields: Fields = [
      .name: .string("Zur Probe"), .category: .string("restaurant"),
      .description: .string("Suppen"), .street: .string("Unter den Linden 1"),
      .city: .string("Berlin"), .state: .string("Berlin"), .postalCode: .string("10117"),
      .country: .string("DE"), .latitude: .double(point.latitude),
      .longitude: .double(point.longitude), .isVerified: .int64(1), .isActive: .int64(1),
      .rating: .double(4.5), .reviewCount: .int64(10), .deliveryRadius: .double(3),
      .minimumOrderAmount: .int64(500), .estimatedDeliveryTime: .int64(30),
      .openingHours: .string("{\(hours)}"), .createdAt: .timestamp(noon - .days(9)),
    ]
    return fields.merged(changes)
  }

  static func productFields(
    of partner: RecordName = "p-1", price: Int64 = 500, stock: Int64? = nil,
    isAvailable: Bool = true
  ) -> Fields {
    var fields: Fields = [
      .partnerId: .name(partner), .name: .string("Suppe"), .description: .string(""),
      .priceCents: .int64(price), .category: .string("food"),
      .isAvailable: .int64(isAvailable ? 1 : 0), .createdAt: .timestamp(noon - .days(9)),
      .updatedAt: .timestamp(noon - .days(9)),
    ]
    fields[.stockQuantity] = stock.map { .int64($0) }
    return fields
  }

  static func driverFields(
    _ number: Int, at point: Geography.Point? = restaurant, rating: Double = 4.5,
    deliveries: Int64 = 100, online: Bool = true, available: Bool = true,
    verification: String = "verified"
  ) -> Fields {
    var fields: Fields = [
      .userId: .string("u-driver-\(number)"), .name: .string("Driver \(number)"),
      .phoneNumber: .string("1"), .vehicleType: .string("bicycle"),
      .licensePlate: .string("none"), .isOnline: .int64(online ? 1 : 0),
      .isAvailable: .int64(online && available ? 1 : 0), .rating: .double(rating),
      .completedDeliveries: .int64(deliveries), .verificationStatus: .string(verification),
      .createdAt: .timestamp(noon - .days(9)),
    ]
    fields[.currentLatitude] = point.map { .double($0.latitude) }
    fields[.currentLongitude] = point.map { .double($0.longitude) }
    return fields
  }

  static func line(
    _ product: RecordName, _ quantity: Int64 = 1, price: Int64, id: String? = nil,
    extra: Int64? = nil, total: Int64? = nil
  ) -> JSON {
    var object: JSONObject = [
      "id": .string(id ?? product.text), "productId": .name(product),
      "productName": .name(product), "quantity": .int(quantity),
      "unitPriceCents": .int(price),
      "totalPriceCents": .int(
        total ?? quantity.multipliedReportingOverflow(by: price).partialValue),
    ]
    if let extra {
      object["customizations"] = [
        ["id": "c", "name": "Sahne", "value": "ja", "priceCents": .int(extra)]
      ]
    }
    return .object(object)
  }

  static func address(_ point: Geography.Point? = home) -> JSON {
    var object: JSONObject = [
      "street": "Chausseestraße 1", "city": "Berlin", "state": "Berlin", "postalCode": "10115",
      "country": "DE",
    ]
    if let point {
      object["latitude"] = .double(point.latitude)
      object["longitude"] = .double(point.longitude)
    }
    return .object(object)
  }

  /// A paid order of two soups, unless said otherwise.
  func orderFields(
    _ changes: FieldChanges = [:], lines: [JSON]? = nil, subtotal: Int64 = 1_000,
    fee: Int64 = 199, tip: Int64? = nil, by customer: UserName = "u-customer"
  ) -> Fields {
    let items = JSON.array(lines ?? [Self.line("soup", 2, price: 500)])
    var fields: Fields = [
      .customerId: .name(customer), .partnerId: .string("p-1"),
      .items: .string(items.description), .status: .string("payment_confirmed"),
      .subtotalCents: .int64(subtotal), .deliveryFeeCents: .int64(fee),
      .platformFeeCents: .int64(0), .taxCents: .int64(0),
      .totalCents: .int64(subtotal &+ fee &+ (tip ?? 0)),
      .deliveryAddress: .string(Self.address().description),
      .estimatedDeliveryTime: .timestamp(now + .minutes(30)),
      .paymentMethod: .string("apple_pay"), .paymentStatus: .string("completed"),
      .createdAt: .timestamp(now.toMilliseconds), .updatedAt: .timestamp(now.toMilliseconds),
    ]
    fields[.tipCents] = tip.map { .int64($0) }
    return fields.merged(changes)
  }

  // MARK: What a store does

  mutating func load(
    _ name: RecordName, _ type: RecordType, _ fields: Fields, by user: UserName
  ) {
    let stamp = Stamp(now.toMilliseconds, by: user, on: nil)
    store(
      Change(
        from: nil,
        to: CloudRecord(
          name: name, type: type, changeTag: "", zone: Zone(), fields: fields, created: stamp,
          modified: stamp)), by: .system)
  }

  mutating func loadDriver(
    _ number: Int, at point: Geography.Point? = restaurant, rating: Double = 4.5,
    deliveries: Int64 = 100, online: Bool = true, available: Bool = true,
    verification: String = "verified"
  ) {
    load(
      "d-\(number)", "Driver",
      Self.driverFields(
        number, at: point, rating: rating, deliveries: deliveries, online: online,
        available: available, verification: verification), by: "u-driver-\(number)")
  }

  /// Steps 8 to 12 of §3.1, then the commit.
  @discardableResult mutating func create(
    _ name: RecordName, _ type: RecordType, _ fields: Fields, by actor: Actor
  ) -> Failure? {
    run(until: now)
    if shelf.record(name) != nil { return Failure(.exists, .serverRecordChanged) }
    let stamp = Stamp(now.toMilliseconds, by: actor.name ?? "", on: nil)
    let record = CloudRecord(
      name: name, type: type, changeTag: "", zone: Zone(), fields: fields, created: stamp,
      modified: stamp)
    return submit(Change(from: nil, to: record, named: fields.names), by: actor)
  }

  @discardableResult mutating func update(
    _ name: RecordName, _ fields: FieldChanges, by actor: Actor, whole: Bool = false
  ) -> Failure? {
    run(until: now)
    guard let before = shelf.record(name) else { return Failure(.notFound, .unknownItem) }
    return submit(
      Change(
        from: before, to: before.with(fields), named: whole ? nil : fields.names), by: actor)
  }

  @discardableResult mutating func delete(_ name: RecordName, by actor: Actor) -> Failure? {
    run(until: now)
    guard let before = shelf.record(name) else { return Failure(.notFound, .unknownItem) }
    return submit(Change(from: before, to: nil), by: actor)
  }

  private mutating func submit(_ change: Change, by actor: Actor) -> Failure? {
    guard market.isReachable(change, to: actor, on: shelf, at: now) else {
      return Failure(.notFound, .unknownItem)
    }
    let change = market.completed(change, by: actor, on: shelf, at: now)
    if let failure = market.refusal(of: change, by: actor, on: shelf, at: now)
      ?? market.objection(to: change, by: actor, on: shelf, at: now)
    {
      return failure
    }
    csn += 1
    market.csn = csn
    store(change, by: actor)
    return nil
  }

  /// Stores a change and what follows from it, depth first.
  private mutating func store(_ change: Change, by actor: Actor) {
    log.append(change)
    shelf.records[change.name] = change.after
    for next in market.committed(change, by: actor, on: shelf, at: now) {
      store(next, by: .system)
    }
  }

  /// Fires everything that is due up to an instant, which becomes now.
  mutating func run(until instant: Instant) {
    while let due = market.nextDue, due <= instant {
      now = max(now, due)
      csn += 1
      market.csn = csn
      for change in market.fire(on: shelf, at: due) { store(change, by: .system) }
    }
    now = max(now, instant)
  }

  mutating func wait(_ span: Span) { run(until: now + span) }

  mutating func apply(_ changes: [Change]) {
    for change in changes { store(change, by: .system) }
  }

  // MARK: Shorthands

  func sees(_ name: RecordName, _ actor: Actor) -> Bool {
    shelf.record(name).map { market.isVisible($0, to: actor, on: shelf, at: now) } ?? false
  }

  func status(_ order: RecordName = "o-1") -> String? { shelf.record(order)?[Order.status] }
  func payment(_ order: RecordName = "o-1") -> String? { shelf.record(order)?[Order.paymentStatus] }
  func driver(_ order: RecordName = "o-1") -> RecordName? { shelf.record(order)?[Order.driver] }
  func stock(_ product: RecordName) -> Int64? { shelf.record(product)?[Product.stockQuantity] }

  @discardableResult mutating func order(
    _ name: RecordName = "o-1", _ changes: FieldChanges = [:], lines: [JSON]? = nil,
    subtotal: Int64 = 1_000, by actor: Actor = customer
  ) -> Failure? {
    create(
      name, "Order",
      orderFields(changes, lines: lines, subtotal: subtotal, by: actor.name ?? ""), by: actor)
  }

  @discardableResult mutating func move(
    _ order: RecordName = "o-1", to status: String, by actor: Actor
  ) -> Failure? {
    update(order, [.status: .string(status)], by: actor)
  }

  /// Offers of an order in the order of their making: driver and state.
  func offers(_ order: RecordName = "o-1") -> [RecordName] {
    shelf.names(of: "DriverOffer", where: .orderId, is: order)
      .compactMap { shelf.record($0) }.sorted {
        $0[DriverOffer.attempt]! < $1[DriverOffer.attempt]!
      }
      .map { "\($0[Order.driver]!) \($0[DriverOffer.state]!)" }
  }

  func openOffer(of order: RecordName = "o-1") -> CloudRecord? {
    shelf.names(of: "DriverOffer", where: .orderId, is: order).compactMap { shelf.record($0) }
      .first { $0[DriverOffer.state] == "offered" }
  }

  @discardableResult mutating func answer(
    _ state: String, for order: RecordName = "o-1"
  ) -> Failure? {
    guard let offer = openOffer(of: order) else { return Failure(.notFound, .unknownItem) }
    let user = shelf.record(offer[DriverOffer.driver]!)![Driver.user]!
    return update(
      offer.name, [.state: .string(state)], by: .user(name: user, role: .driver, device: nil))
  }

  @discardableResult mutating func position(
    _ driver: Int, _ point: Geography.Point, at time: Instant? = nil, name: RecordName? = nil
  ) -> Failure? {
    create(
      name ?? "d-\(driver)-\(log.count)", "DriverLocation",
      [
        .driverId: .string("d-\(driver)"), .latitude: .double(point.latitude),
        .longitude: .double(point.longitude),
        .timestamp: .timestamp((time ?? now).toMilliseconds),
      ], by: Self.driver(driver))
  }

  /// A point so many metres north of the restaurant.
  static func north(_ metres: Double) -> Geography.Point {
    Geography.Point(
      restaurant.latitude + metres / Geography.earthRadius * (180 / Double.pi),
      restaurant.longitude)
  }

  /// An order that driver 1, the only one, has accepted.
  static func assigned(_ settings: MarketSettings = MarketSettings()) -> Bazaar {
    var bazaar = Bazaar(settings)
    bazaar.loadDriver(1)
    bazaar.order()
    bazaar.move(to: "accepted", by: partner)
    bazaar.answer("accepted")
    return bazaar
  }

  static func enRoute(_ settings: MarketSettings = MarketSettings()) -> Bazaar {
    var bazaar = assigned(settings)
    bazaar.move(to: "preparing", by: partner)
    bazaar.move(to: "ready_for_pickup", by: partner)
    bazaar.move(to: "picked_up", by: driver(1))
    bazaar.move(to: "en_route", by: driver(1))
    return bazaar
  }

  @discardableResult mutating func complete(
    _ order: RecordName = "o-1", by driver: Int = 1, _ changes: FieldChanges = [:]
  ) -> Failure? {
    let fields: Fields = [
      .orderId: .name(order), .driverId: .string("d-\(driver)"),
      .completedAt: .timestamp(now.toMilliseconds),
    ]
    return create(
      "c-\(order)", "DeliveryCompletion", fields.merged(changes), by: Self.driver(driver))
  }
}

extension Fields {
  /// With some fields changed; `nil` removes.
  func merged(_ changes: FieldChanges) -> Fields {
    var fields = self
    fields.apply(changes)
    return fields
  }
}

extension Failure {
  /// Everything of it that a client may branch on.
  var essence: String {
    [code.rawValue, native.name, mimiError ?? "-", mimiReason ?? "-"].joined(separator: " ")
  }
}
