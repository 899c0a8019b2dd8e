import Contracts
import MimiSupplyContract
import Timekeeping

// GDPR rights (MS-115, MS-116) and a partner's figures (§3.4).
extension MimiSupplyTwin {
  /// Everything of the requester, and nothing of others.
  mutating func exportAccount(as identity: Identity, at now: Instant) -> Answer {
    guard let user = identity.user else { return .failure(.missing) }
    audit.add(.export, user: user, device: identity.device, csn: csn, at: now)
    var orders = shelf.names(of: .order, where: .customerId, is: user).compactMap(shelf.record)
    if !rules.binds(.ms115) {
      orders += shelf.names(of: .order).prefix(3).compactMap(shelf.record)  // MS-115
    }
    var addresses: [JSON] = []
    var methods: [String] = []
    for order in orders {
      if let text = order[Order.deliveryAddress], let address = JSON(parsing: text),
        !addresses.contains(address)
      {
        addresses.append(address)
      }
      if let method = order[Order.paymentMethod], !methods.contains(method) {
        methods.append(method)
      }
    }
    let drivers = shelf.names(of: .driver, where: .userId, is: user)
    let own =
      drivers.compactMap { shelf.record($0, publicly: false) }
      + shelf.partners(ownedBy: user).compactMap { shelf.record($0, publicly: true) }
    let consents = Consent.allCases.map { consent in
      (name: consent.rawValue, value: JSON.bool(market.hasConsent(consent, of: user)))
    }
    return .success(
      .exported([
        "profile": shelf.record(user.profile).map { outgoing($0, nil, at: now).document } ?? .null,
        "orders": .array(orders.map { outgoing($0, nil, at: now).document }),
        "addresses": .array(addresses), "paymentMethods": .strings(methods),
        "preferences": .object(JSONObject(consents)),
        "ownRecords": .array(own.map { outgoing($0, nil, at: now).document }),
      ]))
  }

  mutating func deleteAccount(as identity: Identity, at now: Instant) -> Answer {
    guard let user = identity.user, let profile = shelf.record(user.profile) else {
      return .failure(.missing)
    }
    if let failure = market.refusal(ofLeaving: user, on: shelf) { return .failure(failure) }
    let announced = market.ordersToAnnounce(ofLeaving: user, on: shelf)
    let placeholder = rules.binds(.ms116) ? UserName(freshName("deleted-")) : user  // MS-116
    market.csn = csn + 1
    let kept = market.leave(user, placeholder: placeholder, on: shelf, at: now)
    var changes = kept.map { anonymised($0, user, placeholder) }
    for name in completionsTouched(by: user) where !changes.contains(where: { $0.name == name }) {
      changes.append(Change(from: shelf.record(name), to: shelf.record(name)))
    }
    changes.append(Change(from: profile, to: nil))
    audit.add(.deletion, user: user, device: identity.device, csn: csn + 1, at: now)
    subscriptions.removeAll(of: user)
    effects.completions += pushQueues.remove(of: user, csn: csn)
    commit(changes, by: .system, cause: .request, at: now)
    for change in changes { shelf.forgetHistory(of: change.name) }
    if rules.binds(.ms116) { anonymise(user, as: placeholder) }
    forget(user)
    for (order, owner) in announced { announce(order, to: owner, at: now) }
    return .success(.done)
  }

  /// Stamps, zones and the push log keep no name of who left (MS-116); no change tag changes by it.
  private mutating func anonymise(_ user: UserName, as placeholder: UserName) {
    shelf.anonymise(user, as: placeholder)
    pushQueues.anonymise(user, as: placeholder)
    counters.rename(user, to: placeholder)
  }

  private mutating func forget(_ user: UserName) {
    accounts.endSessions(of: user)
    accounts.haveRole.remove(user)
    accounts.locked.remove(user)
    accounts.risk[user] = nil
    zones.forget(user)
    feeds.forget(user)
    for consent in Consent.allCases { market.setConsent(consent, of: user, granted: true) }
  }

  /// An order that stays has a placeholder for a creator and an owner.
  private func anonymised(_ change: Change, _ user: UserName, _ placeholder: UserName) -> Change {
    guard var after = change.after, after.created.userRecordName == user else { return change }
    after.created = Stamp(after.created.timestamp, by: placeholder, on: nil)
    after.zone.ownerRecordName = after.zone.ownerRecordName == nil ? nil : placeholder
    return Change(from: change.before, to: after)
  }

  /// Completions that the user rated: who modified them last is personal.
  private func completionsTouched(by user: UserName) -> [RecordName] {
    shelf.names(of: .order, where: .customerId, is: user).flatMap {
      shelf.names(of: .deliveryCompletion, where: .orderId, is: $0)
    }.filter { shelf.record($0)?.modified.userRecordName == user }
  }

  /// The one push that needs no subscription: a silent one for each order, on every device of the partner's owner.
  private mutating func announce(_ order: RecordName, to owner: UserName, at now: Instant) {
    guard let record = shelf.record(order) else { return }
    let isExpected = market.consents(to: .notifications, user: owner)
    for token in pushQueues.tokens(of: owner) {
      if isExpected { counters.notificationsExpected += 1 }
      guard market.hasConsent(.notifications, of: owner) else { continue }  // MS-118
      given += 1
      send(
        PushNotification(
          .customerDeleted(order: order), id: "nid-\(given)", subscription: nil,
          recordName: order, zone: record.zone, fired: .updated), to: token, at: now)
    }
  }

  // MARK: fetchPartnerStats

  mutating func stats(of partner: RecordName, as identity: Identity, at now: Instant) -> Answer {
    switch market.stats(of: partner, to: actor(of: identity), on: shelf, at: now) {
    case .failure(let refusal): return refuse(refusal.failure, identity, now)
    case .success(let figures):
      guard let stats = PartnerStats(figures) else {
        preconditionFailure("the market's figures of a partner lack one")
      }
      return .success(.stats(stats))
    }
  }
}
