import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against the rules about money: MS-28 to MS-38.
enum MoneyActs {
  static let all: [Act] = [
    Act { adversary, me throws(JourneyEnded) in try await adversary.tamperedAmounts(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.hugeAmounts(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.tips(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.ownFees(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.tippedDelivery(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.waitingDriver(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.refunds(me) },
  ]
}

extension Adversary {
  private func changed(
    _ order: NewOrder, at now: Instant, _ change: (inout FieldChanges) -> Void
  ) -> RecordDraft {
    var draft = order.draft(at: now)
    change(&draft.fields)
    return draft
  }

  /// MS-28 to MS-31: every sum off by a cent, amounts below zero, nothing to pay.
  fileprivate func tamperedAmounts(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let now = me.now
    let total = order(at: now).totalCents
    var drafts: [RecordDraft] = []
    for cent: Int64 in [-1, 1] {
      drafts.append(changed(order(at: now), at: now) { $0[.totalCents] = .int64(total + cent) })
      drafts.append(
        changed(order(at: now), at: now) {
          $0[.subtotalCents] = .int64(2_400 + cent)
          $0[.totalCents] = .int64(total + cent)
        })
    }
    var line = order(at: now).items[0].object ?? JSONObject()
    line["totalPriceCents"] = .int(2_399)
    drafts.append(
      changed(order(at: now), at: now) {
        $0[.items] = .string(JSON.array([.object(line)]).description)
      })
    var rich = order(at: now)
    rich.lines[0].customizations = [("Käse", "doppelt", 150), ("Zwiebeln", "ohne", 0)]
    rich.tipCents = 200
    drafts.append(rich.draft(at: now))
    var plain = rich
    plain.name = fresh("order")
    drafts.append(
      changed(plain, at: now) {
        $0[.subtotalCents] = .int64(2_400)
        $0[.totalCents] = .int64(total + 200)
      })
    var stingy = order(at: now)
    stingy.tipCents = -100
    drafts.append(stingy.draft(at: now))
    var free = order(at: now)
    free.lines[0].unitPriceCents = 0
    free.fees = Fees(delivery: 0, platform: 0, tax: 0)
    drafts.append(free.draft(at: now))
    try await tryAll(drafts, me)
  }

  /// MS-31: amounts that have no 64 bits, and sums that are right beyond every bound.
  fileprivate func hugeAmounts(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let now = me.now
    let huge = FieldValue.int64(.max)
    var line = order(at: now).items[0].object ?? JSONObject()
    line["unitPriceCents"] = .int(.max)
    line["totalPriceCents"] = .int(-2)
    let items = FieldValue.string(JSON.array([.object(line)]).description)
    try await tryAll(
      [
        changed(order(at: now), at: now) { $0[.items] = items },
        changed(order(at: now), at: now) { $0[.deliveryFeeCents] = huge },
        changed(order(at: now), at: now) {
          $0[.subtotalCents] = huge
          $0[.totalCents] = huge
        },
      ]
        + [Bounds.cents.upperBound, .max - 2_599].map { tip in
          var order = order(at: now)
          order.tipCents = tip
          return order.draft(at: now)
        }, me)
  }

  /// MS-33: a tip with its total, without it, and after the end.
  fileprivate func tips(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let order = order(at: me.now)
    _ = try await place(order, me)
    let total = order.totalCents
    for (tip, sum): (Int64, Int64) in [(200, total + 200), (300, total + 200), (0, total)] {
      try await update(
        order.name, [.tipCents: .int64(tip), .totalCents: .int64(sum)], as: .customer, me)
    }
    try await clear(order.name, me)
    try await update(
      order.name, [.tipCents: .int64(100), .totalCents: .int64(total + 100)], as: .customer, me)
  }

  /// MS-34: the documented fees, and others.
  fileprivate func ownFees(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let drafts = [(199, 0, 0), (299, 0, 0), (198, 0, 0), (0, 0, 0), (199, 99, 0), (199, 0, 100)].map
    {
      (delivery: Int64, platform: Int64, tax: Int64) in
      var order = order(at: me.now)
      order.fees = Fees(delivery: delivery, platform: platform, tax: tax)
      return order.draft(at: me.now)
    }
    try await tryAll(drafts, me)
  }

  /// MS-35, MS-36, MS-38, MS-79: a whole delivery with a tip that was raised on the way, and what the partner is told of
  /// it.
  fileprivate func tippedDelivery(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    var order = order(at: me.now)
    order.tipCents = 100
    _ = try await deliver(order, to: .enRoute, me)
    try await ask(.partnerStats(partner: corner.partner), as: .owner, me)
    try await update(
      order.name,
      [.tipCents: .int64(250), .totalCents: .int64(order.totalCents + 150)], as: .customer, me)
    try await complete(order.name, me)
    for role in [Corner.Role.owner, .admin] {
      try await ask(.partnerStats(partner: corner.partner), as: role, me)
    }
    try await finish(order.name, me)
  }

  /// MS-36: a driver who waits at the partner for more than five minutes is paid for it.
  fileprivate func waitingDriver(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let order = order(at: me.now)
    try await goOnline(metres: 500, me)
    _ = try await place(order, me)
    try await move(order.name, to: .accepted, as: .owner, me)
    try await take(order.name, me)
    for _ in 0..<5 {
      try await drive(metres: 60, me)
      try await me.think(.seconds(100))
    }
    try await move(order.name, to: .preparing, as: .owner, me)
    try await move(order.name, to: .readyForPickup, as: .owner, me)
    for status in [OrderStatus.pickedUp, .enRoute] {
      try await move(order.name, to: status, as: .driver, me)
    }
    try await complete(order.name, me)
    try await finish(order.name, me)
  }

  /// MS-37: a paid order that is cancelled or failed is paid back, one in cash was never paid.
  fileprivate func refunds(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let paid = order(at: me.now)
    _ = try await place(paid, me)
    try await move(paid.name, to: .cancelled, as: .customer, me)
    _ = try await look(paid.name, as: .customer, me)
    let failed = order(at: me.now)
    _ = try await place(failed, me)
    try await move(failed.name, to: .accepted, as: .owner, me)
    try await move(failed.name, to: .failed, as: .admin, me)
    _ = try await look(failed.name, as: .customer, me)
    var cash = order(at: me.now)
    (cash.paymentMethod, cash.paymentStatus) = ("cash", "pending")
    _ = try await place(cash, me)
    try await move(cash.name, to: .cancelled, as: .owner, me)
    _ = try await look(cash.name, as: .customer, me)
  }
}
