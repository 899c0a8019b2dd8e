import Contracts
import Timekeeping

extension FieldValue {
  /// `{value, type}`.
  public var document: JSON {
    switch self {
    case .string(let text): typed("STRING", .string(text))
    case .int64(let number): typed("INT64", .int(number))
    case .double(let number): typed("DOUBLE", .double(number))
    case .timestamp(let instant): typed("TIMESTAMP", .int(instant.unixMilliseconds))
    case .bytes(let text): typed("BYTES", .string(text))
    case .reference(let name): typed("REFERENCE", ["recordName": .string(name)])
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

  /// A value of a wire type; `nil` when it is none, or the type is unknown.
  public static func value(_ value: JSON, of type: String) -> FieldValue? {
    switch type {
    case "STRING": value.string.map { .string($0) }
    case "INT64": value.int.map { .int64(Int64($0)) }
    case "DOUBLE": value.double.map { .double($0) }
    case "TIMESTAMP": value.moment.map { .timestamp($0) }
    case "BYTES": value.string.map { .bytes(base64: $0) }
    case "REFERENCE": value["recordName"]?.string.map { .reference(recordName: $0) }
    case "LOCATION": position(value)
    case "ASSETID": Asset(value).map { .asset($0) }
    case "STRING_LIST": value.strings.map { .strings($0) }
    case "ASSETID_LIST": value.list(Asset.init).map { .assets($0) }
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
  public var document: JSON {
    var object: JSONObject = ["fileChecksum": .string(fileChecksum), "size": .number(size)]
    object["receipt"] = receipt.map(JSON.string)
    object["referenceChecksum"] = referenceChecksum.map(JSON.string)
    object["wrappingKey"] = wrappingKey.map(JSON.string)
    object["downloadURL"] = downloadURL.map(JSON.string)
    return .object(object)
  }

  init?(_ document: JSON) {
    guard let checksum = document["fileChecksum"]?.string, let size = document["size"]?.int,
      Bounds.fileBytes.contains(size)
    else { return nil }
    self.init(
      fileChecksum: checksum, size: size, receipt: document["receipt"]?.string,
      referenceChecksum: document["referenceChecksum"]?.string,
      wrappingKey: document["wrappingKey"]?.string, downloadURL: document["downloadURL"]?.string)
  }
}

extension Zone {
  public var document: JSON {
    var object: JSONObject = ["zoneName": .string(zoneName)]
    object["ownerRecordName"] = ownerRecordName.map(JSON.string)
    return .object(object)
  }

  init?(_ document: JSON) {
    guard let name = document["zoneName"]?.string else { return nil }
    self.init(name, owner: document["ownerRecordName"]?.string)
  }
}

extension Stamp {
  public var document: JSON {
    var object: JSONObject = [
      "timestamp": .int(timestamp.unixMilliseconds), "userRecordName": .string(userRecordName),
    ]
    object["deviceID"] = deviceID.map(JSON.string)
    return .object(object)
  }

  init?(_ document: JSON) {
    guard let time = document["timestamp"]?.moment, let user = document["userRecordName"]?.string
    else { return nil }
    self.init(
      time, by: user, on: document["deviceID"]?.string)
  }
}

extension CloudRecord {
  public var document: JSON {
    [
      "recordName": .string(name), "recordType": .string(type),
      "recordChangeTag": .string(changeTag), "zoneID": zone.document,
      "fields": .object(fields.document), "created": created.document,
      "modified": modified.document,
    ]
  }

  init?(_ document: JSON) {
    guard let name = document["recordName"]?.string, let type = document["recordType"]?.string,
      let tag = document["recordChangeTag"]?.string,
      let zone = document["zoneID"].flatMap(Zone.init),
      let fields = document["fields"]?.object,
      let created = document["created"].flatMap(Stamp.init),
      let modified = document["modified"].flatMap(Stamp.init)
    else { return nil }
    self.init(
      name: name, type: type, changeTag: tag, zone: zone, fields: fields.values,
      created: created, modified: modified)
  }
}

extension RecordDraft {
  public var document: JSON {
    var object = JSONObject()
    object["recordType"] = type.map(JSON.string)
    object["recordName"] = name.map(JSON.string)
    object["recordChangeTag"] = changeTag.map(JSON.string)
    if !fields.isEmpty {
      let sorted = fields.sorted { $0.key < $1.key }
      object["fields"] = .object(
        JSONObject(sorted.map { (name: $0.key, value: $0.value?.document ?? .null) }))
    }
    return .object(object)
  }

  init(_ document: JSON) {
    let sent = document["fields"]?.object?.members ?? []
    self.init(
      name: document["recordName"]?.string, type: document["recordType"]?.string,
      changeTag: document["recordChangeTag"]?.string,
      fields: Dictionary(
        sent.map { ($0.name, $0.value.isRemoval ? nil : FieldValue($0.value)) },
        uniquingKeysWith: { $1 }))
  }
}

extension [String: FieldValue] {
  /// In the order of the names: a dictionary's own changes from process to process.
  var document: JSONObject {
    JSONObject(sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value.document) })
  }
}

extension JSONObject {
  var values: [String: FieldValue] {
    Dictionary(members.map { ($0.name, FieldValue($0.value)) }, uniquingKeysWith: { $1 })
  }
}

extension JSON {
  /// `null`, or a value that is: both remove a field (§2.1).
  fileprivate var isRemoval: Bool { isNull || self["value"] == .null }

  /// Milliseconds since 1970, within the bounds.
  public var moment: Instant? {
    guard let milliseconds = wholeNumber, Bounds.moments.contains(milliseconds) else { return nil }
    return Instant(unixMilliseconds: milliseconds)
  }

  /// All items of an array, or `nil` when one of them cannot be read.
  func list<Value>(_ read: (JSON) -> Value?) -> [Value]? {
    guard let items = array else { return nil }
    let values = items.compactMap(read)
    return values.count == items.count ? values : nil
  }
}
