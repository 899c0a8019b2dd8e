import Contracts
import Timekeeping

// What a request asks with and what a reply says, by its case.

extension MimiSupply.Request {
  var query: (Location, Query)? { if case .query(let at, let it) = self { (at, it) } else { nil } }
  var lookup: (Location, Lookup)? {
    if case .lookup(let at, let it) = self { (at, it) } else { nil }
  }
  var modify: (Location, Modification)? {
    if case .modify(let at, let it) = self { (at, it) } else { nil }
  }
  var changes: (Location, FeedQuery)? {
    if case .changes(let at, let it) = self { (at, it) } else { nil }
  }
  var listZones: Location? { if case .listZones(let at) = self { at } else { nil } }
  var lookupZones: (Location, [Zone])? {
    if case .lookupZones(let at, let it) = self { (at, it) } else { nil }
  }
  var modifyZones: (Location, [ZoneOperation])? {
    if case .modifyZones(let at, let it) = self { (at, it) } else { nil }
  }
  var changedZones: (Location, String?)? {
    if case .changedZones(let at, let token) = self { (at, token) } else { nil }
  }
  var listSubscriptions: Location? { if case .listSubscriptions(let at) = self { at } else { nil } }
  var lookupSubscriptions: (Location, [String])? {
    if case .lookupSubscriptions(let at, let it) = self { (at, it) } else { nil }
  }
  var modifySubscriptions: (Location, [SubscriptionOperation])? {
    if case .modifySubscriptions(let at, let it) = self { (at, it) } else { nil }
  }
  var createToken: (Location, String)? {
    if case .createToken(let at, let environment) = self { (at, environment) } else { nil }
  }
  var registerToken: (Location, (environment: String, token: String))? {
    guard case .registerToken(let at, let environment, let token) = self else { return nil }
    return (at, (environment, token))
  }
  var requestUploads: (Location, UploadRequest)? {
    if case .requestUploads(let at, let it) = self { (at, it) } else { nil }
  }
  var currentUser: Location? { if case .currentUser(let at) = self { at } else { nil } }
  var upload: Upload? { if case .upload(let it) = self { it } else { nil } }
  var download: String? { if case .download(let path) = self { path } else { nil } }
  var poll: Poll? { if case .poll(let it) = self { it } else { nil } }
  var signIn: SignIn? { if case .signIn(let it) = self { it } else { nil } }
  var selectRole: String? { if case .selectRole(let role) = self { role } else { nil } }
  var partnerStats: RecordName? {
    if case .partnerStats(let partner) = self { partner } else { nil }
  }
  public var unread: Unread? { if case .unread(let it) = self { it } else { nil } }

  /// Where a request goes; those outside a database are nowhere.
  public var location: Location {
    switch self {
    case .query(let location, _), .lookup(let location, _), .modify(let location, _),
      .changes(let location, _), .listZones(let location), .lookupZones(let location, _),
      .modifyZones(let location, _), .changedZones(let location, _),
      .listSubscriptions(let location), .lookupSubscriptions(let location, _),
      .modifySubscriptions(let location, _), .createToken(let location, _),
      .registerToken(let location, _, _), .requestUploads(let location, _),
      .currentUser(let location):
      location
    default: Location(database: nil)
    }
  }
}

extension ReplyContent {
  var found: (records: [CloudRecord], marker: String?)? {
    if case .found(let records, let marker) = self { (records, marker) } else { nil }
  }
  var items: [ItemResult]? { if case .items(let it) = self { it } else { nil } }
  var feed: (items: [ItemResult], token: String, more: Bool)? {
    if case .feed(let items, let token, let more) = self { (items, token, more) } else { nil }
  }
  var zones: [ZoneResult]? { if case .zones(let it) = self { it } else { nil } }
  var zoneChanges: (zones: [ZoneResult], token: String)? {
    if case .zoneChanges(let zones, let token) = self { (zones, token) } else { nil }
  }
  var subscriptions: [SubscriptionResult]? {
    if case .subscriptions(let it) = self { it } else { nil }
  }
  var tokenCreated: CourierToken? { if case .tokenCreated(let it) = self { it } else { nil } }
  var uploads: [UploadTarget]? { if case .uploads(let it) = self { it } else { nil } }
  var uploaded: Asset? { if case .uploaded(let it) = self { it } else { nil } }
  var downloaded: [UInt8]? { if case .downloaded(let it) = self { it } else { nil } }
  var user: UserIdentity? { if case .user(let it) = self { it } else { nil } }
  var signedIn: SignInAnswer? { if case .signedIn(let it) = self { it } else { nil } }
  var roleSelected: CloudRecord? { if case .roleSelected(let it) = self { it } else { nil } }
  var refreshed: (token: String, expires: Instant)? {
    if case .refreshed(let token, let expires) = self { (token, expires) } else { nil }
  }
  var exported: JSON? { if case .exported(let it) = self { it } else { nil } }
  var stats: PartnerStats? { if case .stats(let it) = self { it } else { nil } }
  var notifications: [PushNotification]? {
    if case .notifications(let it) = self { it } else { nil }
  }
  var shown: JSON? {
    switch self {
    case .shown(let it): it
    case .done: [:]
    default: nil
    }
  }
}
