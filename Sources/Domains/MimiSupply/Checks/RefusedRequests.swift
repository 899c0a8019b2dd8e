import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

// What has to become of a request as a whole, by the checks 6 and 7 of §3.1 and by what each operation asks of it (§3.2,
// §3.4).
extension RefusalFacts {
  func expectation(of call: SeenCall) -> Expectation {
    let user = accounts.user(of: call)
    switch call.request {
    case .signIn, .unread, .control, .inspect, .download: return .open
    case .upload(let upload): return expectation(of: upload, call)
    case .poll(let poll): return expectation(of: poll, call)
    case .refresh, .signOut, .exportAccount: return .fine
    case .deleteAccount:
      // Who sells or drives may have to stay.
      return accounts.role(of: call) == .customer ? .fine : .open
    case .selectRole(let role): return expectation(ofSelecting: role, user, call)
    case .partnerStats(let partner): return expectation(ofStatsOf: partner, user, call)
    default: break
    }
    guard let place = call.request.place else { return .open }
    if let due = misplacement(place) { return due }
    return expectation(of: call, at: place, user)
  }

  private func misplacement(_ place: Location) -> Expectation? {
    if place.container != Location.container
      || !["development", "production"].contains(place.environment)
    {
      return .refused(DueRefusal(.notFound, .badContainer), .ms15)
    }
    if let database = place.database, !["public", "private", "shared"].contains(database) {
      return .refused(DueRefusal(.notFound, .badDatabase), .ms15)
    }
    return nil
  }

  private func expectation(
    of call: SeenCall, at place: Location, _ user: UserName?
  ) -> Expectation {
    let own = things.own(user, place)
    let isPublic = place.database == "public"
    switch call.request {
    case .query(_, let asked): return expectation(of: asked, at: place, user, call)
    case .lookup(_, let asked):
      if let due = zoneRefusal(asked.zone, place, user, call) { return due }
      return asked.items.count > deployment.maxRecordsPerResponse
        ? .refused(.excess, .ms07) : .fine
    case .modify(_, let asked):
      if let due = zoneRefusal(asked.zone, place, user, call) { return due }
      // How long a request is, MS-07 judges by itself.
      return call.failure?.native == .limitExceeded ? .open : .fine
    case .changes(_, let asked): return expectation(of: asked, at: place, own, call)
    case .requestUploads(_, let asked):
      if let due = zoneRefusal(asked.zone, place, user, call) { return due }
      if asked.items.count > deployment.maxTokensPerRequest { return .refused(.excess, .ms07) }
      return asked.items.allSatisfy(\.isOfFiles) ? .fine : .refused(.invalid, .ms15)
    case .modifyZones(_, let asked):
      if asked.count > deployment.maxOperationsPerRequest { return .refused(.excess, .ms07) }
      return place.database == "private" ? .fine : .refused(.invalid, .ms11)
    case .modifySubscriptions(_, let asked):
      return asked.count > deployment.maxOperationsPerRequest ? .refused(.excess, .ms07) : .fine
    case .changedZones(_, let token?):
      guard deployment.changeHistoryLimit == nil else { return .open }
      guard let isGood = things.leads(token, to: .zones(own)) else { return .open }
      return isGood ? .fine : .refused(.invalid, .ms11)
    case .createToken(_, let environment):
      return Self.isPushed(environment) ? .fine : .refused(.invalid, .ms93)
    case .registerToken(_, let environment, let token):
      guard Self.isPushed(environment) else { return .refused(.invalid, .ms93) }
      guard let known = things.pushTokens[token] else { return .refused(.missing, .ms93) }
      guard known.user == user else { return .refused(.missing, .ms93) }
      return call.answered < known.session.mayEnd ? .fine : .open
    case .listZones, .lookupZones, .changedZones, .listSubscriptions, .lookupSubscriptions,
      .currentUser:
      return isPublic || user != nil ? .fine : .open
    default: return .open
    }
  }

  private static func isPushed(_ environment: String) -> Bool {
    environment == "development" || environment == "production"
  }

  // MARK: Zones

  /// A zone that certainly is not there; `nil` where it is, or may be.
  private func zoneRefusal(
    _ zone: Zone?, _ place: Location, _ user: UserName?, _ call: SeenCall
  ) -> Expectation? {
    guard let zone, zone.zoneName != "_defaultZone" else { return nil }
    if place.database == "public" { return .refused(.noZone, .ms11) }
    guard zone.zoneName != "MimiSupplyZone", let user else { return nil }
    // Another's is there for who sees something in it.
    if things.isEmpty(zone: zone.zoneName),
      things.hasZone(zone.zoneName, user, during: call.during) == false
    {
      return .refused(.noZone, .ms11)
    }
    let isOwn = zone.ownerRecordName.map { $0 == user } ?? true
    if isOwn, things.hasZone(zone.zoneName, user, during: call.during) == true { return nil }
    return .open
  }

  private func expectation(
    of asked: FeedQuery, at place: Location, _ own: KnownThings.Own?, _ call: SeenCall
  ) -> Expectation {
    if let due = zoneRefusal(asked.zone, place, own?.user, call) { return due }
    guard place.database != "public", let zone = asked.zone, zone.zoneName != "_defaultZone",
      asked.resultsLimit ?? 1 > 0
    else { return .refused(.invalid, .ms11) }
    guard let token = asked.syncToken else { return .fine }
    guard let own, deployment.changeHistoryLimit == nil,
      let isGood = things.leads(token, to: KnownThings.feed(of: zone, own))
    else { return .open }
    return isGood ? .fine : .refused(.invalid, .ms11)
  }

  // MARK: Queries

  private func expectation(
    of asked: Query, at place: Location, _ user: UserName?, _ call: SeenCall
  ) -> Expectation {
    if let due = zoneRefusal(asked.zone, place, user, call) { return due }
    guard let isGood = asked.query.isReadable(in: place.database) else { return .open }
    guard isGood else { return .refused(.invalid, .ms15) }
    if asked.query.isSupply {
      guard let role = accounts.role(of: call) else { return .open }
      if role != .partner && role != .admin { return .refused(.denied, .ms105) }
    }
    if asked.resultsLimit ?? 1 < 1 { return .refused(.invalid, .ms07) }
    guard let marker = asked.continuationMarker else { return .fine }
    let lead = KnownThings.Lead.query(
      things.own(user, place), asked.zone, isZoneWide: asked.zoneWide, asked.query)
    guard let isKnown = things.leads(marker, to: lead) else { return .open }
    return isKnown ? .fine : .refused(.invalid, .ms10)
  }

  // MARK: What is no database's

  private func expectation(of upload: Upload, _ call: SeenCall) -> Expectation {
    guard let ticket = upload.ticket else { return .open }
    switch things.takesFiles(ticket, during: call.during) {
    case false?: return .refused(.missing, .ms110)
    case true?:
      if case .unreadable = upload.content { return .refused(.invalid, .ms110) }
      // How long a file is, MS-05 judges by itself.
      return call.failure?.native == .limitExceeded ? .open : .fine
    case nil: return .open
    }
  }

  private func expectation(of poll: Poll, _ call: SeenCall) -> Expectation {
    guard let token = poll.token else { return .open }
    guard let known = things.pushTokens[token] else {
      return records.isWhole ? .refused(.missing, .ms93) : .open
    }
    if call.sent >= known.session.ended { return .refused(.missing, .ms93) }
    return call.answered < known.session.mayEnd ? .fine : .open
  }

  private func expectation(
    ofSelecting role: String, _ user: UserName?, _ call: SeenCall
  ) -> Expectation {
    guard let user else { return .open }
    switch things.roles[user]?.value(during: call.during) {
    case true?:
      return .refused(
        DueRefusal(.accessDenied, .permissionFailure, "role_already_selected"), .ms103)
    case false?:
      let isSelectable = Role(rawValue: role).map { $0 != .admin } ?? false
      return isSelectable
        ? .fine
        : .refused(DueRefusal(.accessDenied, .permissionFailure, "role_not_selectable"), .ms108)
    case nil: return .open
    }
  }

  private func expectation(
    ofStatsOf partner: RecordName, _ user: UserName?, _ call: SeenCall
  ) -> Expectation {
    guard let user, let role = accounts.role(of: call) else { return .open }
    switch records.isThere(partner, of: .partner, during: call.during) {
    case true?:
      return role == .admin || records[partner]?.creator == user
        ? .fine : .refused(.denied, .ms105)
    case false?: return .refused(.missing, .ms106)
    case nil: return .open
    }
  }
}

extension UploadRequest.Item {
  /// Whether its field is one for files.
  fileprivate var isOfFiles: Bool {
    switch RecordSchema.of(recordType)?[text: fieldName]?.kind {
    case .asset, .assets: true
    default: false
    }
  }
}

extension MimiSupply.Request {
  /// The database that it names; `nil` for one that has none.
  var place: Location? {
    switch self {
    case .query(let place, _), .lookup(let place, _), .modify(let place, _),
      .changes(let place, _), .listZones(let place), .lookupZones(let place, _),
      .modifyZones(let place, _), .changedZones(let place, _), .listSubscriptions(let place),
      .lookupSubscriptions(let place, _), .modifySubscriptions(let place, _),
      .createToken(let place, _), .registerToken(let place, _, _),
      .requestUploads(let place, _), .currentUser(let place):
      place
    default: nil
    }
  }
}
