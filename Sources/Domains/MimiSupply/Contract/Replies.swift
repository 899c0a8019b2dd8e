import Contracts
import Timekeeping

/// What the twin answers (§3.2, §3.4).
public enum ReplyContent: Hashable, Sendable {
  /// `records/query`; the marker leads to more.
  case found([CloudRecord], continuationMarker: String?)
  /// `records/lookup` and `records/modify`: in the order of the request, errors in place.
  case items([ItemResult])
  /// `records/changes`: tombstones are deletions.
  case feed([ItemResult], syncToken: String, moreComing: Bool)
  case zones([ZoneResult])
  case zoneChanges([ZoneResult], syncToken: String)
  case subscriptions([SubscriptionResult])
  indirect case tokenCreated(CourierToken)
  case uploads([UploadTarget])
  /// What an upload gave: from now on the value of its field.
  indirect case uploaded(Asset)
  case downloaded([UInt8])
  indirect case user(UserIdentity)
  indirect case signedIn(SignInAnswer)
  case roleSelected(CloudRecord)
  case refreshed(userToken: String, expiresAt: Instant)
  case exported(JSON)
  indirect case stats(PartnerStats)
  case notifications([PushNotification])
  /// What a control command or an inspection shows.
  case shown(JSON)
  case done
}

/// What became of one operation of a batch (§3.1, §3.3), at its place.
public enum ItemResult: Hashable, Sendable {
  case saved(CloudRecord)
  case deleted(recordName: String)
  indirect case failed(ItemFailure)
}

/// A record-level error: the request was answered with 200, this item did not happen.
public struct ItemFailure: Error, Hashable, Sendable {
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

/// A zone as `zones/list` and its sisters show it, at its place.
public enum ZoneResult: Hashable, Sendable {
  case zone(Zone, atomic: Bool, syncToken: String?)
  case deleted(Zone)
  case failed(Zone, Failure)
}

/// A subscription as it is stored, or what was wrong with it, at its place.
public enum SubscriptionResult: Hashable, Sendable {
  case stored(Subscription)
  case deleted(String)
  case failed(String?, Failure)
}

/// Where a file may be sent (`assets/upload`).
public struct UploadTarget: Hashable, Sendable {
  public var recordName: String
  public var fieldName: String
  public var url: String

  public init(recordName: String, fieldName: String, url: String) {
    self.recordName = recordName
    self.fieldName = fieldName
    self.url = url
  }
}

/// `users/current` (§3.2).
public struct UserIdentity: Hashable, Sendable {
  public var userRecordName: String
  public var firstName: String?
  public var lastName: String?
  public var emailAddress: String?

  public init(
    userRecordName: String, firstName: String? = nil, lastName: String? = nil,
    emailAddress: String? = nil
  ) {
    self.userRecordName = userRecordName
    self.firstName = firstName
    self.lastName = lastName
    self.emailAddress = emailAddress
  }
}

/// The answer to a sign-in (§3.4).
public struct SignInAnswer: Hashable, Sendable {
  public var userToken: String
  public var expiresAt: Instant
  public var userRecordName: String
  public var isNewUser: Bool
  public var requiresRoleSelection: Bool
  public var userProfile: CloudRecord

  public init(
    userToken: String, expiresAt: Instant, userRecordName: String, isNewUser: Bool,
    requiresRoleSelection: Bool, userProfile: CloudRecord
  ) {
    self.userToken = userToken
    self.expiresAt = expiresAt
    self.userRecordName = userRecordName
    self.isNewUser = isNewUser
    self.requiresRoleSelection = requiresRoleSelection
    self.userProfile = userProfile
  }
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
    self.ordersToday = ordersToday
    self.revenueTodayCents = revenueTodayCents
    self.averageRating = averageRating
    self.reviewCount = reviewCount
    self.totalOrders = totalOrders
    self.totalRevenueCents = totalRevenueCents
    self.activeOrders = activeOrders
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
