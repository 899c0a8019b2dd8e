import MimiSupplyContract
import Timekeeping

/// Records that keep every rule of section 2, for tests to break.
enum SchemaRecords {
  static let start = MarketStory.start

  static let partner: Fields = [
    .name: .string("Café Ä"), .category: .string("coffee"), .description: .string("A café"),
    .street: .string("Weg 1"), .city: .string("Berlin"), .state: .string("Berlin"),
    .postalCode: .string("10117"), .country: .string("DE"), .latitude: .double(52.5),
    .longitude: .double(13.4), .isVerified: .int64(0), .isActive: .int64(0),
    .rating: .double(0), .reviewCount: .int64(0), .deliveryRadius: .double(5),
    .minimumOrderAmount: .int64(1_000), .estimatedDeliveryTime: .int64(30),
    .openingHours: .string("{}"), .createdAt: .timestamp(start),
  ]

  static let product: Fields = [
    .partnerId: .string("p"), .name: .string("Soup"), .description: .string(""),
    .priceCents: .int64(590), .category: .string("food"), .isAvailable: .int64(1),
    .createdAt: .timestamp(start), .updatedAt: .timestamp(start),
  ]

  static let driver: Fields = [
    .userId: .string("dirk"), .name: .string("Dirk"), .phoneNumber: .string("1"),
    .vehicleType: .string("car"), .licensePlate: .string("M-S 1"), .isOnline: .int64(0),
    .isAvailable: .int64(0), .rating: .double(0), .completedDeliveries: .int64(0),
    .verificationStatus: .string("pending"), .createdAt: .timestamp(start),
  ]

  static let position: Fields = [
    .driverId: .string("d"), .latitude: .double(52.5), .longitude: .double(13.4),
    .timestamp: .timestamp(start),
  ]

  static let profile: Fields = [
    .appleUserID: .string("a-alice"), .role: .string("customer"), .isVerified: .int64(0),
    .createdAt: .timestamp(start), .lastActiveAt: .timestamp(start),
  ]

  static let items = """
    [{"id":"1","productId":"dish","productName":"Soup","quantity":2,"unitPriceCents":590,\
    "totalPriceCents":1180}]
    """
  static let address = """
    {"street":"Weg 1","city":"Berlin","state":"Berlin","postalCode":"10117","country":"DE",\
    "latitude":52.5,"longitude":13.4}
    """

  static let order: Fields = [
    .customerId: .string("alice"), .partnerId: .string("p"), .items: .string(items),
    .status: .string("payment_confirmed"), .subtotalCents: .int64(1_180),
    .deliveryFeeCents: .int64(199), .platformFeeCents: .int64(0), .taxCents: .int64(0),
    .totalCents: .int64(1_379), .deliveryAddress: .string(address),
    .estimatedDeliveryTime: .timestamp(start + .hours(1)), .paymentMethod: .string("cash"),
    .paymentStatus: .string("pending"), .createdAt: .timestamp(start),
    .updatedAt: .timestamp(start),
  ]

  static func completion(stars: Int64?) -> Fields {
    var fields: Fields = [
      .orderId: .string("o"), .driverId: .string("d"), .completedAt: .timestamp(start),
    ]
    fields[.customerRating] = stars.map { .int64($0) }
    return fields
  }
}

extension MarketStory {
  /// A new record is sent and stored with the same fields.
  mutating func stores(
    _ name: RecordName, _ type: RecordType, _ fields: Fields,
    with changes: FieldChanges = [:], _ kind: Modification.Kind = .create,
    in database: String = "private", as user: String = "alice",
    lasting: Span = .milliseconds(100), then pause: Span = .seconds(5)
  ) {
    let fields = fields.merged(changes)
    write(
      [.init(kind, RecordDraft(name: name, type: type, fields: FieldChanges(fields)))],
      as: user, in: database, [.saved(Self.stored(name, type, fields, by: UserName(user)))],
      lasting: lasting, then: pause)
  }

  /// A new record is sent and refused.
  mutating func refuses(
    _ name: RecordName, _ type: RecordType, _ fields: Fields,
    with changes: FieldChanges = [:], _ code: Failure.Code = .badRequest,
    _ native: Failure.Native = .invalidArguments, _ reason: String? = nil,
    _ kind: Modification.Kind = .create, as user: String = "alice", in database: String = "private"
  ) {
    let fields = fields.merged(changes)
    write(
      [.init(kind, RecordDraft(name: name, type: type, fields: FieldChanges(fields)))],
      as: user, in: database, [Self.failed(name, code, native, reason)])
  }
}
