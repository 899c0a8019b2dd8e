import MimiSupplyContract
import Timekeeping

/// The stock of one product as far as requests tell it: a number that its partner set, less what orders reserved since,
/// plus what they gave back (§4.5). Each event lies at some instant of an interval, and so the stock lies between bounds.
struct StockLedger: Sendable {
  private struct Reservation: Sendable {
    let order: RecordName
    let pieces: Int64
    let taken: ClosedRange<Instant>
    let isCertain: Bool
    /// Then the order was not over yet.
    var seenActive: Instant
    /// Before then the system ended no order.
    let patience: Instant
    /// When the pieces came back, at some instant of it.
    var returned: ClosedRange<Instant>?
    /// Picked up: nothing comes back any more.
    var isUsed = false

    /// When the pieces came back, or may have.
    var ends: ClosedRange<Instant> {
      returned ?? max(seenActive, patience)...Instant.distantFuture
    }
  }

  private var base: Int64
  private var since: ClosedRange<Instant>
  private var reservations: [Reservation] = []
  /// A write of the stock may have happened or not: nothing can be said until it is set again.
  private var isLost = false
  /// So many reservations are kept before old ones are folded into the base.
  private static var crowded: Int { 64 }
  private static var most: Int { 2_048 }

  init(_ pieces: Int64, during: ClosedRange<Instant>) {
    base = pieces
    since = during
  }

  // MARK: Events

  /// The partner counted anew.
  mutating func set(_ pieces: Int64, during: ClosedRange<Instant>) {
    base = pieces
    since = during
    isLost = false
    reservations.removeAll { $0.isUsed }
  }

  mutating func lose() { isLost = true }

  /// - Parameter grace: How long an order lasts at least when nobody ends it.
  mutating func reserve(
    _ pieces: Int64, for order: RecordName, during: ClosedRange<Instant>, isCertain: Bool,
    grace: Span
  ) {
    if reservations.count >= Self.crowded { ripen(before: during.lowerBound - .minutes(2)) }
    guard reservations.count < Self.most else {
      isLost = true
      return
    }
    reservations.append(
      Reservation(
        order: order, pieces: pieces, taken: during, isCertain: isCertain && !isLost,
        seenActive: during.lowerBound, patience: during.lowerBound + grace))
  }

  /// The order was seen before pickup, and so its pieces had not come back.
  mutating func saw(active order: RecordName, from instant: Instant) {
    guard let index = open(order) else { return }
    reservations[index].seenActive = max(reservations[index].seenActive, instant)
  }

  /// The order ended before pickup at some instant of an interval; `nil` when only its end was seen.
  mutating func giveBack(_ order: RecordName, from start: Instant?, until end: Instant) {
    guard let index = open(order) else { return }
    let reservation = reservations[index]
    guard reservation.returned.map({ $0.upperBound > end }) ?? true else { return }
    let from = max(
      start ?? reservation.seenActive, reservation.returned?.lowerBound ?? .distantPast)
    reservations[index].returned = min(from, end)...end
  }

  mutating func use(_ order: RecordName) {
    if let index = open(order) { reservations[index].isUsed = true }
  }

  private func open(_ order: RecordName) -> Int? {
    reservations.lastIndex { $0.order == order && !$0.isUsed }
  }

  /// What is over for certain becomes part of the base.
  private mutating func ripen(before horizon: Instant) {
    guard since.upperBound < horizon else { return }
    reservations.removeAll { old in
      guard old.isCertain, old.taken.upperBound < horizon else { return false }
      guard old.taken.lowerBound > since.upperBound || old.taken.upperBound < since.lowerBound
      else { return false }
      let isCounted = old.taken.lowerBound > since.upperBound
      if old.isUsed {
        if isCounted { base = base.minus(old.pieces) }
        return true
      }
      guard let returned = old.returned, returned.upperBound < horizon else { return false }
      if isCounted { return true }
      guard returned.lowerBound > since.upperBound else { return false }
      base = base.plus(old.pieces)
      return true
    }
  }

  // MARK: What follows

  /// How many pieces there can have been at an instant of an interval, at least and at most; `nil` when that is not
  /// known.
  ///
  /// - Parameter without: An order that does not count.
  func bounds(
    during window: ClosedRange<Instant>, without: RecordName? = nil
  ) -> (least: Int64, most: Int64)? {
    guard !isLost, since.upperBound < window.lowerBound else { return nil }
    var (least, most) = (base, base)
    for reservation in reservations
    where reservation.order != without && reservation.taken.lowerBound <= window.upperBound {
      let pieces = reservation.pieces
      let taken = reservation.taken
      let isCounted = taken.lowerBound > since.upperBound
      if taken.upperBound >= since.lowerBound { least = least.minus(pieces) }
      if isCounted, reservation.isCertain, taken.upperBound < window.lowerBound {
        most = most.minus(pieces)
      }
      if reservation.isUsed { continue }
      let returned = reservation.ends
      guard returned.upperBound >= since.lowerBound, returned.lowerBound <= window.upperBound
      else { continue }
      most = most.plus(pieces)
      let isBack =
        reservation.isCertain && returned.upperBound < window.lowerBound
        && (isCounted || returned.lowerBound > since.upperBound)
      if isBack { least = least.plus(pieces) }
    }
    return (least, most)
  }

  /// Whether pieces came back in the time that counts, or may have.
  func hasReturns(until instant: Instant) -> Bool {
    reservations.contains { reservation in
      !reservation.isUsed
        && reservation.ends.lowerBound <= instant
    }
  }
}
