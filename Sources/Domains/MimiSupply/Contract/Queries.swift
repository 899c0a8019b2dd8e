import Contracts

/// What a query or a subscription looks for (§3.2, §3.5).
public struct RecordQuery: Hashable, Sendable {
  public var recordType: RecordType
  /// All of them have to hold.
  public var filters: [Filter]
  public var sorts: [Sort]

  public init(_ recordType: RecordType, _ filters: [Filter] = [], sortedBy sorts: [Sort] = []) {
    (self.recordType, self.filters, self.sorts) = (recordType, filters, sorts)
  }

  static let shape = Shape(
    { RecordQuery($0, $1, sortedBy: $2) }, Field("recordType", \.recordType, .name),
    Field("filterBy", \.filters, .list(Filter.shape.coding).leftOut(for: [])),
    Field("sortBy", \.sorts, .list(Sort.shape.coding).leftOut(for: [])))

  public var document: JSON { Self.shape.document(of: self, .redacted) }
}

/// One condition of a query, as it was sent: comparator, field and value can all be wrong.
public struct Filter: Hashable, Sendable {
  public enum Comparator: String, Hashable, Sendable, CaseIterable {
    case equals = "EQUALS"
    case notEquals = "NOT_EQUALS"
    case lessThan = "LESS_THAN"
    case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
    case isIn = "IN"
    case isNotIn = "NOT_IN"
    case beginsWith = "BEGINS_WITH"
    case notBeginsWith = "NOT_BEGINS_WITH"
    case containsAllTokens = "CONTAINS_ALL_TOKENS"
    case containsAnyTokens = "CONTAINS_ANY_TOKENS"
    case listContains = "LIST_CONTAINS"
    case notListContains = "NOT_LIST_CONTAINS"
    case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
    case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
    case near = "NEAR"
  }

  public var comparator, fieldName: String
  /// `nil` is JSON's null: with `EQUALS` it matches an absent field.
  public var value: FieldValue?
  /// In metres, with `NEAR`.
  public var distance: Double?

  public init(
    _ field: FieldName, _ comparator: Comparator, _ value: FieldValue?, distance: Double? = nil
  ) {
    self.init(text: field.text, comparator, value, distance: distance)
  }

  /// - Parameter fieldName: What no record type declares: a system field, the virtual `location`, or nothing at all.
  public init(
    text fieldName: String, _ comparator: Comparator, _ value: FieldValue?, distance: Double? = nil
  ) {
    self.init(fieldName, text: comparator.rawValue, value, distance: distance)
  }

  public init(
    _ fieldName: String, text comparator: String, _ value: FieldValue?, distance: Double? = nil
  ) {
    self.comparator = comparator
    self.fieldName = fieldName
    self.value = FieldName(fieldName)?.holdsName == true ? value?.asName : value
    self.distance = distance
  }

  static let shape = Shape(
    { Filter($1, text: $0, $2, distance: $3) }, Field("comparator", \.comparator, .text),
    Field("fieldName", \.fieldName, .text).or("systemFieldName"),
    Field("fieldValue", \.value, .operand), Field("distance", \.distance, .omittable(.number)))
}

/// One key of a query's order.
public struct Sort: Hashable, Sendable {
  public var fieldName: String
  public var ascending: Bool
  /// The place to which distances are taken, for the virtual field `location`.
  public var relativeLocation: FieldValue?

  public init(_ field: FieldName, ascending: Bool = true) {
    self.init(text: field.text, ascending: ascending)
  }

  /// - Parameter fieldName: As the wire has it, the virtual `location` and mistakes included.
  public init(
    text fieldName: String, ascending: Bool = true, relativeLocation: FieldValue? = nil
  ) {
    (self.fieldName, self.ascending) = (fieldName, ascending)
    self.relativeLocation = relativeLocation
  }

  static let shape = Shape(
    { Sort(text: $0, ascending: $1, relativeLocation: $2) },
    Field("fieldName", \.fieldName, .text).or("systemFieldName"),
    Field("ascending", \.ascending, .flag.otherwise(true)),
    Field("relativeLocation", \.relativeLocation, .omittable(place)))

  /// CloudKit names the place without a wrapping; both are understood.
  private static let place = Coding<JSON>.json.converted(
    to: { json in
      let isBare = json["value"] == nil && json["latitude"] != nil
      return FieldValue(isBare ? ["value": json, "type": "LOCATION"] : json)
    }, from: { value, _ in value.document })
}

/// `records/query` (§3.2).
public struct Query: Hashable, Sendable {
  public var query: RecordQuery
  /// `nil` is the default zone.
  public var zone: Zone?
  public var zoneWide: Bool
  public var resultsLimit: Int?
  public var continuationMarker: String?
  public var desiredKeys: [String]?
  public var numbersAsStrings: Bool

  public init(
    _ query: RecordQuery, zone: Zone? = nil, zoneWide: Bool = false, resultsLimit: Int? = nil,
    continuationMarker: String? = nil, desiredKeys: [String]? = nil,
    numbersAsStrings: Bool = false
  ) {
    (self.query, self.zone, self.zoneWide) = (query, zone, zoneWide)
    (self.resultsLimit, self.continuationMarker) = (resultsLimit, continuationMarker)
    (self.desiredKeys, self.numbersAsStrings) = (desiredKeys, numbersAsStrings)
  }

  static let shape = Shape(
    { query, zone, isWide, limit, marker, keys, numbers in
      Query(
        query, zone: zone, zoneWide: isWide, resultsLimit: limit, continuationMarker: marker,
        desiredKeys: keys, numbersAsStrings: numbers)
    }, Field("query", \.query, RecordQuery.shape.coding),
    Field("zoneID", \.zone, .omittable(Zone.shape.coding)),
    Field("zoneWide", \.zoneWide, .flag.leftOut(for: false)),
    Field("resultsLimit", \.resultsLimit, .omittable(.int)),
    Field("continuationMarker", \.continuationMarker, .omittable(.text)),
    Field("desiredKeys", \.desiredKeys, .omittable(.strings)),
    Field("numbersAsStrings", \.numbersAsStrings, .flag.leftOut(for: false))
  ).numbered(\.numbersAsStrings)
}
