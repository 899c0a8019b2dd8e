import Timekeeping

/// The stored values of §2.9.
public enum Stored {
  public static let partnerCategories = [
    "restaurant", "grocery", "pharmacy", "retail", "convenience", "bakery", "coffee", "alcohol",
    "flowers", "electronics",
  ]
  public static let productCategories = [
    "food", "beverages", "medicine", "personalCare", "household", "electronics", "clothing",
    "books", "healthcare", "fashion", "homeAndGarden", "sports", "beauty", "toys", "other",
  ]
  public static let allergens = [
    "milk", "eggs", "fish", "shellfish", "tree_nuts", "peanuts", "wheat", "soybeans", "sesame",
  ]
  public static let vehicles = ["bicycle", "scooter", "motorcycle", "car", "van"]
  public static let verifications = ["pending", "verified", "rejected", "suspended"]
  public static let paymentMethods = [
    "credit_card", "debit_card", "apple_pay", "google_pay", "paypal", "cash", "gift_card",
  ]
  public static let paymentStatuses = [
    "pending", "processing", "completed", "failed", "refunded", "cancelled",
  ]
  public static let offerStates = ["offered", "accepted", "declined", "expired", "withdrawn"]
  public static let roles = Role.allCases.map(\.rawValue)
}

/// The canonical statuses, in the order of the main line (§2.9, §5.1).
public enum OrderStatus: String, Hashable, Sendable, CaseIterable {
  case created
  case paymentProcessing = "payment_processing"
  case paymentConfirmed = "payment_confirmed"
  case accepted
  case preparing
  case readyForPickup = "ready_for_pickup"
  case pickedUp = "picked_up"
  case enRoute = "en_route"
  case delivered
  case cancelled
  case failed

  /// As `init(rawValue:)`, which compares with every case: here the length tells most of them apart.
  public static func of(_ text: String) -> OrderStatus? {
    let status: OrderStatus
    switch text.utf8.count {
    case 6: status = .failed
    case 7: status = .created
    case 8: status = text == "accepted" ? .accepted : .enRoute
    case 9:
      switch text.utf8.first {
      case UInt8(ascii: "d"): status = .delivered
      case UInt8(ascii: "c"): status = .cancelled
      default: status = text == "preparing" ? .preparing : .pickedUp
      }
    case 16: status = .readyForPickup
    case 17: status = .paymentConfirmed
    case 18: status = .paymentProcessing
    default: return nil
    }
    return status.rawValue == text ? status : nil
  }

  /// What clients may write for a canonical status (§2.9).
  public static let aliases = [
    "pending": "created", "confirmed": "accepted", "ready": "ready_for_pickup",
    "delivering": "en_route",
  ]

  /// A claim written as a status; never stored.
  public static let claim = "driver_assigned"

  public var isTerminal: Bool { self == .delivered || self == .cancelled || self == .failed }
  public var isActive: Bool { !isTerminal }
  /// Active, and the goods are still with the partner.
  public var isBeforePickup: Bool { isActive && self != .pickedUp && self != .enRoute }
  /// In the driver's hands.
  public var isCarried: Bool { self == .pickedUp || self == .enRoute }

  /// Place on the main line; terminal states have none that matters.
  public var place: Int { Self.allCases.firstIndex(of: self)! }
}

/// §2.9.
public enum Role: String, Hashable, Sendable, CaseIterable {
  case customer, driver, partner, admin
}

extension Instant {
  /// Rounded down to what the wire carries.
  public var toMilliseconds: Instant { Instant(nearestMilliseconds: unixMilliseconds) }
}
