import Contracts

/// `records/modify` (§3.2, §3.3).
public struct Modification: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case create, update, forceUpdate, replace, forceReplace, delete, forceDelete
  }

  public struct Item: Hashable, Sendable {
    public var kind: Kind
    public var record: RecordDraft
    public var desiredKeys: [String]?

    public init(_ kind: Kind, _ record: RecordDraft, desiredKeys: [String]? = nil) {
      self.kind = kind
      self.record = record
      self.desiredKeys = desiredKeys
    }
  }

  public var items: [Item]
  /// `nil` is the default zone.
  public var zone: Zone?
  /// `nil` means true, and true means something in custom zones only (MS-09).
  public var atomic: Bool?
  /// INT64 and TIMESTAMP travel as texts (§2.1).
  public var numbersAsStrings: Bool

  public init(
    _ items: [Item], zone: Zone? = nil, atomic: Bool? = nil, numbersAsStrings: Bool = false
  ) {
    self.items = items
    self.zone = zone
    self.atomic = atomic
    self.numbersAsStrings = numbersAsStrings
  }
}

/// `records/lookup` (§3.2).
public struct Lookup: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var recordName: String
    public var desiredKeys: [String]?

    public init(_ recordName: String, desiredKeys: [String]? = nil) {
      self.recordName = recordName
      self.desiredKeys = desiredKeys
    }
  }

  public var items: [Item]
  public var zone: Zone?
  /// For items that name none of their own.
  public var desiredKeys: [String]?
  public var numbersAsStrings: Bool

  public init(
    _ items: [Item], zone: Zone? = nil, desiredKeys: [String]? = nil,
    numbersAsStrings: Bool = false
  ) {
    self.items = items
    self.zone = zone
    self.desiredKeys = desiredKeys
    self.numbersAsStrings = numbersAsStrings
  }
}

/// `records/changes` (§3.2).
public struct FeedQuery: Hashable, Sendable {
  /// A custom zone; the default zone has no feed.
  public var zone: Zone?
  public var syncToken: String?
  public var resultsLimit: Int?
  public var desiredKeys: [String]?
  public var desiredRecordTypes: [String]?
  /// The latest change first.
  public var reverse: Bool
  public var numbersAsStrings: Bool

  public init(
    zone: Zone?, syncToken: String? = nil, resultsLimit: Int? = nil, desiredKeys: [String]? = nil,
    desiredRecordTypes: [String]? = nil, reverse: Bool = false, numbersAsStrings: Bool = false
  ) {
    self.zone = zone
    self.syncToken = syncToken
    self.resultsLimit = resultsLimit
    self.desiredKeys = desiredKeys
    self.desiredRecordTypes = desiredRecordTypes
    self.reverse = reverse
    self.numbersAsStrings = numbersAsStrings
  }
}

/// One operation of `zones/modify`.
public struct ZoneOperation: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable { case create, delete }

  public var kind: Kind
  public var zone: Zone

  public init(_ kind: Kind, _ zone: Zone) {
    self.kind = kind
    self.zone = zone
  }
}

/// `assets/upload` (§3.2): where files of these fields may be sent.
public struct UploadRequest: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var recordName: String?
    public var recordType: String
    public var fieldName: String

    public init(_ recordName: String?, recordType: String, fieldName: String) {
      self.recordName = recordName
      self.recordType = recordType
      self.fieldName = fieldName
    }
  }

  public var items: [Item]
  public var zone: Zone?

  public init(_ items: [Item], zone: Zone? = nil) {
    self.items = items
    self.zone = zone
  }
}

/// A file on its way to the address that `assets/upload` gave.
public struct Upload: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case bytes([UInt8])
    /// A file of this size that nobody has (§3.2 "Assets without bytes").
    case synthetic(size: Int, seed: Int)
    /// A synthetic file without a readable size.
    case unreadable
  }

  /// Path of the address, without its origin.
  public var path: String
  public var content: Content

  public init(to url: String, _ content: Content) {
    path = WireTarget.withoutOrigin(url)
    self.content = content
  }

  public static func path(of ticket: String) -> String {
    WireTarget(["assets", "1", "upload", ticket]).text
  }

  /// What `assets/upload` gave out for this file.
  public var ticket: String? {
    let path = WireTarget(parsing: path).path
    return path.count == 4 && path.starts(with: ["assets", "1", "upload"]) ? path[3] : nil
  }
}

/// Why a body cannot be read.
public enum BodyProblem: String, Hashable, Sendable {
  /// No JSON object.
  case notAnObject
  /// A member that says what to do is missing, unknown or of the wrong type.
  case incomplete
}

/// A long poll (§3.5): at the address that `tokens/create` gave.
public struct Poll: Hashable, Sendable {
  /// Path of the courier's address, without its origin.
  public var courier: String
  public var timeoutSeconds: Int?

  public init(following webcourierURL: String, timeoutSeconds: Int? = nil) {
    courier = WireTarget.withoutOrigin(webcourierURL)
    self.timeoutSeconds = timeoutSeconds
  }

  /// Where a twin lets a token's client poll.
  public static func path(of token: String) -> String {
    WireTarget(["courier", "1", token]).text
  }

  /// The token that the address belongs to.
  public var token: String? {
    let path = WireTarget(parsing: courier).path
    return path.count == 3 && path.starts(with: ["courier", "1"]) ? path[2] : nil
  }
}

/// `POST /mimi/1/auth/apple` (§3.4, §3.8).
public struct SignIn: Hashable, Sendable {
  public var identityToken: String
  public var nonce: String
  public var deviceID: String?
  public var fullName: String?
  public var email: String?
  public var role: String?

  public init(
    identityToken: String, nonce: String, deviceID: String?, fullName: String? = nil,
    email: String? = nil, role: String? = nil
  ) {
    self.identityToken = identityToken
    self.nonce = nonce
    self.deviceID = deviceID
    self.fullName = fullName
    self.email = email
    self.role = role
  }
}
