import Contracts

/// One field of a record type (§2.2 to §2.8, §2.11).
///
/// A class, as the schema is: whoever walks through the rules copies none.
public final class FieldRule: Sendable {
  public enum Kind: Sendable { case string, int64, double, timestamp, asset, assets, strings }

  public enum Presence: Sendable {
    case required, optional
    /// Required, and never changed.
    case immutable
  }

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

  public let name: FieldName
  public let kind: Kind
  public let isRequired: Bool
  public let isImmutable: Bool
  public let constraint: Constraint
  /// The rule that states the constraint.
  public let limit: MimiSupply.Rule

  init(
    name: FieldName, kind: Kind, isRequired: Bool, isImmutable: Bool, constraint: Constraint,
    limit: MimiSupply.Rule
  ) {
    self.name = name
    self.kind = kind
    self.isRequired = isRequired
    self.isImmutable = isImmutable
    self.constraint = constraint
    self.limit = limit
  }
}

/// The closed schema (MS-15).
public final class RecordSchema: Sendable {
  public let type: RecordType
  public let isPublic: Bool
  public let fields: [FieldRule]
  /// The place of each rule by the number of its field, and where there is none a place behind them all.
  private let places: [UInt8]

  init<each Value>(
    _ type: RecordType, isPublic: Bool = false, _ keys: repeat FieldKey<each Value>
  ) {
    var fields: [FieldRule] = []
    repeat fields.append((each keys).rule)
    (self.type, self.isPublic, self.fields) = (type, isPublic, fields)
    var places = [UInt8](repeating: UInt8(fields.count), count: FieldName.allCases.count)
    for (place, rule) in fields.enumerated() { places[Int(rule.name.rawValue)] = UInt8(place) }
    self.places = places
  }

  public subscript(name: FieldName) -> FieldRule? {
    let place = Int(places[Int(name.rawValue)])
    return place < fields.count ? fields[place] : nil
  }

  public subscript(text text: String) -> FieldRule? { FieldName(text).flatMap { self[$0] } }

  public func has(_ name: FieldName) -> Bool {
    Int(places[Int(name.rawValue)]) < fields.count
  }

  /// The first of some names, by their texts, that no field of this type has.
  public func unknown(among names: FieldNames) -> String? {
    let declared = names.declared.first { !has($0) }?.text
    guard let other = names.others.first else { return declared }
    return declared.map { min($0, other) } ?? other
  }

  public static func of(_ type: RecordType) -> RecordSchema? {
    switch type {
    case .partner: Partner.schema
    case .product: Product.schema
    case .userProfile: UserProfile.schema
    case .order: Order.schema
    case .driver: Driver.schema
    case .driverLocation: DriverLocation.schema
    case .deliveryCompletion: DeliveryCompletion.schema
    case .driverOffer: DriverOffer.schema
    case .auditEvent: AuditEvent.schema
    case .other: nil
    }
  }

  /// Every type, in the specification's order.
  public static let types: [RecordType] = [
    .partner, .product, .userProfile, .order, .driver, .driverLocation,
    .deliveryCompletion, .driverOffer, .auditEvent,
  ]
}

/// The type of a record: one that the schema has, or whatever else somebody says (MS-15).
public enum RecordType: Hashable, Sendable {
  case partner, product, userProfile, order, driver, driverLocation, deliveryCompletion
  case driverOffer, auditEvent
  /// None of the others.
  case other(Name<RecordSchema>)

  /// By the length of the text, which costs less than its hash.
  public init(_ text: some StringProtocol) {
    let type: RecordType
    switch text.utf8.count {
    case 5: type = .order
    case 6: type = .driver
    case 7: type = text == RecordType.partner.text ? .partner : .product
    case 10: type = .auditEvent
    case 11: type = text == RecordType.userProfile.text ? .userProfile : .driverOffer
    case 14: type = .driverLocation
    case 18: type = .deliveryCompletion
    default: type = .other("")
    }
    self = type.text == text ? type : .other(Name(text))
  }

  public var text: String {
    switch self {
    case .partner: "Partner"
    case .product: "Product"
    case .userProfile: "UserProfile"
    case .order: "Order"
    case .driver: "Driver"
    case .driverLocation: "DriverLocation"
    case .deliveryCompletion: "DeliveryCompletion"
    case .driverOffer: "DriverOffer"
    case .auditEvent: "AuditEvent"
    case .other(let name): name.text
    }
  }

  public var isEmpty: Bool { self == .other("") }

  /// As `Name` does: one multiplication instead of a hash for whatever there is.
  public func _rawHashValue(seed: Int) -> Int { key._rawHashValue(seed: seed) }

  /// Another one for each type.
  private var key: Name<RecordSchema> {
    switch self {
    case .partner: Self.keys[0]
    case .product: Self.keys[1]
    case .userProfile: Self.keys[2]
    case .order: Self.keys[3]
    case .driver: Self.keys[4]
    case .driverLocation: Self.keys[5]
    case .deliveryCompletion: Self.keys[6]
    case .driverOffer: Self.keys[7]
    case .auditEvent: Self.keys[8]
    case .other(let name): name
    }
  }

  private static let keys = RecordSchema.types.map { Name<RecordSchema>($0.text) }

  /// As Swift would make it, but inlined where it is asked: some eighty times for each request.
  @inlinable
  public static func == (a: RecordType, b: RecordType) -> Bool {
    switch (a, b) {
    case (.partner, .partner), (.product, .product), (.userProfile, .userProfile), (.order, .order),
      (.driver, .driver), (.driverLocation, .driverLocation),
      (.deliveryCompletion, .deliveryCompletion), (.driverOffer, .driverOffer),
      (.auditEvent, .auditEvent):
      true
    case (.other(let own), .other(let others)): own == others
    default: false
    }
  }
}

extension RecordType: Comparable {
  public static func < (a: RecordType, b: RecordType) -> Bool { a.text < b.text }
}

extension RecordType: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral text: String) { self.init(text) }
  public var description: String { text }
}

extension RecordType: Naming {
  public func mix(into digest: inout Digest) { digest.mix(text) }
}

extension Coding<RecordType> {
  /// One that the schema has.
  static let documented = Coding<String>.text(among: RecordSchema.types.map(\.text)).converted(
    to: { RecordType($0) }, from: { type, _ in type.text })
}
