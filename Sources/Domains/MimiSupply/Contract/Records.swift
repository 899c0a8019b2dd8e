import Contracts
import Timekeeping

/// The value of a field (§2.1), by its wire type.
public enum FieldValue: Hashable, Sendable {
  case string(String)
  /// Text of a field that holds a name (`FieldName.holdsName`): what it names is not said.
  case identifier(RecordName)
  case int64(Int64)
  case double(Double)
  case timestamp(Instant)
  case bytes(base64: String)
  case reference(recordName: RecordName)
  case position(latitude: Double, longitude: Double)
  indirect case asset(Asset)
  case strings([String])
  case assets([Asset])
  /// Sent without a type, which the schema then gives; JSON text.
  case untyped(String)
  /// A value that is not of the type that was sent with it; JSON text.
  indirect case mistyped(type: String, String)
}

extension FieldValue {
  /// The text of a field that holds a name.
  public static func name<Kind>(_ name: Name<Kind>) -> FieldValue { .identifier(RecordName(name)) }

  /// What stands there as text, a name or any other.
  public var text: String? {
    switch self {
    case .string(let text): text
    case .identifier(let name): name.text
    default: nil
    }
  }

  /// A text as the name that it is.
  var asName: FieldValue {
    if case .string(let text) = self { .name(RecordName(text)) } else { self }
  }
}

/// What an upload gave and an asset field holds (§3.2).
public struct Asset: Hashable, Sendable {
  public var fileChecksum: String
  public var size: Int
  public var receipt, referenceChecksum, wrappingKey: String?
  /// Where who reads the record may fetch the file, for a quarter of an hour (MS-110).
  public var downloadURL: String?

  public init(
    fileChecksum: String, size: Int, receipt: String? = nil, referenceChecksum: String? = nil,
    wrappingKey: String? = nil, downloadURL: String? = nil
  ) {
    (self.fileChecksum, self.size, self.receipt) = (fileChecksum, size, receipt)
    (self.referenceChecksum, self.wrappingKey) = (referenceChecksum, wrappingKey)
    self.downloadURL = downloadURL
  }
}

public struct Zone: Hashable, Sendable {
  public var zoneName: String
  public var ownerRecordName: UserName?

  public init(_ zoneName: String = "_defaultZone", owner: UserName? = nil) {
    self.zoneName = zoneName
    ownerRecordName = owner
  }
}

/// Who touched a record, and when (§2.1).
public struct Stamp: Hashable, Sendable {
  public var timestamp: Instant
  public var userRecordName: UserName
  public var deviceID: DeviceName?

  public init(_ timestamp: Instant, by user: UserName, on device: DeviceName?) {
    (self.timestamp, userRecordName, deviceID) = (timestamp, user, device)
  }
}

/// A record as a client sends it; a field that is `nil` is to be removed.
public struct RecordDraft: Hashable, Sendable {
  public var name: RecordName?
  public var type: RecordType?
  public var changeTag: String?
  public var fields: FieldChanges

  public init(
    name: RecordName?, type: RecordType? = nil, changeTag: String? = nil,
    fields: FieldChanges = [:]
  ) {
    (self.name, self.type, self.changeTag, self.fields) = (name, type, changeTag, fields)
  }
}
