import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Money as inspection shows it: MS-36, MS-38.
enum MarketLedger {
  /// MS-36: what every delivery paid, by an own reading of §5.4.
  @Sendable static func judgePay(
    _ shown: Inspected, _ facts: LedgerFacts, _ judge: inout Judge
  ) {
    for name in shown.changedOrders {
      guard let order = shown.orders[name], let row = order.row, row.status == .delivered,
        let paid = order.note?.pay, let partner = row.partner, let driver = row.driver,
        !facts.moved.contains(partner), let place = shown.partners[partner]?.place,
        let ended = order.note?.enteredAt,
        let vehicle = facts.vehicles[driver]?.value(during: ended...(ended + .milliseconds(1))),
        let due = pay(order, from: place, vehicle: vehicle, in: shown.zone)
      else { continue }
      judge.expect(due.contains(paid), "\(name) paid its driver \(paid) cents instead of \(due)")
    }
    for offer in shown.offers(after: .distantPast) {
      guard let told = offer.earnings, let row = shown.orders[offer.order]?.row,
        let partner = row.partner, !facts.moved.contains(partner),
        let place = shown.partners[partner]?.place, let destination = row.destination
      else { continue }
      let due = basis(from: place, to: destination)
      judge.expect(told == due, "\(offer.name) promises \(told) cents instead of \(due)")
    }
  }

  /// What every delivery pays: what an offer promises, without waiting, tip and bonuses (§3.7).
  private static func basis(from partner: Geography.Point, to door: Geography.Point) -> Int64 {
    350 + 80 * Int64(Geography.metres(partner, door)) / 1_000
  }

  /// What a delivery pays. Waiting is known in whole milliseconds, and so a full minute may be one more or less.
  private static func pay(
    _ order: InspectedOrder, from partner: Geography.Point, vehicle: String, in zone: CivilZone
  ) -> ClosedRange<Int64>? {
    guard let row = order.row, let pickedUp = order.note?.pickedUpAt,
      let destination = row.destination
    else { return nil }
    var pay = basis(from: partner, to: destination)
    if vehicle == "bicycle" { pay += 50 }
    let local = zone.civil(at: pickedUp)
    let minute = local.timeOfDay.nanoseconds / 60_000_000_000
    if minute >= 690, minute < 810 { pay += 100 }
    if minute >= 1_080, minute < 1_260 { pay += 150 }
    if local.date.weekday > 5 { pay += 75 }
    pay = pay.plus(row.tip)
    guard let since = order.note?.waitingSince else { return pay...pay }
    let waited = pickedUp - since
    func bonus(_ time: Span) -> Int64 { 20 * max(0, time.nanoseconds / 60_000_000_000 - 5) }
    return pay.plus(
      bonus(waited - .milliseconds(1)))...pay.plus(bonus(waited + .milliseconds(1)))
  }

  /// MS-38: what came in is what went out, stays with partners, drivers and the platform, or belongs to orders that are
  /// still under way.
  @Sendable static func judgeConservation(_ shown: Inspected, _ judge: inout Judge) {
    let totals = shown.totals
    guard totals.received != 0 else { return }
    guard totals.received != totals.spoken else { return judge.held() }
    let first = shown.orders.filter {
      $0.value.balance.map { $0.received != $0.spoken } ?? false
    }.keys.min()
    judge.violated(
      "\(totals.received) cents came in, and \(totals.spoken) are spoken for; the first that differs is \(first ?? "none")"
    )
  }
}
