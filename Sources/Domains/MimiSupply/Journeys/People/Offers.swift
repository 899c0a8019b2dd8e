import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// An offer that a driver has seen and will answer.
struct PendingOffer {
  let name: RecordName
  let order: RecordName
  let changeTag: String
  let accepts: Bool
  let answersAt: Instant
}

// Offers and the job pool (§5.4, §6.5).
extension Courier {
  /// Looks at an offer and decides: by how far the partner is, after a moment, or not at all.
  func consider(
    _ name: RecordName, of order: RecordName, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    asked[order, default: 0] += 1
    var luck = city.luck(seed.name.text, about: "\(order)-\(asked[order]!)")
    let seen = me.now
    let ignores = luck.chance(habits.ignores)
    let time = luck.span(median: habits.decision, sigma: 0.6)
    let mood = luck.unit()
    guard let found = try await app.look(name, as: me), found[DriverOffer.state] == "offered" else {
      return
    }
    guard !ignores, time < habits.offerLifetime else { return }
    offer = PendingOffer(
      name: name, order: order, changeTag: found.changeTag,
      accepts: mood < willingness(metres: found[DriverOffer.distanceMeters] ?? 0),
      answersAt: seen + time)
  }

  /// Chance of accepting (§5.6): less for each kilometre to the partner beyond three.
  func willingness(metres: Double) -> Double {
    let beyond = max(0, metres / 1_000 - 3)
    return max(0, habits.acceptance - habits.acceptanceLoss * beyond)
  }

  func answer(_ pending: PendingOffer, as me: Person<MimiSupply>) async throws(JourneyEnded) {
    offer = nil
    me.note(.offerDecided(offer: pending.name, accepted: pending.accepts))
    let draft = RecordDraft(
      name: pending.name, changeTag: pending.changeTag,
      fields: [.state: .string(pending.accepts ? "accepted" : "declined")])
    let results = try await app.write([.init(.update, draft)], as: me)
    guard pending.accepts else { return }
    if results.first?.record != nil {
      take(pending.order)
    } else if results.isEmpty {
      // Nobody heard whether it worked: the order says whose it is.
      let order = try await app.look(pending.order, as: me)
      if order?[Order.driver] == seed.name { take(pending.order) }
    }
  }

  /// Mode `pool`: the oldest open order that this driver likes is claimed; the first valid claim wins.
  func lookIntoPool(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    let open: [OrderStatus] = [.paymentConfirmed, .accepted, .preparing, .readyForPickup]
    let query = Query(
      RecordQuery(
        .order,
        [
          Filter(.status, .isIn, .strings(open.map(\.rawValue))),
          Filter(.driverId, .equals, nil),
        ], sortedBy: [Sort(.createdAt)]), resultsLimit: 20)
    let outcome = try await app.ask(.query(Location(database: "private"), query), as: me)
    guard case .found(let orders, _)? = outcome.reply?.content else { return }
    for order in orders {
      asked[order.name, default: 0] += 1
      var luck = city.luck(seed.name.text, about: "\(order.name)-\(asked[order.name]!)")
      let ignores = luck.chance(habits.ignores)
      let time = luck.span(median: habits.decision, sigma: 0.6)
      let mood = luck.unit()
      guard !ignores, mood < willingness(metres: metres(toPartnerOf: order, at: me.now)) else {
        continue
      }
      try await live(until: me.now + min(time, .seconds(30)), as: me) { !self.jobs.isEmpty }
      guard jobs.isEmpty else { return }
      let claim = RecordDraft(
        name: order.name, changeTag: order.changeTag, fields: [.driverId: .name(seed.name)])
      let results = try await app.write([.init(.update, claim)], as: me)
      if results.first?.record != nil { take(order.name) }
      return
    }
  }

  /// The app knows where the city's partners are.
  private func metres(toPartnerOf order: CloudRecord, at now: Instant) -> Double {
    guard let partner = city.partners.first(where: { $0.name == order[Order.partner] }) else {
      return 0
    }
    return Double(Geography.metres(partner.point, way.point(at: now)))
  }
}
