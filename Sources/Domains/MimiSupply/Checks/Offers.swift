import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// A `DriverOffer` as inspection shows it (§2.11), with the instant of its last change.
struct Offer: Sendable {
  let name: RecordName
  let order: RecordName
  let driver: RecordName
  let state: String
  let offered: Instant
  let expires: Instant
  let changed: Instant
  let metres: Int
  /// In cents.
  let earnings: Int64?
  /// Counts the offers of its order from 1.
  let attempt: Int64?

  init?(_ row: InspectedRow) {
    let document = row.document
    guard let order = row[DriverOffer.order], let driver = row[DriverOffer.driver],
      let state = document.field(.state)?.string,
      let offered = document.field(.offeredAt)?.moment,
      let expires = document.field(.expiresAt)?.moment,
      let changed = document["modified"]?["timestamp"]?.moment
    else { return nil }
    name = row.name
    self.order = order
    self.driver = driver
    self.state = state
    self.offered = offered
    self.expires = expires
    self.changed = changed
    earnings = row[DriverOffer.estimatedEarningsCents]
    attempt = row[DriverOffer.attempt]
    metres = document.field(.distanceMeters)?.double.map { Int(Int64(nearest: $0)) } ?? 0
  }

  /// When it was over at the latest.
  fileprivate var mayEnd: Instant {
    state == "declined" || state == "expired" ? changed + .milliseconds(1) : expires
  }

  /// Until when it certainly was open, in whole milliseconds: a withdrawn one may have been accepted before, and then
  /// was over earlier than its last change says.
  func openUntil(now: Instant) -> Instant {
    switch state {
    case "offered": now
    case "withdrawn": offered
    default: changed
    }
  }
}

extension DispatchFacts {
  /// The offers that an inspection shows and no earlier one did, with those that were open when one last looked; not those
  /// that went by other settings.
  func offers(in shown: Inspected) -> [Offer] { shown.offers(after: settings.since) }
}

/// Rules of offers, judged on what inspection shows of them: MS-66, MS-67, MS-68, MS-76.
enum OfferRules {
  // MARK: MS-67

  static func lifetime(
    of offers: [Offer], _ facts: DispatchFacts, now: Instant, _ judge: inout Judge
  ) {
    for offer in offers {
      judge.expect(
        offer.expires - offer.offered == facts.settings.offerLifetime,
        "\(offer.name) lives \(offer.expires - offer.offered)")
      let isInTime: Bool
      switch offer.state {
      case "offered": isInTime = now <= offer.expires
      case "expired": isInTime = offer.changed == offer.expires
      case "accepted", "declined": isInTime = offer.changed <= offer.expires
      default: isInTime = true
      }
      judge.expect(
        isInTime, "\(offer.name) ends at \(offer.expires) and is \(offer.state) at \(offer.changed)"
      )
    }
  }

  /// No two open offers of one order, or of one driver.
  static func exclusive(
    _ offers: [Offer], by key: (Offer) -> RecordName, now: Instant, _ judge: inout Judge
  ) {
    var open: [RecordName: (until: Instant, name: RecordName)] = [:]
    for offer in offers {
      let until = offer.openUntil(now: now)
      if let last = open[key(offer)] {
        judge.expect(
          last.until <= offer.offered,
          "\(offer.name) was made at \(offer.offered), when \(last.name) was open for \(key(offer))"
        )
        open[key(offer)] = last.until > until ? last : (until, offer.name)
      } else {
        open[key(offer)] = (until, offer.name)
      }
    }
  }

  // MARK: MS-68

  /// Who has declined or let an offer expire is not asked again in the commit that asks the next.
  static func nobodyTwice(
    _ offers: [Offer], _ facts: DispatchFacts, _ judge: inout Judge
  ) {
    var last: [RecordName: Offer] = [:]
    for offer in offers {
      defer { last[offer.order] = offer }
      guard let before = last[offer.order] else { continue }
      if let (count, next) = (before.attempt, offer.attempt) as? (Int64, Int64),
        before.offered < offer.offered
      {
        judge.expect(next > count, "\(offer.name) is attempt \(next) after attempt \(count)")
      }
      guard before.state == "declined" || before.state == "expired"
      else { continue }
      if before.driver != offer.driver || offer.offered > before.changed {
        judge.held()
      } else if facts.mayHaveBeenJoined(at: offer.offered, by: offer.driver) {
        judge.undecided("somebody else may have become a candidate in the same millisecond")
      } else {
        judge.violated("\(before.driver) was asked again for \(offer.order) at once")
      }
    }
  }

  // MARK: MS-70

  /// When all have declined or let it expire, who can be asked is asked again after the retry interval.
  static func resumes(_ offers: [Offer], _ facts: DispatchFacts, _ judge: inout Judge) {
    guard facts.settings.dispatchMode == .offer, !facts.settings.requiresVehicle else { return }
    var last: [RecordName: Offer] = [:]
    for offer in offers {
      defer { last[offer.order] = offer }
      guard let before = last[offer.order], before.state == "declined" || before.state == "expired"
      else { continue }
      let due = before.changed + facts.settings.retryInterval
      // Milliseconds on the wire may hide a part of one.
      let moment = due...(due + .milliseconds(2))
      if moment.contains(offer.offered) { judge.held() }
      guard offer.offered > moment.upperBound,
        !facts.mayHaveBeenTaken(offer.order, before: offer.offered),
        !facts.releases[offer.order, default: []].contains(where: {
          $0.overlaps(before.changed...offer.offered)
        }),
        let driver = facts.free(offer.driver, during: moment, among: offers),
        let point = driver.point(Driver.currentLatitude, Driver.currentLongitude),
        let partner = facts.partnerOfOrder[offer.order].flatMap({ facts.partners[$0] }),
        Geography.metres(point, partner) <= facts.settings.dispatchRadius
      else { continue }
      judge.violated(
        "\(offer.driver) was asked again for \(offer.order) at \(offer.offered) and not at \(due)")
    }
  }

  // MARK: MS-66

  static func eligible(_ offer: Offer, _ facts: DispatchFacts, _ judge: inout Judge) {
    guard offer.metres <= facts.settings.dispatchRadius else {
      return judge.violated("\(offer.name) goes to a driver \(offer.metres) m away")
    }
    let instant = offer.offered...(offer.offered + .milliseconds(1))
    if let driver = facts.sightings.state(of: offer.driver, throughout: instant) {
      let works =
        driver[Driver.isOnline] && driver[Driver.isAvailable]
        && driver[Driver.verificationStatus] == "verified"
      guard works else {
        return judge.violated("\(offer.driver) was offered \(offer.order) and did not work")
      }
    }
    guard !facts.written.contains(offer.driver),
      let latest = facts.positions[offer.driver]?.filter({ $0.during.lowerBound <= offer.offered })
        .map(\.at).max()
    else { return }
    judge.expect(
      latest + facts.settings.positionMaxAge >= offer.offered,
      "\(offer.driver) was offered \(offer.order) with a position of \(latest)")
  }

  // MARK: MS-76

  /// Nobody who certainly was a candidate at that instant comes before the one who was asked.
  static func first(
    _ offer: Offer, among offers: [Offer], _ facts: DispatchFacts, _ judge: inout Judge
  ) {
    guard facts.settings.dispatchMode == .offer, !facts.settings.requiresVehicle,
      let partner = facts.partnerOfOrder[offer.order].flatMap({ facts.partners[$0] })
    else { return }
    for name in facts.vouched where name != offer.driver {
      guard let driver = facts.candidate(name, for: offer, among: offers),
        let point = driver.point(Driver.currentLatitude, Driver.currentLongitude)
      else { continue }
      let metres = Geography.metres(point, partner)
      guard metres <= facts.settings.dispatchRadius else { continue }
      let (theirs, chosen) = (facts.settings.rank(metres), facts.settings.rank(offer.metres))
      judge.expect(
        chosen < theirs || (chosen == theirs && !facts.isBetter(driver, than: offer)),
        "\(offer.driver) at \(offer.metres) m was asked before \(name) at \(metres) m")
    }
  }

  /// A driver for whom several orders of one partner wait is asked for the one that waits longest.
  static func inLine(_ offers: [Offer], _ facts: DispatchFacts, _ judge: inout Judge) {
    guard facts.settings.dispatchMode == .offer, facts.settings.dispatchTrigger == .accepted
    else { return }
    // Nobody was asked for any of them before.
    let firsts = offers.filter { $0.attempt == 1 }
    for (place, offer) in firsts.enumerated() {
      for later in firsts[(place + 1)...]
      where later.driver == offer.driver && later.offered > offer.offered {
        guard !facts.mayHaveBeenTaken(later.order, before: later.offered),
          let partner = facts.partnerOfOrder[offer.order],
          partner == facts.partnerOfOrder[later.order],
          let waits = facts.accepted[later.order], let began = facts.accepted[offer.order]
        else { continue }
        judge.expect(
          began <= waits,
          "\(offer.driver) was asked for \(offer.order) before \(later.order), which waited longer")
      }
    }
  }
}

extension DispatchFacts {
  /// Whether another driver wrote something at an instant that may have made him a candidate.
  fileprivate func mayHaveBeenJoined(at instant: Instant, by driver: RecordName) -> Bool {
    let moment = instant...(instant + .milliseconds(1))
    return positions.contains { name, list in
      name != driver && list.contains { $0.during.overlaps(moment) }
    }
      || shifts.contains { name, list in
        name != driver && list.contains { $0.overlaps(moment) }
      }
  }

  /// Whether somebody may have had an order before an instant.
  fileprivate func mayHaveBeenTaken(_ order: RecordName, before instant: Instant) -> Bool {
    claims[order, default: []].contains { $0.during.lowerBound <= instant }
  }

  /// A driver as he was when an offer was made, if he certainly could have got it (§6.3).
  fileprivate func candidate(
    _ name: RecordName, for offer: Offer, among offers: [Offer]
  ) -> CloudRecord? {
    guard !offers.contains(where: { $0.driver == name && $0.order == offer.order }) else {
      return nil
    }
    return free(
      name, during: offer.offered...(offer.offered + .milliseconds(1)), among: offers)
  }

  /// A driver as he was throughout a moment, if he certainly could have been asked then.
  fileprivate func free(
    _ name: RecordName, during moment: ClosedRange<Instant>, among offers: [Offer]
  ) -> CloudRecord? {
    guard let driver = sightings.state(of: name, throughout: moment), driver[Driver.isOnline],
      driver[Driver.isAvailable], driver[Driver.verificationStatus] == "verified",
      !consents.contains(driver[Driver.user] ?? ""),
      positions[name, default: []].contains(where: {
        $0.isCertain && $0.during.upperBound < moment.lowerBound
          && $0.at + settings.positionMaxAge > moment.upperBound
      }),
      !offers.contains(where: {
        $0.driver == name && $0.offered <= moment.upperBound && moment.lowerBound <= $0.mayEnd
      })
    else { return nil }
    return driver
  }

  /// Steps 2 to 5 of §6.3, where all that they ask is known.
  fileprivate func isBetter(_ driver: CloudRecord, than offer: Offer) -> Bool {
    let moment = offer.offered...(offer.offered + .milliseconds(1))
    guard let chosen = sightings.state(of: offer.driver, throughout: moment),
      let (a, b) = (driver[Driver.rating], chosen[Driver.rating]) as? (Double, Double),
      let (c, d) = (driver[Driver.completedDeliveries], chosen[Driver.completedDeliveries])
        as? (Int64, Int64)
    else { return false }
    if a != b { return a > b }
    if c != d { return c < d }
    // Who delivered nothing has no last delivery: then names decide.
    if c == 0 { return driver.name < offer.driver }
    // Where each delivery was seen, so was the end of the last.
    guard let own = deliveries[driver.name], let other = deliveries[offer.driver], own.count == c,
      other.count == d
    else { return false }
    return own.last < other.last
  }
}
