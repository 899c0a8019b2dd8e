import Contracts
import MimiSupplyContract
import Observations

/// What one rule demands of the fields of records: judged on every write, and on every record that is looked up.
enum SchemaDemand: Sendable {
  /// Required fields are there.
  case complete
  /// Values are of their fields' types.
  case typed
  /// There are no other fields and no other types.
  case closed
  /// Fields of one type keep the constraints that a rule states.
  case constraints(of: MimiSupply.Rule, RecordType)

  private func isConcerned(_ type: RecordType) -> Bool {
    if case .constraints(_, let own) = self { own == type } else { true }
  }

  // MARK: What is wrong

  /// The fault of a stored record.
  private func fault(in reading: SchemaReading) -> String? {
    if reading.isFlawless { return nil }
    let record = reading.record
    guard reading.isOfKnownType else {
      if case .closed = self { return "there is a record of type \(record.type)" }
      return nil
    }
    switch self {
    case .complete: return reading.missing.map { "\(record.type) \(record.name): no \($0)" }
    case .closed:
      return reading.unknown.map { "\(record.type) \(record.name) has a field \($0)" }
    case .typed: return reading.broken(against: .ms14).map { describe($0, of: record) }
    case .constraints(let limit, _):
      return reading.broken(against: limit).map { describe($0, of: record) }
    }
  }

  private func describe(_ field: String, of record: CloudRecord) -> String {
    "\(record.type) \(record.name): \(field) is \(record.fields[text: field]!)"
  }

  /// The first field by which what a client sends breaks the rule.
  private func fault(of item: Modification.Item, type: RecordType) -> String? {
    guard let schema = RecordSchema.of(type) else {
      if case .closed = self { return type.text }
      return nil
    }
    if case .closed = self {
      return schema.unknown(among: item.record.fields.names)
    }
    let isNew = item.kind == .create
    return schema.fields.first { rule in
      if schema.judgesLater(rule.name) { return false }
      if case .some(let value?) = item.record.fields[rule.name] { return breaks(value, rule) }
      guard case .complete = self, rule.isRequired else { return false }
      return (isNew || item.record.fields[rule.name] != nil)
        && !item.record.isOverwritten(rule.name, in: schema, isNew: isNew)
    }?.name.text
  }

  private func breaks(_ value: FieldValue, _ rule: FieldRule) -> Bool {
    switch self {
    case .complete, .closed: false
    case .typed: !rule.isTyped(sent: value) || (rule.limit == .ms14 && !rule.isKept(by: value))
    case .constraints(let limit, _):
      rule.limit == limit && rule.isTyped(sent: value) && !rule.isKept(by: value)
    }
  }

  // MARK: Judging

  func judge(_ call: SeenCall, _ verdict: inout Judge) {
    judge(lookup: call, &verdict)
    for index in call.writes.indices { judge(write: index, call, &verdict) }
  }

  /// One operation of a `records/modify`.
  func judge(write index: Int, _ call: SeenCall, _ verdict: inout Judge) {
    let (item, result) = call.writes[index]
    switch result {
    case .saved:
      if let reading = call.readings[index], isConcerned(reading.type) {
        judgeSaved(reading, item, &verdict)
      }
    case .failed(let failed): judgeRefused(item, failed.failure, call, &verdict)
    default: break
    }
  }

  private func judgeSaved(
    _ reading: SchemaReading, _ item: Modification.Item, _ verdict: inout Judge
  ) {
    let record = reading.record
    if case .closed = self, let fault = fault(of: item, type: record.type) {
      verdict.violated("\(record.type) \(record.name) was taken although it names \(fault)")
    } else if item.desiredKeys == nil, let fault = fault(in: reading) {
      verdict.violated(fault)
    } else {
      verdict.held()
    }
  }

  private func judgeRefused(
    _ item: Modification.Item, _ failure: Failure, _ call: SeenCall,
    _ verdict: inout Judge
  ) {
    guard let type = item.record.type, isConcerned(type), !item.isDeletion else { return }
    if let fault = fault(of: item, type: type) {
      verdict.expect(
        failure.isNotLaterThanSchema,
        "\(type) with a wrong \(fault) was refused as \(failure.code.rawValue)")
    } else if case .constraints = self, failure.isPlainlyInvalid, item.isWellFormed(in: call) {
      verdict.violated("a good \(type) was refused: \(failure.reason)")
    }
  }

  /// Records that a lookup shows whole.
  func judge(lookup call: SeenCall, _ verdict: inout Judge) {
    for reading in call.lookedUp where isConcerned(reading.type) {
      if let fault = fault(in: reading) { verdict.violated(fault) } else { verdict.held() }
    }
  }
}

extension Check<MimiSupply> {
  /// Judges what is written and looked up by a demand on its fields.
  static func demand(_ limit: MimiSupply.Rule, _ demand: SchemaDemand) -> MSCheck {
    each(limit, .asking(.modify, .lookup)) { call, verdict in
      demand.judge(call, &verdict)
    }
  }
}

extension Modification.Item {
  var isDeletion: Bool { kind == .delete || kind == .forceDelete }

  /// A new public record or driver with nothing wrong in it by the schema, in its place and under a good name.
  fileprivate func isWellFormed(in call: SeenCall) -> Bool {
    guard kind == .create, case .modify(let location, let modification) = call.request,
      modification.zone == nil, let schema = record.type.flatMap(RecordSchema.of),
      (location.database == "public") == schema.isPublic,
      (record.name?.text).map({
        !$0.isEmpty && !$0.hasPrefix("_") && $0.utf8.allSatisfy { $0 < 0x7F }
      })
        ?? true,
      schema.unknown(among: record.fields.names) == nil
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
    (fields[.currentLatitude].flatMap(\.self) == nil)
      == (fields[.currentLongitude].flatMap(\.self) == nil)
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
