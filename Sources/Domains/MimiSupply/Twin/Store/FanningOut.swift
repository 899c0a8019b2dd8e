import Contracts
import MimiSupplyContract
import Timekeeping

/// What one commit may have to tell subscribers: for each record that changed, how it was before.
struct FanOut: Sendable {
  struct Watched: Sendable {
    let name: RecordName
    let type: RecordType
    let before: CloudRecord?
    /// Subscriptions by their numbers, with how each saw the old state.
    var candidates: [(number: Int, sighting: Sighting)] = []
  }

  struct Sighting: Sendable {
    let wasVisible: Bool
    let matched: Bool
  }

  var records: [Watched] = []
}

extension MimiSupplyTwin {
  /// Looks at a record as it is before a change: nobody can afterwards.
  func observe(_ change: Change, _ watch: inout FanOut, at now: Instant) {
    guard !subscriptions.isEmpty else { return }
    let index =
      watch.records.firstIndex {
        $0.name == change.name && CloudRecord.isPublic($0.type) == change.isPublic
      }
      ?? {
        watch.records.append(
          FanOut.Watched(name: change.name, type: change.type, before: change.before))
        return watch.records.count - 1
      }()
    let before = watch.records[index].before
    // A record that changes a second time in the commit has been looked at by most of them.
    let known = watch.records[index].candidates.map(\.number)
    for number in subscriptions.candidates(for: [before, change.after], of: change.type)
    where !known.contains(number) {
      let sighting = sighting(of: before, subscriptions[number]!, at: now)
      watch.records[index].candidates.append((number, sighting))
    }
  }

  private func sighting(
    of before: CloudRecord?, _ stored: Subscriptions.Stored, at now: Instant
  ) -> FanOut.Sighting {
    guard let before else { return FanOut.Sighting(wasVisible: false, matched: false) }
    let wasVisible = saw(before, stored.key, at: now)
    let wasShown = wasVisible || market.wasOpen(before, to: stored.key.user, at: now)
    return FanOut.Sighting(
      wasVisible: wasVisible, matched: wasShown && stored.criteria.matches(before))
  }

  /// Whether a subscriber saw a record in its old state.
  ///
  /// The market may have taken note of a change before it is stored, so that of an order the old state itself says it. An
  /// open offer, or the pool, shows an order without making it the driver's: it fires `create` when it becomes his (§3.5).
  private func saw(_ before: CloudRecord, _ key: Subscriptions.Key, at now: Instant) -> Bool {
    let actor = actor(of: key.user, on: nil)
    guard before.type == .order, !actor.isAdmin else {
      return isShown(before, to: key, actor, at: now)
    }
    if key.database == .shared, before.created.userRecordName == key.user { return false }
    if before[Order.customer] == key.user { return true }
    if let driver = before[Order.driver], shelf.record(driver)?[Driver.user] == key.user {
      return true
    }
    guard let partner = before[Order.partner],
      shelf.record(partner, publicly: true)?.created.userRecordName == key.user
    else { return false }
    return before.status.map { $0 != .created && $0 != .paymentProcessing } ?? false
  }

  private func isShown(
    _ record: CloudRecord, to key: Subscriptions.Key, _ actor: Actor, at now: Instant
  ) -> Bool {
    if key.database == .shared, record.created.userRecordName == key.user { return false }
    return market.isVisible(record, to: actor, on: shelf, at: now)
  }

  /// The firing rule of §3.5 for every record of a commit and every subscription that it concerns.
  mutating func fanOut(_ watch: FanOut, but origin: Actor, at now: Instant) {
    for record in watch.records {
      let after = shelf.record(record.name, publicly: CloudRecord.isPublic(record.type))
      for (number, sighting) in record.candidates {
        guard let stored = subscriptions[number], !stored.isSpent else { continue }
        let key = stored.key
        guard let (event, isRightful) = event(sighting, record, after, key, stored, at: now),
          stored.subscription.firesOn.contains(event)
        else { continue }
        if isRightful { expect(event, record, after, for: key, but: origin) }
        guard isPromised(event, of: record, to: key) else { continue }
        if stored.subscription.firesOnce { subscriptions.spend(number) }
        push(event, record, after, for: key, stored.subscription, but: origin, at: now)
      }
    }
  }

  /// A driver becoming eligible sees what waits in the pool: for subscriptions that it matches, an event (§6.5).
  ///
  /// No device changed the orders, so that none is left out.
  mutating func showPool(to driver: RecordName, besides seen: Set<RecordName>, at now: Instant) {
    guard let user = market.drivers[driver]?.user else { return }
    for name in market.pool(before: driver, at: now) where !seen.contains(name) {
      guard let order = shelf.record(name) else { continue }
      for number in subscriptions.candidates(for: [order], of: order.type) {
        guard let stored = subscriptions[number], stored.key.user == user, !stored.isSpent,
          stored.criteria.matches(order), stored.subscription.firesOn.contains(.create)
        else { continue }
        if stored.subscription.firesOnce { subscriptions.spend(number) }
        let watched = FanOut.Watched(name: name, type: order.type, before: order)
        let key = stored.key
        expect(.create, watched, order, for: key, but: .system)
        push(.create, watched, order, for: key, stored.subscription, but: .system, at: now)
      }
    }
  }

  /// The event that fires; it is no rightful one where the receiver does not see the record.
  private func event(
    _ sighting: FanOut.Sighting, _ record: FanOut.Watched, _ after: CloudRecord?,
    _ key: Subscriptions.Key, _ stored: Subscriptions.Stored, at now: Instant
  ) -> (Subscription.Event, isRightful: Bool)? {
    guard let after else { return sighting.matched ? (.delete, true) : nil }
    let isVisible = isShown(after, to: key, actor(of: key.user, on: nil), at: now)
    // MS-94 switched off: who merely would match is told too.
    let matches = stored.criteria.matches(after) && (isVisible || !rules.binds(.ms94))
    guard matches else { return nil }
    if sighting.matched { return (.update, isVisible) }
    return (record.before == nil || !sighting.wasVisible ? .create : .update, isVisible)
  }

  /// Counts what the rules make of an event, whichever of them are switched off: one notification for every registered
  /// device of a subscriber who consents, but for the one that made the change (§3.5, MS-93, MS-95, MS-118).
  private mutating func expect(
    _ event: Subscription.Event, _ record: FanOut.Watched, _ after: CloudRecord?,
    for key: Subscriptions.Key, but origin: Actor
  ) {
    guard market.consents(to: .notifications, user: key.user) else { return }
    let left = originator(of: record, after, for: key, origin)
    counters.notificationsExpected += pushQueues.tokens(of: key.user).count {
      pushQueues.device(of: $0) != left
    }
  }

  /// The device of the subscriber's that performed the change.
  ///
  /// What the system creates in a request's commit, as the offer to the driver who has just become available, no device
  /// performed: system changes leave nobody out.
  private func originator(
    of record: FanOut.Watched, _ after: CloudRecord?, for key: Subscriptions.Key, _ origin: Actor
  ) -> DeviceName? {
    let isSystems = record.before == nil && after?.created.userRecordName == .system
    guard case .user(key.user, _, let device) = origin, !isSystems else { return nil }
    return device
  }

  /// Whether the rule that promises this kind of event is obeyed.
  private func isPromised(
    _ event: Subscription.Event, of record: FanOut.Watched, to key: Subscriptions.Key
  ) -> Bool {
    switch record.type {
    case .order:
      let partner = shelf.record(record.name)?[Order.partner].flatMap {
        shelf.record($0, publicly: true)
      }
      let isPartners = partner?.created.userRecordName == key.user
      if event == .create, isPartners { return rules.binds(.ms92) }  // MS-92
      return event == .create || rules.binds(.ms90)  // MS-90
    case .driverLocation: return rules.binds(.ms91)  // MS-91
    default: return true
    }
  }

  private mutating func push(
    _ event: Subscription.Event, _ record: FanOut.Watched, _ after: CloudRecord?,
    for key: Subscriptions.Key, _ subscription: Subscription, but origin: Actor, at now: Instant
  ) {
    guard market.hasConsent(.notifications, of: key.user) else { return }  // MS-118
    let originator =
      rules.binds(.ms95) ? originator(of: record, after, for: key, origin) : nil  // MS-95
    let shown = after ?? record.before!
    var content = Payloads.content(of: shown, since: record.before, event)
    if !rules.binds(.ms96) { content = Payloads.silent(content) }  // MS-96
    let fired: PushNotification.Fired =
      switch event {
      case .create: .created
      case .update: .updated
      case .delete: .deleted
      }
    let additional = Payloads.additional(
      subscription.notificationInfo?.additionalFields, of: shown,
      withholds: rules.binds(.ms100))  // MS-100
    for token in pushQueues.tokens(of: key.user) where pushQueues.device(of: token) != originator {
      // MS-93 switched off: everything comes twice.
      for _ in 0..<(rules.binds(.ms93) ? 1 : 2) {
        given += 1
        let notification = PushNotification(
          content, id: "nid-\(given)", subscription: subscription.id, recordName: record.name,
          zone: shown.zone, database: key.database.number, fired: fired, additional: additional)
        send(notification, to: token, at: now)
      }
    }
  }

  /// Queues a notification for a device, answers who waits for it, or lets it leave (§3.5).
  mutating func send(_ notification: PushNotification, to token: String, at now: Instant) {
    var notification = notification
    notification.destination = PushDestination(token)
    // What is coalesced beyond the bound waits no longer.
    let waiting = min(pushQueues.unfetched(of: token) + 1, settings.courierQueueLimit)
    notification.badge(rules.binds(.ms99) ? waiting : 0)  // MS-99
    // A payload always names the zone's owner: the twin itself where it is no user.
    if notification.zone.ownerRecordName == nil { notification.zone.ownerRecordName = .system }
    if rules.binds(.ms100), notification.exceeds(settings.pushMaxBytes) {
      notification.additional = [:]  // MS-100
    }
    counters.notificationsQueued += 1
    work.messagesSent += 1
    let coalesced = pushQueues.queue(
      notification, for: token, atMost: settings.courierQueueLimit, at: now)
    counters.notificationsCoalesced += coalesced
    if let ticket = pushQueues.takePoll(of: token) {
      effects.completions.append(Completion(ticket, .success(fetch(from: token))))
    } else {
      effects.signals.append(Addressed(to: .device(token: token), .notification(notification)))
    }
  }

  /// Everything that waits for a device.
  mutating func fetch(from token: String) -> MimiSupply.Reply {
    var notifications = pushQueues.fetch(from: token)
    if !rules.binds(.ms98) { notifications.reverse() }  // MS-98
    counters.notificationsFetched += notifications.count
    return MimiSupply.Reply(.notifications(notifications), csn: csn)
  }
}

extension Database {
  var number: PushNotification.Database {
    switch self {
    case .public: .public
    case .private: .private
    case .shared: .shared
    }
  }
}

extension PushNotification {
  /// Sets the number that the device shows, where the payload has one.
  fileprivate mutating func badge(_ count: Int) {
    guard case .order(let id, let status, let title, let body, _) = content else { return }
    content = .order(id: id, status: status, title: title, body: body, badge: count)
  }
}
