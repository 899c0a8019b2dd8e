import Contracts
import MimiSupplyContract
import Timekeeping

// What is counted and shown: a partner's figures (§3.4), settlement, inspection (§11).
extension Market {
  /// `fetchPartnerStats`: orders and revenue of the local day, rating, totals, active orders.
  func stats(
    of partner: RecordName, to actor: Actor, on shelf: some Shelf, at now: Instant
  ) -> Result<JSON, StatsRefusal> {
    guard let facts = partners[partner] else {
      return .failure(
        StatsRefusal(
          failure: Failure(
            .notFound, .unknownItem, "there is no such partner",
            mimiError: Failure.partnerNotFound)))
    }
    guard actor.isAdmin || facts.owner == actor.name else {
      return .failure(StatsRefusal(failure: .denied("only its owner sees a partner's figures")))
    }
    let today = settings.zone.civil(at: now).date
    var (ordersToday, ordersTotal): (Int64, Int64) = (0, 0)
    var (revenueToday, revenueTotal): (Int64, Int64) = (0, 0)
    for name in shelf.names(of: .order, where: .partnerId, is: partner) {
      guard let order = orders[name], order.wasConfirmed, let record = shelf.record(name) else {
        continue
      }
      ordersTotal += 1
      if settings.zone.civil(at: order.createdAt).date == today { ordersToday += 1 }
      guard order.status == .delivered else { continue }
      let subtotal = record[Order.subtotalCents] ?? 0
      let share = rules.binds(.ms35) ? subtotal : subtotal / 100 * 70  // MS-35
      revenueTotal = revenueTotal.plus(share)
      if settings.zone.civil(at: order.enteredAt).date == today {
        revenueToday = revenueToday.plus(share)
      }
    }
    return .success([
      "partnerId": .name(partner), "ordersToday": .int(ordersToday),
      "revenueTodayCents": .int(revenueToday), "totalOrders": .int(ordersTotal),
      "totalRevenueCents": .int(revenueTotal),
      "averageRating": .double(shelf.record(partner, publicly: true)?[Partner.rating] ?? 0),
      "reviewCount": .int(facts.ratings.count), "activeOrders": .number(facts.activeOrders.count),
    ])
  }

  /// Ledgers and instants that no record shows (§11), by name ascending; or those of them that have changed since a look, what is
  /// gone as `null`.
  mutating func inspection(since: Int) -> JSON {
    [
      "orders": Self.show(&orders, since, Self.show),
      "drivers": Self.show(&drivers, since, Self.show),
      "partners": Self.show(&partners, since) {
        ["ratingSum": .int($0.ratings.sum), "ratingCount": .int($0.ratings.count)]
      },
      "switchedOff": .names(switchedOff.all.sorted()), "timeZone": .string(settings.zone.name),
      "dispatch": [
        "attempts": .number(work.searches.attempts),
        "candidatesExamined": .number(work.searches.examined),
        "offers": .number(work.offers), "assignments": .number(work.assignments),
        "waiting": .names(line.places.map(\.order)),
      ],
    ]
  }

  private static func show<Value>(
    _ table: inout UndoTable<RecordName, Value>, _ since: Int, _ show: (Value) -> JSON
  ) -> JSON {
    let names = table.changes.look(since: since) ?? Array(table.keys)
    return .object(JSONObject(names.sorted().map { ($0.text, table[$0].map(show) ?? .null) }))
  }

  private static func show(_ facts: OrderState) -> JSON {
    var object: JSONObject = [
      "status": .string(facts.status.rawValue), "createdAt": show(facts.createdAt),
      "enteredAt": show(facts.enteredAt), "assignedAt": show(facts.assignedAt),
      "trigger": show(facts.trigger), "attempts": .int(facts.attempts),
      "paidCents": .int(facts.paidCents), "refundedCents": .int(facts.refundedCents),
      "payCents": facts.payCents.map(JSON.int) ?? .null,
      "waitingSince": show(facts.waitingSince), "pickedUpAt": show(facts.pickedUpAt),
    ]
    object["driverId"] = .optional(facts.driver?.text)
    object["reserved"] = .object(
      JSONObject(facts.reservations.map { ($0.product.text, .int($0.quantity)) }))
    return .object(object)
  }

  private static func show(_ facts: DriverFacts) -> JSON {
    [
      "ratingSum": .int(facts.ratings.sum), "ratingCount": .int(facts.ratings.count),
      "positionAt": show(facts.positionAt), "lastDeliveryEnd": show(facts.lastDeliveryEnd),
      "activeOrders": .names(facts.activeOrders.sorted()),
      "openOffer": .optional(facts.openOffer?.text),
    ]
  }

  private static func show(_ instant: Instant?) -> JSON {
    instant.map { .int($0.unixMilliseconds) } ?? .null
  }
}

/// A refusal as an error, so that a result can carry it.
struct StatsRefusal: Error, Hashable {
  let failure: Failure
}
