import Contracts

/// One field of a record type (§2.2 to §2.8, §2.11).
public struct FieldRule: Sendable {
  public enum Kind: Sendable { case string, int64, double, timestamp, asset, assets, strings }

  public enum Constraint: Sendable {
    case any, flag, nonEmpty, mail
    /// Cents of an order, within `Bounds.cents`: judged with its sums (MS-31), which have reasons of their own (§3.4).
    case amount
    case length(ClosedRange<Int>)
    case oneOf([String])
    case elements([String])
    case whole(ClosedRange<Int64>)
    case decimal(ClosedRange<Double>)
    case hours, nutrition, dimensions
    /// At most so many pieces of so many bytes (MS-08).
    case media(pieces: Int, bytes: Int)
  }

  public let name: String
  public let kind: Kind
  public let isRequired: Bool
  public let isImmutable: Bool
  public let constraint: Constraint
  /// The rule that states the constraint.
  public let limit: LimitID
}

/// The closed schema (MS-15).
public struct RecordSchema: Sendable {
  public let type: String
  public let isPublic: Bool
  public let fields: [FieldRule]
  private let places: [String: Int]

  init(_ type: String, isPublic: Bool = false, _ fields: [FieldRule]) {
    self.type = type
    self.isPublic = isPublic
    self.fields = fields
    places = Dictionary(
      uniqueKeysWithValues: fields.enumerated().map { ($0.element.name, $0.offset) })
  }

  public subscript(field: String) -> FieldRule? { places[field].map { fields[$0] } }

  public func has(_ field: String) -> Bool { places[field] != nil }

  /// By the length of the name, which costs less than its hash: types are asked for several times a request.
  public static func of(_ type: String) -> RecordSchema? {
    let schema: RecordSchema
    switch type.utf8.count {
    case 5: schema = order
    case 6: schema = driver
    case 7: schema = type == "Partner" ? partner : product
    case 10: schema = auditEvent
    case 11: schema = type == "UserProfile" ? userProfile : driverOffer
    case 14: schema = driverLocation
    case 18: schema = deliveryCompletion
    default: return nil
    }
    return schema.type == type ? schema : nil
  }

  /// Every type, in the specification's order.
  public static let types = [
    "Partner", "Product", "UserProfile", "Order", "Driver", "DriverLocation",
    "DeliveryCompletion", "DriverOffer", "AuditEvent",
  ]
}

extension RecordSchema {
  /// A required field; `?` behind the name makes it optional, `!` makes it immutable.
  private static func field(
    _ spelling: String, _ kind: FieldRule.Kind, _ constraint: FieldRule.Constraint = .any,
    _ limit: LimitID = .ms14
  ) -> FieldRule {
    FieldRule(
      name: spelling.filter { $0 != "?" && $0 != "!" }, kind: kind,
      isRequired: !spelling.hasSuffix("?"), isImmutable: spelling.hasSuffix("!"),
      constraint: constraint, limit: limit)
  }

  private static let price: FieldRule.Constraint = .whole(1...Bounds.cents.upperBound)
  private static let count: FieldRule.Constraint = .whole(Bounds.counts)
  private static let stars: FieldRule.Constraint = .decimal(0...5)
  private static let north: FieldRule.Constraint = .decimal(-90...90)
  private static let east: FieldRule.Constraint = .decimal(-180...180)
  private static let notNegative: FieldRule.Constraint =
    .decimal(0...Double.greatestFiniteMagnitude)
  private static let megabyte = 1_048_576

  private static let partner = RecordSchema(
    "Partner", isPublic: true,
    [
      field("name", .string, .length(3...100), .ms16),
      field("category", .string, .oneOf(Stored.partnerCategories), .ms16),
      field("description", .string, .nonEmpty, .ms16),
      field("street", .string, .nonEmpty, .ms16),
      field("city", .string, .nonEmpty, .ms16),
      field("state", .string, .nonEmpty, .ms16),
      field("postalCode", .string, .nonEmpty, .ms16),
      field("country", .string, .nonEmpty, .ms16),
      field("latitude", .double, north, .ms16),
      field("longitude", .double, east, .ms16),
      field("phoneNumber?", .string),
      field("email?", .string, .mail, .ms16),
      field("heroImage?", .asset, .media(pieces: 1, bytes: 5 * megabyte), .ms08),
      field("logo?", .asset, .media(pieces: 1, bytes: 2 * megabyte), .ms08),
      field("isVerified", .int64, .flag),
      field("isActive", .int64, .flag),
      field("rating", .double, stars, .ms16),
      field("reviewCount", .int64, count, .ms16),
      field("deliveryRadius", .double, .decimal(0.1...50), .ms16),
      field("minimumOrderAmount", .int64, .whole(0...10_000), .ms16),
      field("estimatedDeliveryTime", .int64, .whole(1...1_440), .ms16),
      field("openingHours", .string, .hours, .ms23),
      field("createdAt!", .timestamp),
    ])

  private static let product = RecordSchema(
    "Product", isPublic: true,
    [
      field("partnerId!", .string),
      field("name", .string, .length(3...200), .ms17),
      field("description", .string),
      field("priceCents", .int64, price, .ms17),
      field("originalPriceCents?", .int64, price, .ms17),
      field("category", .string, .oneOf(Stored.productCategories), .ms17),
      field("images?", .assets, .media(pieces: 10, bytes: 3 * megabyte), .ms08),
      field("isAvailable", .int64, .flag),
      field("stockQuantity?", .int64, .whole(-1...Bounds.counts.upperBound), .ms50),
      field("nutritionInfo?", .string, .nutrition, .ms23),
      field("allergens?", .strings, .elements(Stored.allergens), .ms17),
      field("tags?", .strings),
      field("weight?", .double, notNegative, .ms17),
      field("dimensions?", .string, .dimensions, .ms23),
      field("createdAt!", .timestamp),
      field("updatedAt", .timestamp),
    ])

  private static let userProfile = RecordSchema(
    "UserProfile",
    [
      field("appleUserID!", .string),
      field("email?", .string),
      field("fullName?", .string),
      field("role", .string, .oneOf(Stored.roles), .ms22),
      field("phoneNumber?", .string),
      field("profileImage?", .asset),
      field("isVerified", .int64, .flag),
      field("createdAt!", .timestamp),
      field("lastActiveAt", .timestamp),
      field("deviceToken?", .string),
    ])

  private static let order = RecordSchema(
    "Order",
    [
      field("customerId!", .string),
      field("partnerId!", .string),
      field("driverId?", .string),
      field("items!", .string),
      field("status", .string, .oneOf(OrderStatus.allCases.map(\.rawValue)), .ms18),
      field("subtotalCents!", .int64, .amount, .ms31),
      field("deliveryFeeCents!", .int64, .amount, .ms31),
      field("platformFeeCents!", .int64, .amount, .ms31),
      field("taxCents!", .int64, .amount, .ms31),
      field("tipCents?", .int64, .amount, .ms31),
      field("totalCents", .int64, .amount, .ms31),
      field("deliveryAddress!", .string),
      field("deliveryInstructions?", .string),
      field("estimatedDeliveryTime", .timestamp),
      field("actualDeliveryTime?", .timestamp),
      field("paymentMethod!", .string, .oneOf(Stored.paymentMethods), .ms14),
      field("paymentStatus", .string, .oneOf(Stored.paymentStatuses), .ms14),
      field("createdAt!", .timestamp),
      field("updatedAt", .timestamp),
    ])

  private static let driver = RecordSchema(
    "Driver",
    [
      field("userId!", .string),
      field("name", .string, .nonEmpty, .ms19),
      field("phoneNumber", .string, .nonEmpty, .ms19),
      field("profileImage?", .asset),
      field("vehicleType", .string, .oneOf(Stored.vehicles), .ms19),
      field("licensePlate", .string, .nonEmpty, .ms19),
      field("isOnline", .int64, .flag),
      field("isAvailable", .int64, .flag),
      field("currentLatitude?", .double, north, .ms19),
      field("currentLongitude?", .double, east, .ms19),
      field("rating", .double, stars, .ms19),
      field("completedDeliveries", .int64, count, .ms19),
      field("verificationStatus", .string, .oneOf(Stored.verifications), .ms19),
      field("createdAt!", .timestamp),
    ])

  private static let driverLocation = RecordSchema(
    "DriverLocation",
    [
      field("driverId!", .string),
      field("latitude", .double, north, .ms20),
      field("longitude", .double, east, .ms20),
      field("heading?", .double, .decimal(0...360), .ms20),
      field("speed?", .double, notNegative, .ms20),
      field("accuracy?", .double, notNegative, .ms20),
      field("timestamp", .timestamp),
    ])

  private static let deliveryCompletion = RecordSchema(
    "DeliveryCompletion",
    [
      field("orderId!", .string),
      field("driverId!", .string),
      field("completedAt", .timestamp),
      field("photoAsset?", .asset),
      field("notes?", .string),
      field("customerRating?", .int64),
      field("customerFeedback?", .string),
    ])

  private static let driverOffer = RecordSchema(
    "DriverOffer",
    [
      field("orderId", .string),
      field("driverId", .string),
      field("state", .string, .oneOf(Stored.offerStates), .ms14),
      field("offeredAt", .timestamp),
      field("expiresAt", .timestamp),
      field("distanceMeters", .double, .decimal(Bounds.metres)),
      field("estimatedEarningsCents", .int64, .whole(Bounds.cents)),
      field("attempt", .int64, count),
    ])

  private static let auditEvent = RecordSchema(
    "AuditEvent",
    [
      field("sequence!", .int64), field("timestamp!", .timestamp), field("event!", .string),
      field("userId?", .string), field("deviceId?", .string), field("appVersion?", .string),
      field("recordType?", .string), field("recordName?", .string), field("details?", .string),
    ])
}
