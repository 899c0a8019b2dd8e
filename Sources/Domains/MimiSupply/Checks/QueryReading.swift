import Contracts
import MimiSupplyContract
import Timekeeping

// Queries as §3.2 has them, read apart from the twin's own reading.

extension RecordQuery {
  /// Whether it makes sense in a database; `nil` where that depends on what a value without a type is.
  func isReadable(in database: String?) -> Bool? {
    guard let schema = RecordSchema.of(recordType), schema.isPublic == (database == "public")
    else { return false }
    var isSure = true
    for filter in filters {
      switch filter.isReadable(in: schema) {
      case true?: continue
      case false?: return false
      case nil: isSure = false
      }
    }
    for sort in sorts {
      if sort.fieldName == "location", recordType == .partner || recordType == .driver {
        guard sort.relativeLocation.map(\.isPlace) ?? false else { return false }
      } else if !(QuerySubject(sort.fieldName, in: schema)?.isScalar ?? false) {
        return false
      }
    }
    return isSure ? true : nil
  }

  /// Whether it is `fetchAvailableDrivers` (§3.4).
  var isSupply: Bool {
    recordType == .driver && filters.contains { $0.comparator == Filter.Comparator.near.rawValue }
  }
}

extension FieldValue {
  /// A point on earth.
  fileprivate var isPlace: Bool { place != nil }

  var place: Geography.Point? {
    guard case .position(let latitude, let longitude) = self else { return nil }
    let point = Geography.Point(latitude, longitude)
    return point.isOnEarth ? point : nil
  }

  fileprivate var isUntyped: Bool {
    switch self {
    case .untyped, .mistyped: true
    default: false
    }
  }

  /// Whether a field of some kind can be compared with it; lists are compared member by member.
  fileprivate func isOperand(of kind: FieldRule.Kind) -> Bool {
    switch (self, kind) {
    case (.string, .string), (.identifier, .string), (.reference, .string), (.int64, .int64),
      (.int64, .double), (.double, .double), (.timestamp, .timestamp), (.int64, .timestamp):
      true
    default: false
    }
  }
}

/// What a query compares or sorts by.
enum QuerySubject {
  case field(FieldName, FieldRule.Kind)
  case creator, created, modified, name

  init?(_ text: String, in schema: RecordSchema) {
    switch text {
    case "___createdBy": self = .creator
    case "___createTime": self = .created
    case "___modTime": self = .modified
    case "recordName", "___recordID": self = .name
    default:
      guard let rule = schema[text: text] else { return nil }
      self = .field(rule.name, rule.kind)
    }
  }

  var kind: FieldRule.Kind {
    switch self {
    case .field(_, let kind): kind
    case .creator, .name: .string
    case .created, .modified: .timestamp
    }
  }

  var isScalar: Bool {
    switch kind {
    case .string, .int64, .double, .timestamp: true
    case .asset, .assets, .strings: false
    }
  }

  /// What a record has there.
  func value(of record: CloudRecord) -> FieldValue? {
    switch self {
    case .field(let name, _): record.fields[name]
    case .creator: .name(record.created.userRecordName)
    case .created: .timestamp(record.created.timestamp)
    case .modified: .timestamp(record.modified.timestamp)
    case .name: .identifier(record.name)
    }
  }
}

extension Filter {
  fileprivate func isReadable(in schema: RecordSchema) -> Bool? {
    guard let comparator = Comparator(rawValue: comparator) else { return false }
    let hasPlace = schema.type == .partner || schema.type == .driver
    if fieldName == "location", hasPlace {
      guard comparator == .near, let distance, distance.isFinite, distance >= 0, let value
      else { return false }
      return value.isUntyped ? nil : value.isPlace
    }
    guard comparator != .near, let subject = QuerySubject(fieldName, in: schema) else {
      return false
    }
    if value?.isUntyped == true { return nil }
    switch comparator {
    case .equals, .notEquals:
      guard let value else { return true }
      guard subject.isScalar, value.isOperand(of: subject.kind) else { return false }
    case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals:
      guard let value, subject.isScalar, value.isOperand(of: subject.kind) else { return false }
    case .isIn, .isNotIn:
      guard case .strings? = value, subject.kind == .string else { return false }
    case .beginsWith, .notBeginsWith:
      guard let value, subject.kind == .string, value.text != nil else { return false }
    case .containsAllTokens, .containsAnyTokens:
      guard let value, subject.kind == .string || subject.kind == .strings, value.text != nil
      else { return false }
    case .listContains, .notListContains, .listMemberBeginsWith, .notListMemberBeginsWith:
      guard let value, subject.kind == .strings, value.text != nil else { return false }
    case .near: return false
    }
    return isOfKnownCategory(comparator, in: schema)
  }

  /// An unknown category of partners is an error, not an empty answer (§3.4).
  private func isOfKnownCategory(_ comparator: Comparator, in schema: RecordSchema) -> Bool {
    guard schema.type == .partner, fieldName == FieldName.category.text else { return true }
    switch (comparator, value) {
    case (.equals, .string(let text)?): return Stored.partnerCategories.contains(text)
    case (.isIn, .strings(let texts)?):
      return texts.allSatisfy(Stored.partnerCategories.contains)
    default: return true
    }
  }
}

// MARK: - What a query shows

extension RecordQuery {
  /// The first record that an answer shows before one that comes earlier; `nil` where all are in their order (§3.2). Names
  /// come last.
  func disorder(among records: [CloudRecord]) -> (CloudRecord, CloudRecord)? {
    guard records.count > 1, let schema = RecordSchema.of(recordType) else { return nil }
    let subjects = sorts.map { ($0, QuerySubject($0.fieldName, in: schema)) }
    for (a, b) in zip(records, records.dropFirst()) where !isInOrder(a, b, subjects) {
      return (a, b)
    }
    return nil
  }

  private func isInOrder(
    _ a: CloudRecord, _ b: CloudRecord, _ subjects: [(Sort, QuerySubject?)]
  ) -> Bool {
    for (sort, subject) in subjects {
      let order: Int
      if let subject {
        order = FieldValue.order(subject.value(of: a), subject.value(of: b))
      } else if let place = sort.relativeLocation?.place,
        let (near, far) = (a.whereabouts, b.whereabouts) as? (Geography.Point, Geography.Point)
      {
        let metres = (Geography.metres(near, place), Geography.metres(far, place))
        order = metres.0 < metres.1 ? -1 : metres.0 > metres.1 ? 1 : 0
      } else {
        return true
      }
      if order != 0 { return (order < 0) == sort.ascending }
    }
    return a.name < b.name
  }

  /// The first record of an answer that does not meet the query by what it shows, and the filter.
  func stranger(among records: [CloudRecord]) -> (CloudRecord, Filter)? {
    guard let schema = RecordSchema.of(recordType) else { return nil }
    let judged = filters.compactMap { filter in
      Filter.Comparator(rawValue: filter.comparator).map {
        (filter, $0, QuerySubject(filter.fieldName, in: schema))
      }
    }
    for record in records {
      for (filter, comparator, subject) in judged
      where filter.isMet(by: record, comparator, subject) == false {
        return (record, filter)
      }
    }
    return nil
  }

  /// Whether a record meets all filters; `nil` where that is not certain.
  func isMet(by record: CloudRecord) -> Bool? {
    guard record.type == recordType, let schema = RecordSchema.of(recordType) else { return false }
    for filter in filters {
      guard let comparator = Filter.Comparator(rawValue: filter.comparator),
        let isMet = filter.isMet(
          by: record, comparator, QuerySubject(filter.fieldName, in: schema))
      else { return nil }
      if !isMet { return false }
    }
    return true
  }
}

extension Filter {
  /// Whether a whole record meets it; `nil` for what is not judged.
  fileprivate func isMet(
    by record: CloudRecord, _ comparator: Comparator, _ subject: QuerySubject?
  ) -> Bool? {
    guard let subject else {
      guard comparator == .near, let distance, let place = value?.place,
        let point = record.whereabouts
      else { return nil }
      return Double(Geography.metres(point, place)) <= distance
    }
    let found = subject.value(of: record)
    switch comparator {
    case .equals: return isEqual(found)
    case .notEquals: return isEqual(found).map { !$0 }
    case .isIn, .isNotIn:
      guard case .strings(let texts)? = value else { return nil }
      let isIn = (found?.text).map { text in
        texts.contains { OrderStatus.aliases[$0] ?? $0 == text || $0 == text }
      }
      return comparator == .isIn ? isIn ?? false : isIn.map { !$0 } ?? true
    case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals:
      guard let found else { return false }
      guard let order = found.comparison(with: value) else { return nil }
      return switch comparator {
      case .lessThan: order < 0
      case .lessThanOrEquals: order <= 0
      case .greaterThan: order > 0
      default: order >= 0
      }
    case .beginsWith, .notBeginsWith:
      guard let start = value?.text else { return nil }
      let begins = (found?.text).map { $0.utf8.starts(with: start.utf8) } ?? false
      return begins == (comparator == .beginsWith)
    case .listContains, .notListContains:
      guard let wanted = value?.text else { return nil }
      var contains = false
      if case .strings(let list)? = found { contains = list.contains(wanted) }
      return contains == (comparator == .listContains)
    case .containsAllTokens, .containsAnyTokens, .listMemberBeginsWith, .notListMemberBeginsWith,
      .near:
      return nil
    }
  }

  private func isEqual(_ found: FieldValue?) -> Bool? {
    guard let value else { return found == nil }
    guard let found else { return false }
    if let own = value.text, let theirs = found.text {
      return own == theirs || OrderStatus.aliases[own] == theirs
    }
    return found.comparison(with: value).map { $0 == 0 }
  }
}

extension FieldValue {
  /// Less than, equal to or greater than an operand; `nil` for what is not compared here.
  fileprivate func comparison(with other: FieldValue?) -> Int? {
    func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : a > b ? 1 : 0 }
    switch (self, other) {
    case (.int64(let a), .int64(let b)?): return order(a, b)
    case (.double(let a), .double(let b)?): return order(a, b)
    case (.double(let a), .int64(let b)?): return order(a, Double(b))
    case (.timestamp(let a), .timestamp(let b)?):
      return order(a.unixMilliseconds, b.unixMilliseconds)
    case (.timestamp(let a), .int64(let b)?): return order(a.unixMilliseconds, b)
    default:
      guard let a = text, let b = other?.text else { return nil }
      return a == b ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    }
  }

  /// In ascending order an absent value comes first.
  fileprivate static func order(_ a: FieldValue?, _ b: FieldValue?) -> Int {
    switch (a, b) {
    case (nil, nil): 0
    case (nil, _): -1
    case (_, nil): 1
    case (let a?, let b?): a.comparison(with: b) ?? 0
    }
  }
}

extension CloudRecord {
  /// Where a partner or a driver is.
  fileprivate var whereabouts: Geography.Point? {
    type == .driver
      ? point(Driver.currentLatitude, Driver.currentLongitude)
      : point(Partner.latitude, Partner.longitude)
  }
}
