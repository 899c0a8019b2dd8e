import Contracts

/// `records/modify` (§3.2, §3.3).
public struct Modification: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case create, update, forceUpdate, replace, forceReplace, delete, forceDelete
  }

  public struct Item: Hashable, Sendable {
    public var kind: Kind
    @Boxed public var record: RecordDraft
    public var desiredKeys: [String]?

    public init(_ kind: Kind, _ record: RecordDraft, desiredKeys: [String]? = nil) {
      (self.kind, self.record, self.desiredKeys) = (kind, record, desiredKeys)
    }

    static let shape = Shape(
      { Item($0, $1, desiredKeys: $2) }, Field("operationType", \.kind, .word),
      Field("record", \.record, RecordDraft.shape.coding),
      Field("desiredKeys", \.desiredKeys, .omittable(.strings)))
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
    (self.items, self.zone, self.atomic) = (items, zone, atomic)
    self.numbersAsStrings = numbersAsStrings
  }

  static let shape = Shape(
    { Modification($0, zone: $1, atomic: $2, numbersAsStrings: $3) },
    Field("operations", \.items, .list(Item.shape.coding)),
    Field("zoneID", \.zone, .omittable(Zone.shape.coding)),
    Field("atomic", \.atomic, .omittable(.flag)),
    Field("numbersAsStrings", \.numbersAsStrings, .flag.leftOut(for: false))
  ).numbered(\.numbersAsStrings)
}

/// `records/lookup` (§3.2).
public struct Lookup: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var recordName: RecordName
    public var desiredKeys: [String]?

    public init(_ recordName: RecordName, desiredKeys: [String]? = nil) {
      self.recordName = recordName
      self.desiredKeys = desiredKeys
    }

    static let shape = Shape(
      { Item($0, desiredKeys: $1) }, Field("recordName", \.recordName, .name),
      Field("desiredKeys", \.desiredKeys, .omittable(.strings)))
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
    (self.items, self.zone, self.desiredKeys) = (items, zone, desiredKeys)
    self.numbersAsStrings = numbersAsStrings
  }

  static let shape = Shape(
    { Lookup($0, zone: $1, desiredKeys: $2, numbersAsStrings: $3) },
    Field("records", \.items, .list(Item.shape.coding)),
    Field("zoneID", \.zone, .omittable(Zone.shape.coding)),
    Field("desiredKeys", \.desiredKeys, .omittable(.strings)),
    Field("numbersAsStrings", \.numbersAsStrings, .flag.leftOut(for: false))
  ).numbered(\.numbersAsStrings)
}

/// `records/changes` (§3.2).
public struct FeedQuery: Hashable, Sendable {
  /// A custom zone; the default zone has no feed.
  public var zone: Zone?
  public var syncToken: String?
  public var resultsLimit: Int?
  public var desiredKeys: [String]?
  public var desiredRecordTypes: [RecordType]?
  /// The latest change first.
  public var reverse: Bool
  public var numbersAsStrings: Bool

  public init(
    zone: Zone?, syncToken: String? = nil, resultsLimit: Int? = nil, desiredKeys: [String]? = nil,
    desiredRecordTypes: [RecordType]? = nil, reverse: Bool = false, numbersAsStrings: Bool = false
  ) {
    (self.zone, self.syncToken, self.resultsLimit) = (zone, syncToken, resultsLimit)
    (self.desiredKeys, self.desiredRecordTypes) = (desiredKeys, desiredRecordTypes)
    (self.reverse, self.numbersAsStrings) = (reverse, numbersAsStrings)
  }

  static let shape = Shape(
    FeedQuery.init, Field("zoneID", \.zone, .omittable(Zone.shape.coding)),
    Field("syncToken", \.syncToken, .omittable(.text)),
    Field("resultsLimit", \.resultsLimit, .omittable(.int)),
    Field("desiredKeys", \.desiredKeys, .omittable(.strings)),
    Field("desiredRecordTypes", \.desiredRecordTypes, .omittable(.names())),
    Field("reverse", \.reverse, .flag.leftOut(for: false)),
    Field("numbersAsStrings", \.numbersAsStrings, .flag.leftOut(for: false))
  ).numbered(\.numbersAsStrings)
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

  static let shape = Shape(
    { ZoneOperation($0, $1) }, Field("operationType", \.kind, .word),
    Field("zone", \.zone, Zone.shape.coding.wrapped(in: "zoneID")))
}

/// `assets/upload` (§3.2): where files of these fields may be sent.
public struct UploadRequest: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var recordName: RecordName?
    public var recordType: RecordType
    public var fieldName: String

    public init(_ recordName: RecordName?, recordType: RecordType, fieldName: String) {
      (self.recordName, self.recordType, self.fieldName) = (recordName, recordType, fieldName)
    }

    static let shape = Shape(
      { Item($2, recordType: $0, fieldName: $1) }, Field("recordType", \.recordType, .name),
      Field("fieldName", \.fieldName, .text), Field("recordName", \.recordName, .omittable(.name)))
  }

  public var items: [Item]
  public var zone: Zone?

  public init(_ items: [Item], zone: Zone? = nil) {
    self.items = items
    self.zone = zone
  }

  static let shape = Shape(
    { UploadRequest($0, zone: $1) }, Field("tokens", \.items, .list(Item.shape.coding)),
    Field("zoneID", \.zone, .omittable(Zone.shape.coding)))
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

  /// A body whose media type says what it is: the bytes themselves, or the size of a file that nobody has.
  static let shape = Shape<Upload>(
    members: [],
    read: { parts in
      Upload(
        to: WireTarget(WireTarget(parsing: parts.target ?? "").path).text, Content(readFrom: parts))
    },
    write: { upload, spelling in
      if case .redacted = spelling { return WireParts(body: upload.content.shown) }
      let (mediaType, bytes) = upload.content.sent
      return WireParts(
        headers: [WireHeader("Content-Type", mediaType)], target: upload.path, content: bytes)
    }, mix: { $1.mix(JSON.object($0.content.shown)) })
}

extension Upload.Content {
  private static let syntheticType = "application/x-mimi-synthetic"
  private static let synthetic = Shape(
    { (size: $0, seed: $1) }, Field("size", { $0.size }, .int(0...Int.max)),
    Field("seed", { $0.seed }, .int.otherwise(0)))

  fileprivate init(readFrom parts: WireParts) {
    let type = parts.headers.value(of: "Content-Type")?.prefix { $0 != ";" }.lowercased()
    guard type == Self.syntheticType else {
      self = .bytes(parts.content)
      return
    }
    let file = JSON(parsing: parts.content).flatMap { try? Self.synthetic.coding.read($0) }
    self = file.map { .synthetic(size: $0.size, seed: $0.seed) } ?? .unreadable
  }

  fileprivate var sent: (mediaType: String, bytes: [UInt8]) {
    switch self {
    case .bytes(let bytes): ("application/octet-stream", bytes)
    case .synthetic(let size, let seed):
      (Self.syntheticType, Self.synthetic.document(of: (size, seed), .redacted).bytes)
    case .unreadable: (Self.syntheticType, Array("{}".utf8))
    }
  }

  fileprivate var shown: JSONObject {
    switch self {
    case .bytes(let bytes): ["bytes": .number(bytes.count)]
    case .synthetic(let size, _): ["synthetic": .number(size)]
    case .unreadable: ["synthetic": nil]
    }
  }
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

  static let shape = Shape(
    { Poll(following: $0, timeoutSeconds: $1) }, Field("courier", \.courier, .address, in: .target),
    Field("timeout", \.timeoutSeconds, .lenient(.numeral), in: .query, "at most so many seconds"))
}

/// `POST /mimi/1/auth/apple` (§3.4, §3.8).
public struct SignIn: Hashable, Sendable {
  public var identityToken, nonce: String
  public var deviceID: DeviceName?
  public var fullName, email, role: String?

  public init(
    identityToken: String, nonce: String, deviceID: DeviceName?, fullName: String? = nil,
    email: String? = nil, role: String? = nil
  ) {
    (self.identityToken, self.nonce, self.deviceID) = (identityToken, nonce, deviceID)
    (self.fullName, self.email, self.role) = (fullName, email, role)
  }

  static let shape = Shape(
    SignIn.init, Field("identityToken", \.identityToken, .text.hidden),
    Field("nonce", \.nonce, .text.hidden), Field("deviceID", \.deviceID, .omittable(.name)),
    Field("fullName", \.fullName, .omittable(.text).hidden),
    Field("email", \.email, .omittable(.text).hidden), Field("role", \.role, .omittable(.text)))
}
