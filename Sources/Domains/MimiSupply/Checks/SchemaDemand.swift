import Contracts
import MimiSupplyContract
import Observations

/// What one rule demands of the fields of records: judged on every write, and on every record that is looked up.
struct SchemaDemand: Sendable {
  /// The types it is about; `nil` is all.
  var types: Set<String>?
  /// Required fields are there.
  var completes = false
  /// There are no other fields and no other types.
  var closes = false
  /// Whether a value breaks it.
  var breaks: @Sendable (FieldValue, FieldRule) -> Bool = { _, _ in false }

  /// Fields whose constraint a rule states.
  static func constraints(of limit: LimitID, _ type: String?) -> SchemaDemand {
    SchemaDemand(
      types: type.map { [$0] },
      breaks: { value, rule in
        rule.limit == limit && rule.isTyped(sent: value) && !rule.isKept(by: value)
      })
  }

  // MARK: What is wrong

  /// The fault of a stored record.
  private func fault(of record: CloudRecord) -> String? {
    guard let schema = RecordSchema.of(record.type) else {
      return closes ? "there is a record of type \(record.type)" : nil
    }
    guard types?.contains(record.type) ?? true else { return nil }
    if closes, let unknown = record.fields.keys.filter({ schema[$0] == nil }).min() {
      return "\(record.type) \(record.name) has a field \(unknown)"
    }
    for rule in schema.fields {
      guard let value = record.fields[rule.name] else {
        if completes, rule.isRequired { return "\(record.type) \(record.name): no \(rule.name)" }
        continue
      }
      if breaks(value, rule) { return "\(record.type) \(record.name): \(rule.name) is \(value)" }
    }
    return nil
  }

  /// The first field by which what a client sends breaks the rule.
  private func fault(of item: Modification.Item, type: String, isNew: Bool) -> String? {
    guard let schema = RecordSchema.of(type) else { return closes ? type : nil }
    guard types?.contains(type) ?? true else { return nil }
    if closes, let unknown = item.record.fields.keys.filter({ schema[$0] == nil }).min() {
      return unknown
    }
    for rule in schema.fields {
      if schema.judgesLater(rule.name) { continue }
      if case .some(let value?) = item.record.fields[rule.name] {
        if breaks(value, rule) { return rule.name }
      } else if completes, rule.isRequired, isNew || item.record.fields.keys.contains(rule.name),
        !item.record.isOverwritten(rule.name, in: schema, isNew: isNew)
      {
        return rule.name
      }
    }
    return nil
  }

  // MARK: Judging

  func judge(
    _ item: Modification.Item, _ result: ItemResult?, _ exchange: MSExchange,
    _ verdict: inout Judge
  ) {
    switch result {
    case .saved(let record): judgeSaved(record, item, &verdict)
    case .failed(let failed): judgeRefused(item, failed.failure, exchange, &verdict)
    default: break
    }
  }

  private func judgeSaved(
    _ record: CloudRecord, _ item: Modification.Item, _ verdict: inout Judge
  ) {
    guard isConcerned(record.type) else { return }
    if closes, let fault = fault(of: item, type: record.type, isNew: false) {
      verdict.violated("\(record.type) \(record.name) was taken although it names \(fault)")
    } else if item.desiredKeys == nil, let fault = fault(of: record) {
      verdict.violated(fault)
    } else {
      verdict.held()
    }
  }

  private func judgeRefused(
    _ item: Modification.Item, _ failure: Failure, _ exchange: MSExchange,
    _ verdict: inout Judge
  ) {
    guard let type = item.record.type, isConcerned(type), !item.isDeletion else { return }
    if let fault = fault(of: item, type: type, isNew: item.kind == .create) {
      verdict.expect(
        failure.isNotLaterThanSchema,
        "\(type) with a wrong \(fault) was refused as \(failure.code.rawValue)")
    } else if types != nil, failure.isPlainlyInvalid, item.isWellFormed(in: exchange) {
      verdict.violated("a good \(type) was refused: \(failure.reason)")
    }
  }

  private func isConcerned(_ type: String) -> Bool { types?.contains(type) ?? true }

  /// A record that a lookup shows whole.
  func judge(lookup exchange: MSExchange, _ verdict: inout Judge) {
    guard case .lookup(_, let lookup) = exchange.request, lookup.desiredKeys == nil,
      case .items(let items)? = exchange.content, items.count == lookup.items.count
    else { return }
    for (asked, found) in zip(lookup.items, items) {
      guard asked.desiredKeys == nil, case .saved(let record) = found, isConcerned(record.type)
      else { continue }
      if let fault = fault(of: record) { verdict.violated(fault) } else { verdict.held() }
    }
  }
}

extension Check<MimiSupply> {
  /// Judges what is written and looked up by a demand on its fields.
  static func demand(_ limit: LimitID, _ demand: SchemaDemand) -> MSCheck {
    each(limit, .asking(.modify, .lookup)) { exchange, verdict in
      demand.judge(lookup: exchange, &verdict)
      for (item, result) in exchange.writes { demand.judge(item, result, exchange, &verdict) }
    }
  }
}

extension Modification.Item {
  var isDeletion: Bool { kind == .delete || kind == .forceDelete }

  /// A new public record or driver with nothing wrong in it by the schema, in its place and under a good name.
  fileprivate func isWellFormed(in exchange: MSExchange) -> Bool {
    guard kind == .create, case .modify(let location, let modification) = exchange.request,
      modification.zone == nil, let schema = record.type.flatMap(RecordSchema.of),
      (location.database == "public") == schema.isPublic,
      record.name.map({ !$0.isEmpty && !$0.hasPrefix("_") && $0.utf8.allSatisfy { $0 < 0x7F } })
        ?? true,
      record.fields.keys.allSatisfy({ schema[$0] != nil })
    else { return false }
    return schema.fields.allSatisfy { rule in
      if schema.judgesLater(rule.name) { return true }
      guard let value = record.fields[rule.name].flatMap(\.self) else {
        return !rule.isRequired || record.isOverwritten(rule.name, in: schema, isNew: true)
      }
      return rule.isTyped(value) && rule.isKept(by: value) && !value.hasControlCharacter
        && !value.isFile
    } && record.hasWholePosition
  }
}

extension RecordDraft {
  /// Both coordinates of a driver or neither (§2.6).
  var hasWholePosition: Bool {
    (fields["currentLatitude"].flatMap(\.self) == nil)
      == (fields["currentLongitude"].flatMap(\.self) == nil)
  }
}

extension FieldValue {
  fileprivate var isFile: Bool {
    switch self {
    case .asset, .assets: true
    default: false
    }
  }
}
