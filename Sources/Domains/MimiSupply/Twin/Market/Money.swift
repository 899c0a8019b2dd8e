import Contracts
import MimiSupplyContract
import Timekeeping

/// The amounts of an order, in cents.
struct Amounts: Hashable, Sendable {
  var subtotal: Int64
  var deliveryFee: Int64
  var platformFee: Int64
  var tax: Int64
  var tip: Int64
  var total: Int64

  init?(_ order: CloudRecord) {
    guard let subtotal = order[Order.subtotalCents], let delivery = order[Order.deliveryFeeCents],
      let platform = order[Order.platformFeeCents], let tax = order[Order.taxCents],
      let total = order[Order.totalCents]
    else { return nil }
    self.subtotal = subtotal
    deliveryFee = delivery
    platformFee = platform
    self.tax = tax
    tip = order[Order.tipCents] ?? 0
    self.total = total
  }

  /// The five components' sum (MS-28); `nil` beyond 64 bits.
  var sum: Int64? {
    var sum: Int64 = 0
    for part in [subtotal, deliveryFee, platformFee, tax, tip] {
      let (next, overflow) = sum.addingReportingOverflow(part)
      if overflow { return nil }
      sum = next
    }
    return sum
  }

  private var all: [Int64] { [subtotal, deliveryFee, platformFee, tax, tip, total] }

  var hasNegative: Bool { all.contains { $0 < 0 } }

  var hasTooLarge: Bool { all.contains { $0 > Bounds.cents.upperBound } }
}

extension OrderLine {
  /// quantity × unit price (MS-30); `nil` beyond 64 bits.
  var product: Int64? {
    let (product, overflow) = quantity.multipliedReportingOverflow(by: unitPriceCents)
    return overflow ? nil : product
  }

  /// quantity × (unit price + customisations) (MS-29); `nil` beyond 64 bits.
  var share: Int64? {
    var price = unitPriceCents
    for extra in extraCents {
      let (sum, overflow) = price.addingReportingOverflow(extra)
      if overflow { return nil }
      price = sum
    }
    let (share, overflow) = quantity.multipliedReportingOverflow(by: price)
    return overflow ? nil : share
  }

  static func subtotal(of lines: [OrderLine]) -> Int64? {
    var subtotal: Int64 = 0
    for line in lines {
      guard let share = line.share else { return nil }
      let (sum, overflow) = subtotal.addingReportingOverflow(share)
      if overflow { return nil }
      subtotal = sum
    }
    return subtotal
  }
}

extension Market {
  /// MS-28 to MS-31, reason 4 of creating an order (§3.4).
  func moneyFailure(of order: CloudRecord, lines: [OrderLine]) -> Failure? {
    guard let amounts = Amounts(order) else { return nil }
    func mismatch(_ reason: String, _ text: String) -> Failure {
      .constraint(reason, text, mimiError: Failure.orderCreationFailed)
    }
    let hasNegativeLine = lines.contains {
      $0.unitPriceCents < 0 || $0.totalPriceCents < 0 || $0.extraCents.contains { $0 < 0 }
    }
    if amounts.hasNegative || hasNegativeLine, rules.binds(.ms31) {
      return mismatch("negative_amount", "an amount is negative")  // MS-31
    }
    if rules.binds(.ms30), let line = lines.first(where: { $0.product != $0.totalPriceCents }) {
      // MS-30
      let product = "quantity × unit price \(Self.shown(line.product))"
      return mismatch(
        "item_total_mismatch",
        "totalPriceCents of line \(printable(line.id)) is \(line.totalPriceCents), and \(product)")
    }
    let sum = OrderLine.subtotal(of: lines)
    if rules.binds(.ms29), sum != amounts.subtotal {  // MS-29
      return mismatch(
        "subtotal_mismatch",
        "subtotalCents is \(amounts.subtotal), and the lines' sum \(Self.shown(sum))")
    }
    if rules.binds(.ms28), amounts.sum != amounts.total {
      return mismatch("total_mismatch", Self.wrongTotal(amounts))  // MS-28
    }
    if amounts.total <= 0, rules.binds(.ms31) {
      return mismatch("negative_amount", "totalCents is not positive")  // MS-31
    }
    if amounts.hasTooLarge, rules.binds(.ms31) {
      return mismatch("amount_out_of_range", Self.tooLarge)  // MS-31
    }
    return nil
  }

  /// The same for an order that was there before anybody could refuse it.
  func sumFailure(of change: Change) -> Failure? {
    guard let order = change.after, order.type == .order,
      let lines = order[Order.items].flatMap(OrderLine.lines)
    else { return nil }
    return moneyFailure(of: order, lines: lines)
  }

  private static let tooLarge = "an amount is at most \(Bounds.cents.upperBound) cent"

  private static func wrongTotal(_ amounts: Amounts) -> String {
    "totalCents is \(amounts.total), and its parts' sum \(shown(amounts.sum))"
  }

  private static func shown(_ sum: Int64?) -> String { sum.map { "is \($0)" } ?? "has no 64 bits" }

  /// Amounts that deviate from the configured policy, where it is enforced (§3.6, MS-34).
  func feeFailure(
    of order: CloudRecord, metres: Int, at now: Instant
  ) -> Failure? {
    guard settings.feePolicyEnforcement, let amounts = Amounts(order) else { return nil }
    let hour = Int(settings.zone.civil(at: now).timeOfDay.nanoseconds / 3_600_000_000_000)
    let isMet = [false, true].contains { isExpress in
      guard
        let fees = Fees.by(
          settings.feePolicy, subtotal: amounts.subtotal, metres: metres, hour: hour,
          isExpress: isExpress)
      else { return false }
      return fees
        == Fees(delivery: amounts.deliveryFee, platform: amounts.platformFee, tax: amounts.tax)
    }
    guard !isMet, rules.binds(.ms34) else { return nil }
    return .constraint(
      "fee_mismatch", "the fees are not those of \(settings.feePolicy.rawValue)",
      mimiError: Failure.orderCreationFailed)
  }

  /// MS-28, MS-31, MS-33.
  func amountObjection(
    from before: CloudRecord, to after: CloudRecord, status: OrderStatus, isEnding: Bool
  ) -> Failure? {
    let changesTip = before[Order.tipCents] ?? 0 != after[Order.tipCents] ?? 0
    guard changesTip || before.fields[.totalCents] != after.fields[.totalCents],
      let amounts = Amounts(after)
    else { return nil }
    if status.isTerminal || isEnding, rules.binds(.ms33) {
      return .illegalTransition("the tip changes while the order is active")  // MS-33
    }
    if amounts.tip < 0, rules.binds(.ms31) {
      return .constraint("negative_amount", "a tip is not negative")  // MS-31
    }
    if amounts.sum != amounts.total, rules.binds(.ms28) {
      return .constraint("total_mismatch", Self.wrongTotal(amounts))  // MS-28
    }
    return amounts.hasTooLarge && rules.binds(.ms31)
      ? .constraint("amount_out_of_range", Self.tooLarge) : nil  // MS-31
  }
}
