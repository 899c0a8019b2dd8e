import Contracts
import MimiSupplyContract

/// The fields of a stored record by section 2 and what is wrong with them, read once for all rules about them.
struct SchemaReading: Sendable {
  /// In the order of the schema.
  private(set) var values: [FieldValue?] = []
  /// Whether the specification has such a type.
  let isOfKnownType: Bool
  /// The first field with a name that its type does not have.
  private(set) var unknown: String?
  /// The first required field that is not there.
  private(set) var missing: String?
  /// The first field with a control character.
  private(set) var controlled: String?
  /// The first field that breaks what a rule states, by the rule.
  private var broken: [(limit: MimiSupply.Rule, field: String)] = []

  init(_ record: CloudRecord) {
    guard let plan = Self.plans[record.type] else {
      isOfKnownType = false
      return
    }
    isOfKnownType = true
    let fields = record.fields
    var found = 0
    values.reserveCapacity(plan.fields.count)
    for index in plan.fields.indices {
      let name = plan.fields[index].name
      let value = fields[name]
      values.append(value)
      guard let value else {
        if plan.fields[index].isRequired, missing == nil { missing = name.text }
        continue
      }
      found += 1
      if controlled == nil, value.hasControlCharacter { controlled = name.text }
      if !plan.fields[index].isTyped(sent: value) {
        note(name, against: .ms14)
      } else if plan.isJudged[index], !plan.fields[index].isKept(by: value) {
        note(name, against: plan.fields[index].limit)
      }
    }
    if found < fields.count {
      unknown = plan.schema.unknown(among: fields.names)
    }
  }

  /// The first field by which the record breaks what a rule states.
  func broken(against limit: MimiSupply.Rule) -> String? {
    broken.isEmpty ? nil : broken.first { $0.limit == limit }?.field
  }

  /// Equal in one process for equal fields; `nil` where files are among them, whose addresses are ever new, or fields that
  /// nobody documented.
  var fingerprint: Int? {
    guard isOfKnownType, unknown == nil, values.allSatisfy({ $0?.files.isEmpty ?? true }) else {
      return nil
    }
    return values.hashValue
  }

  private mutating func note(_ field: FieldName, against limit: MimiSupply.Rule) {
    if broken(against: limit) == nil { broken.append((limit, field.text)) }
  }

  /// A type's fields, and which of them have a constraint that is judged by what a record says of itself alone.
  private struct Plan {
    let schema: RecordSchema
    let fields: [FieldRule]
    let isJudged: [Bool]

    init(_ schema: RecordSchema) {
      let judged: Set<MimiSupply.Rule> = [.ms14, .ms16, .ms17, .ms19, .ms20]
      self.schema = schema
      fields = schema.fields
      isJudged = schema.fields.map { judged.contains($0.limit) }
    }
  }

  private static let plans: [RecordType: Plan] = Dictionary(
    uniqueKeysWithValues: RecordSchema.types.compactMap { type in
      RecordSchema.of(type).map { (type, Plan($0)) }
    })
}
