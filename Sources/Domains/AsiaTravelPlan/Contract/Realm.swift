import Contracts
import Timekeeping

/// What an administrator of the realm says of a user (§7.1); whatever is left out stays, or is as at first.
public struct UserChange: Hashable, Sendable {
  public var username: String
  /// Becomes `sub`; drawn where a new user has none.
  public var id: String?
  public var email: String?
  public var password: String?
  public var isEnabled: Bool?
  public var realmRoles: [String]?
  public var clientRoles: [String: [String]]?
  public var groups: [String]?
  /// The top-level claim `roles`, which no default mapper writes (ATP-26).
  public var topLevelRoles: [String]?

  public init(
    username: String, id: String? = nil, email: String? = nil, password: String? = nil,
    isEnabled: Bool? = nil, realmRoles: [String]? = nil, clientRoles: [String: [String]]? = nil,
    groups: [String]? = nil, topLevelRoles: [String]? = nil
  ) {
    (self.username, self.id, self.email, self.password) = (username, id, email, password)
    (self.isEnabled, self.realmRoles, self.clientRoles) = (isEnabled, realmRoles, clientRoles)
    (self.groups, self.topLevelRoles) = (groups, topLevelRoles)
  }

  static let shape = Shape(
    UserChange.init, Field("username", \.username, .text.notBlank, "in any case"),
    Field("id", \.id, .omittable(.text.notBlank), "the claim sub"),
    Field("email", \.email, .omittable(.text), "empty for none"),
    Field("password", \.password, .omittable(.text.secret()), "none lets nobody in"),
    Field("enabled", \.isEnabled, .omittable(.flag), "whether the user may log in"),
    Field("realmRoles", \.realmRoles, .omittable(.strings), "all of them"),
    Field("clientRoles", \.clientRoles, .omittable(.rolesByClient), "all of them, by client"),
    Field("groups", \.groups, .omittable(.strings), "the claim groups; empty for none"),
    Field("roles", \.topLevelRoles, .omittable(.strings), "the claim roles; empty for none"))
}

extension Coding where Value == [String: [String]] {
  /// Lists of texts by names.
  static let rolesByClient = Coding(
    schema: ["type": "object", "additionalProperties": Coding<[String]>.strings.schema],
    example: ["asiatravelplan-ios": ["atp_staff"]], words: "lists of texts by client",
    read: { (json) throws(Malformed) in
      guard let object = json.object else { throw .invalid("is no object of lists") }
      var lists: [String: [String]] = [:]
      for (name, value) in object.members {
        do throws(Malformed) { lists[name] = try Coding<[String]>.strings.read(value) } catch {
          throw error.below(name)
        }
      }
      return lists
    },
    write: { lists, _ in
      .object(
        JSONObject(
          lists.sorted { $0.key < $1.key }.map { (name: $0.key, value: .strings($0.value)) }))
    },
    mix: { lists, digest in
      for (name, texts) in lists.sorted(by: { $0.key < $1.key }) {
        digest.mix(name)
        Coding<[String]>.strings.mix(texts, &digest)
      }
    })
}

/// A client as the realm knows it (§7.1): with a secret it is confidential, without one public.
public struct ClientRegistration: Hashable, Sendable {
  public var clientID: String
  public var secret: String?
  public var redirectURIs: [String]
  public var postLogoutRedirectURIs: [String]
  public var requiresPKCE: Bool

  public init(
    _ clientID: String, secret: String? = nil, redirectURIs: [String],
    postLogoutRedirectURIs: [String], requiresPKCE: Bool = true
  ) {
    (self.clientID, self.secret, self.redirectURIs) = (clientID, secret, redirectURIs)
    (self.postLogoutRedirectURIs, self.requiresPKCE) = (postLogoutRedirectURIs, requiresPKCE)
  }

  /// The app's (ATP-14, ATP-15).
  public static let app = ClientRegistration(
    "asiatravelplan-ios", redirectURIs: ["asiatravelplan://auth/callback"],
    postLogoutRedirectURIs: ["asiatravelplan://auth/callback"])

  /// The browser pages' (ATP-13); its secret is known to every tester.
  public static let backend = ClientRegistration(
    "asiatravelplan-backend", secret: "backend-secret",
    redirectURIs: ["http://127.0.0.1:8787/auth/callback"],
    postLogoutRedirectURIs: ["http://127.0.0.1:8787/"], requiresPKCE: false)

  static let shape = Shape(
    {
      ClientRegistration(
        $0, secret: $1, redirectURIs: $2, postLogoutRedirectURIs: $3, requiresPKCE: $4)
    }, Field("clientID", \.clientID, .text.notBlank, "its name"),
    Field("secret", \.secret, .omittable(.text.notBlank.secret()), "none makes it public"),
    Field("redirectURIs", \.redirectURIs, .strings, "where codes may go, exactly so"),
    Field(
      "postLogoutRedirectURIs", \.postLogoutRedirectURIs, .strings,
      "where user agents may go after a logout, exactly so"),
    Field("requiresPKCE", \.requiresPKCE, .flag.otherwise(true), "whether S256 is a must"))
}
