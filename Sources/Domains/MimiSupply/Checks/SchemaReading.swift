import Contracts
import MimiSupplyContract

/// What is wrong with the fields of a stored record by section 2, read once for all rules about them.
final class SchemaReading {
  let record: CloudRecord
  let type: RecordType
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
    self.record = record
    type = record.type
    guard let plan = Self.plans[record.type] else {
      isOfKnownType = false
      return
    }
    isOfKnownType = true
    let fields = record.fields
    var found = 0
    for index in plan.fields.indices {
      let name = plan.fields[index].name
      guard let value = fields[name] else {
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
    isFlawless = unknown == nil && missing == nil && broken.isEmpty
  }

  /// Whether no rule finds fault with it, but for control characters.
  private(set) var isFlawless = false

  /// The first field by which the record breaks what a rule states.
  func broken(against limit: MimiSupply.Rule) -> String? {
    broken.isEmpty ? nil : broken.first { $0.limit == limit }?.field
  }

  /// Equal for equal fields; `nil` where files are among them, whose addresses are ever new, or fields that nobody
  /// documented.
  var fingerprint: UInt64? {
    guard isOfKnownType, unknown == nil else { return nil }
    var digest = Digest()
    for (name, value) in record.fields.declared {
      guard value.files.isEmpty else { return nil }
      digest.mix(Int(name.rawValue))
      value.mix(into: &digest)
    }
    return digest.low
  }

  private func note(_ field: FieldName, against limit: MimiSupply.Rule) {
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

extension FieldValue {
  fileprivate func mix(into digest: inout Digest) {
    switch self {
    case .string(let text):
      digest.mix(1)
      digest.mix(text)
    case .identifier(let name):
      digest.mix(2)
      digest.mix(name)
    case .int64(let number):
      digest.mix(3)
      digest.mix(Int(number))
    case .double(let number):
      digest.mix(4)
      digest.mix(number == 0 ? 0 : number.bitPattern)
    case .timestamp(let instant):
      digest.mix(5)
      digest.mix(Int(instant.nanoseconds))
    case .strings(let texts):
      digest.mix(6)
      digest.mix(texts.count)
      for text in texts { digest.mix(text) }
    case .bytes, .reference, .position, .asset, .assets, .untyped, .mistyped:
      // Hardly ever, and never for long: the schema has no such values but files.
      digest.mix(7)
      digest.mix("\(self)")
    }
  }
}
