import Contracts

/// `records/modify` (§3.2, §3.3).
package struct Modification: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case create, update, forceUpdate, replace, forceReplace, delete, forceDelete
  }

  package struct Item: Hashable, Sendable {
    package var kind: Kind
    package var record: RecordDraft
    package var desiredKeys: [String]?

    package init(_ kind: Kind, _ record: RecordDraft, desiredKeys: [String]? = nil) {
      self.kind = kind
      self.record = record
      self.desiredKeys = desiredKeys
    }
  }

  package var items: [Item]
  /// `nil` is the default zone.
  package var zone: Zone?
  /// `nil` means true, and true means something in custom zones only (MS-09).
  package var atomic: Bool?

  package init(_ items: [Item], zone: Zone? = nil, atomic: Bool? = nil) {
    self.items = items
    self.zone = zone
    self.atomic = atomic
  }
}

/// Why a body cannot be read.
package enum BodyProblem: String, Hashable, Sendable {
  /// No JSON object.
  case notAnObject
  /// A member that says what to do is missing or unknown.
  case incomplete
}

/// A long poll (§3.5): at the address that `tokens/create` gave.
package struct Poll: Hashable, Sendable {
  /// Path of the courier's address, without its origin.
  package var courier: String
  package var timeoutSeconds: Int?

  package init(following webcourierURL: String, timeoutSeconds: Int? = nil) {
    courier = WireTarget.withoutOrigin(webcourierURL)
    self.timeoutSeconds = timeoutSeconds
  }

  /// Where a twin lets a token's client poll.
  package static func path(of token: String) -> String {
    WireTarget(["courier", "1", token]).text
  }

  /// The token that the address belongs to.
  package var token: String? {
    let path = WireTarget(parsing: courier).path
    return path.count == 3 && path.starts(with: ["courier", "1"]) ? path[2] : nil
  }
}
