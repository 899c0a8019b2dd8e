import Contracts

/// The typed surface of three oddities of CloudKit: a batch whose items succeed and fail on their own
/// (`records/modify`), a poll that is answered when something happens (`webcourierURL`), and what timers push.
public enum MimiSupply: WireContract {
  public static let domain = "mimi-supply"

  public enum Request: Hashable, Sendable {
    case modify(Location, Modification)  // §3.2 records/modify
    case createToken(Location, apnsEnvironment: String)  // §3.2 tokens/create
    case poll(Poll)  // §3.5 webcourierURL
    /// A request of a known operation whose body cannot be read (§3.1, check 1).
    case malformed(MobileOperation, Location, BodyProblem)
    /// A request that no operation takes.
    case unrouted(method: String, target: String)
    /// The environment brought a notification to its device: it is fetched (MS-99).
    case delivered(token: String, notification: String)
  }

  public enum Reply: Hashable, Sendable {
    case modified([ItemResult], csn: Int)
    case tokenCreated(CourierToken, csn: Int)
    case notifications([PushNotification], csn: Int)
    case done
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

    public init(
      apiToken: String?, userToken: String? = nil, deviceID: String? = nil, peer: String? = nil
    ) {
      self.apiToken = apiToken
      self.userToken = userToken
      self.deviceID = deviceID
      self.peer = peer
    }
  }

  /// What a simulated client writes down about itself.
  public enum Note: Hashable, Sendable {
    /// The app is shown to its user, or not any more.
    case foreground(Bool)
    /// The driver saw an offer and decided (§6).
    case offerDecided(offer: String, accepted: Bool)
  }
}

/// The part of a path before the operation (§3.1): everything in it can be wrong.
public struct Location: Hashable, Sendable {
  public var container: String
  public var environment: String
  /// `nil` for token operations, which have none in CloudKit.
  public var database: String?

  public init(
    container: String = "iCloud.com.mimisupply.app", environment: String = "production",
    database: String?
  ) {
    self.container = container
    self.environment = environment
    self.database = database
  }
}
