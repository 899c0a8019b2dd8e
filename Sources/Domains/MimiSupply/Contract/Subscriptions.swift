/// A query subscription (§3.5).
public struct Subscription: Hashable, Sendable {
  /// On what a subscription fires.
  public enum Event: String, Hashable, Sendable, CaseIterable { case create, update, delete }

  public struct NotificationInfo: Hashable, Sendable {
    public var alertBody: String?
    public var title: String?
    public var soundName: String?
    public var shouldBadge: Bool?
    public var shouldSendContentAvailable: Bool?
    public var additionalFields: [String]?

    public init(
      alertBody: String? = nil, title: String? = nil, soundName: String? = nil,
      shouldBadge: Bool? = nil, shouldSendContentAvailable: Bool? = nil,
      additionalFields: [String]? = nil
    ) {
      self.alertBody = alertBody
      self.title = title
      self.soundName = soundName
      self.shouldBadge = shouldBadge
      self.shouldSendContentAvailable = shouldSendContentAvailable
      self.additionalFields = additionalFields
    }
  }

  /// Unique per user and database; the twin names one that comes without.
  public var id: String?
  public var query: RecordQuery
  public var firesOn: [Event]
  public var firesOnce: Bool
  public var notificationInfo: NotificationInfo?

  public init(
    _ id: String?, _ query: RecordQuery, firesOn: [Event] = Event.allCases,
    firesOnce: Bool = false, notificationInfo: NotificationInfo? = nil
  ) {
    self.id = id
    self.query = query
    self.firesOn = firesOn
    self.firesOnce = firesOnce
    self.notificationInfo = notificationInfo
  }
}

/// One operation of `subscriptions/modify`.
public struct SubscriptionOperation: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable { case create, update, delete }

  /// What it is about: a deletion needs the name alone.
  public enum Subject: Hashable, Sendable {
    case subscription(Subscription)
    case name(String)
    /// A subscription of another type, without a query, or one that fires on nothing.
    case unreadable(id: String?)
  }

  public var kind: Kind
  public var subject: Subject

  public init(_ kind: Kind, _ subject: Subject) {
    self.kind = kind
    self.subject = subject
  }
}
