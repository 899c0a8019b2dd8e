import MimiSupplyContract
import Timekeeping

// What a driver gets for a delivery (§5.4, MS-36), in whole cents.
extension Market {
  /// The offer's estimate: without waiting, tip and bonuses (§3.7).
  func estimatedEarnings(for order: CloudRecord) -> Int64 {
    settings.pay.base + settings.pay.perKilometre * Int64(metresToCustomer(of: order)) / 1_000
  }

  func pay(for order: CloudRecord) -> Int64 {
    let table = settings.pay
    let facts = orders[order.name]
    let pickup = facts?.pickedUpAt ?? now
    var pay = estimatedEarnings(for: order)
    if let since = facts?.waitingSince {
      let minutes = (pickup - since).nanoseconds / 60_000_000_000
      pay += table.perWaitingMinute * max(0, minutes - table.freeWaitingMinutes)
    }
    pay += bonuses(
      vehicle: order[Order.driver].flatMap { drivers[$0]?.vehicle }, pickup: pickup)
    return pay.plus(order[Order.tipCents] ?? 0)
  }

  /// Bonuses add up; intervals by local pickup time are end exclusive.
  private func bonuses(vehicle: String?, pickup: Instant) -> Int64 {
    let table = settings.pay
    let local = settings.zone.civil(at: pickup)
    let minute = local.timeOfDay.nanoseconds / 60_000_000_000
    var bonus: Int64 = 0
    if vehicle == "bicycle" { bonus += table.bicycle }
    if (11 * 60 + 30..<13 * 60 + 30).contains(minute) { bonus += table.lunch }
    if (18 * 60..<21 * 60).contains(minute) { bonus += table.evening }
    if local.date.weekday >= 6 { bonus += table.weekend }
    return bonus
  }

  func metresToCustomer(of order: CloudRecord) -> Int {
    guard let partner = order[Order.partner].flatMap({ partners[$0] }),
      let text = order[Order.deliveryAddress],
      case .success(let address) = DeliveryAddress.reading(text)
    else { return 0 }
    return Geography.metres(partner.point, address.point)
  }
}
