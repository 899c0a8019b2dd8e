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

  public init(_ items: [Item], zone: Zone? = nil, atomic: Bool? = nil) {
    self.items = items
    self.zone = zone
    self.atomic = atomic
  }
}

/// Why a body cannot be read.
public enum BodyProblem: String, Hashable, Sendable {
  /// No JSON object.
  case notAnObject
  /// A member that says what to do is missing or unknown.
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
