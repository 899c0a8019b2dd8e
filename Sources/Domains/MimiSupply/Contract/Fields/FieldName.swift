/// A field that the schema declares for some type, as the wire spells it; undeclared ones are text (`FieldNames.others`).
///
/// The cases stand in the order of their texts: so do a record's values, and the members of its document.
public enum FieldName: UInt8, Hashable, Sendable, CaseIterable {
  case accuracy, actualDeliveryTime, allergens, appVersion, appleUserID, attempt, category, city
  case completedAt, completedDeliveries, country, createdAt, currentLatitude, currentLongitude
  case customerFeedback, customerId, customerRating, deliveryAddress, deliveryFeeCents
  case deliveryInstructions, deliveryRadius, description, details, deviceId, deviceToken
  case dimensions, distanceMeters, driverId, email, estimatedDeliveryTime
  case estimatedEarningsCents, event, expiresAt, fullName, heading, heroImage, images, isActive
  case isAvailable, isOnline, isVerified, items, lastActiveAt, latitude, licensePlate, logo
  case longitude, minimumOrderAmount, name, notes, nutritionInfo, offeredAt, openingHours
  case orderId, originalPriceCents, partnerId, paymentMethod, paymentStatus, phoneNumber
  case photoAsset, platformFeeCents, postalCode, priceCents, profileImage, rating, recordName
  case recordType, reviewCount, role, sequence, speed, state, status, stockQuantity, street
  case subtotalCents, tags, taxCents, timestamp, tipCents, totalCents, updatedAt, userId
  case vehicleType, verificationStatus, weight

  private static let texts = allCases.map { "\($0)" }
  private static let places = Dictionary(
    uniqueKeysWithValues: allCases.map { (texts[Int($0.rawValue)], $0) })

  public init?(_ text: String) {
    guard let name = Self.places[text] else { return nil }
    self = name
  }

  /// Whether what it holds is the name of a record, a user or a device, in every type that has it.
  public var holdsName: Bool {
    switch self {
    case .customerId, .deviceId, .driverId, .orderId, .partnerId, .recordName, .userId: true
    default: false
    }
  }

  private static let byteCounts = texts.map { UInt8($0.utf8.count) }

  /// How long its text is.
  public var byteCount: Int { Int(Self.byteCounts[Int(rawValue)]) }

  /// As the wire has it.
  public var text: String { Self.texts[Int(rawValue)] }
}
