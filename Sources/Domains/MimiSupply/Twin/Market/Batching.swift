import MimiSupplyContract
import Timekeeping

/// A pair that a tick matched.
struct Match: Hashable, Sendable {
  let order: RecordName
  let driver: RecordName
  let metres: Int
}

// Mode `batch` (§6.4): at ticks all waiting orders are matched together; each match is then a commit of its own.
extension Market {
  /// Sets the next tick, at a multiple of the window; it runs while orders wait.
  ///
  /// An order that begins to wait because of a timer, as when its offer expires, waits for the tick of the same instant,
  /// which is still to come; after a request it is over (§6.6).
  mutating func awaitTick(at now: Instant) {
    guard timers.due(.tick, "") == nil else { return }
    let window = settings.batchWindow.nanoseconds
    var ticks = now.nanoseconds / window
    if ticks * window > now.nanoseconds { ticks -= 1 }
    let isTick = ticks * window == now.nanoseconds && firing == now && tickedAt != now
    timers.set(.tick, "", at: Instant(nanoseconds: (isTick ? ticks : ticks + 1).times(window)))
  }

  mutating func matchBatch(in commit: inout Commit<some Shelf>) {
    tickedAt = commit.now
    let waiting = line.places.map(\.order).filter {
      orders[$0]!.isWaiting && orders[$0]!.openOffer == nil
    }
    guard !waiting.isEmpty else { return }
    awaitTick(at: commit.now)
    work.attempt()
    var names: Set<RecordName> = []
    let edges = waiting.map { order in
      let edges = candidates(for: order, at: commit.now)
      names.formUnion(edges.map(\.driver))
      return edges
    }
    let drivers = names.sorted()
    var number: [RecordName: Int] = [:]
    for (index, name) in drivers.enumerated() { number[name] = index }
    let chosen = BatchOptimum.match(
      edges.map { list in
        list.map { BatchOptimum.Edge(driver: number[$0.driver]!, metres: $0.metres) }
      }, drivers: drivers.count)
    for (index, order) in waiting.enumerated() {
      guard let driver = chosen[index].map({ drivers[$0] }) else {
        endRound(of: order, hasCandidates: !edges[index].isEmpty, at: commit.now)
        continue
      }
      let metres = edges[index].first { $0.driver == driver }!.metres
      matched.append(Match(order: order, driver: driver, metres: metres))
    }
    matchedAt = commit.now
  }

  /// Everybody near was asked: they are asked again after the retry interval.
  private mutating func endRound(of order: RecordName, hasCandidates: Bool, at now: Instant) {
    guard !hasCandidates, !orders[order]!.asked.isEmpty, !orders[order]!.roundIsOver else {
      return
    }
    orders[order]!.roundIsOver = true
    timers.set(.retry, order, at: now + settings.retryInterval)
  }

  private mutating func candidates(
    for order: RecordName, at now: Instant
  ) -> [(driver: RecordName, metres: Int)] {
    guard let facts = orders[order], let partner = partners[facts.partner] else { return [] }
    var found: [RecordName: Int] = [:]
    let examined = grid.search(
      around: partner.point, within: Double(settings.dispatchRadius)
    ) { entry, distance in
      if !facts.asked.contains(entry.name), isFresh(drivers[entry.name]!, at: now) {
        found[entry.name] = Int(distance.rounded())
      }
      return .infinity
    }
    work.examine(examined)
    return found.map { (driver: $0.key, metres: $0.value) }.sorted { $0.driver < $1.driver }
  }

  /// Turns the first match that still holds into an offer or an assignment.
  mutating func commitMatch(in commit: inout Commit<some Shelf>) {
    while !matched.isEmpty {
      let match = matched.removeFirst()
      guard let facts = orders[match.order], facts.isWaiting, facts.openOffer == nil,
        isCandidate(match.driver, for: facts, at: commit.now)
      else { continue }
      if settings.batchAsOffers {
        offer(match.order, to: match.driver, metres: match.metres, in: &commit)
      } else {
        assign(match.order, to: match.driver, in: &commit)
      }
      return
    }
  }
}
