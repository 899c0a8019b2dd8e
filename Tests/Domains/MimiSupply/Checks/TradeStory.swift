import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

@testable import MimiSupplyChecks

/// A market for stories: olga's partner `p` with `dish` (unlimited) and `few` (five pieces), another partner `q` with
/// `foreign`, and dirk's Driver `van`.
extension MarketStory {
  static let market: [Fixture.Entry] =
    [
      entry("p", "Partner", partner()), entry("q", "Partner", partner()),
      entry("dish", "Product", product("p")), entry("few", "Product", product("p", stock: 5)),
      entry("foreign", "Product", product("q")),
      entry("off", "Product", product("p").merging([.isAvailable: .int64(0)])),
      Fixture.Entry(
        "van", type: "Driver", creator: "dirk",
        fields: [.userId: .string("dirk"), .vehicleType: .string("bicycle")]),
    ]

  private static func entry(
    _ name: RecordName, _ type: RecordType, _ fields: Fields
  ) -> Fixture.Entry {
    Fixture.Entry(name, type: type, creator: "olga", fields: fields)
  }

  static let week: String = {
    let day = #"{"isOpen": true, "openTime": "10:00", "closeTime": "13:00"}"#
    return "{" + OpeningHours.weekdays.map { "\"\($0)\": \(day)" }.joined(separator: ", ") + "}"
  }()

  /// Open from 10:00 to 13:00 in Berlin; stories begin at noon there.
  static func partner(_ changes: Fields = [:]) -> Fields {
    let fields: Fields = [
      .latitude: .double(52), .longitude: .double(13), .deliveryRadius: .double(5),
      .minimumOrderAmount: .int64(1_000), .isVerified: .int64(1), .isActive: .int64(1),
      .openingHours: .string(week), .rating: .double(0), .reviewCount: .int64(0),
    ]
    return fields.merging(changes)
  }

  static func product(
    _ partner: RecordName, price: Int64 = 1_200, stock: Int64? = nil, isAvailable: Int64 = 1
  ) -> Fields {
    var fields: Fields = [
      .partnerId: .name(partner), .priceCents: .int64(price),
      .isAvailable: .int64(isAvailable),
    ]
    fields[.stockQuantity] = stock.map { .int64($0) }
    return fields
  }

  static func items(_ lines: [(product: RecordName, quantity: Int64)], price: Int64 = 1_200)
    -> FieldValue
  {
    let texts = lines.enumerated().map { index, line in
      """
      {"id": "\(index)", "productId": "\(line.product)", "productName": "x", "quantity": \(line.quantity), \
      "unitPriceCents": \(price), "totalPriceCents": \(price * line.quantity)}
      """
    }
    return .string("[" + texts.joined(separator: ", ") + "]")
  }

  static func address(north latitude: Double = 52.005) -> FieldValue {
    .string(
      """
      {"street": "a", "city": "b", "state": "c", "postalCode": "d", "country": "DE", "latitude": \(latitude), \
      "longitude": 13}
      """)
  }

  /// An order of alice's for two dishes, as it is stored.
  func order(_ changes: FieldChanges = [:]) -> Fields {
    var fields: Fields = [
      .customerId: .string("alice"), .partnerId: .string("p"),
      .items: Self.items([("dish", 2)]), .status: .string("payment_confirmed"),
      .subtotalCents: .int64(2_400), .deliveryFeeCents: .int64(199),
      .platformFeeCents: .int64(0), .taxCents: .int64(0), .totalCents: .int64(2_599),
      .deliveryAddress: Self.address(), .estimatedDeliveryTime: .timestamp(now + .minutes(40)),
      .paymentMethod: .string("apple_pay"), .paymentStatus: .string("completed"),
      .createdAt: .timestamp(now), .updatedAt: .timestamp(now),
    ]
    fields.apply(changes)
    return fields
  }

  static func status(_ status: OrderStatus, _ payment: String? = nil) -> FieldChanges {
    var fields: FieldChanges = [.status: .string(status.rawValue)]
    if let payment { fields[.paymentStatus] = .string(payment) }
    return fields
  }

  /// Why something was refused; `nil` when it was not.
  static func refusal(_ name: RecordName, _ reason: String?) -> ItemResult? {
    guard let reason else { return nil }
    return switch reason {
    case "EXISTS": failed(name, .exists, .serverRecordChanged)
    case "product_unavailable", "insufficient_stock":
      failed(name, .badRequest, .constraintViolation, reason, error: "productUnavailable")
    case "transition_not_permitted_for_role":
      failed(name, .accessDenied, .permissionFailure, reason)
    case "invalid": failed(name, .badRequest, .invalidArguments)
    case "illegal_transition", "completion_missing", "completion_exists", "already_rated",
      "not_delivered":
      failed(name, .badRequest, .constraintViolation, reason)
    default: failed(name, .badRequest, .constraintViolation, reason, error: "orderCreationFailed")
    }
  }

  // MARK: What can happen

  /// Alice places an order; without a reason it is taken and has the tag `1`.
  mutating func places(
    _ changes: FieldChanges = [:], as name: RecordName = "o", refused reason: String? = nil,
    lasting: Span = .milliseconds(100), then pause: Span = .seconds(5)
  ) {
    let fields = order(changes)
    let draft = RecordDraft(name: name, type: "Order", fields: FieldChanges(fields))
    write(
      [.init(.create, draft)],
      [Self.refusal(name, reason) ?? .saved(Self.stored(name, "Order", fields, at: now))],
      lasting: lasting, then: pause)
  }

  /// Somebody writes fields of the order with tag `tag`; it then looks as told and has the tag `tag` + 1.
  mutating func steps(
    _ named: FieldChanges, as user: String = "alice", tag: Int = 1,
    then after: FieldChanges = [:], of name: RecordName = "o", refused reason: String? = nil,
    lasting: Span = .milliseconds(100)
  ) {
    let draft = RecordDraft(name: name, changeTag: "\(tag)", fields: named)
    let stored = order(named.merging(after))
    write(
      [.init(.update, draft)], as: user,
      [
        Self.refusal(name, reason)
          ?? .saved(
            Self.stored(name, "Order", stored, tag: "\(tag + 1)", by: UserName(user), at: now))
      ], lasting: lasting)
  }

  /// Alice is shown the order as it is.
  mutating func shows(
    _ changes: FieldChanges = [:], tag: Int = 1, by author: UserName = "alice",
    of name: RecordName = "o"
  ) {
    look(
      [name],
      [.saved(Self.stored(name, "Order", order(changes), tag: "\(tag)", by: author, at: now))])
  }

  /// Alice is shown a product.
  mutating func shows(product name: RecordName, _ fields: Fields, tag: String = "7") {
    look(
      [name], in: "public", [.saved(Self.stored(name, "Product", fields, tag: tag, by: "olga"))])
  }

  /// Olga changes a record of hers, which then looks as told.
  mutating func owner(
    changes name: RecordName, _ type: RecordType, _ named: FieldChanges,
    to fields: Fields, tag: String = "7"
  ) {
    write(
      [.init(.update, RecordDraft(name: name, changeTag: tag, fields: named))], as: "olga",
      in: "public", [.saved(Self.stored(name, type, fields, tag: "8", by: "olga"))])
  }

  /// Somebody creates a completion of the order.
  mutating func completes(
    _ name: RecordName = "c", by driver: RecordName = "van", as user: String = "dirk",
    ago: Span = .zero, refused reason: String? = nil
  ) {
    let fields: Fields = [
      .orderId: .string("o"), .driverId: .name(driver), .completedAt: .timestamp(now - ago),
    ]
    write(
      [
        .init(
          .create,
          RecordDraft(name: name, type: "DeliveryCompletion", fields: FieldChanges(fields)))
      ],
      as: user,
      [
        Self.refusal(name, reason)
          ?? .saved(Self.stored(name, "DeliveryCompletion", fields, by: UserName(user), at: now))
      ])
  }

  mutating func rates(_ stars: Int64, as user: String = "alice", refused reason: String? = nil) {
    write(
      [
        .init(
          .update, RecordDraft(name: "c", changeTag: "1", fields: [.customerRating: .int64(stars)])
        )
      ],
      as: user,
      [
        Self.refusal("c", reason)
          ?? .saved(
            Self.stored(
              "c", "DeliveryCompletion",
              [.orderId: .string("o"), .customerRating: .int64(stars)], tag: "2"))
      ])
  }

  /// Carried by dirk's van.
  static func carried(_ status: OrderStatus, _ more: FieldChanges = [:])
    -> FieldChanges
  {
    var fields = Self.status(status)
    fields[.driverId] = .string("van")
    return fields.merging(more)
  }

  /// An order that dirk has brought on its way: its tag is 3.
  mutating func isOnItsWay() {
    places()
    steps(Self.carried(.pickedUp), as: "dirk", then: Self.carried(.pickedUp))
    steps(Self.status(.enRoute), as: "dirk", tag: 2, then: Self.carried(.enRoute))
  }

  /// So much time passes that whatever was tried can be judged.
  mutating func ripen() {
    for _ in 0..<2 {
      now += .seconds(30)
      control(.counters)
    }
  }

  // MARK: Inspection

  struct Inspected {
    var orders: [(name: RecordName, fields: Fields, note: JSONObject)] = []
    var others: [CloudRecord] = []
  }

  mutating func inspects(_ shown: Inspected) {
    var records = JSONObject()
    for type in ["Partner", "Driver", "DeliveryCompletion", "DriverOffer"] {
      records[type] = .array(shown.others.filter { $0.type.text == type }.map(\.document))
    }
    records["Order"] = .array(
      shown.orders.map { Self.stored($0.name, "Order", $0.fields).document })
    let notes = JSONObject(shown.orders.map { (name: $0.name.text, value: .object($0.note)) })
    inspect(["records": .object(records), "market": ["orders": .object(notes)]])
  }
}
