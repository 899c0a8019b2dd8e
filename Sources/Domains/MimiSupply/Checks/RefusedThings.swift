import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

// What has to become of each zone and each subscription that a request names (§3.2), and which of them there are.
extension RefusalFacts {
  // MARK: Zones

  func judgeZones(_ asked: [ZoneOperation], at place: Location, _ call: SeenCall) {
    guard case .zones(let results)? = call.content, results.count == asked.count,
      let user = accounts.user(of: call)
    else { return }
    // What one operation of a batch did, the next one meets.
    guard Set(asked.map(\.zone.zoneName)).count == asked.count else { return }
    for (operation, result) in zip(asked, results) {
      judge(result.failure, by: expectation(of: operation, user, call), operation.zone.zoneName)
    }
  }

  private func expectation(
    of operation: ZoneOperation, _ user: UserName, _ call: SeenCall
  ) -> Expectation {
    let name = operation.zone.zoneName
    let isPrepared = name == "_defaultZone" || name == "MimiSupplyZone"
    if !isPrepared, !RecordName(name).isGood { return .refused(.invalid, .ms11) }
    if operation.zone.ownerRecordName ?? user != user { return .refused(.denied, .ms105) }
    if operation.kind == .create { return .fine }
    if isPrepared { return .refused(.denied, .ms105) }
    switch things.hasZone(name, user, during: call.during) {
    case false?: return .refused(.noZone, .ms11)
    case true? where things.isEmpty(zone: name): return .fine
    default: return .open
    }
  }

  func judgeZones(_ asked: [Zone], at place: Location, _ call: SeenCall) {
    guard case .zones(let results)? = call.content, results.count == asked.count else { return }
    let user = accounts.user(of: call)
    for (zone, result) in zip(asked, results) {
      var expectation = Expectation.open
      if zone.zoneName == "_defaultZone" {
        expectation = .fine
      } else if place.database == "public" {
        expectation = .refused(.noZone, .ms11)
      } else if zone.zoneName == "MimiSupplyZone" {
        expectation = .fine
      } else if let user {
        let isThere = things.hasZone(zone.zoneName, user, during: call.during)
        if isThere == true, zone.ownerRecordName ?? user == user { expectation = .fine }
        if isThere == false, things.isEmpty(zone: zone.zoneName) {
          expectation = .refused(.noZone, .ms11)
        }
      }
      judge(result.failure, by: expectation, zone.zoneName)
    }
  }

  // MARK: Subscriptions

  func judgeSubscriptions(
    _ asked: [SubscriptionOperation], at place: Location, _ call: SeenCall
  ) {
    guard case .subscriptions(let results)? = call.content, results.count == asked.count,
      let own = things.own(accounts.user(of: call), place)
    else { return }
    let ids = asked.compactMap(\.subject.id)
    guard Set(ids).count == ids.count else { return }
    for (operation, result) in zip(asked, results) {
      judge(
        result.failure, by: expectation(of: operation, own, call),
        operation.subject.id ?? "a subscription")
    }
  }

  private func expectation(
    of operation: SubscriptionOperation, _ own: KnownThings.Own, _ call: SeenCall
  ) -> Expectation {
    let exists = operation.subject.id.flatMap {
      things.hasSubscription($0, own, during: call.during)
    }
    switch (operation.kind, operation.subject) {
    case (_, .unreadable), (.delete, .subscription), (.create, .name), (.update, .name):
      return .refused(.invalid, .ms90)
    case (.delete, .name): break
    case (.create, .subscription(let asked)), (.update, .subscription(let asked)):
      if asked.id == nil, operation.kind == .update { return .refused(.invalid, .ms90) }
      if let id = asked.id, !(1...255).contains(id.utf8.count) { return .refused(.invalid, .ms90) }
      if operation.kind == .create {
        if asked.id != nil {
          guard let exists else { return .open }
          if exists { return .refused(.taken, .ms90) }
        }
        return expectation(of: asked.query, in: own.database)
      }
      if exists == true { return expectation(of: asked.query, in: own.database) }
    }
    switch exists {
    case true?: return .fine
    case false?: return .refused(.missing, .ms90)
    case nil: return .open
    }
  }

  private func expectation(of query: RecordQuery, in database: String) -> Expectation {
    switch query.isReadable(in: database) {
    case true?: .fine
    case false?: .refused(.invalid, .ms15)
    case nil: .open
    }
  }

  func judgeSubscriptions(_ asked: [String], at place: Location, _ call: SeenCall) {
    guard case .subscriptions(let results)? = call.content, results.count == asked.count,
      let own = things.own(accounts.user(of: call), place)
    else { return }
    for (id, result) in zip(asked, results) {
      guard let exists = things.hasSubscription(id, own, during: call.during) else { continue }
      judge(result.failure, by: exists ? .fine : .refused(.missing, .ms90), id)
    }
  }

  /// All that a user has in a database, and no other.
  func judgeSubscriptionList(at place: Location, _ call: SeenCall) {
    guard case .subscriptions(let results)? = call.content,
      let own = things.own(accounts.user(of: call), place)
    else { return }
    let shown = Set(results.compactMap(\.id))
    for id in shown.sorted() where things.hasSubscription(id, own, during: call.during) == false {
      tell("\(own.user) is shown the subscription \(id), which is not there", of: .ms90)
    }
    for (id, exists) in (things.subscriptions[own] ?? [:]).sorted(by: { $0.key < $1.key })
    where exists.value(during: call.during) == true {
      expect(
        shown.contains(id), "\(own.user) is not shown the subscription \(id)", of: .ms90)
    }
  }

  private func judge(_ failure: Failure?, by expectation: Expectation, _ what: String) {
    switch (expectation, failure) {
    case (.open, _), (.fine, nil): break
    case (.fine, let failure?):
      tell(
        "\(what) was refused as \(failure.shown) without a cause",
        of: RefusalCodes.rule(of: failure))
    case (.refused(let due, let rule), nil):
      tell("\(what) was taken, which is to be refused as \(due.shown)", of: rule)
    case (.refused(let due, let rule), let failure?):
      expect(
        due.fits(failure),
        "\(what) was refused as \(failure.shown) instead of \(due.shown)", of: rule)
    }
  }
}

extension ZoneResult {
  fileprivate var failure: Failure? {
    if case .failed(_, let failure) = self { failure } else { nil }
  }
}

extension SubscriptionResult {
  fileprivate var failure: Failure? {
    if case .failed(_, let failure) = self { failure } else { nil }
  }
  fileprivate var id: String? { if case .stored(let stored) = self { stored.id } else { nil } }
}
