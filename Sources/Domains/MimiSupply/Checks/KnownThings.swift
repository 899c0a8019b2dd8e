import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What users have made beside records, and what they were given to come back with.
struct KnownThings {
  /// Of one user in one database.
  struct Own: Hashable {
    let user: UserName
    let database: String
  }

  /// What a continuation marker or a sync token goes on with.
  enum Lead: Equatable {
    case query(Own?, Zone?, isZoneWide: Bool, RecordQuery)
    case feed(Own, zone: String, owner: UserName?)
    case zones(Own?)
  }

  private(set) var zones: [UserName: [String: Register<Bool>]] = [:]
  /// Every zone that somebody wanted to make.
  private(set) var zoneNames: Set<String> = []
  /// Zones in which somebody wrote.
  private var inhabited: Set<String> = []
  private(set) var subscriptions: [Own: [String: Register<Bool>]] = [:]
  /// Push tokens with the sessions in which they were made.
  private(set) var pushTokens: [String: (user: UserName, session: AccountFacts.Session)] = [:]
  private(set) var roles: [UserName: Register<Bool>] = [:]
  private var tickets: [String: Instant] = [:]
  private var leads: [String: Lead] = [:]
  private var oldLeads: [String: Lead] = [:]
  /// Whether all that was given is known still.
  private var isComplete = true
  private static let mostLeads = 2_048

  // MARK: Asking

  /// Whether a marker or a token goes on with this; `nil` when nobody knows any more where it comes from.
  func leads(_ text: String, to lead: Lead) -> Bool? {
    guard let known = leads[text] ?? oldLeads[text] else { return isComplete ? false : nil }
    return known == lead
  }

  /// Whether a user certainly has a zone of his own, or certainly none of this name, throughout.
  func hasZone(_ name: String, _ user: UserName, during interval: ClosedRange<Instant>) -> Bool? {
    guard zoneNames.contains(name) else { return false }
    return zones[user]?[name].map { $0.value(during: interval) } ?? false
  }

  /// Whether a zone certainly holds no record.
  func isEmpty(zone: String) -> Bool { !inhabited.contains(zone) }

  func hasSubscription(_ id: String, _ own: Own, during interval: ClosedRange<Instant>) -> Bool? {
    subscriptions[own]?[id].map { $0.value(during: interval) } ?? false
  }

  /// Whether files may be sent to an address.
  func takesFiles(_ ticket: String, during interval: ClosedRange<Instant>) -> Bool? {
    guard let given = tickets[ticket] else { return false }
    return interval.upperBound < given + .hours(24) ? true : nil
  }

  // MARK: Taking in

  mutating func load(_ fixture: Fixture, at now: Instant) {
    for user in fixture.users { roles[user.name] = Register(true) }
  }

  mutating func learn(from call: SeenCall, of user: UserName?) {
    switch call.request {
    case .query(let place, let asked):
      guard case .found(_, let marker?)? = call.content else { return }
      lead(
        marker,
        .query(
          own(user, place), asked.zone, isZoneWide: asked.zoneWide, asked.query))
    case .changes(let place, let asked):
      guard case .feed(_, let token, _)? = call.content, let zone = asked.zone,
        let own = own(user, place)
      else { return }
      lead(token, Self.feed(of: zone, own))
    case .modify(_, let asked): if let zone = asked.zone { inhabited.insert(zone.zoneName) }
    case .listZones(let place), .lookupZones(let place, _), .changedZones(let place, _):
      learn(zonesOf: call, own(user, place))
    case .modifyZones(let place, let asked):
      learn(zonesOf: call, own(user, place))
      if let user { learn(asked, call, user) }
    case .modifySubscriptions(let place, let asked):
      if let own = own(user, place) { learn(asked, call, own) }
    case .requestUploads:
      guard case .uploads(let targets)? = call.content else { return }
      for target in targets {
        if let ticket = Upload(to: target.url, .unreadable).ticket { tickets[ticket] = call.sent }
      }
    case .signIn:
      guard case .signedIn(let answer)? = call.content else { return }
      roles[answer.userRecordName, default: Register()].set(
        !answer.requiresRoleSelection, during: call.during)
    case .selectRole:
      guard let user, call.isUnknown || call.outcome.isReplied else { return }
      roles[user, default: Register()].set(true, during: call.during, isCertain: !call.isUnknown)
    default: break
    }
  }

  /// A push token was given.
  mutating func learn(pushToken: String, of user: UserName, in session: AccountFacts.Session) {
    pushTokens[pushToken] = (user, session)
  }

  func own(_ user: UserName?, _ place: Location) -> Own? {
    guard let user, let database = place.database else { return nil }
    return Own(user: user, database: database)
  }

  /// Who names himself as a zone's owner means what he means without.
  static func feed(of zone: Zone, _ own: Own) -> Lead {
    .feed(
      own, zone: zone.zoneName,
      owner: zone.ownerRecordName == own.user ? nil : zone.ownerRecordName)
  }

  private mutating func lead(_ text: String, _ lead: Lead) {
    if leads.count >= Self.mostLeads {
      if !oldLeads.isEmpty { isComplete = false }
      (oldLeads, leads) = (leads, [:])
    }
    leads[text] = lead
  }

  private mutating func learn(zonesOf call: SeenCall, _ own: Own?) {
    let shown: [ZoneResult]
    switch call.content {
    case .zones(let zones)?: shown = zones
    case .zoneChanges(let zones, let token)?:
      shown = zones
      lead(token, .zones(own))
    default: return
    }
    guard let own else { return }
    for case .zone(let zone, _, let token?) in shown { lead(token, Self.feed(of: zone, own)) }
  }

  private mutating func learn(
    _ asked: [ZoneOperation], _ call: SeenCall, _ user: UserName
  ) {
    var results: [ZoneResult]?
    if case .zones(let zones)? = call.content, zones.count == asked.count { results = zones }
    guard results != nil || call.isUnknown else { return }
    for (index, operation) in asked.enumerated() {
      if case .failed? = results?[index] { continue }
      let name = operation.zone.zoneName
      zoneNames.insert(name)
      zones[user, default: [:]][name, default: Register(false)].set(
        operation.kind == .create, during: call.during, isCertain: results != nil)
    }
  }

  private mutating func learn(
    _ asked: [SubscriptionOperation], _ call: SeenCall, _ own: Own
  ) {
    var results: [SubscriptionResult]?
    if case .subscriptions(let list)? = call.content, list.count == asked.count { results = list }
    guard results != nil || call.isUnknown else { return }
    for (index, operation) in asked.enumerated() {
      let result = results?[index]
      if case .failed? = result { continue }
      var id = operation.subject.id
      if case .stored(let stored)? = result { id = stored.id }
      guard let id else { continue }
      subscriptions[own, default: [:]][id, default: Register(false)].set(
        operation.kind != .delete, during: call.during, isCertain: results != nil)
    }
  }
}

extension SubscriptionOperation.Subject {
  /// What it calls the subscription.
  var id: String? {
    switch self {
    case .subscription(let subscription): subscription.id
    case .name(let name): name
    case .unreadable(let id): id
    }
  }
}
