/// What became of one operation of a batch (§3.1, §3.3), at its place.
public enum ItemResult: Hashable, Sendable {
  case saved(CloudRecord)
  case deleted(recordName: String)
  case failed(ItemFailure)
}

/// A record-level error: the request was answered with 200, this item did not happen.
public struct ItemFailure: Hashable, Sendable {
  /// The three copies of a stale save (§3.3); the server's is missing where the caller may not see the record.
  public struct Conflict: Hashable, Sendable {
    public var server: CloudRecord?
    public var client: RecordDraft
    public var ancestor: CloudRecord?

    public init(server: CloudRecord?, client: RecordDraft, ancestor: CloudRecord?) {
      self.server = server
      self.client = client
      self.ancestor = ancestor
    }
  }

  public var recordName: String?
  public var failure: Failure
  public var conflict: Conflict?

  public init(_ recordName: String?, _ failure: Failure, conflict: Conflict? = nil) {
    self.recordName = recordName
    self.failure = failure
    self.conflict = conflict
  }
}

/// `tokens/create`.
public struct CourierToken: Hashable, Sendable {
  public var apnsEnvironment: String
  public var apnsToken: String
  public var webcourierURL: String

  public init(apnsEnvironment: String, apnsToken: String, webcourierURL: String) {
    self.apnsEnvironment = apnsEnvironment
    self.apnsToken = apnsToken
    self.webcourierURL = webcourierURL
  }
}

/// A push (§3.5).
public struct PushNotification: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case order(id: String, status: String, title: String, body: String, badge: Int)
    case position(driver: String)
    case offer(id: String, order: String, driver: String)
  }

  public enum Fired: Int, Hashable, Sendable {
    case created = 1
    case updated, deleted
  }
  public enum Database: Int, Hashable, Sendable {
    case `public` = 1
    case `private`, shared
  }

  public var content: Content
  public var container: String
  /// Unique over all notifications.
  public var id: String
  public var subscription: String
  public var recordName: String
  public var zone: Zone
  public var database: Database
  public var fired: Fired
  /// Additional fields, dropped first when the payload grows too large.
  public var additional: [String: FieldValue]

  public init(
    _ content: Content, container: String = "iCloud.com.mimisupply.app", id: String,
    subscription: String, recordName: String, zone: Zone, database: Database = .private,
    fired: Fired, additional: [String: FieldValue] = [:]
  ) {
    self.content = content
    self.container = container
    self.id = id
    self.subscription = subscription
    self.recordName = recordName
    self.zone = zone
    self.database = database
    self.fired = fired
    self.additional = additional
  }
}
