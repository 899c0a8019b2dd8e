import Contracts
import MimiSupplyContract
import Timekeeping

/// Just enough of a market to write batches, to offer an accepted order to one driver after the other, and to push.
struct MarketMiniature: Twin {
  typealias Agreement = MimiSupply

  struct Session { var user: String, device: String }
  struct Offer { var order: String, driver: Int, expires: Instant }

  let sessions: [String: Session]
  /// Drivers in the order in which they are asked, by their users.
  let drivers: [String]
  let offerLifetime = Span.seconds(30)

  private(set) var records: [String: CloudRecord] = [:]
  private var csn = 0
  private var offers: [Offer] = []
  /// Push tokens in the order of their creation, so that every fan-out has an order.
  private var tokens: [(token: String, owner: Session)] = []
  private var queued: [String: [PushNotification]] = [:]
  private var polls: [String: (ticket: Ticket, until: Instant)] = [:]
  private var given: UInt64 = 0

  init(sessions: [String: Session], drivers: [String]) {
    self.sessions = sessions
    self.drivers = drivers
  }

  // MARK: Time

  var nextDue: Instant? { (offers.map(\.expires) + polls.values.map(\.until)).min() }

  mutating func advance(to now: Instant) -> Effects<MimiSupply> {
    var effects = Effects<MimiSupply>()
    while let due = offers.map(\.expires).min(), due <= now,
      let index = offers.firstIndex(where: { $0.expires == due })
    {
      let expired = offers.remove(at: index)
      offer(expired.order, to: expired.driver + 1, at: due, &effects)
    }
    for (token, _) in tokens {
      guard let poll = polls[token], poll.until <= now else { continue }
      polls[token] = nil
      effects.completions.append(Completion(poll.ticket, .success(.notifications([], csn: csn))))
    }
    return effects
  }

  // MARK: Requests

  mutating func handle(
    _ request: MimiSupply.Request, from caller: Caller<MimiSupply>, at now: Instant
  ) -> Handled<MimiSupply> {
    switch request {
    case .delivered(let token, let notification):
      queued[token]?.removeAll { $0.id == notification }
      return .replied(.done)
    case .poll(let poll): return wait(poll, at: now)
    case .malformed: return refused(.init(.badRequest, .invalidArguments))
    case .unrouted: return refused(.init(.notFound, .badDatabase))
    case .modify, .createToken: break
    }
    guard case .client(let credential) = caller,
      var session = credential?.userToken.flatMap({ sessions[$0] })
    else { return refused(.init(.authenticationRequired, .notAuthenticated)) }
    session.device = credential?.deviceID ?? session.device
    guard case .modify(_, let asked) = request else { return createToken(for: session) }
    return modify(asked, by: session, at: now)
  }

  private func refused(_ failure: Failure) -> Handled<MimiSupply> {
    .refused(.init(failure, uuid: "answer-\(given)", csn: csn))
  }

  private mutating func createToken(for session: Session) -> Handled<MimiSupply> {
    let token = "token-\(tokens.count)"
    tokens.append((token, session))
    return .replied(
      .tokenCreated(
        CourierToken(
          apnsEnvironment: "production", apnsToken: token,
          webcourierURL: "http://localhost:8080" + Poll.path(of: token)), csn: csn))
  }

  private mutating func wait(_ poll: Poll, at now: Instant) -> Handled<MimiSupply> {
    guard let token = poll.token else { return refused(.init(.notFound, .unknownItem)) }
    if let ready = queued[token], !ready.isEmpty {
      queued[token] = []
      return .replied(.notifications(ready, csn: csn))
    }
    given += 1
    let until = now + .seconds(Int64(poll.timeoutSeconds ?? 60))
    polls[token] = (Ticket(given), until)
    return Handled(.later(Ticket(given)))
  }

  // MARK: Batches

  private mutating func modify(
    _ asked: Modification, by session: Session, at now: Instant
  ) -> Handled<MimiSupply> {
    let before = self
    var effects = Effects<MimiSupply>()
    var results: [ItemResult] = []
    for item in asked.items {
      results.append(apply(item, in: asked.zone ?? Zone(), by: session, at: now, &effects))
    }
    let isAtomic =
      (asked.zone.map { $0.zoneName != "_defaultZone" } ?? false) && asked.atomic != false
    let failed = results.contains { if case .failed = $0 { true } else { false } }
    if isAtomic && failed {
      self = before
      effects = Effects()
      results = zip(asked.items, results).map { item, result in
        if case .failed = result { return result }
        return .failed(ItemFailure(item.record.name, .init(.atomicError, .batchRequestFailed)))
      }
    }
    return .replied(.modified(results, csn: csn), effects: effects)
  }

  private mutating func apply(
    _ item: Modification.Item, in zone: Zone, by session: Session, at now: Instant,
    _ effects: inout Effects<MimiSupply>
  ) -> ItemResult {
    let name = item.record.name ?? "record-\(csn)"
    let stored = records[name]
    switch (item.kind, stored) {
    case (.create, .some): return failed(item, .init(.exists, .serverRecordChanged))
    case (.update, nil): return failed(item, .init(.notFound, .unknownItem))
    case (.update, let stored?) where stored.changeTag != item.record.changeTag:
      return .failed(
        ItemFailure(
          name, .init(.conflict, .serverRecordChanged),
          conflict: .init(server: stored, client: item.record, ancestor: nil)))
    default: break
    }
    csn += 1
    let stamp = Stamp(now, by: session.user, on: session.device)
    var record =
      stored
      ?? CloudRecord(
        name: name, type: item.record.type ?? "Order", changeTag: "", zone: zone, fields: [:],
        created: stamp, modified: stamp)
    record.changeTag = "tag-\(csn)"
    record.modified = stamp
    for (field, value) in item.record.fields { record.fields[field] = value }
    records[name] = record
    if record.fields["status"] == .string("accepted") { offer(name, to: 0, at: now, &effects) }
    if stored != nil { tell(record.created.userRecordName, of: record, from: session, &effects) }
    return .saved(record)
  }

  private func failed(_ item: Modification.Item, _ failure: Failure) -> ItemResult {
    .failed(ItemFailure(item.record.name, failure))
  }

  // MARK: Pushes

  private mutating func offer(
    _ order: String, to driver: Int, at now: Instant, _ effects: inout Effects<MimiSupply>
  ) {
    guard drivers.indices.contains(driver) else { return }
    csn += 1
    offers.append(Offer(order: order, driver: driver, expires: now + offerLifetime))
    push(to: drivers[driver], but: nil, &effects) { [csn, drivers] badge in
      PushNotification(
        .offer(id: "offer_\(csn)", order: order, driver: drivers[driver]),
        id: "nid-\(csn)-\(badge)", subscription: "driver-offers", recordName: "offer_\(csn)",
        zone: Zone(), fired: .created)
    }
  }

  private mutating func tell(
    _ user: String, of record: CloudRecord, from origin: Session,
    _ effects: inout Effects<MimiSupply>
  ) {
    guard case .string(let status)? = record.fields["status"] else { return }
    push(to: user, but: origin.device, &effects) { [csn] badge in
      PushNotification(
        .order(
          id: record.name, status: status, title: "Bestellupdate", body: "Neu", badge: badge),
        id: "nid-\(csn)-\(badge)", subscription: "order-updates", recordName: record.name,
        zone: record.zone, fired: .updated)
    }
  }

  /// To every device of a user but the one that caused it (MS-95): an open poll is answered, else a signal leaves.
  private mutating func push(
    to user: String, but origin: String?, _ effects: inout Effects<MimiSupply>,
    _ make: (Int) -> PushNotification
  ) {
    for (token, owner) in tokens where owner.user == user && owner.device != origin {
      let notification = make((queued[token]?.count ?? 0) + 1)
      if let poll = polls.removeValue(forKey: token) {
        effects.completions.append(
          Completion(poll.ticket, .success(.notifications([notification], csn: csn))))
        continue
      }
      queued[token, default: []].append(notification)
      effects.signals.append(Addressed(to: .device(token: token), .notification(notification)))
    }
  }
}
