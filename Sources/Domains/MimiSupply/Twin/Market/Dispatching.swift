import Contracts
import MimiSupplyContract
import Timekeeping

// Finding a driver (§6). After every commit no waiting order without an open offer has a candidate who was not asked in
// its round; so only drivers who may have become candidates in the commit, and orders that begin to look, matter.
extension Market {
  /// A candidate's rank (§6.3): the least comes first.
  struct Rank: Comparable {
    let distance: Int
    let rating: Double
    let deliveries: Int64
    /// `nil` = never: the longest time.
    let lastEnd: Instant?
    let name: RecordName

    static func < (a: Rank, b: Rank) -> Bool {
      if a.distance != b.distance { return a.distance < b.distance }
      if a.rating != b.rating { return a.rating > b.rating }
      if a.deliveries != b.deliveries { return a.deliveries < b.deliveries }
      if a.lastEnd != b.lastEnd {
        return (a.lastEnd ?? .distantPast) < (b.lastEnd ?? .distantPast)
      }
      return a.name < b.name
    }
  }

  /// The best candidate for an order who was not asked in its round, and how far he is from the partner.
  ///
  /// It changes nothing; who changes the market would hand a copy of it to a method that says so.
  ///
  /// - Complexity: what lies in the grid's cells up to the nearest candidate's class of distance.
  mutating func nearest(
    for order: OrderState, at now: Instant
  ) -> (name: RecordName?, metres: Int, examined: Int) {
    guard let partner = partners[order.partner] else { return (nil, 0, 0) }
    var best: Rank?
    var metresOfBest = 0
    let ranksByMetres = settings.strictDistance
    // What the search looks at, by itself: a closure that names `self` would hold a copy of the market.
    let (rules, drivers, oldest) = (rules, drivers, oldestFresh(at: now))
    let examined = grid.search(
      around: partner.point, within: Double(settings.dispatchRadius)
    ) { entry, distance in
      guard !order.asked.contains(entry.name) || !rules.binds(.ms68),
        let facts = drivers[entry.name], facts.isFresh(since: oldest)
      else { return .infinity }
      let metres = Int(distance.rounded())
      let rank = Rank(
        distance: rules.binds(.ms76) ? (ranksByMetres ? metres : metres / 100) : 0,
        rating: facts.rating, deliveries: facts.completedDeliveries,
        lastEnd: facts.lastDeliveryEnd, name: entry.name)
      if best.map({ rank < $0 }) ?? true {
        best = rank
        metresOfBest = metres
      }
      guard rules.binds(.ms76) else { return .infinity }
      return Double(ranksByMetres ? metresOfBest : metresOfBest / 100 * 100 + 99)
    }
    return (best?.name, metresOfBest, examined)
  }

  /// An order looks for a driver from now on.
  mutating func beginSearch(for order: RecordName, at now: Instant) {
    switch settings.dispatchMode {
    case .offer: timers.set(.retry, order, at: now)
    case .auto:
      assignable.insert(order)
      timers.set(.assignment, "", at: now)
    case .batch: awaitTick(at: now)
    case .pool: break
    }
  }

  /// The settings have changed: others may be candidates, found at the next attempt, and a new mode looks in its own way.
  mutating func reconfigured(from before: MarketSettings, at now: Instant) {
    if before.requiredVehicle != settings.requiredVehicle
      || before.driverCapacity != settings.driverCapacity
    {
      for name in drivers.keys.sorted() { placeInGrid(name) }
      stirred = []
    }
    guard before.dispatchMode != settings.dispatchMode else { return }
    for place in line.places where orders[place.order]?.openOffer == nil {
      beginRound(of: place.order)
      beginSearch(for: place.order, at: now)
    }
  }

  /// Serves the waiting orders that may have got a candidate, by t_trigger, then name (§6.3).
  mutating func stir(in commit: inout Commit<some Shelf>) {
    let arrived = stirred
    let searching = commit.searching
    stirred = []
    commit.searching = []
    guard !line.places.isEmpty, !arrived.isEmpty || !searching.isEmpty else { return }
    for place in arrived.isEmpty ? places(of: searching) : line.places {
      guard let facts = orders[place.order], facts.isWaiting, facts.openOffer == nil else {
        continue
      }
      let hasNewCandidate = arrived.contains {
        !facts.asked.contains($0) && isCandidate($0, for: facts, at: commit.now)
      }
      guard hasNewCandidate || searching.contains(place.order) else { continue }
      serve(place.order, hasNewCandidate: hasNewCandidate, in: &commit)
    }
    stirred = []
  }

  /// Where some orders stand in the line, the first ahead.
  private func places(of names: Set<RecordName>) -> [WaitingLine.Place] {
    names.compactMap { name in
      orders[name]?.trigger.map { WaitingLine.Place(trigger: $0, order: name) }
    }.sorted()
  }

  private mutating func serve(
    _ order: RecordName, hasNewCandidate: Bool, in commit: inout Commit<some Shelf>
  ) {
    switch settings.dispatchMode {
    case .offer: attempt(order, in: &commit)
    case .auto:
      // Nobody is asked in this mode; who was asked in another may be assigned.
      beginRound(of: order)
      assignable.insert(order)
      timers.set(.assignment, "", at: commit.now)
    case .batch:
      if hasNewCandidate, orders[order]!.roundIsOver { beginRound(of: order) }
      awaitTick(at: commit.now)
    case .pool: break
    }
  }

  private mutating func beginRound(of order: RecordName) {
    orders[order]!.beginRound()
  }

  /// Offers the order to the best candidate, or waits for the next round (MS-68, MS-70).
  private mutating func attempt(_ order: RecordName, in commit: inout Commit<some Shelf>) {
    orders[order]!.resumeRound()
    work.attempt()
    let best = nearest(for: orders[order]!, at: commit.now)
    work.examine(best.examined)
    if let driver = best.name {
      offer(order, to: driver, metres: best.metres, in: &commit)
    } else {
      orders[order]!.roundIsOver = true
      timers.set(.retry, order, at: commit.now + settings.retryInterval)
    }
  }

  /// Creates an offer (§2.11); named by the commit, and numbered where a commit makes several.
  mutating func offer(
    _ order: RecordName, to driver: RecordName, metres: Int, in commit: inout Commit<some Shelf>
  ) {
    guard let record = commit.record(order), let facts = orders[order] else { return }
    commit.offerCount += 1
    work.offers += 1
    let name = RecordName(
      "offer_\(csn)" + (commit.offerCount > 1 ? "-\(commit.offerCount)" : ""))
    let stamp = Stamp(commit.now.toMilliseconds, by: .system, on: nil)
    let offered = commit.now.toMilliseconds
    let offer = CloudRecord(
      name: name, type: .driverOffer, changeTag: "", zone: Zone(),
      fields: [
        .orderId: .name(order), .driverId: .name(driver), .state: .string("offered"),
        .offeredAt: .timestamp(offered),
        .expiresAt: .timestamp(offered + settings.offerLifetime),
        .distanceMeters: .double(Double(metres)),
        .estimatedEarningsCents: .int64(estimatedEarnings(for: record)),
        .attempt: .int64(facts.attempts.plus(1)),
      ], created: stamp, modified: stamp)
    write(offer, for: name, in: &commit)
  }

  // MARK: - Direct assignment

  /// The first waiting order that has a candidate gets him; one commit for each (mode `auto`).
  mutating func assignNext(in commit: inout Commit<some Shelf>) {
    for place in line.places where assignable.contains(place.order) {
      guard let facts = orders[place.order], facts.isWaiting else { continue }
      assignable.remove(place.order)
      work.attempt()
      let best = nearest(for: facts, at: commit.now)
      work.examine(best.examined)
      if let driver = best.name {
        assign(place.order, to: driver, in: &commit)
        break
      }
      timers.set(.retry, place.order, at: commit.now + settings.retryInterval)
    }
    if !assignable.isEmpty { timers.set(.assignment, "", at: commit.now) }
  }
}
