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

extension AsiaTravelPlan {
  /// What whoever installs the provider decides (7.3, 7.5, 7.6).
  public struct Deployment: Contracts.Deployment {
    public var realm = "master"
    /// Scheme, host and port of the issuer; `nil`: as a request names them.
    public var base: String?
    public var accessTokenLifetime: Span?
    public var sessionIdle = Span.seconds(1_800)
    public var sessionMax = Span.seconds(36_000)
    public var codeLifetime = Span.seconds(60)
    public var loginTimeout = Span.seconds(1_800)
    public var rotatesRefreshTokens = false
    public var rejectsLegacyLogoutParameter = false
    public var clockOffset = Span.zero
    public var grantsRefusedFrom: Instant?
    public var isDiscoveryReachable = true
    public var areKeysReachable = true

    public init() {}

    /// How long an access token is good: 60 s in the realm `master`, 300 s in others, unless decided otherwise.
    public var lifetime: Span {
      accessTokenLifetime ?? (realm == "master" ? .seconds(60) : .seconds(300))
    }

    public static let settings: [DeploymentSetting<Self>] = [
      DeploymentSetting(
        "realm", \.realm, SettingKind(.realm), "the one realm", source: "section 7"),
      DeploymentSetting(
        "base", \.base, SettingKind(.optional(.text.notBlank)),
        "scheme, host and port of the issuer; none: as a request's Host says, else http://127.0.0.1:8788",
        source: "section 7"),
      DeploymentSetting(
        "accessTokenLifetime", \.accessTokenLifetime, SettingKind(.optional(.span(lifetimes))),
        "how long an access token is good; none: 60 s in the realm master, else 300 s",
        source: "7.3"),
      DeploymentSetting(
        "sessionIdle", \.sessionIdle, .span(lifetimes), "after which pause a session ends",
        source: "7.3"),
      DeploymentSetting(
        "sessionMax", \.sessionMax, .span(lifetimes), "how long a session lasts at most",
        source: "7.3"),
      DeploymentSetting(
        "codeLifetime", \.codeLifetime, .span(lifetimes), "how long a code is good",
        source: "7.3"),
      DeploymentSetting(
        "loginTimeout", \.loginTimeout, .span(lifetimes), "how long a login page is good",
        source: "7.3"),
      DeploymentSetting(
        "rotatesRefreshTokens", \.rotatesRefreshTokens, .flag,
        "whether a refresh token is good once", source: "7.3"),
      DeploymentSetting(
        "rejectsLegacyLogoutParameter", \.rejectsLegacyLogoutParameter, .flag,
        "whether a logout with redirect_uri is refused", source: "7.5, O-12"),
      DeploymentSetting(
        "clockOffset", \.clockOffset, .span(-.days(1) ... .days(1)),
        "how far the provider's clock is ahead", source: "7.6"),
      DeploymentSetting(
        "grantsRefusedFrom", \.grantsRefusedFrom, SettingKind(.optional(.moment)),
        "from when the token endpoint refuses every grant", source: "7.6"),
      DeploymentSetting(
        "discoveryReachable", \.isDiscoveryReachable, .flag,
        "whether the discovery document can be had", source: "7.6"),
      DeploymentSetting(
        "keysReachable", \.areKeysReachable, .flag, "whether the published keys can be had",
        source: "7.6"),
    ]

    private static let lifetimes = Span.seconds(1) ... .days(3_650)
  }
}

extension Coding where Value == String {
  /// One segment of a path.
  fileprivate static let realm = Coding.text.checked {
    $0.isEmpty || $0.utf8.contains(UInt8(ascii: "/")) ? .invalid("is no segment of a path") : nil
  }
}
