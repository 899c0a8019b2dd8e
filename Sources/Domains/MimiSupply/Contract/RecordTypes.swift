import Contracts
import Timekeeping

// The record types and their fields: name, type and rule of each in one place.

extension FieldRule.Constraint {
  fileprivate static let price: Self = .whole(1...Bounds.cents.upperBound)
  fileprivate static let count: Self = .whole(Bounds.counts)
  fileprivate static let stars: Self = .decimal(0...5)
  fileprivate static let north: Self = .decimal(-90...90)
  fileprivate static let east: Self = .decimal(-180...180)
  fileprivate static let notNegative: Self = .decimal(0...Double.greatestFiniteMagnitude)
}

private let megabyte = 1_048_576

/// §2.2.
public enum Partner {
  public static let name = FieldKey<String>(.name, .required, .length(3...100), .ms16)
  public static let category = FieldKey<String>(
    .category, .required, .oneOf(Stored.partnerCategories), .ms16)
  public static let description = FieldKey<String>(.description, .required, .nonEmpty, .ms16)
  public static let street = FieldKey<String>(.street, .required, .nonEmpty, .ms16)
  public static let city = FieldKey<String>(.city, .required, .nonEmpty, .ms16)
  public static let state = FieldKey<String>(.state, .required, .nonEmpty, .ms16)
  public static let postalCode = FieldKey<String>(.postalCode, .required, .nonEmpty, .ms16)
  public static let country = FieldKey<String>(.country, .required, .nonEmpty, .ms16)
  public static let latitude = FieldKey<Double>(.latitude, .required, .north, .ms16)
  public static let longitude = FieldKey<Double>(.longitude, .required, .east, .ms16)
  public static let phoneNumber = FieldKey<String>(.phoneNumber, .optional)
  public static let email = FieldKey<String>(.email, .optional, .mail, .ms16)
  public static let heroImage = FieldKey<Asset>(
    .heroImage, .optional, .media(pieces: 1, bytes: 5 * megabyte), .ms08)
  public static let logo = FieldKey<Asset>(
    .logo, .optional, .media(pieces: 1, bytes: 2 * megabyte), .ms08)
  public static let isVerified = FieldKey<Bool>(.isVerified)
  public static let isActive = FieldKey<Bool>(.isActive)
  public static let rating = FieldKey<Double>(.rating, .required, .stars, .ms16)
  public static let reviewCount = FieldKey<Int64>(.reviewCount, .required, .count, .ms16)
  public static let deliveryRadius = FieldKey<Double>(
    .deliveryRadius, .required, .decimal(0.1...50), .ms16)
  public static let minimumOrderAmount = FieldKey<Int64>(
    .minimumOrderAmount, .required, .whole(0...10_000), .ms16)
  public static let estimatedDeliveryTime = FieldKey<Int64>(
    .estimatedDeliveryTime, .required, .whole(1...1_440), .ms16)
  public static let openingHours = FieldKey<String>(.openingHours, .required, .hours, .ms23)
  public static let createdAt = FieldKey<Instant>(.createdAt, .immutable)

  static let schema = RecordSchema(
    .partner, isPublic: true, name, category, description, street, city, state, postalCode, country,
    latitude, longitude, phoneNumber, email, heroImage, logo, isVerified, isActive, rating,
    reviewCount, deliveryRadius, minimumOrderAmount, estimatedDeliveryTime, openingHours, createdAt)
}

/// §2.3.
public enum Product {
  public static let partner = FieldKey<RecordName>(.partnerId, .immutable)
  public static let name = FieldKey<String>(.name, .required, .length(3...200), .ms17)
  public static let description = FieldKey<String>(.description)
  public static let priceCents = FieldKey<Int64>(.priceCents, .required, .price, .ms17)
  public static let originalPriceCents = FieldKey<Int64>(
    .originalPriceCents, .optional, .price, .ms17)
  public static let category = FieldKey<String>(
    .category, .required, .oneOf(Stored.productCategories), .ms17)
  public static let images = FieldKey<[Asset]>(
    .images, .optional, .media(pieces: 10, bytes: 3 * megabyte), .ms08)
  public static let isAvailable = FieldKey<Bool>(.isAvailable)
  public static let stockQuantity = FieldKey<Int64>(
    .stockQuantity, .optional, .whole(-1...Bounds.counts.upperBound), .ms50)
  public static let nutritionInfo = FieldKey<String>(.nutritionInfo, .optional, .nutrition, .ms23)
  public static let allergens = FieldKey<[String]>(
    .allergens, .optional, .elements(Stored.allergens), .ms17)
  public static let tags = FieldKey<[String]>(.tags, .optional)
  public static let weight = FieldKey<Double>(.weight, .optional, .notNegative, .ms17)
  public static let dimensions = FieldKey<String>(.dimensions, .optional, .dimensions, .ms23)
  public static let createdAt = FieldKey<Instant>(.createdAt, .immutable)
  public static let updatedAt = FieldKey<Instant>(.updatedAt)

  static let schema = RecordSchema(
    .product, isPublic: true, partner, name, description, priceCents, originalPriceCents,
    category, images, isAvailable, stockQuantity, nutritionInfo,
    allergens, tags, weight, dimensions, createdAt, updatedAt)
}

/// §2.4.
public enum UserProfile {
  public static let appleUser = FieldKey<String>(.appleUserID, .immutable)
  public static let email = FieldKey<String>(.email, .optional)
  public static let fullName = FieldKey<String>(.fullName, .optional)
  public static let role = FieldKey<String>(.role, .required, .oneOf(Stored.roles), .ms22)
  public static let phoneNumber = FieldKey<String>(.phoneNumber, .optional)
  public static let profileImage = FieldKey<Asset>(.profileImage, .optional)
  public static let isVerified = FieldKey<Bool>(.isVerified)
  public static let createdAt = FieldKey<Instant>(.createdAt, .immutable)
  public static let lastActiveAt = FieldKey<Instant>(.lastActiveAt)
  public static let deviceToken = FieldKey<String>(.deviceToken, .optional)

  static let schema = RecordSchema(
    .userProfile, appleUser, email, fullName, role, phoneNumber, profileImage,
    isVerified, createdAt, lastActiveAt, deviceToken)
}

/// §2.5.
public enum Order {
  public static let customer = FieldKey<UserName>(.customerId, .immutable)
  public static let partner = FieldKey<RecordName>(.partnerId, .immutable)
  public static let driver = FieldKey<RecordName>(.driverId, .optional)
  public static let items = FieldKey<String>(.items, .immutable)
  public static let status = FieldKey<String>(
    .status, .required, .oneOf(OrderStatus.allCases.map(\.rawValue)), .ms18)
  public static let subtotalCents = FieldKey<Int64>(.subtotalCents, .immutable, .amount, .ms31)
  public static let deliveryFeeCents = FieldKey<Int64>(
    .deliveryFeeCents, .immutable, .amount, .ms31)
  public static let platformFeeCents = FieldKey<Int64>(
    .platformFeeCents, .immutable, .amount, .ms31)
  public static let taxCents = FieldKey<Int64>(.taxCents, .immutable, .amount, .ms31)
  public static let tipCents = FieldKey<Int64>(.tipCents, .optional, .amount, .ms31)
  public static let totalCents = FieldKey<Int64>(.totalCents, .required, .amount, .ms31)
  public static let deliveryAddress = FieldKey<String>(.deliveryAddress, .immutable)
  public static let deliveryInstructions = FieldKey<String>(.deliveryInstructions, .optional)
  public static let estimatedDeliveryTime = FieldKey<Instant>(.estimatedDeliveryTime)
  public static let actualDeliveryTime = FieldKey<Instant>(.actualDeliveryTime, .optional)
  public static let paymentMethod = FieldKey<String>(
    .paymentMethod, .immutable, .oneOf(Stored.paymentMethods), .ms14)
  public static let paymentStatus = FieldKey<String>(
    .paymentStatus, .required, .oneOf(Stored.paymentStatuses), .ms14)
  public static let createdAt = FieldKey<Instant>(.createdAt, .immutable)
  public static let updatedAt = FieldKey<Instant>(.updatedAt)

  static let schema = RecordSchema(
    .order, customer, partner, driver, items, status, subtotalCents, deliveryFeeCents,
    platformFeeCents, taxCents, tipCents, totalCents, deliveryAddress, deliveryInstructions,
    estimatedDeliveryTime, actualDeliveryTime, paymentMethod, paymentStatus, createdAt, updatedAt)
}

/// §2.6.
public enum Driver {
  public static let user = FieldKey<UserName>(.userId, .immutable)
  public static let name = FieldKey<String>(.name, .required, .nonEmpty, .ms19)
  public static let phoneNumber = FieldKey<String>(.phoneNumber, .required, .nonEmpty, .ms19)
  public static let profileImage = FieldKey<Asset>(.profileImage, .optional)
  public static let vehicleType = FieldKey<String>(
    .vehicleType, .required, .oneOf(Stored.vehicles), .ms19)
  public static let licensePlate = FieldKey<String>(.licensePlate, .required, .nonEmpty, .ms19)
  public static let isOnline = FieldKey<Bool>(.isOnline)
  public static let isAvailable = FieldKey<Bool>(.isAvailable)
  public static let currentLatitude = FieldKey<Double>(.currentLatitude, .optional, .north, .ms19)
  public static let currentLongitude = FieldKey<Double>(.currentLongitude, .optional, .east, .ms19)
  public static let rating = FieldKey<Double>(.rating, .required, .stars, .ms19)
  public static let completedDeliveries = FieldKey<Int64>(
    .completedDeliveries, .required, .count, .ms19)
  public static let verificationStatus = FieldKey<String>(
    .verificationStatus, .required, .oneOf(Stored.verifications), .ms19)
  public static let createdAt = FieldKey<Instant>(.createdAt, .immutable)

  static let schema = RecordSchema(
    .driver, user, name, phoneNumber, profileImage, vehicleType, licensePlate, isOnline,
    isAvailable, currentLatitude, currentLongitude, rating, completedDeliveries, verificationStatus,
    createdAt)
}

/// §2.7.
public enum DriverLocation {
  public static let driver = FieldKey<RecordName>(.driverId, .immutable)
  public static let latitude = FieldKey<Double>(.latitude, .required, .north, .ms20)
  public static let longitude = FieldKey<Double>(.longitude, .required, .east, .ms20)
  public static let heading = FieldKey<Double>(.heading, .optional, .decimal(0...360), .ms20)
  public static let speed = FieldKey<Double>(.speed, .optional, .notNegative, .ms20)
  public static let accuracy = FieldKey<Double>(.accuracy, .optional, .notNegative, .ms20)
  public static let timestamp = FieldKey<Instant>(.timestamp)

  static let schema = RecordSchema(
    .driverLocation, driver, latitude, longitude, heading, speed, accuracy, timestamp)
}

/// §2.8.
public enum DeliveryCompletion {
  public static let order = FieldKey<RecordName>(.orderId, .immutable)
  public static let driver = FieldKey<RecordName>(.driverId, .immutable)
  public static let completedAt = FieldKey<Instant>(.completedAt)
  public static let photoAsset = FieldKey<Asset>(.photoAsset, .optional)
  public static let notes = FieldKey<String>(.notes, .optional)
  public static let customerRating = FieldKey<Int64>(.customerRating, .optional)
  public static let customerFeedback = FieldKey<String>(.customerFeedback, .optional)

  static let schema = RecordSchema(
    .deliveryCompletion, order, driver, completedAt, photoAsset, notes, customerRating,
    customerFeedback)
}

/// §2.11.
public enum DriverOffer {
  public static let order = FieldKey<RecordName>(.orderId)
  public static let driver = FieldKey<RecordName>(.driverId)
  public static let state = FieldKey<String>(.state, .required, .oneOf(Stored.offerStates), .ms14)
  public static let offeredAt = FieldKey<Instant>(.offeredAt)
  public static let expiresAt = FieldKey<Instant>(.expiresAt)
  public static let distanceMeters = FieldKey<Double>(
    .distanceMeters, .required, .decimal(Bounds.metres))
  public static let estimatedEarningsCents = FieldKey<Int64>(
    .estimatedEarningsCents, .required, .whole(Bounds.cents))
  public static let attempt = FieldKey<Int64>(.attempt, .required, .count)

  static let schema = RecordSchema(
    .driverOffer, order, driver, state, offeredAt, expiresAt, distanceMeters,
    estimatedEarningsCents, attempt)
}

/// §2.11.
public enum AuditEvent {
  /// The entry that a name would be of: `audit_17`.
  public static func sequence(of name: RecordName) -> Int? {
    name.isOfAuditLog ? Int(name.text.dropFirst(6)) : nil
  }

  public static let sequence = FieldKey<Int64>(.sequence, .immutable)
  public static let timestamp = FieldKey<Instant>(.timestamp, .immutable)
  public static let event = FieldKey<String>(.event, .immutable)
  public static let user = FieldKey<UserName>(.userId, .optional)
  public static let device = FieldKey<DeviceName>(.deviceId, .optional)
  public static let appVersion = FieldKey<String>(.appVersion, .optional)
  public static let recordType = FieldKey<String>(.recordType, .optional)
  public static let recordName = FieldKey<RecordName>(.recordName, .optional)
  public static let details = FieldKey<String>(.details, .optional)

  static let schema = RecordSchema(
    .auditEvent, sequence, timestamp, event, user, device, appVersion,
    recordType, recordName, details)
}
