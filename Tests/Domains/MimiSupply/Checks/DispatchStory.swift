import Contracts
import MimiSupplyContract
import Timekeeping

@testable import MimiSupplyChecks

/// Drivers, orders and offers as the stories about dispatch tell of them: partner `p` of `olga`; drivers `d` of `dirk` and
/// `e` of `eve`; orders of `alice`.
extension MarketStory {
  static let middle = Geography.Point(52.5, 13.4)

  static let city: [Fixture.Entry] = [
    Fixture.Entry(
      "p", type: "Partner", creator: "olga",
      fields: [.latitude: .double(middle.latitude), .longitude: .double(middle.longitude)]),
    Fixture.Entry("d", type: "Driver", creator: "dirk", fields: [.userId: .string("dirk")]),
    Fixture.Entry("e", type: "Driver", creator: "eve", fields: [.userId: .string("eve")]),
  ]

  static func point(_ metres: Double) -> Geography.Point {
    Geography.Point(middle.latitude + metres / 111_195, middle.longitude)
  }

  static func driver(
    _ name: RecordName = "d", online: Bool = true, available: Bool = true, tag: String = "1",
    at metres: Double? = nil, status: String = "verified", deliveries: Int64 = 0
  ) -> CloudRecord {
    var fields: Fields = [
      .userId: .string(name == "d" ? "dirk" : "eve"), .isOnline: .int64(online ? 1 : 0),
      .isAvailable: .int64(available ? 1 : 0), .verificationStatus: .string(status),
      .rating: .double(0), .completedDeliveries: .int64(deliveries),
    ]
    if let metres {
      fields[.currentLatitude] = .double(point(metres).latitude)
      fields[.currentLongitude] = .double(point(metres).longitude)
    }
    return stored(name, "Driver", fields, tag: tag, by: name == "d" ? "dirk" : "eve")
  }

  static func order(
    _ status: OrderStatus, driver: RecordName? = nil, name: RecordName = "o", tag: String = "1",
    payment: String = "completed", changed: Instant = start
  ) -> CloudRecord {
    var fields: Fields = [
      .customerId: .string("alice"), .partnerId: .string("p"),
      .status: .string(status.rawValue), .paymentStatus: .string(payment),
      .updatedAt: .timestamp(changed),
    ]
    fields[.driverId] = driver.map { .name($0) }
    var record = stored(name, "Order", fields, tag: tag)
    record.modified = Stamp(changed, by: "alice", on: nil)
    return record
  }

  // MARK: What can happen

  mutating func drive(
    _ fields: FieldChanges, of name: RecordName = "d", as user: String = "dirk",
    _ result: ItemResult
  ) {
    write(
      [.init(.update, RecordDraft(name: name, changeTag: "1", fields: fields))], as: user,
      [
        result
      ])
  }

  /// A driver says where he is, or was a while ago.
  mutating func stand(
    _ metres: Double, ago: Span = .zero, driver: RecordName = "d", name: RecordName? = nil,
    then pause: Span = .seconds(5)
  ) {
    let point = Self.point(metres)
    let name = name ?? "position-\(records.count)"
    let fields: Fields = [
      .driverId: .name(driver), .latitude: .double(point.latitude),
      .longitude: .double(point.longitude), .timestamp: .timestamp(now - ago),
    ]
    let draft = RecordDraft(name: name, type: "DriverLocation", fields: FieldChanges(fields))
    write(
      [.init(.create, draft)], as: "dirk",
      [.saved(Self.stored(name, "DriverLocation", fields, by: "dirk", at: now))], then: pause)
  }

  /// Somebody wants an order for a driver.
  mutating func claim(
    _ order: RecordName = "o", for driver: RecordName, as user: String, _ result: ItemResult
  ) {
    let draft = RecordDraft(name: order, changeTag: "1", fields: [.driverId: .name(driver)])
    write([.init(.update, draft)], as: user, [result])
  }

  /// Somebody moves an order, which is then another's as told.
  mutating func brings(
    _ order: RecordName, to status: OrderStatus, by driver: RecordName? = nil, as user: String
  ) {
    let draft = RecordDraft(
      name: order, changeTag: "1", fields: [.status: .string(status.rawValue)])
    write(
      [.init(.update, draft)], as: user,
      [.saved(Self.order(status, driver: driver, name: order, tag: "2", changed: now))])
  }

  mutating func query(_ type: RecordType, as user: String, _ records: [CloudRecord]) {
    ask(
      .query(Location(database: "private"), Query(RecordQuery(type))), as: user,
      Self.replied(.found(records, continuationMarker: nil)))
  }

  // MARK: Inspections

  func offer(
    _ name: RecordName, to driver: RecordName = "d", for order: RecordName = "o",
    _ state: String = "offered",
    at offered: Span, until changed: Span? = nil, lives: Span = .seconds(30), metres: Double = 150,
    attempt: Int64? = nil, earnings: Int64? = nil
  ) -> JSON {
    let made = Self.start + offered
    return [
      "recordName": .name(name), "recordType": "DriverOffer",
      "fields": [
        "orderId": ["value": .name(order)], "driverId": ["value": .name(driver)],
        "state": ["value": .string(state)],
        "offeredAt": ["value": .int(made.unixMilliseconds)],
        "expiresAt": ["value": .int((made + lives).unixMilliseconds)],
        "distanceMeters": ["value": .double(metres)],
        "attempt": ["value": attempt.map { .int($0) } ?? .null],
        "estimatedEarningsCents": ["value": earnings.map { .int($0) } ?? .null],
      ],
      "modified": ["timestamp": .int((Self.start + (changed ?? offered)).unixMilliseconds)],
    ]
  }

  mutating func inspect(
    offers: [JSON] = [], drivers: [CloudRecord] = [], orders: [CloudRecord] = [],
    market: JSON = [:]
  ) {
    inspect([
      "now": .int(now.unixMilliseconds),
      "records": [
        "DriverOffer": .array(offers), "Driver": .array(drivers.map(\.document)),
        "Order": .array(orders.map(\.document)),
      ],
      "market": market,
    ])
  }
}
