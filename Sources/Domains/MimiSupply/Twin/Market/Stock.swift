import Contracts
import MimiSupplyContract
import Timekeeping

// Reserving and returning (§4.5). The ledger is the reservation that an order keeps until it is returned or used up.
extension Market {
  /// MS-51, MS-53, MS-54.
  mutating func reserve(_ order: CloudRecord, in commit: inout Commit<some Shelf>) {
    commit.searching.insert(order.name)
    guard let lines = order[Order.items].flatMap(OrderLine.lines) else { return }
    var reservations: [OrderState.Reservation] = []
    for wanted in Self.reservations(of: lines) {
      guard let product = commit.record(wanted.product, publicly: true) else { continue }
      // MS-54: unlimited stock is left alone.
      guard let stock = product.finiteStock ?? (rules.binds(.ms54) ? nil : wanted.quantity.plus(1))
      else { continue }
      let left = stock.minus(wanted.quantity)
      let rest = rules.binds(.ms50) ? max(0, left) : left
      var fields: FieldChanges = [
        .stockQuantity: .int64(rest), .updatedAt: .timestamp(later(than: product, commit.now)),
      ]
      if rest == 0 { switchOff(&fields) }
      reservations.append(wanted)
      change(wanted.product, publicly: true, fields, in: &commit)
    }
    orders[order.name]?.reservations = reservations
  }

  /// MS-53: what is sold out is not available.
  func switchOff(_ fields: inout Fields) {
    if rules.binds(.ms53) { fields[.isAvailable] = .int64(0) }
  }

  func switchOff(_ fields: inout FieldChanges) {
    if rules.binds(.ms53) { fields[.isAvailable] = .int64(0) }
  }

  /// MS-52, MS-53: once, because the ledger is emptied.
  mutating func returnStock(of order: RecordName, in commit: inout Commit<some Shelf>) {
    let reservations = orders[order]?.reservations ?? []
    orders[order]?.reservations = []
    for reserved in reservations {
      guard let product = commit.record(reserved.product, publicly: true),
        let stock = product.finiteStock
      else { continue }
      // Never more than the schema lets a partner write.
      let sum = min(stock.plus(reserved.quantity), max(stock, Bounds.counts.upperBound))
      var fields: FieldChanges = [
        .stockQuantity: .int64(sum),
        .updatedAt: .timestamp(later(than: product, commit.now)),
      ]
      if switchedOff.contains(reserved.product), rules.binds(.ms53) {
        fields[.isAvailable] = .int64(1)  // MS-53
      }
      change(reserved.product, publicly: true, fields, in: &commit)
    }
  }
}
