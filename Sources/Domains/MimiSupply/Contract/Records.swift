import Timekeeping

/// The value of a field (§2.1), by its wire type.
package enum FieldValue: Hashable, Sendable {
  case string(String)
  case int64(Int64)
  case double(Double)
  case timestamp(Instant)
  case bytes(base64: String)
  case reference(recordName: String)
  case position(latitude: Double, longitude: Double)
  case asset(Asset)
  case strings([String])
  case assets([Asset])
  /// Sent without a type, which the schema then gives; JSON text.
  case untyped(String)
  /// A value that is not of the type that was sent with it; JSON text.
  case mistyped(type: String, String)
}

/// What an upload gave and an asset field holds (§3.2).
package struct Asset: Hashable, Sendable {
  package var fileChecksum: String
  package var size: Int
  package var receipt: String?
  package var referenceChecksum: String?
  package var wrappingKey: String?

  package init(
    fileChecksum: String, size: Int, receipt: String? = nil, referenceChecksum: String? = nil,
    wrappingKey: String? = nil
  ) {
    self.fileChecksum = fileChecksum
    self.size = size
    self.receipt = receipt
    self.referenceChecksum = referenceChecksum
    self.wrappingKey = wrappingKey
  }
}

package struct Zone: Hashable, Sendable {
  package var zoneName: String
  package var ownerRecordName: String?

  package init(_ zoneName: String = "_defaultZone", owner: String? = nil) {
    self.zoneName = zoneName
    ownerRecordName = owner
  }
}

/// Who touched a record, and when (§2.1).
package struct Stamp: Hashable, Sendable {
  package var timestamp: Instant
  package var userRecordName: String
  package var deviceID: String?

  package init(_ timestamp: Instant, by user: String, on device: String?) {
    self.timestamp = timestamp
    userRecordName = user
    deviceID = device
  }
}

/// A stored record.
package struct CloudRecord: Hashable, Sendable {
  package var name: String
  package var type: String
  package var changeTag: String
  package var zone: Zone
  package var fields: [String: FieldValue]
  package var created: Stamp
  package var modified: Stamp

  package init(
    name: String, type: String, changeTag: String, zone: Zone, fields: [String: FieldValue],
    created: Stamp, modified: Stamp
  ) {
    self.name = name
    self.type = type
    self.changeTag = changeTag
    self.zone = zone
    self.fields = fields
    self.created = created
    self.modified = modified
  }
}

/// A record as a client sends it; a field that is `nil` is to be removed.
package struct RecordDraft: Hashable, Sendable {
  package var name: String?
  package var type: String?
  package var changeTag: String?
  package var fields: [String: FieldValue?]

  package init(
    name: String?, type: String? = nil, changeTag: String? = nil,
    fields: [String: FieldValue?] = [:]
  ) {
    self.name = name
    self.type = type
    self.changeTag = changeTag
    self.fields = fields
  }
}
