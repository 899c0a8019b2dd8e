import Contracts
import MimiSupplyContract
import Timekeeping

extension RecordSchema {
  /// Gives values that were sent without a type the schema's (§2.1).
  func type(_ record: inout CloudRecord) {
    guard record.fields.values.contains(where: \.isUntyped) else { return }
    record.fields = typed(record.fields)
  }

  /// Values that were sent without a type, with the schema's (§2.1).
  func typed(_ fields: Fields) -> Fields {
    guard fields.values.contains(where: \.isUntyped) else { return fields }
    var typed = fields
    for (name, value) in fields.declared {
      guard case .untyped(let text) = value, let rule = self[name],
        let document = JSON(parsing: text),
        let read = rule.kind.value(document)
      else { continue }
      typed[name] = read
    }
    return typed
  }
}

extension FieldValue {
  fileprivate var isUntyped: Bool { if case .untyped = self { true } else { false } }
}

extension FieldValue {
  /// A value without a type whose text is a number, where a number is wanted (§2.1 `numbersAsStrings`).
  func readingNumbers(for kind: FieldRule.Kind) -> FieldValue {
    guard kind == .int64 || kind == .timestamp, case .untyped(let text) = self,
      let document = JSON(parsing: text)
    else { return self }
    return .untyped(document.readingNumbers.description)
  }
}

extension JSON {
  /// Texts that are whole numbers, alone or in a list, as these.
  fileprivate var readingNumbers: JSON {
    switch self {
    case .string(let text): Int64(text).map { .int($0) } ?? self
    case .array(let items): .array(items.map(\.readingNumbers))
    default: self
    }
  }
}

extension FieldRule.Kind {
  fileprivate func value(_ document: JSON) -> FieldValue? {
    switch self {
    case .string: document.string.map { .string($0) }
    case .int64: document.wholeNumber.map { .int64($0) }
    case .double: document.double.map { .double($0) }
    case .timestamp: document.moment.map { .timestamp($0) }
    case .strings: document.strings.map { .strings($0) }
    case .asset: Self.asset(document).map { .asset($0) }
    case .assets:
      document.array.flatMap { items in
        let assets = items.compactMap(Self.asset)
        return assets.count == items.count ? .assets(assets) : nil
      }
    }
  }

  private static func asset(_ document: JSON) -> Asset? {
    guard let checksum = document["fileChecksum"]?.string, let size = document["size"]?.int,
      Bounds.fileBytes.contains(size)
    else { return nil }
    return Asset(
      fileChecksum: checksum, size: size, receipt: document["receipt"]?.string,
      referenceChecksum: document["referenceChecksum"]?.string,
      wrappingKey: document["wrappingKey"]?.string)
  }

  fileprivate func isMet(by value: FieldValue) -> Bool {
    switch (self, value) {
    case (.string, .string), (.string, .identifier), (.int64, .int64), (.double, .double),
      (.timestamp, .timestamp),
      (.asset, .asset), (.assets, .assets), (.strings, .strings):
      true
    default: false
    }
  }

  fileprivate var wireName: String {
    switch self {
    case .string: "STRING"
    case .int64: "INT64"
    case .double: "DOUBLE"
    case .timestamp: "TIMESTAMP"
    case .asset: "ASSETID"
    case .assets: "ASSETID_LIST"
    case .strings: "STRING_LIST"
    }
  }
}

extension Market {
  /// The switches of the rules that the schema names; other steps ask here, too.
  func keeps(_ limit: MimiSupply.Rule) -> Bool {
    switch limit {
    case .ms14: rules.binds(.ms14)
    case .ms15: rules.binds(.ms15)
    case .ms16: rules.binds(.ms16)
    case .ms17: rules.binds(.ms17)
    case .ms18: rules.binds(.ms18)
    case .ms19: rules.binds(.ms19)
    case .ms20: rules.binds(.ms20)
    case .ms22: rules.binds(.ms22)
    case .ms23: rules.binds(.ms23)
    default: rules.binds(limit)
    }
  }

  /// Step 10 of §3.1: the closed schema, types, ranges, immutables, embedded documents.
  func malformation(of change: Change) -> Failure? {
    guard let after = change.after else { return nil }
    guard let schema = RecordSchema.of(after.type) else {
      return keeps(.ms15) ? .invalid("there is no record type \(after.type)") : nil
    }
    let mimiError =
      after.type == .order && change.before == nil ? Failure.orderCreationFailed : nil
    var failure = fieldFailure(of: after, since: change.before, in: schema)
    if failure == nil, after.type == .order, change.before == nil {
      failure = documentFailure(of: after)
    }
    if failure?.mimiError == nil { failure?.mimiError = mimiError }
    return failure
  }

  /// Step 10 for what was sent and is not in the record: fields to be removed that the schema does not know, and values
  /// that the twin overwrites, which are of their type all the same (MS-14, MS-15).
  ///
  /// - Parameter names: Fields that are to be removed.
  /// - Parameter sent: The record before the twin put in its own values.
  func malformation(
    ofSent names: FieldNames, _ sent: CloudRecord?, in change: Change
  ) -> Failure? {
    guard let schema = RecordSchema.of(change.type), let after = change.after else { return nil }
    if keeps(.ms15), let unknown = schema.unknown(among: names) {
      return .invalid("\(schema.type) has no field \(unknown)")  // MS-15
    }
    for rule in Self.overwritten[schema.type] ?? [] {
      guard let value = sent?.fields[rule.name], value != after.fields[rule.name] else { continue }
      if let failure = judge(value, by: rule) { return failure }
    }
    return nil
  }

  /// What the twin itself writes at a creation or with every write (§2.14).
  private static let overwritten: [RecordType: [FieldRule]] = {
    let names: FieldNames = [
      .isVerified, .isActive, .rating, .reviewCount, .isOnline, .isAvailable,
      .completedDeliveries, .verificationStatus, .updatedAt,
    ]
    let rules = RecordSchema.types.map { type in
      (type, RecordSchema.of(type)!.fields.filter { names.contains($0.name) })
    }
    return Dictionary(uniqueKeysWithValues: rules)
  }()

  private func fieldFailure(
    of after: CloudRecord, since before: CloudRecord?, in schema: RecordSchema
  ) -> Failure? {
    var known = 0
    var failure: Failure?
    for rule in schema.fields {
      let value = after.fields[rule.name]
      if value != nil { known += 1 }
      if failure == nil { failure = self.failure(of: value, by: rule, in: after, since: before) }
    }
    // What the schema does not know comes first; hardly ever is there something.
    if known < after.fields.count, keeps(.ms15),
      let unknown = schema.unknown(among: after.fields.names)
    {
      return .invalid("\(schema.type) has no field \(unknown)")  // MS-15
    }
    return failure ?? coordinatesFailure(of: after)
  }

  private func failure(
    of value: FieldValue?, by rule: FieldRule, in after: CloudRecord, since before: CloudRecord?
  ) -> Failure? {
    if let before {
      if before.fields[rule.name] == value { return nil }
      // What is left of an address when its customer has left is no change of it (MS-116).
      if rule.isImmutable, !isAnonymised(rule.name, from: before, to: after), rules.binds(.ms26) {
        return .constraint("immutable_field", "\(rule.name.text) never changes")  // MS-26
      }
    }
    guard let value else {
      return rule.isRequired && rules.binds(.ms13)
        ? .invalid("\(rule.name.text) is required") : nil  // MS-13
    }
    // A claim written as a status is no beginning of an order: MS-47 says so, not the schema.
    if before == nil, rule.name == .status, value == .string(OrderStatus.claim) { return nil }
    return judge(value, by: rule)
  }

  /// A driver's position has both coordinates or neither (§2.6).
  private func coordinatesFailure(of record: CloudRecord) -> Failure? {
    guard record.type == .driver, keeps(.ms19) else { return nil }
    let isWhole =
      (record.fields[.currentLatitude] == nil) == (record.fields[.currentLongitude] == nil)
    return isWhole ? nil : .invalid("a position has both coordinates or neither")  // MS-19
  }

  private func judge(_ value: FieldValue, by rule: FieldRule) -> Failure? {
    guard rule.kind.isMet(by: value) else {
      return keeps(.ms14)
        ? .invalid("\(rule.name.text) is a \(rule.kind.wireName)") : nil  // MS-14
    }
    if rules.binds(.ms27), value.hasControlCharacters {
      return .invalid("\(rule.name.text) contains a control character")  // MS-27
    }
    if rule.name == .customerRating, case .int64(let stars) = value, !(1...5).contains(stars),
      rules.binds(.ms21)
    {
      return .constraint("rating_out_of_range", "a rating is 1 to 5")  // MS-21
    }
    guard let why = rule.constraint.objection(to: value) else { return nil }
    if case .media = rule.constraint {
      return rules.binds(.ms08) ? .constraint(why, "\(rule.name.text): \(why)") : nil  // MS-08
    }
    return keeps(rule.limit) ? .invalid("\(rule.name.text) \(why)") : nil
  }

  /// Reason 2 of creating an order (§3.4).
  private func documentFailure(of order: CloudRecord) -> Failure? {
    guard keeps(.ms23) else { return nil }
    guard let items = order[Order.items], OrderLine.lines(parsing: items) != nil else {
      return .invalid("items is no list of order lines", "malformed_items")
    }
    guard let address = order[Order.deliveryAddress] else {
      return .invalid("deliveryAddress is missing", "malformed_address")
    }
    switch DeliveryAddress.reading(address) {
    case .success: return nil
    case .failure(.malformed):
      return .invalid("deliveryAddress is no address", "malformed_address")
    case .failure(.withoutCoordinates):
      return .invalid("deliveryAddress has no coordinates", "address_without_coordinates")
    }
  }
}

extension FieldValue {
  /// Newline and tab are text (MS-27).
  fileprivate var hasControlCharacters: Bool {
    switch self {
    case .string(let text): Self.hasControl(text)
    case .identifier(let name): !name.isPrintableASCII && Self.hasControl(name.text)
    case .strings(let texts): texts.contains(where: Self.hasControl)
    default: false
    }
  }

  private static func hasControl(_ text: String) -> Bool {
    !text.isPrintableASCII
      && text.unicodeScalars.contains {
        ($0.value < 0x20 && $0.value != 0x0A && $0.value != 0x09)
          || (0x7F...0x9F).contains($0.value)
      }
  }
}

extension FieldRule.Constraint {
  /// What is wrong with a value of the right type; `nil` when nothing is.
  fileprivate func objection(to value: FieldValue) -> String? {
    switch (self, value) {
    case (.flag, .int64(let number)): (0...1).contains(number) ? nil : "is 0 or 1"
    case (.nonEmpty, .string(let text)): text.isEmpty ? "is empty" : nil
    case (.mail, .string(let text)):
      text.utf8.count(where: { $0 == UInt8(ascii: "@") }) == 1 ? nil : "contains one @"
    case (.length(let range), .string(let text)):
      range.contains(text.count)
        ? nil : "has \(range.lowerBound) to \(range.upperBound) characters"
    case (.oneOf(let values), .string(let text)):
      values.contains(text) ? nil : "is one of \(values.joined(separator: ", "))"
    case (.elements(let values), .strings(let texts)):
      texts.allSatisfy(values.contains) ? nil : "holds \(values.joined(separator: ", "))"
    case (.whole(let range), .int64(let number)):
      range.contains(number) ? nil : "lies in \(range.lowerBound)…\(range.upperBound)"
    case (.decimal(let range), .double(let number)):
      range.contains(number) ? nil : "lies in \(range.lowerBound)…\(range.upperBound)"
    case (.hours, .string(let text)):
      OpeningHours(parsing: text) == nil ? "is no document of opening hours" : nil
    case (.nutrition, .string(let text)):
      JSON(parsing: text)?.isNutrition == true ? nil : "is no document of nutrition"
    case (.dimensions, .string(let text)):
      JSON(parsing: text)?.isDimensions == true ? nil : "is no document of dimensions"
    case (.media(_, let bytes), .asset(let asset)):
      asset.size <= bytes ? nil : "media_too_large"
    case (.media(let pieces, let bytes), .assets(let assets)):
      assets.count > pieces
        ? "too_many_images" : (assets.allSatisfy { $0.size <= bytes } ? nil : "media_too_large")
    default: nil
    }
  }
}
