import Contracts
import Timekeeping

/// The typed surface of MimiSupply: CloudKit Web Services as the specification has it, its sign-in, its long poll, and
/// the operator's commands.
public enum MimiSupply: DeclaredContract {
  public static let domain = "mimi-supply"
  public static let sessionMember = "ckWebAuthToken"
  /// Far above what a request may have (MS-07), so that an excess is answered as one; real files may be long, too.
  public static let mostBodyBytes = 64 << 20
  public static let serviceTimeHeader: String? = "X-Mimi-Service-Micros"

  /// Tokens begin like no name of a person.
  public static func isToken(_ text: String) -> Bool {
    text.hasPrefix("session_") || text.hasPrefix("session-")
  }

  public indirect enum Request: DeclaredRequest {
    case query(Location, Query)  // §3.2 records/query
    case lookup(Location, Lookup)  // §3.2 records/lookup
    case modify(Location, Modification)  // §3.2 records/modify
    case changes(Location, FeedQuery)  // §3.2 records/changes
    case listZones(Location)  // §3.2 zones/list
    case lookupZones(Location, [Zone])  // §3.2 zones/lookup
    case modifyZones(Location, [ZoneOperation])  // §3.2 zones/modify
    case changedZones(Location, syncToken: String?)  // §3.2 zones/changes, changes/database
    case listSubscriptions(Location)  // §3.2 subscriptions/list
    case lookupSubscriptions(Location, [String])  // §3.2 subscriptions/lookup
    case modifySubscriptions(Location, [SubscriptionOperation])  // §3.2 subscriptions/modify
    case createToken(Location, apnsEnvironment: String)  // §3.2 tokens/create
    /// §3.2 tokens/register
    case registerToken(Location, apnsEnvironment: String, apnsToken: String)
    case requestUploads(Location, UploadRequest)  // §3.2 assets/upload
    case currentUser(Location)  // §3.2 users/current
    case upload(Upload)  // §3.2 the returned url
    case download(path: String)  // MS-110
    case poll(Poll)  // §3.5 webcourierURL
    case signIn(SignIn)  // §3.8
    case selectRole(String)  // §3.4 selectRole
    case refresh  // §3.4 refreshCredentials
    case signOut  // §3.4 signOut
    case exportAccount  // MS-115
    case deleteAccount  // MS-116
    case partnerStats(partner: RecordName)  // §3.4 fetchPartnerStats
    /// A request that no operation takes, or of a known one whose body cannot be read (§3.1, check 1).
    case unread(Unread)
    case control(Control)
    /// What has changed since a look, by its number; 0: everything.
    case inspect(types: [RecordType]?, since: Int)
  }

  /// An answer, with the last commit that it shows (`X-Mimi-CSN`): for people, not for checks.
  public struct Reply: Hashable, Sendable {
    public var content: ReplyContent
    public var csn: Int

    public init(_ content: ReplyContent, csn: Int) {
      self.content = content
      self.csn = csn
    }
  }

  public indirect enum Signal: Hashable, Sendable {
    case notification(PushNotification)
  }

  /// A device's token; a user has one for each of his devices.
  public enum Address: Hashable, Sendable {
    case device(token: String)
  }

  /// §3.1: the application, the user's session and the device. The user is whom the session proves; the device is
  /// named by the request, or else by the session.
  public struct Credential: Hashable, Sendable {
    private struct Parts: Hashable, Sendable {
      var apiToken, userToken: String?
      var deviceID: DeviceName?
      var peer, host, appVersion: String?
    }

    @Boxed private var parts: Parts

    public var apiToken: String? {
      get { parts.apiToken }
      set { parts.apiToken = newValue }
    }
    public var userToken: String? {
      get { parts.userToken }
      set { parts.userToken = newValue }
    }
    public var deviceID: DeviceName? { parts.deviceID }
    /// The network address: anonymous callers without a device are counted by it (MS-01).
    public var peer: String? { parts.peer }
    /// The server's name as the caller knows it: addresses that the twin gives out begin with it.
    public var host: String? { parts.host }
    /// Of the app on the device: the audit log keeps it (MS-111).
    public var appVersion: String? {
      get { parts.appVersion }
      set { parts.appVersion = newValue }
    }

    public init(
      apiToken: String?, userToken: String? = nil, deviceID: DeviceName? = nil, peer: String? = nil,
      host: String? = nil, appVersion: String? = nil
    ) {
      parts = Parts(
        apiToken: apiToken, userToken: userToken, deviceID: deviceID, peer: peer, host: host,
        appVersion: appVersion)
    }
  }

  /// What a simulated client writes down about itself.
  public enum Note: Hashable, Sendable {
    /// The app is shown to its user, or not any more.
    case foreground(Bool)
    /// The driver saw an offer and decided (§6).
    case offerDecided(offer: RecordName, accepted: Bool)
    /// What the app of this person writes down about itself (section 7).
    indirect case app(AppNote)
    /// From now on the app hears what comes to this push token (§3.5).
    case listening(token: String)
    /// The driver has an order from now on, or none any more: positions follow every 10 s (MS-74).
    case onDelivery(Bool)
  }
}

// MARK: - Credentials

extension MimiSupply {
  /// Query parameters as CloudKit has them, or the headers that the twin adds (§3.1).
  public static func credential(of wire: WireRequest) -> Credential? {
    let query = WireTarget(parsing: wire.target).query
    let header = wire.header("Authorization")
    // The name of a scheme knows no case (RFC 9110 §11.1).
    let bearer = header.flatMap {
      $0.prefix(7).lowercased() == "bearer " ? String($0.dropFirst(7)) : nil
    }
    let credential = Credential(
      apiToken: query["ckAPIToken"] ?? wire.header("X-Mimi-Api-Token"),
      userToken: query["ckWebAuthToken"] ?? bearer,
      deviceID: wire.header("X-Mimi-Device-Id").map(DeviceName.init),
      peer: wire.peer, host: wire.header("Host"), appVersion: wire.header("X-Mimi-App-Version"))
    return credential == Credential(apiToken: nil) ? nil : credential
  }

  public static func present(
    _ credential: Credential, in wire: inout WireRequest, tokens: any TokenCodec
  ) {
    var target = WireTarget(parsing: wire.target)
    if let token = credential.apiToken { target.query.append("ckAPIToken", token) }
    if let token = credential.userToken { target.query.append("ckWebAuthToken", token) }
    wire.target = target.text
    wire.peer = credential.peer
    let headers = [
      ("X-Mimi-Device-Id", credential.deviceID?.text),
      ("X-Mimi-App-Version", credential.appVersion),
      ("Host", credential.host),
    ]
    for case (let name, let value?) in headers { wire.headers.append(WireHeader(name, value)) }
  }

  public static func bare(_ target: String) -> String {
    let target = WireTarget(parsing: target)
    var query = WireForm()
    for item in target.query.items where !item.name.hasPrefix("ck") {
      query.append(item.name, item.value)
    }
    return WireTarget(target.path, query).text
  }

  public static let security: JSONObject = [
    "apiToken": ["type": "apiKey", "in": "query", "name": "ckAPIToken"],
    "userToken": ["type": "apiKey", "in": "query", "name": "ckWebAuthToken"],
  ]

  /// The application always, and its user where not everybody may ask (MS-101, MS-102).
  public static func requirements(of access: Endpoint<Self>.Access) -> JSON {
    let (app, user): (JSON, JSON) = (["apiToken": []], ["apiToken": [], "userToken": []])
    return switch access {
    case .open: []
    case .optional: [app, user]
    case .required: [user]
    }
  }
}

/// The part of a path before the operation (§3.1): everything in it can be wrong.
public struct Location: Hashable, Sendable {
  public static let container = "iCloud.com.mimisupply.app"

  public var container, environment: String
  /// `nil` for token operations, which have none in CloudKit.
  public var database: String?
  /// How long the body was (MS-07).
  public var body = BodySize()

  public init(
    container: String = Location.container, environment: String = "production",
    database: String?
  ) {
    (self.container, self.environment, self.database) = (container, environment, database)
  }

  static let shape = Shape(
    { container, environment, database, size in
      var location = Location(container: container, environment: environment, database: database)
      location.body = size
      return location
    }, Field("container", \.container, .text.hidden.example(.string(container)), in: .path),
    Field("environment", \.environment, .text.hidden.example("production"), in: .path),
    Field("database", \.database, .omittable(.text).example("private"), in: .path),
    Field("body", \.body, .size, in: .size))
}

/// How many bytes a body had on its way; `nil` where it never was on one. It is part of no request's meaning: two
/// requests that differ in it alone are equal.
public struct BodySize: Hashable, Sendable {
  public var bytes: Int?

  public init(_ bytes: Int? = nil) { self.bytes = bytes }

  public static func == (a: BodySize, b: BodySize) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
