import Contracts
import Timekeeping

/// What the twin answers (§3.2, §3.4).
public enum ReplyContent: Hashable, Sendable {
  /// `records/query`; the marker leads to more.
  indirect case found([CloudRecord], continuationMarker: String?)
  /// `records/lookup` and `records/modify`: in the order of the request, errors in place.
  case items([ItemResult])
  /// `records/changes`: tombstones are deletions.
  indirect case feed([ItemResult], syncToken: String, moreComing: Bool)
  case zones([ZoneResult])
  indirect case zoneChanges([ZoneResult], syncToken: String)
  case subscriptions([SubscriptionResult])
  indirect case tokenCreated(CourierToken)
  case uploads([UploadTarget])
  /// What an upload gave: from now on the value of its field.
  indirect case uploaded(Asset)
  case downloaded([UInt8])
  indirect case user(UserIdentity)
  indirect case signedIn(SignInAnswer)
  case roleSelected(CloudRecord)
  indirect case refreshed(userToken: String, expiresAt: Instant)
  indirect case exported(JSON)
  indirect case stats(PartnerStats)
  case notifications([PushNotification])
  /// What a control command or an inspection shows.
  indirect case shown(JSON)
  case done
}

/// What became of one operation of a batch (§3.1, §3.3), at its place.
public enum ItemResult: Hashable, Sendable {
  case saved(CloudRecord)
  case deleted(recordName: RecordName)
  indirect case failed(ItemFailure)

  static let coding = Coding<ItemResult>.oneOf(
    .kind(ItemFailure.shape.coding, ItemResult.failed, \.failed) { $0.isFailure },
    .kind(.deletion("recordName", .name), ItemResult.deleted(recordName:), \.deleted) {
      $0.isDeletion
    }, .kind(CloudRecord.shape.coding, ItemResult.saved, \.saved))

  private var failed: ItemFailure? { if case .failed(let it) = self { it } else { nil } }
  private var deleted: RecordName? { if case .deleted(let it) = self { it } else { nil } }
  private var saved: CloudRecord? { if case .saved(let it) = self { it } else { nil } }
}

extension JSON {
  fileprivate var isFailure: Bool { self["serverErrorCode"] != nil }
  fileprivate var isDeletion: Bool { self["deleted"]?.bool == true }
}

extension Coding {
  /// That something is gone, by what it was called.
  fileprivate static func deletion(_ name: String, _ coding: Coding) -> Coding {
    Shape({ $0 }, Field(name, \.self, coding).then("deleted", .flag) { _ in true }).coding
  }
}

/// A record-level error: the request was answered with 200, this item did not happen.
public struct ItemFailure: Error, Hashable, Sendable {
  /// The three copies of a stale save (§3.3); the server's is missing where the caller may not see the record.
  public struct Conflict: Hashable, Sendable {
    public var server: CloudRecord?
    public var client: RecordDraft
    public var ancestor: CloudRecord?

    public init(server: CloudRecord?, client: RecordDraft, ancestor: CloudRecord?) {
      (self.server, self.client, self.ancestor) = (server, client, ancestor)
    }

    static let shape = Shape(
      { server, client, ancestor in
        client.map { Conflict(server: server, client: $0, ancestor: ancestor) }
      }, Field("serverRecord", { $0?.server }, .lenient(CloudRecord.shape.coding)),
      Field("clientRecord", { $0?.client }, .omittable(RecordDraft.shape.coding)),
      Field("ancestorRecord", { $0?.ancestor }, .lenient(CloudRecord.shape.coding)))
  }

  public var recordName: RecordName?
  public var failure: Failure
  public var conflict: Conflict?

  public init(_ recordName: RecordName?, _ failure: Failure, conflict: Conflict? = nil) {
    (self.recordName, self.failure, self.conflict) = (recordName, failure, conflict)
  }

  static let shape = Shape(
    { ItemFailure($0, $1, conflict: $2) }, Field("recordName", \.recordName, .lenient(.name)),
    Field(\.failure, Failure.shape), Field(\.conflict, Conflict.shape))
}

/// A zone as `zones/list` and its sisters show it, at its place.
public enum ZoneResult: Hashable, Sendable {
  case zone(Zone, atomic: Bool, syncToken: String?)
  case deleted(Zone)
  case failed(Zone, Failure)

  static let coding = Coding<ZoneResult>.oneOf(
    .kind(failure.coding, { .failed($0.zone, $0.failure) }, \.failed) { $0.isFailure },
    .kind(.deletion("zoneID", Zone.shape.coding), ZoneResult.deleted, \.deleted) { $0.isDeletion },
    .kind(stored.coding, { .zone($0.zone, atomic: $0.atomic, syncToken: $0.token) }, \.stored))

  private static let failure = Shape(
    { (zone: $0, failure: $1) }, Field("zoneID", { $0.zone }, Zone.shape.coding),
    Field({ $0.failure }, Failure.shape))
  private static let stored = Shape(
    { (zone: $0, atomic: $1, token: $2) }, Field("zoneID", { $0.zone }, Zone.shape.coding),
    Field("atomic", { $0.atomic }, .flag.otherwise(false)),
    Field("syncToken", { $0.token }, .lenient(.text)))

  private var failed: (zone: Zone, failure: Failure)? {
    if case .failed(let zone, let failure) = self { (zone, failure) } else { nil }
  }
  private var deleted: Zone? { if case .deleted(let it) = self { it } else { nil } }
  private var stored: (zone: Zone, atomic: Bool, token: String?)? {
    if case .zone(let zone, let atomic, let token) = self { (zone, atomic, token) } else { nil }
  }
}

/// A subscription as it is stored, or what was wrong with it, at its place.
public enum SubscriptionResult: Hashable, Sendable {
  case stored(Subscription)
  case deleted(String)
  case failed(String?, Failure)

  static let coding = Coding<SubscriptionResult>.oneOf(
    .kind(failure.coding, { .failed($0.id, $0.failure) }, \.failed) { $0.isFailure },
    .kind(.deletion("subscriptionID", .text), SubscriptionResult.deleted, \.deleted) {
      $0.isDeletion
    }, .kind(Subscription.shape.coding, SubscriptionResult.stored, \.stored))

  private static let failure = Shape(
    { (id: $0, failure: $1) }, Field("subscriptionID", { $0.id }, .lenient(.text)),
    Field({ $0.failure }, Failure.shape))

  private var failed: (id: String?, failure: Failure)? {
    if case .failed(let id, let failure) = self { (id, failure) } else { nil }
  }
  private var deleted: String? { if case .deleted(let it) = self { it } else { nil } }
  private var stored: Subscription? { if case .stored(let it) = self { it } else { nil } }
}

/// Where a file may be sent (`assets/upload`).
public struct UploadTarget: Hashable, Sendable {
  public var recordName: RecordName
  public var fieldName, url: String

  public init(recordName: RecordName, fieldName: String, url: String) {
    (self.recordName, self.fieldName, self.url) = (recordName, fieldName, url)
  }

  static let shape = Shape(
    UploadTarget.init, Field("recordName", \.recordName, .name),
    Field("fieldName", \.fieldName, .text), Field("url", \.url, .text.hidden))
}

/// `users/current` (§3.2).
public struct UserIdentity: Hashable, Sendable {
  public var userRecordName: UserName
  public var firstName, lastName, emailAddress: String?

  public init(
    userRecordName: UserName, firstName: String? = nil, lastName: String? = nil,
    emailAddress: String? = nil
  ) {
    (self.userRecordName, self.firstName, self.lastName) = (userRecordName, firstName, lastName)
    self.emailAddress = emailAddress
  }

  static let shape = Shape(
    UserIdentity.init, Field("userRecordName", \.userRecordName, .name),
    Field("firstName", \.firstName, .lenient(.text)),
    Field("lastName", \.lastName, .lenient(.text)),
    Field("emailAddress", \.emailAddress, .lenient(.text)))
}

/// The answer to a sign-in (§3.4).
public struct SignInAnswer: Hashable, Sendable {
  public var userToken: String
  public var expiresAt: Instant
  public var userRecordName: UserName
  public var isNewUser, requiresRoleSelection: Bool
  public var userProfile: CloudRecord

  public init(
    userToken: String, expiresAt: Instant, userRecordName: UserName, isNewUser: Bool,
    requiresRoleSelection: Bool, userProfile: CloudRecord
  ) {
    (self.userToken, self.expiresAt, self.userRecordName) = (userToken, expiresAt, userRecordName)
    (self.isNewUser, self.requiresRoleSelection) = (isNewUser, requiresRoleSelection)
    self.userProfile = userProfile
  }

  static let shape = Shape(
    SignInAnswer.init, Field("ckWebAuthToken", \.userToken, .text.hidden),
    Field("expiresAt", \.expiresAt, .milliseconds),
    Field("userRecordName", \.userRecordName, .name), Field("isNewUser", \.isNewUser, .flag),
    Field("requiresRoleSelection", \.requiresRoleSelection, .flag),
    Field("userProfile", \.userProfile, CloudRecord.shape.coding.hidden))
}

/// `fetchPartnerStats` (§3.4): today is the local day; revenue is what delivered orders earn the partner (MS-35).
public struct PartnerStats: Hashable, Sendable {
  public var ordersToday: Int
  public var revenueTodayCents: Int64
  public var averageRating: Double
  public var reviewCount: Int64
  public var totalOrders: Int
  public var totalRevenueCents: Int64
  public var activeOrders: Int

  public init(
    ordersToday: Int, revenueTodayCents: Int64, averageRating: Double, reviewCount: Int64,
    totalOrders: Int, totalRevenueCents: Int64, activeOrders: Int
  ) {
    (self.ordersToday, self.revenueTodayCents) = (ordersToday, revenueTodayCents)
    (self.averageRating, self.reviewCount) = (averageRating, reviewCount)
    (self.totalOrders, self.totalRevenueCents) = (totalOrders, totalRevenueCents)
    self.activeOrders = activeOrders
  }

  static let shape = Shape(
    PartnerStats.init, Field("ordersToday", \.ordersToday, .int),
    Field("revenueTodayCents", \.revenueTodayCents, .whole),
    Field("averageRating", \.averageRating, .number), Field("reviewCount", \.reviewCount, .whole),
    Field("totalOrders", \.totalOrders, .int),
    Field("totalRevenueCents", \.totalRevenueCents, .whole),
    Field("activeOrders", \.activeOrders, .int))

  public init?(_ document: JSON) {
    guard let stats = try? Self.shape.coding.read(document) else { return nil }
    self = stats
  }
}

/// `tokens/create`.
public struct CourierToken: Hashable, Sendable {
  public var apnsEnvironment, apnsToken, webcourierURL: String

  public init(apnsEnvironment: String, apnsToken: String, webcourierURL: String) {
    (self.apnsEnvironment, self.apnsToken) = (apnsEnvironment, apnsToken)
    self.webcourierURL = webcourierURL
  }

  static let shape = Shape(
    CourierToken.init, Field("apnsEnvironment", \.apnsEnvironment, .text),
    Field("apnsToken", \.apnsToken, .text.secret()),
    Field("webcourierURL", \.webcourierURL, .text.hidden))
}
