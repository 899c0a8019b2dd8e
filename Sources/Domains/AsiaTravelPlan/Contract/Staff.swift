import Contracts

/// 2.5.
public struct StaffRecord: Hashable, Sendable {
  public var id: String
  public var name: String
  public var isActive: Bool
  public var usernames: [String]
  public var destinations: [String]
  public var languages: [String]

  public init(
    id: String, name: String, isActive: Bool = true, usernames: [String],
    destinations: [String] = [], languages: [String] = []
  ) {
    (self.id, self.name, self.isActive) = (id, name, isActive)
    (self.usernames, self.destinations, self.languages) = (usernames, destinations, languages)
  }

  /// As a username is compared: trimmed and in lower case.
  public static func normalised(_ username: some StringProtocol) -> String {
    // Most are spelt so already.
    let isNormal = username.utf8.allSatisfy {
      (0x21..<0x7F).contains($0) && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
    return isNormal ? String(username) : username.trimmed.lowercased()
  }

  static let shape = Shape(
    StaffRecord.init, Field("id", \.id, .text), Field("name", \.name, .text.notBlank),
    Field("active", \.isActive, .flag), Field("usernames", \.usernames, .strings),
    Field("destinations", \.destinations, .strings.otherwise([])),
    Field("languages", \.languages, .strings.otherwise([])))
}

/// OP-10.
public struct NewStaff: Hashable, Sendable {
  public var name: String?
  public var usernames: [String]?
  public var destinations: [String]?
  public var languages: [String]?
  public var isActive: Bool?
  public var isNull: Bool

  public init(
    name: String?, usernames: [String]?, destinations: [String]? = nil,
    languages: [String]? = nil, isActive: Bool? = nil, isNull: Bool = false
  ) {
    (self.name, self.usernames, self.destinations) = (name, usernames, destinations)
    (self.languages, self.isActive, self.isNull) = (languages, isActive, isNull)
  }

  static let shape = Shape(
    NewStaff.init, Field("name", \.name, .said).demanded,
    Field("usernames", \.usernames, .saidList).demanded,
    Field("destinations", \.destinations, .saidList), Field("languages", \.languages, .saidList),
    Field("active", \.isActive, .flagOrNone), .isNull(\.isNull))
}

/// OP-11, OP-12: who the caller is to the backend.
public struct Identity: Hashable, Sendable {
  public struct User: Hashable, Sendable {
    public var sub: String
    public var preferredUsername: String?
    public var email: String?
    /// Those of the agency.
    public var roles: [Role]
    /// An extension (O-09).
    public var staffID: String?

    public init(
      sub: String, preferredUsername: String?, email: String?, roles: [Role], staffID: String?
    ) {
      (self.sub, self.preferredUsername, self.email) = (sub, preferredUsername, email)
      (self.roles, self.staffID) = (roles, staffID)
    }

    static let shape = Shape(
      User.init, Field("sub", \.sub, .text),
      Field("preferred_username", \.preferredUsername, .optional(.text)),
      Field("email", \.email, .optional(.text)), Field("roles", \.roles, .list(.word)),
      Field("staff_id", \.staffID, .optional(.text)))
  }

  /// `nil` for a caller who is not authenticated.
  public var user: User?

  public init(_ user: User?) { self.user = user }

  static let shape = Shape(
    { _, user in Identity(user) },
    Field("authenticated", { $0.user != nil }, .flag),
    Field("user", \.user, .omittable(User.shape.coding)))
}

/// The four roles that admit a user (ATP-06).
public enum Role: String, CaseIterable, Hashable, Sendable {
  case admin = "atp_admin"
  case manager = "atp_manager"
  case accountant = "atp_accountant"
  case staff = "atp_staff"
}
