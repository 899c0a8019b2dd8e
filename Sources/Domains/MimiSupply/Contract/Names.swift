import Contracts

// What things are called. Any text can be one: whether it is a good name is the backend's to say (MS-13).

/// Of a record, in whichever database.
public typealias RecordName = Name<CloudRecord>
/// Of a user, whose profile is a record of that name (§2.4).
public typealias UserName = Name<UserIdentity>
public typealias DeviceName = Name<Hardware>

/// A device, of which the backend knows its identifier alone.
public enum Hardware {}

extension Name<UserIdentity> {
  /// What the twin itself writes and owns (§1).
  public static var system: UserName { "_system" }
  public static var anonymous: UserName { "_anonymous" }

  /// The record that is the user's profile.
  public var profile: RecordName { RecordName(self) }
}

extension Name<CloudRecord> {
  /// Whether it is one that the audit log gives (§3.10).
  public var isOfAuditLog: Bool { withUTF8 { $0.starts(with: "audit_".utf8) } }
}
