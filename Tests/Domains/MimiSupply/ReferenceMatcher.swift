import Contracts
import Foundation
import MimiSupplyContract
import Timekeeping

@testable import MimiSupplyTwin

/// Sections 6.3 to 6.5 once more, as naively as they can be written: it walks over all records of the state before each
/// entry of a commit log, and says what the twin should not have done, or should have done and did not (MS-76).
struct ReferenceMatcher {
  /// An order's search for a driver.
  private struct Search {
    let trigger: Instant
    var asked: Set<RecordName> = []
    /// When the round is over, the instant at which the next begins.
    var nextRound: Instant?
  }

  private let settings: MarketSettings
  private var records: [RecordName: CloudRecord] = [:]
  private var searches: [RecordName: Search] = [:]
  /// The time of the newest position of each driver.
  private var heard: [RecordName: Instant] = [:]
  private var lastEnd: [RecordName: Instant] = [:]
  /// The last tick that matched, and what it has still to commit.
  private var tick = Instant.distantPast
  private var matches: [(order: RecordName, driver: RecordName)] = []
  private(set) var objections: [String] = []
  /// The last changes, to tell what led to an objection.
  private var recent: [String] = []
  /// Offers and direct assignments that were judged.
  private(set) var decisions = 0

  init(_ settings: MarketSettings) { self.settings = settings }

  /// Judges a whole history.
  mutating func judge(_ town: RandomTown) {
    var claims = town.claims[...]
    var log = town.log[...]
    while let first = log.first {
      let commit = log.prefix { $0.csn == first.csn }
      while let claim = claims.first, claim.entries <= log.startIndex {
        claims.removeFirst()
        judge(claim)
      }
      if first.cause != .fixture { catchUp(to: first.at, isRequest: first.cause == .request) }
      for entry in commit { judge(entry) }
      endCommit(at: first.at)
      log = log[commit.endIndex...]
    }
    for claim in claims { judge(claim) }
    catchUp(to: town.now, isRequest: true)
  }

  private mutating func object(_ text: String, at instant: Instant) {
    objections.append("\(instant): \(text), after \(recent.joined(separator: "; "))")
  }

  // MARK: The state

  private func all(_ type: RecordType) -> [CloudRecord] {
    records.values.filter { $0.type == type }.sorted { $0.name < $1.name }
  }

  private func openOffers(_ field: FieldKey<RecordName>, _ value: RecordName) -> [CloudRecord] {
    all("DriverOffer").filter { $0[DriverOffer.state] == "offered" && $0[field] == value }
  }

  private func activeOrders(_ driver: RecordName) -> Int {
    all("Order").count { $0[Order.driver] == driver && $0.status!.isActive }
  }

  /// Orders that look for a driver and ask nobody, in the order in which they are served.
  private var waiting: [RecordName] {
    searches.keys.filter { openOffers(DriverOffer.order, $0).isEmpty }.sorted {
      (searches[$0]!.trigger, $0) < (searches[$1]!.trigger, $1)
    }
  }

  private func metres(_ driver: CloudRecord, _ order: RecordName) -> Int? {
    guard let from = driver.point(Driver.currentLatitude, Driver.currentLongitude),
      let partner = records[order]?[Order.partner].flatMap({ records[$0] }),
      let to = partner.point(Partner.latitude, Partner.longitude)
    else { return nil }
    let degree = Double.pi / 180
    let north = sin((to.latitude - from.latitude) * degree / 2)
    let east = sin((to.longitude - from.longitude) * degree / 2)
    let cosines = cos(from.latitude * degree) * cos(to.latitude * degree)
    let half = (north * north + cosines * east * east).squareRoot()
    return Int((2 * 6_371_008.8 * asin(half)).rounded())
  }

  /// Whether a driver may be offered or take an order, but for having been asked.
  private func isCandidate(_ driver: CloudRecord, for order: RecordName, at now: Instant) -> Bool {
    driver[Driver.verificationStatus] == "verified" && driver[Driver.isOnline]
      && driver[Driver.isAvailable] && activeOrders(driver.name) < settings.driverCapacity
      && openOffers(DriverOffer.driver, driver.name).isEmpty
      && heard[driver.name].map { now.toMilliseconds - $0 <= settings.positionMaxAge } ?? false
      && metres(driver, order).map { $0 <= settings.dispatchRadius } ?? false
  }

  private func candidates(
    for order: RecordName, besides asked: Set<RecordName>, at now: Instant
  ) -> [CloudRecord] {
    all("Driver").filter { !asked.contains($0.name) && isCandidate($0, for: order, at: now) }
  }

  private func best(of drivers: [CloudRecord], for order: RecordName) -> RecordName? {
    drivers.min { a, b in
      let (near, far) = (metres(a, order)!, metres(b, order)!)
      let (x, y) = settings.strictDistance ? (near, far) : (near / 100, far / 100)
      if x != y { return x < y }
      if a[Partner.rating] != b[Partner.rating] {
        return a[Partner.rating]! > b[Partner.rating]!
      }
      let (m, n) = (a[Driver.completedDeliveries]!, b[Driver.completedDeliveries]!)
      if m != n { return m < n }
      let (s, t) = (lastEnd[a.name] ?? .distantPast, lastEnd[b.name] ?? .distantPast)
      return s == t ? a.name < b.name : s < t
    }?.name
  }

  // MARK: Time

  /// What must have happened before an instant; before a request also what was due at it.
  private mutating func catchUp(to now: Instant, isRequest: Bool) {
    func isPast(_ due: Instant) -> Bool { isRequest ? due <= now : due < now }
    if !matches.isEmpty, isPast(tick) { object("the tick left out \(matches)", at: now) }
    if settings.dispatchMode == .auto {
      let before = isRequest ? now : now - .milliseconds(1)
      for order in waiting where !candidates(for: order, besides: [], at: before).isEmpty {
        if isRequest { object("\(order) was not assigned", at: now) }
      }
    }
    var due = nextEvent(isPast)
    while let (instant, order) = due {
      if let order {
        beginRound(of: order, at: instant)
      } else {
        expectNothing(atTick: instant)
      }
      due = nextEvent(isPast)
    }
  }

  /// The next retry or tick that nothing in the log shows; retries come before ticks.
  private func nextEvent(_ isPast: (Instant) -> Bool) -> (Instant, RecordName?)? {
    var events: [(Instant, RecordName?)] = []
    for (order, search) in searches {
      if let next = search.nextRound, isPast(next) { events.append((next, order)) }
    }
    if settings.dispatchMode == .batch, !searches.isEmpty {
      let window = settings.batchWindow.nanoseconds
      let from = searches.values.map(\.trigger).min()!
      let next = Instant(
        nanoseconds: (max(from, tick).nanoseconds / window + 1) * window)
      if isPast(next) { events.append((next, nil)) }
    }
    return events.min {
      ($0.0, $0.1 == nil ? 1 : 0, $0.1 ?? "") < ($1.0, $1.1 == nil ? 1 : 0, $1.1 ?? "")
    }
  }

  /// A round that began and asked nobody.
  private mutating func beginRound(of order: RecordName, at instant: Instant) {
    searches[order]!.asked = []
    searches[order]!.nextRound = nil
    guard settings.dispatchMode == .offer else { return }
    if let driver = best(of: candidates(for: order, besides: [], at: instant), for: order) {
      object("\(order) should have been offered to \(driver) in a new round", at: instant)
    }
    searches[order]!.nextRound = instant + settings.retryInterval
  }

  private mutating func expectNothing(atTick instant: Instant) {
    tick = instant
    let pairs = optimum(at: instant)
    if !pairs.isEmpty { object("a tick should have matched \(pairs)", at: instant) }
  }

  // MARK: Entries

  private mutating func judge(_ entry: CommitLog.Entry) {
    let isOwn = entry.actor == "_system" && entry.cause != .fixture
    if entry.type == "DriverOffer", entry.before == nil, isOwn, let offer = entry.after {
      judge(offer[DriverOffer.order]!, offer[DriverOffer.driver]!, at: entry.at)
      judge(offer: offer, at: entry.at)
    }
    if entry.type == "Order", isOwn, entry.before?[Order.driver] == nil,
      let driver = entry.after?[Order.driver], entry.cause == .timer
    {
      judge(entry.name, driver, at: entry.at)
    }
    records[entry.name] = entry.after
    note(entry)
    recent = (recent + [Self.line(about: entry)]).suffix(16)
  }

  private static func line(about entry: CommitLog.Entry) -> String {
    let fields: [FieldName] = [
      .status, .state, .orderId, .driverId, .isOnline, .isAvailable, .verificationStatus, .attempt,
    ]
    let shown = fields.compactMap { field -> String? in
      switch entry.after?.fields[field] {
      case .string(let text): "\(field) \(text)"
      case .identifier(let name): "\(field) \(name)"
      case .int64(let number): "\(field) \(number)"
      default: nil
      }
    }
    return "\(entry.csn) \(entry.at) \(entry.actor) \(entry.name): "
      + shown.joined(separator: ", ")
  }

  private mutating func note(_ entry: CommitLog.Entry) {
    guard let after = entry.after else { return }
    switch entry.type {
    case "Driver" where entry.before == nil: heard[entry.name] = entry.at.toMilliseconds
    case "DriverLocation":
      guard let at = after[DriverLocation.timestamp] else { return }
      let driver = after[DriverLocation.driver]!
      heard[driver] = max(heard[driver] ?? at, at)
    case "DriverOffer" where after[DriverOffer.state] == "offered":
      let order = after[DriverOffer.order]!
      if searches[order]?.nextRound != nil { searches[order]?.asked = [] }
      searches[order]?.asked.insert(after[DriverOffer.driver]!)
      searches[order]?.nextRound = nil
    case "Order":
      if after.status == .delivered, entry.before?.status == .enRoute {
        lastEnd[after[Order.driver]!] = entry.at
      }
      let trigger = OrderStatus(rawValue: settings.dispatchTrigger.rawValue)!
      let isSearched =
        after.status!.place >= trigger.place
        && [.paymentConfirmed, .accepted, .preparing, .readyForPickup].contains(after.status!)
        && after[Order.driver] == nil
      if !isSearched {
        searches[entry.name] = nil
      } else if searches[entry.name] == nil {
        searches[entry.name] = Search(trigger: entry.at)
      }
    default: break
    }
  }

  /// An order got an offer or a driver: was it its turn, and was it the driver's?
  private mutating func judge(_ order: RecordName, _ driver: RecordName, at now: Instant) {
    decisions += 1
    guard let search = searches[order], openOffers(DriverOffer.order, order).isEmpty else {
      return object("\(order) does not look for a driver", at: now)
    }
    if settings.dispatchMode == .batch { return judgeMatch(order, driver, at: now) }
    if settings.dispatchMode == .pool { return object("the pool chose \(driver)", at: now) }
    // A round that begins at this very instant may have begun, or may come after the timer that fires (6.6).
    let turn = waiting.first {
      ($0 == order || searches[$0]!.nextRound != now)
        && !candidates(for: $0, besides: asked($0, at: now), at: now).isEmpty
    }
    if turn != order { object("\(order) was served before \(turn ?? "nobody")", at: now) }
    let wanted = best(
      of: candidates(for: order, besides: asked(order, at: now), at: now), for: order)
    if wanted != driver {
      object("\(order) went to \(driver) and not to \(wanted ?? "nobody"): \(search)", at: now)
    }
  }

  /// Whom the round leaves out; a round that is over ends at its time, or when somebody else becomes a candidate.
  private func asked(_ order: RecordName, at now: Instant) -> Set<RecordName> {
    guard settings.dispatchMode == .offer, let search = searches[order] else { return [] }
    guard let next = search.nextRound else { return search.asked }
    let isNew = next <= now || !candidates(for: order, besides: search.asked, at: now).isEmpty
    return isNew ? [] : search.asked
  }

  private mutating func judge(offer: CloudRecord, at now: Instant) {
    let (order, driver) = (offer[DriverOffer.order]!, offer[DriverOffer.driver]!)
    let made = all("DriverOffer").count { $0[DriverOffer.order] == order }
    let wanted: Fields = [
      .orderId: .name(order), .driverId: .name(driver), .state: .string("offered"),
      .offeredAt: .timestamp(now.toMilliseconds),
      .expiresAt: .timestamp(now.toMilliseconds + settings.offerLifetime),
      .distanceMeters: .double(Double(metres(records[driver]!, order)!)),
      .attempt: .int64(Int64(made + 1)),
    ]
    for (field, value) in wanted.declared where offer.fields[field] != value {
      object("\(offer.name).\(field) is \(String(describing: offer.fields[field]))", at: now)
    }
  }

  private mutating func endCommit(at now: Instant) {
    for order in searches.keys.sorted() where openOffers(DriverOffer.order, order).isEmpty {
      let others = candidates(for: order, besides: searches[order]!.asked, at: now)
      switch settings.dispatchMode {
      case .offer:
        // One who is left over now must be a candidate only since this commit, and is asked in it.
        if let driver = others.first { object("\(order) does not ask \(driver.name)", at: now) }
        if searches[order]!.nextRound == nil {
          searches[order]!.nextRound = now + settings.retryInterval
        }
      case .batch:
        guard searches[order]!.nextRound != nil, !others.isEmpty else { break }
        searches[order]!.asked = []
        searches[order]!.nextRound = nil
      case .auto, .pool: break
      }
    }
    for driver in all("Driver") where openOffers(DriverOffer.driver, driver.name).count > 1 {
      object("\(driver.name) has two open offers", at: now)
    }
    for offer in all("DriverOffer") where offer[DriverOffer.state] == "offered" {
      guard let expires = offer[DriverOffer.expiresAt] else { continue }
      if expires < now.toMilliseconds { object("\(offer.name) outlives its time", at: now) }
    }
  }

  // MARK: Batches (6.4)

  private mutating func judgeMatch(_ order: RecordName, _ driver: RecordName, at now: Instant) {
    if tick != now {
      // Retries of this instant come before its tick.
      for (order, search) in searches where search.nextRound.map({ $0 <= now }) ?? false {
        searches[order]!.asked = []
        searches[order]!.nextRound = nil
      }
      if now.nanoseconds % settings.batchWindow.nanoseconds != 0 {
        object("a match between two ticks", at: now)
      }
      tick = now
      matches = optimum(at: now)
    }
    guard let next = matches.first else {
      return object("\(order) and \(driver) are too much", at: now)
    }
    matches.removeFirst()
    if next != (order, driver) { object("\(order) and \(driver) instead of \(next)", at: now) }
  }

  /// All matchings, one after the other; notes orders that have asked everybody.
  private mutating func optimum(at now: Instant) -> [(order: RecordName, driver: RecordName)] {
    let orders = waiting
    let edges = orders.map { candidates(for: $0, besides: searches[$0]!.asked, at: now) }
    typealias Value = (matched: Int, metres: Int, names: [RecordName])
    var best: (value: Value, match: [RecordName?])?
    func go(_ index: Int, _ match: [RecordName?], _ metres: Int) {
      guard index < orders.count else {
        let value: Value = (
          match.count { $0 != nil }, metres, match.map { $0 ?? "\u{10FFFF}" }
        )
        guard let present = best?.value else {
          best = (value, match)
          return
        }
        if value.matched != present.matched {
          if value.matched > present.matched { best = (value, match) }
        } else if value.metres != present.metres {
          if value.metres < present.metres { best = (value, match) }
        } else if value.names.lexicographicallyPrecedes(present.names) {
          best = (value, match)
        }
        return
      }
      for driver in edges[index] where !match.contains(driver.name) {
        go(index + 1, match + [driver.name], metres + self.metres(driver, orders[index])!)
      }
      go(index + 1, match + [nil], metres)
    }
    go(0, [], 0)
    let match = best?.match ?? []
    for (index, order) in orders.enumerated() where match[index] == nil && edges[index].isEmpty {
      if !searches[order]!.asked.isEmpty, searches[order]!.nextRound == nil {
        searches[order]!.nextRound = now + settings.retryInterval
      }
    }
    return zip(orders, match).compactMap { order, driver in driver.map { (order, $0) } }
  }

  // MARK: Claims (6.5)

  /// In the pool a driver's claim succeeds exactly if he is a candidate; with offers, exactly if the open one is his and
  /// he is still eligible.
  private mutating func judge(_ claim: RandomTown.Claim) {
    catchUp(to: claim.at, isRequest: true)
    let driver = records[claim.driver]!
    var mayClaim = false
    if searches[claim.order] != nil {
      switch settings.dispatchMode {
      case .pool: mayClaim = isCandidate(driver, for: claim.order, at: claim.at)
      case .offer, .batch, .auto:
        let isTheirs =
          openOffers(DriverOffer.order, claim.order).first?[DriverOffer.driver] == claim.driver
        mayClaim =
          isTheirs && driver[Driver.isAvailable]
          && claim.at.toMilliseconds - heard[claim.driver]! <= settings.positionMaxAge
      }
    }
    if mayClaim != claim.hasSucceeded {
      object(
        "\(claim.driver) \(claim.hasSucceeded ? "took" : "did not get") \(claim.order)",
        at: claim.at)
    }
  }
}
