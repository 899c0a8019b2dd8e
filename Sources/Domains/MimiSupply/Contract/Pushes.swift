import Contracts

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

  private struct Parts: Hashable, Sendable {
    var content: Content
    var container: String
    var id: String
    var subscription: String?
    var recordName: RecordName
    var zone: Zone
    var database: Database
    var fired: Fired
    var additional: Fields
    var destination = PushDestination()
  }

  /// A push goes through many hands.
  @Boxed private var parts: Parts

  public var content: Content {
    get { parts.content }
    set { parts.content = newValue }
  }
  public var container: String { parts.container }
  /// Unique over all notifications.
  public var id: String { parts.id }
  /// `nil` where no subscription asked for it (MS-116).
  public var subscription: String? { parts.subscription }
  public var recordName: RecordName { parts.recordName }
  public var zone: Zone {
    get { parts.zone }
    set { parts.zone = newValue }
  }
  public var database: Database { parts.database }
  public var fired: Fired { parts.fired }
  /// Additional fields, dropped first when the payload grows too large.
  public var additional: Fields {
    get { parts.additional }
    set { parts.additional = newValue }
  }
  public var destination: PushDestination {
    get { parts.destination }
    set { parts.destination = newValue }
  }

  public init(
    _ content: Content, container: String = Location.container, id: String,
    subscription: String?, recordName: RecordName, zone: Zone, database: Database = .private,
    fired: Fired, additional: Fields = [:]
  ) {
    parts = Parts(
      content: content, container: container, id: id, subscription: subscription,
      recordName: recordName, zone: zone, database: database, fired: fired, additional: additional)
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
