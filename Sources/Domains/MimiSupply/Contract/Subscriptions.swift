import Contracts

/// A query subscription (§3.5).
public struct Subscription: Hashable, Sendable {
  /// On what a subscription fires.
  public enum Event: String, Hashable, Sendable, CaseIterable { case create, update, delete }

  public struct NotificationInfo: Hashable, Sendable {
    public var alertBody, title, soundName: String?
    public var shouldBadge, shouldSendContentAvailable: Bool?
    public var additionalFields: [String]?

    public init(
      alertBody: String? = nil, title: String? = nil, soundName: String? = nil,
      shouldBadge: Bool? = nil, shouldSendContentAvailable: Bool? = nil,
      additionalFields: [String]? = nil
    ) {
      (self.alertBody, self.title, self.soundName) = (alertBody, title, soundName)
      self.shouldBadge = shouldBadge
      self.shouldSendContentAvailable = shouldSendContentAvailable
      self.additionalFields = additionalFields
    }

    static let shape = Shape(
      NotificationInfo.init, Field("alertBody", \.alertBody, .omittable(.text)),
      Field("title", \.title, .omittable(.text)),
      Field("soundName", \.soundName, .omittable(.text)),
      Field("shouldBadge", \.shouldBadge, .omittable(.flag)),
      Field("shouldSendContentAvailable", \.shouldSendContentAvailable, .omittable(.flag)),
      Field("additionalFields", \.additionalFields, .omittable(.strings)))
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
    (self.id, self.query, self.firesOn, self.firesOnce) = (id, query, firesOn, firesOnce)
    self.notificationInfo = notificationInfo
  }

  static let shape = Shape(
    { id, _, query, events, isOnce, info in
      Subscription(id, query, firesOn: events, firesOnce: isOnce, notificationInfo: info)
    }, Field("subscriptionID", \.id, .omittable(.text)),
    Field("subscriptionType", { _ in "query" }, .text.only("query")),
    Field("query", \.query, RecordQuery.shape.coding),
    Field("firesOn", \.firesOn, events),
    Field("firesOnce", \.firesOnce, .flag.leftOut(for: false)),
    Field("notificationInfo", \.notificationInfo, .omittable(NotificationInfo.shape.coding)))

  private static let events = Coding<[Event]>.list(.word).checked {
    $0.isEmpty ? .invalid("names no event") : nil
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

  static let shape = Shape(
    { SubscriptionOperation($0, Subject(sent: $1, to: $0)) }, Field("operationType", \.kind, .word),
    Field("subscription", \.subject.document, .object))
}

extension SubscriptionOperation.Subject {
  /// What cannot be read is refused at its place in the batch, not with the whole.
  fileprivate init(sent: JSON, to kind: SubscriptionOperation.Kind) {
    let id = sent["subscriptionID"]?.string
    if kind == .delete {
      self = id.map { .name($0) } ?? .unreadable(id: nil)
    } else {
      let subscription = try? Subscription.shape.coding.read(sent)
      self = subscription.map { .subscription($0) } ?? .unreadable(id: id)
    }
  }

  fileprivate var document: JSON {
    switch self {
    case .subscription(let subscription): Subscription.shape.document(of: subscription, .redacted)
    case .name(let name): ["subscriptionID": .string(name)]
    case .unreadable(let id): ["subscriptionID": .optional(id), "subscriptionType": "unknown"]
    }
  }
}
