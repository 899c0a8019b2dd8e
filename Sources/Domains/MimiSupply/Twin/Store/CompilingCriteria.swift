import Contracts
import MimiSupplyContract
import Timekeeping

extension Criteria {
  /// Reads a query against the schema; every mistake in it is `BAD_REQUEST` (§7.1).
  static func compile(_ query: RecordQuery) -> Result<Criteria, Failure> {
    guard let schema = RecordSchema.of(query.recordType) else {
      return .failure(.invalid("there is no record type \(printable(query.recordType.text))"))
    }
    var conditions: [Condition] = []
    for filter in query.filters {
      switch condition(of: filter, in: schema) {
      case .success(let condition): conditions.append(condition)
      case .failure(let failure): return .failure(failure)
      }
    }
    var keys: [Key] = []
    for sort in query.sorts {
      switch key(of: sort, in: schema) {
      case .success(let key): keys.append(key)
      case .failure(let failure): return .failure(failure)
      }
    }
    return .success(Criteria(type: query.recordType, conditions: conditions, keys: keys))
  }

  private static func hasLocation(_ schema: RecordSchema) -> Bool {
    schema.type == .partner || schema.type == .driver
  }

  /// What a name means, a system field included, and of what kind it is; `nil` when the type has no such field.
  static func subject(
    of name: String, in schema: RecordSchema
  ) -> (field: Subject, kind: FieldRule.Kind)? {
    switch name {
    case "___createdBy": (.createdBy, .string)
    case "___createTime": (.createTime, .timestamp)
    case "___modTime": (.modTime, .timestamp)
    case "recordName", "___recordID": (.recordName, .string)
    default: schema[text: name].map { (.field($0.name), $0.kind) }
    }
  }

  // MARK: Conditions

  private static func condition(
    of filter: Filter, in schema: RecordSchema
  ) -> Result<Condition, Failure> {
    guard let comparator = Filter.Comparator(rawValue: filter.comparator) else {
      return .failure(.invalid("there is no comparator \(printable(filter.comparator))"))
    }
    if filter.fieldName == "location", hasLocation(schema) {
      return near(filter, comparator)
    }
    guard let subject = subject(of: filter.fieldName, in: schema), comparator != .near else {
      return .failure(
        .invalid(
          "\(schema.type) has no field \(printable(filter.fieldName)) for \(comparator.rawValue)"))
    }
    guard let condition = condition(filter, comparator, subject.field, subject.kind) else {
      return .failure(
        .invalid(
          "\(filter.comparator) of \(printable(filter.fieldName)) with this value makes no sense"))
    }
    if let failure = categoryFailure(condition, in: schema) { return .failure(failure) }
    return .success(normalised(condition, in: schema))
  }

  private static func near(
    _ filter: Filter, _ comparator: Filter.Comparator
  ) -> Result<Condition, Failure> {
    guard comparator == .near, let place = filter.value.flatMap(point),
      let distance = filter.distance, distance.isFinite, distance >= 0
    else {
      return .failure(.invalid("location takes NEAR with a LOCATION and a distance in metres"))
    }
    return .success(
      Condition(field: .location, comparator: .near, place: place, distance: distance))
  }

  /// A place on earth; anything else is no region.
  private static func point(_ value: FieldValue) -> Geography.Point? {
    var place: (Double, Double)?
    switch value {
    case .position(let latitude, let longitude): place = (latitude, longitude)
    case .untyped(let text):
      guard let document = JSON(parsing: text), let latitude = document["latitude"]?.double,
        let longitude = document["longitude"]?.double
      else { return nil }
      place = (latitude, longitude)
    default: return nil
    }
    let point = place.map { Geography.Point($0.0, $0.1) }
    return point.flatMap { $0.isOnEarth ? $0 : nil }
  }

  private static func condition(
    _ filter: Filter, _ comparator: Filter.Comparator, _ field: Subject, _ kind: FieldRule.Kind
  ) -> Condition? {
    var condition = Condition(field: field, comparator: comparator)
    switch comparator {
    case .equals, .notEquals:
      // With null: whether the field is there, of whatever kind (§3.2).
      guard let value = filter.value else {
        condition.operands = [.absent]
        return condition
      }
      guard kind.isScalar, let operand = operand(value, kind) else { return nil }
      condition.operands = [operand]
    case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals:
      guard kind.isScalar, let operand = filter.value.flatMap({ operand($0, kind) }) else {
        return nil
      }
      condition.operands = [operand]
    case .isIn, .isNotIn:
      guard kind.isScalar, let operands = filter.value.flatMap({ operands($0, kind) }) else {
        return nil
      }
      condition.operands = operands
    case .beginsWith, .notBeginsWith:
      guard kind == .string, let operand = filter.value.flatMap({ operand($0, .string) }) else {
        return nil
      }
      condition.operands = [operand]
    case .containsAllTokens, .containsAnyTokens:
      guard kind == .string || kind == .strings,
        let operand = filter.value.flatMap({ operand($0, .string) })
      else { return nil }
      condition.words = operand.words
    case .listContains, .notListContains, .listMemberBeginsWith, .notListMemberBeginsWith:
      guard kind == .strings, let operand = filter.value.flatMap({ operand($0, .string) }) else {
        return nil
      }
      condition.operands = [operand]
    case .near: return nil
    }
    if field.holdsName { condition.operands = condition.operands.map(\.asName) }
    return condition
  }

  private static func operand(_ value: FieldValue, _ kind: FieldRule.Kind) -> QueryValue? {
    switch (value, kind) {
    case (.string(let text), .string): .text(text)
    case (.identifier(let name), .string), (.reference(let name), .string): .text(name.text)
    case (.int64(let number), .int64): .whole(number)
    case (.int64(let number), .double): .decimal(Double(number))
    case (.double(let number), .double): .decimal(number)
    case (.timestamp(let instant), .timestamp): .whole(instant.unixMilliseconds)
    case (.int64(let number), .timestamp): .whole(number)
    case (.untyped(let text), _): JSON(parsing: text).flatMap { operand($0, kind) }
    default: nil
    }
  }

  private static func operand(_ document: JSON, _ kind: FieldRule.Kind) -> QueryValue? {
    switch kind {
    case .string: (document["recordName"] ?? document).string.map { .text($0) }
    case .int64, .timestamp: document.int.map { .whole(Int64($0)) }
    case .double: document.double.map { .decimal($0) }
    case .asset, .assets, .strings: nil
    }
  }

  /// The values of a list of any type; bare ones and `{value}` alike.
  private static func operands(_ value: FieldValue, _ kind: FieldRule.Kind) -> [QueryValue]? {
    let document: JSON?
    switch value {
    case .strings(let texts): document = .strings(texts)
    case .untyped(let text), .mistyped(_, let text): document = JSON(parsing: text)
    default: document = nil
    }
    guard let items = document?.array else { return nil }
    let values = items.compactMap { operand($0["value"] ?? $0, kind) }
    return values.count == items.count ? values : nil
  }

  /// §3.4 fetchPartners: an unknown category is an error, not an empty answer.
  private static func categoryFailure(_ condition: Condition, in schema: RecordSchema) -> Failure? {
    guard schema.type == .partner, condition.field == .field(.category),
      [.equals, .isIn].contains(condition.comparator)
    else { return nil }
    for case .text(let category) in condition.operands
    where !Stored.partnerCategories.contains(category) {
      return .invalid("there is no category \(printable(category))")
    }
    return nil
  }

  /// Aliases of statuses (§2.9) are normalised wherever they come in.
  private static func normalised(_ condition: Condition, in schema: RecordSchema) -> Condition {
    guard schema.type == .order, condition.field == .field(.status) else { return condition }
    var condition = condition
    condition.operands = condition.operands.map { value in
      if case .text(let text) = value { .text(OrderStatus.aliases[text] ?? text) } else { value }
    }
    return condition
  }

  // MARK: Order

  private static func key(of sort: Sort, in schema: RecordSchema) -> Result<Key, Failure> {
    if sort.fieldName == "location", hasLocation(schema) {
      guard let place = sort.relativeLocation.flatMap(point) else {
        return .failure(.invalid("sorting by location needs a relativeLocation"))
      }
      return .success(Key(field: .location, isAscending: sort.ascending, place: place))
    }
    guard let subject = subject(of: sort.fieldName, in: schema), subject.kind.isScalar else {
      return .failure(
        .invalid("\(schema.type) cannot be sorted by \(printable(sort.fieldName))"))
    }
    return .success(Key(field: subject.field, isAscending: sort.ascending))
  }
}

extension FieldRule.Kind {
  fileprivate var isScalar: Bool {
    switch self {
    case .string, .int64, .double, .timestamp: true
    case .asset, .assets, .strings: false
    }
  }
}
