import Contracts
import Timekeeping

/// A field of a record type: its name, what its values are in code, and what the schema demands of it.
///
/// It is declared once, with its type (`Order.status`); from that follow the schema and every access by name.
public struct FieldKey<Value: Sendable>: Sendable {
  public let name: FieldName
  public let rule: FieldRule

  init(
    _ name: FieldName, _ kind: FieldRule.Kind, _ presence: FieldRule.Presence,
    _ constraint: FieldRule.Constraint, _ limit: MimiSupply.Rule
  ) {
    self.name = name
    rule = FieldRule(
      name: name, kind: kind, isRequired: presence != .optional,
      isImmutable: presence == .immutable, constraint: constraint, limit: limit)
  }
}

extension FieldKey where Value: FieldContent {
  init(
    _ name: FieldName, _ presence: FieldRule.Presence = .required,
    _ constraint: FieldRule.Constraint = .any, _ limit: MimiSupply.Rule = .ms14
  ) {
    self.init(name, Value.kind, presence, constraint, limit)
  }
}

extension FieldKey<Bool> {
  /// A whole number, 0 or 1.
  init(_ name: FieldName) { self.init(name, .int64, .required, .flag, .ms14) }
}

/// What a field can hold.
public protocol FieldContent: Sendable {
  static var kind: FieldRule.Kind { get }
  /// `nil` for a value of another type.
  static func content(of value: FieldValue) -> Self?
  var fieldValue: FieldValue { get }
}

extension String: FieldContent {
  public static var kind: FieldRule.Kind { .string }

  @inlinable public static func content(of value: FieldValue) -> Self? {
    if case .string(let content) = value { content } else { nil }
  }

  public var fieldValue: FieldValue { .string(self) }
}

extension Name: FieldContent {
  public static var kind: FieldRule.Kind { .string }

  public static func content(of value: FieldValue) -> Self? {
    if case .identifier(let name) = value { Self(name) } else { nil }
  }

  public var fieldValue: FieldValue { .name(self) }
}

extension Int64: FieldContent {
  public static var kind: FieldRule.Kind { .int64 }

  @inlinable public static func content(of value: FieldValue) -> Self? {
    if case .int64(let content) = value { content } else { nil }
  }

  public var fieldValue: FieldValue { .int64(self) }
}

extension Double: FieldContent {
  public static var kind: FieldRule.Kind { .double }

  @inlinable public static func content(of value: FieldValue) -> Self? {
    if case .double(let content) = value { content } else { nil }
  }

  public var fieldValue: FieldValue { .double(self) }
}

extension Instant: FieldContent {
  public static var kind: FieldRule.Kind { .timestamp }

  @inlinable public static func content(of value: FieldValue) -> Self? {
    if case .timestamp(let content) = value { content } else { nil }
  }

  public var fieldValue: FieldValue { .timestamp(self) }
}

extension Asset: FieldContent {
  public static var kind: FieldRule.Kind { .asset }

  @inlinable public static func content(of value: FieldValue) -> Self? {
    if case .asset(let content) = value { content } else { nil }
  }

  public var fieldValue: FieldValue { .asset(self) }
}

/// Texts, or files.
public protocol FieldItem: Sendable {
  static var listKind: FieldRule.Kind { get }
  static func items(of value: FieldValue) -> [Self]?
  static func value(of items: [Self]) -> FieldValue
}

extension Array: FieldContent where Element: FieldItem {
  public static var kind: FieldRule.Kind { Element.listKind }
  public static func content(of value: FieldValue) -> Self? { Element.items(of: value) }
  public var fieldValue: FieldValue { Element.value(of: self) }
}

extension String: FieldItem {
  public static var listKind: FieldRule.Kind { .strings }

  public static func items(of value: FieldValue) -> [String]? {
    if case .strings(let items) = value { items } else { nil }
  }

  public static func value(of items: [String]) -> FieldValue { .strings(items) }
}

extension Asset: FieldItem {
  public static var listKind: FieldRule.Kind { .assets }

  public static func items(of value: FieldValue) -> [Asset]? {
    if case .assets(let items) = value { items } else { nil }
  }

  public static func value(of items: [Asset]) -> FieldValue { .assets(items) }
}

// MARK: - Access

extension Fields {
  /// The value of a field; `nil` when there is none of its type.
  @inlinable public subscript<Value: FieldContent>(field: FieldKey<Value>) -> Value? {
    get { self[field.name].flatMap(Value.content) }
    set { self[field.name] = newValue?.fieldValue }
  }

  /// Whether a flag is set; what is neither 0 nor 1 is not.
  @inlinable public subscript(field: FieldKey<Bool>) -> Bool {
    get { self[field.name] == .int64(1) }
    set { self[field.name] = .int64(newValue ? 1 : 0) }
  }
}

extension CloudRecord {
  /// The value of a field; `nil` when there is none of its type.
  @inlinable public subscript<Value: FieldContent>(field: FieldKey<Value>) -> Value? {
    get { fields[field] }
    set { fields[field] = newValue }
  }

  /// Whether a flag is set; what is neither 0 nor 1 is not.
  @inlinable public subscript(field: FieldKey<Bool>) -> Bool {
    get { fields[field] }
    set { fields[field] = newValue }
  }

  /// Two fields as a point on earth.
  public func point(
    _ latitude: FieldKey<Double>, _ longitude: FieldKey<Double>
  ) -> Geography.Point? {
    guard let north = self[latitude], let east = self[longitude] else { return nil }
    let point = Geography.Point(north, east)
    return point.isOnEarth ? point : nil
  }

  /// The canonical status of an order; records that passed the schema have one.
  public var status: OrderStatus? { self[Order.status].flatMap(OrderStatus.of) }

  /// A copy with some fields changed; `nil` removes.
  public func with(_ changes: FieldChanges) -> CloudRecord {
    var copy = self
    copy.fields.apply(changes)
    return copy
  }
}

extension RecordDraft {
  /// What was sent for a field; `nil` when it was nothing of its type.
  @inlinable public subscript<Value: FieldContent>(field: FieldKey<Value>) -> Value? {
    get { fields.written[field] }
    set { fields[field.name] = newValue?.fieldValue }
  }
}
