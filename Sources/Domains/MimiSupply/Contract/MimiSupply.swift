import Contracts
import Timekeeping

/// The typed surface of MimiSupply: CloudKit Web Services as the specification has it, its sign-in, its long poll, and
/// the operator's commands.
public enum MimiSupply: WireContract {
  public static let domain = "mimi-supply"
  public static let sessionMember = "ckWebAuthToken"
  /// Far above what a request may have (MS-07), so that an excess is answered as one; real files may be long, too.
  public static let mostBodyBytes = 64 << 20
  public static let serviceTimeHeader: String? = "X-Mimi-Service-Micros"

  /// Tokens begin like no name of a person.
  public static func isToken(_ text: String) -> Bool {
    text.hasPrefix("session_") || text.hasPrefix("session-")
  }

  public enum Request: Hashable, Sendable {
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
    case partnerStats(partner: String)  // §3.4 fetchPartnerStats
    /// A request of a known operation whose body cannot be read (§3.1, check 1).
    case malformed(MobileOperation, Location, BodyProblem)
    /// A request that no operation takes (§3.1, check 1).
    case unrouted(method: String, target: String)
    case control(Control)
    case inspect(types: [String]?)
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

  public enum Signal: Hashable, Sendable {
    case notification(PushNotification)
  }

  /// A device's token; a user has one for each of his devices.
  public enum Address: Hashable, Sendable {
    case device(token: String)
  }

  /// §3.1: the application, the user's session and the device. The user is whom the session proves; the device is
  /// named by the request, or else by the session.
  public struct Credential: Hashable, Sendable {
    public var apiToken: String?
    public var userToken: String?
    public var deviceID: String?
    /// The network address: anonymous callers without a device are counted by it (MS-01).
    public var peer: String?
    /// The server's name as the caller knows it: addresses that the twin gives out begin with it.
    public var host: String?
    /// Of the app on the device: the audit log keeps it (MS-111).
    public var appVersion: String?

    public init(
      apiToken: String?, userToken: String? = nil, deviceID: String? = nil, peer: String? = nil,
      host: String? = nil, appVersion: String? = nil
    ) {
      self.apiToken = apiToken
      self.userToken = userToken
      self.deviceID = deviceID
      self.peer = peer
      self.host = host
      self.appVersion = appVersion
    }
  }

  /// What a simulated client writes down about itself.
  public enum Note: Hashable, Sendable {
    /// The app is shown to its user, or not any more.
    case foreground(Bool)
    /// The driver saw an offer and decided (§6).
    case offerDecided(offer: String, accepted: Bool)
    /// What the app of this person writes down about itself (section 7).
    indirect case app(AppNote)
    /// From now on the app hears what comes to this push token (§3.5).
    case listening(token: String)
    /// The driver has an order from now on, or none any more: positions follow every 10 s (MS-74).
    case onDelivery(Bool)
  }
}

/// The part of a path before the operation (§3.1): everything in it can be wrong.
public struct Location: Hashable, Sendable {
  public static let container = "iCloud.com.mimisupply.app"

  public var container: String
  public var environment: String
  /// `nil` for token operations, which have none in CloudKit.
  public var database: String?
  /// How long the body was (MS-07).
  public var body = BodySize()

  public init(
    container: String = Location.container, environment: String = "production",
    database: String?
  ) {
    self.container = container
    self.environment = environment
    self.database = database
  }
}

/// How many bytes a body had on its way; `nil` where it never was on one. It is part of no request's meaning: two
/// requests that differ in it alone are equal.
public struct BodySize: Hashable, Sendable {
  public var bytes: Int?

  public init(_ bytes: Int? = nil) { self.bytes = bytes }

  public static func == (a: BodySize, b: BodySize) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
