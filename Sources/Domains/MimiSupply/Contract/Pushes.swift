/// A push (§3.5).
public struct PushNotification: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case order(id: RecordName, status: String, title: String, body: String, badge: Int)
    case position(driver: RecordName)
    case offer(id: RecordName, order: RecordName, driver: RecordName)
    /// The one push that needs no subscription (MS-116).
    case customerDeleted(order: RecordName)
    /// Any other record: silent, with the CloudKit dictionary alone.
    case record
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
  /// `nil` where no subscription asked for it (MS-116).
  public var subscription: String?
  public var recordName: RecordName
  public var zone: Zone
  public var database: Database
  public var fired: Fired
  /// Additional fields, dropped first when the payload grows too large.
  public var additional: Fields
  public var destination = PushDestination()

  public init(
    _ content: Content, container: String = Location.container, id: String,
    subscription: String?, recordName: RecordName, zone: Zone, database: Database = .private,
    fired: Fired, additional: Fields = [:]
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

/// At which token a push arrived: its device knows, and no payload says it. It is part of no push's meaning: two pushes
/// that differ in it alone are equal.
public struct PushDestination: Hashable, Sendable {
  public var token: String?

  public init(_ token: String? = nil) { self.token = token }

  public static func == (a: PushDestination, b: PushDestination) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
