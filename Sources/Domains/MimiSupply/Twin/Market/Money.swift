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
    guard let subtotal = order.int("subtotalCents"), let delivery = order.int("deliveryFeeCents"),
      let platform = order.int("platformFeeCents"), let tax = order.int("taxCents"),
      let total = order.int("totalCents")
    else { return nil }
    self.subtotal = subtotal
    deliveryFee = delivery
    platformFee = platform
    self.tax = tax
    tip = order.int("tipCents") ?? 0
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

  var hasNegative: Bool {
    [subtotal, deliveryFee, platformFee, tax, tip, total].contains { $0 < 0 }
  }
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
    if rules.binds(.ms30), lines.contains(where: { $0.product != $0.totalPriceCents }) {
      return mismatch("item_total_mismatch", "a line is not quantity × unit price")  // MS-30
    }
    if rules.binds(.ms29), OrderLine.subtotal(of: lines) != amounts.subtotal {
      return mismatch("subtotal_mismatch", "subtotalCents is not the sum of the lines")  // MS-29
    }
    if rules.binds(.ms28), amounts.sum != amounts.total {
      return mismatch("total_mismatch", "totalCents is not the sum of its parts")  // MS-28
    }
    if amounts.total <= 0, rules.binds(.ms31) {
      return mismatch("negative_amount", "totalCents is not positive")  // MS-31
    }
    return nil
  }

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
      "total_mismatch", "the fees are not those of \(settings.feePolicy.rawValue)",
      mimiError: Failure.orderCreationFailed)
  }

  /// MS-28, MS-31, MS-33.
  func amountObjection(
    from before: CloudRecord, to after: CloudRecord, status: OrderStatus, isEnding: Bool
  ) -> Failure? {
    let changesTip = before.int("tipCents") ?? 0 != after.int("tipCents") ?? 0
    guard changesTip || before.fields["totalCents"] != after.fields["totalCents"],
      let amounts = Amounts(after)
    else { return nil }
    if status.isTerminal || isEnding, rules.binds(.ms33) {
      return .illegalTransition("the tip changes while the order is active")  // MS-33
    }
    if amounts.tip < 0, rules.binds(.ms31) {
      return .constraint("negative_amount", "a tip is not negative")  // MS-31
    }
    return amounts.sum == amounts.total || !rules.binds(.ms28)
      ? nil : .constraint("total_mismatch", "totalCents is not the sum of its parts")  // MS-28
  }
}
