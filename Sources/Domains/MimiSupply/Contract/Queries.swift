/// What a query or a subscription looks for (§3.2, §3.5).
public struct RecordQuery: Hashable, Sendable {
  public var recordType: String
  /// All of them have to hold.
  public var filters: [Filter]
  public var sorts: [Sort]

  public init(_ recordType: String, _ filters: [Filter] = [], sortedBy sorts: [Sort] = []) {
    self.recordType = recordType
    self.filters = filters
    self.sorts = sorts
  }
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

  public var comparator: String
  public var fieldName: String
  /// `nil` is JSON's null: with `EQUALS` it matches an absent field.
  public var value: FieldValue?
  /// In metres, with `NEAR`.
  public var distance: Double?

  public init(
    _ fieldName: String, _ comparator: Comparator, _ value: FieldValue?, distance: Double? = nil
  ) {
    self.init(fieldName, text: comparator.rawValue, value, distance: distance)
  }

  public init(
    _ fieldName: String, text comparator: String, _ value: FieldValue?, distance: Double? = nil
  ) {
    self.comparator = comparator
    self.fieldName = fieldName
    self.value = value
    self.distance = distance
  }
}

/// One key of a query's order.
public struct Sort: Hashable, Sendable {
  public var fieldName: String
  public var ascending: Bool
  /// The place to which distances are taken, for the virtual field `location`.
  public var relativeLocation: FieldValue?

  public init(_ fieldName: String, ascending: Bool = true, relativeLocation: FieldValue? = nil) {
    self.fieldName = fieldName
    self.ascending = ascending
    self.relativeLocation = relativeLocation
  }
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
    self.query = query
    self.zone = zone
    self.zoneWide = zoneWide
    self.resultsLimit = resultsLimit
    self.continuationMarker = continuationMarker
    self.desiredKeys = desiredKeys
    self.numbersAsStrings = numbersAsStrings
  }
}
