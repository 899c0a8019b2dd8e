import Contracts
import Timekeeping

extension FieldValue {
  /// `{value, type}`.
  public var document: JSON {
    switch self {
    case .string(let text): typed("STRING", .string(text))
    case .identifier(let name): typed("STRING", .name(name))
    case .int64(let number): typed("INT64", .int(number))
    case .double(let number): typed("DOUBLE", .double(number))
    case .timestamp(let instant): typed("TIMESTAMP", .int(instant.unixMilliseconds))
    case .bytes(let text): typed("BYTES", .string(text))
    case .reference(let name): typed("REFERENCE", ["recordName": .name(name)])
    case .position(let latitude, let longitude):
      typed("LOCATION", ["latitude": .double(latitude), "longitude": .double(longitude)])
    case .asset(let asset): typed("ASSETID", asset.document)
    case .strings(let texts): typed("STRING_LIST", .strings(texts))
    case .assets(let assets): typed("ASSETID_LIST", .array(assets.map(\.document)))
    case .untyped(let text): ["value": JSON(parsing: text) ?? .null]
    // What was no `{value, type}` at all.
    case .mistyped("", let text): JSON(parsing: text) ?? .null
    case .mistyped(let type, let text): typed(type, JSON(parsing: text) ?? .null)
    }
  }

  private func typed(_ type: String, _ value: JSON) -> JSON {
    ["value": value, "type": .string(type)]
  }

  init(_ document: JSON) {
    guard document.object != nil else {
      self = .mistyped(type: "", document.description)
      return
    }
    let value = document["value"] ?? .null
    guard let type = document["type"]?.string else {
      if let type = document["type"], !type.isNull {
        self = .mistyped(type: "", document.description)
        return
      }
      self = .untyped(value.description)
      return
    }
    self = Self.value(value, of: type) ?? .mistyped(type: type, value.description)
  }

  static let types = [
    "STRING", "INT64", "DOUBLE", "TIMESTAMP", "BYTES", "REFERENCE", "LOCATION", "ASSETID",
    "STRING_LIST", "ASSETID_LIST",
  ]

  /// A value of a wire type; `nil` when it is none, or the type is unknown.
  public static func value(_ value: JSON, of type: String) -> FieldValue? {
    switch type {
    case "STRING": value.string.map { .string($0) }
    case "INT64": value.int.map { .int64(Int64($0)) }
    case "DOUBLE": value.double.map { .double($0) }
    case "TIMESTAMP": value.moment.map { .timestamp($0) }
    case "BYTES": value.string.map { .bytes(base64: $0) }
    case "REFERENCE": value["recordName"]?.name().map { .reference(recordName: $0) }
    case "LOCATION": position(value)
    case "ASSETID": (try? Asset.shape.coding.read(value)).map { .asset($0) }
    case "STRING_LIST": value.strings.map { .strings($0) }
    case "ASSETID_LIST":
      (try? Coding<[Asset]>.list(Asset.shape.coding).read(value)).map { .assets($0) }
    default: nil
    }
  }

  private static func position(_ value: JSON) -> FieldValue? {
    guard let latitude = value["latitude"]?.double, let longitude = value["longitude"]?.double
    else {
      return nil
    }
    return .position(latitude: latitude, longitude: longitude)
  }
}

extension Asset {
  static let shape = shape { $0 }
  /// Without what opens the file, where people read along.
  static let sealed = shape(\.hidden)

  private static func shape(
    _ spelt: (Coding<String?>) -> Coding<String?>
  ) -> Shape<Asset> {
    let text = Coding<String?>.lenient(.text)
    return Shape(
      Asset.init, Field("fileChecksum", \.fileChecksum, .text),
      Field("size", \.size, .int(Bounds.fileBytes)), Field("receipt", \.receipt, spelt(text)),
      Field("referenceChecksum", \.referenceChecksum, spelt(text)),
      Field("wrappingKey", \.wrappingKey, spelt(text)),
      Field("downloadURL", \.downloadURL, spelt(text)))
  }

  public var document: JSON { Self.shape.document(of: self, .redacted) }
}

extension Zone {
  static let shape = Shape(
    { Zone($0, owner: $1) }, Field("zoneName", \.zoneName, .text.example("_defaultZone")),
    // What is no text counts as none.
    Field("ownerRecordName", \.ownerRecordName, .lenient(.name).described(by: [:])))

  public var document: JSON { Self.shape.document(of: self, .redacted) }
}

extension Stamp {
  static let shape = Shape(
    { Stamp($0, by: $1, on: $2) }, Field("timestamp", \.timestamp, .milliseconds),
    Field("userRecordName", \.userRecordName, .name), Field("deviceID", \.deviceID, .lenient(.name))
  )
}

extension CloudRecord {
  static let shape = Shape(
    CloudRecord.init, Field("recordName", \.name, .name), Field("recordType", \.type, .name),
    Field("recordChangeTag", \.changeTag, .text), Field("zoneID", \.zone, Zone.shape.coding),
    Field("fields", \.fields, .fields), Field("created", \.created, Stamp.shape.coding),
    Field("modified", \.modified, Stamp.shape.coding))

  public var document: JSON { Self.shape.document(of: self, .redacted) }
}

extension RecordDraft {
  static let shape = Shape(
    { type, name, tag, fields in
      RecordDraft(name: name, type: type, changeTag: tag, fields: fields)
    }, Field("recordType", \.type, .omittable(.name)),
    Field("recordName", \.name, .omittable(.name)),
    Field("recordChangeTag", \.changeTag, .omittable(.text)), Field("fields", \.fields, .draft))
}

extension Coding where Value == FieldValue {
  /// `{value, type}`; what is none is kept as it was sent, for the schema to refuse.
  static let field = Coding(
    schema: [
      "type": "object", "required": ["value"],
      "properties": [
        "value": [:], "type": ["type": "string", "enum": .strings(FieldValue.types)],
      ],
    ], example: ["value": "text", "type": "STRING"], words: "{value, type}",
    read: { (json) throws(Malformed) in FieldValue(json) }, write: { value, _ in value.document },
    mix: { $1.mix($0.document) })
}

extension Coding where Value == FieldValue? {
  /// A value to compare with; `null` and a value that is null are none.
  static let operand = Coding<JSON>.json.converted(
    to: { $0.isRemoval ? nil : FieldValue($0) },
    from: { value, _ in value?.document ?? ["value": nil] }
  ).otherwise(nil)
}

extension Coding where Value == Fields {
  static let fields = Coding<JSON>.object.converted(
    to: { Fields($0.object ?? JSONObject()) }, from: { fields, _ in .object(fields.document) }
  ).checked(fieldsSchema) { _ in nil }

  static let fieldsSchema: JSON = [
    "type": "object", "additionalProperties": Coding<FieldValue>.field.schema,
  ]
}

extension Coding where Value == Fields {
  /// Of a fixture: bare values or `{value, type}`; one that is `null` is none.
  static let loaded = Coding<JSON>.object.converted(
    to: { json in
      var fields = Fields()
      for (name, value) in json.object?.members ?? [] where !value.isNull {
        fields[text: name] =
          value["value"] == nil ? .untyped(value.description) : FieldValue(value)
      }
      return fields
    }, from: { fields, _ in .object(fields.document) }
  ).otherwise(Fields())
}

extension Coding where Value == FieldChanges {
  /// Of a record as a client sends it: `null` removes a field (§2.1).
  static let draft = Coding<JSON>.object.converted(
    to: { json in
      var fields = FieldChanges()
      for (name, value) in json.object?.members ?? [] {
        fields[text: name] = .some(value.isRemoval ? nil : FieldValue(value))
      }
      return fields
    },
    from: { fields, _ in
      .object(JSONObject(fields.all.map { (name: $0.name, value: $0.value?.document ?? .null) }))
    }
  ).checked(Coding<Fields>.fieldsSchema) { _ in nil }.leftOut(for: FieldChanges())
}

extension Fields {
  var document: JSONObject {
    JSONObject(all.map { (name: $0.name, value: $0.value.document) })
  }

  init(_ document: JSONObject) {
    self.init()
    for (name, value) in document.members { self[text: name] = FieldValue(value) }
  }
}

extension JSON {
  /// `null`, or a value that is: both remove a field (§2.1).
  var isRemoval: Bool { isNull || self["value"] == .null }

  /// Milliseconds since 1970, within the bounds.
  public var moment: Instant? {
    guard let milliseconds = wholeNumber, Bounds.moments.contains(milliseconds) else { return nil }
    return Instant(unixMilliseconds: milliseconds)
  }
}
