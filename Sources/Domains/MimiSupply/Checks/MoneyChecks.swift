import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Amounts: MS-28 to MS-38.
enum MoneyChecks {
  static let all: [MSCheck] = [
    .trial(.ms28, isTotalWrong, "total_mismatch", "its total is not the sum of its parts"),
    .placing(.ms29) { placing, _, judge in
      guard let lines = placing.lines, let subtotal = placing.draft[Order.subtotalCents] else {
        return
      }
      placing.judge(
        Sums.subtotal(lines) != subtotal, "subtotal_mismatch",
        what: "\(subtotal) cents are not the sum of its lines", &judge)
    },
    .placing(.ms30) { placing, _, judge in
      guard let lines = placing.lines else { return }
      placing.judge(
        lines.contains { Sums.line($0) != $0.totalPriceCents }, "item_total_mismatch",
        what: "a line is not quantity × unit price", &judge)
    },
    .placing(.ms31, judgeAmounts),
    .placing(.ms32) { placing, facts, judge in
      placing.judge(
        placing.anyLine(facts) { line, product in
          product.terms.holds(during: placing.during) { $0.price != line.unitPriceCents }
        }, "price_changed", what: "a product has another price", &judge)
    },
    .step(.ms33, judgeTip),
    .placing(.ms34, judgeFees),
    .figures(.ms35, judgeShare),
    .ledger(.ms36, MarketLedger.judgePay),
    .eachShown(.ms37, of: .order) { order, _, judge in
      guard let status = order.status, status == .cancelled || status == .failed,
        let payment = order[Order.paymentStatus]
      else { return }
      judge.expect(
        payment != "completed", "\(order.name) is \(status.rawValue), and its payment stands")
    },
    .census(.ms38, MarketLedger.judgeConservation),
  ]

  // MARK: MS-28, MS-31

  /// Judged on every order that is shown, and on every try to create one.
  @Sendable private static func isTotalWrong(_ amounts: Sums) -> Bool {
    amounts.sum != amounts.total
  }

  @Sendable private static func judgeAmounts(
    _ placing: Placing, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard let amounts = Sums({ placing.draft[$0] }), let lines = placing.lines else { return }
    let hasNegative =
      amounts.hasNegative
      || lines.contains {
        $0.unitPriceCents < 0 || $0.totalPriceCents < 0 || $0.extraCents.contains { $0 < 0 }
      }
    let overflows = amounts.sum == nil || Sums.subtotal(lines) == nil
    if overflows {
      placing.judge(
        true, "negative_amount", "item_total_mismatch", "subtotal_mismatch", "total_mismatch",
        "amount_out_of_range", what: "its amounts have no 64 bits", &judge)
    } else {
      placing.judge(
        hasNegative || amounts.total <= 0 || amounts.hasTooLarge, "negative_amount",
        "amount_out_of_range",
        what: "an amount is negative or out of range, or the total is not positive", &judge)
    }
  }

  // MARK: MS-33

  /// A write that names the tip or the total, and nothing else that could be refused.
  @Sendable private static func judgeTip(
    _ step: Step, _ order: OrderFacts, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard step.kind == .update, step.draft.fields[.tipCents] != nil,
      step.names(only: [.tipCents, .totalCents]), let tag = step.draft.changeTag,
      let before = order.version(tag)
    else { return }
    switch step.fate {
    case .done(let record):
      let tip = record[Order.tipCents] ?? 0
      let rest = (record[Order.totalCents] ?? 0) &- tip
      judge.expect(
        !before.status.isTerminal && rest == before.total &- before.tip,
        "the tip of \(step.order) was changed at \(before.status.rawValue), or more than the tip")
    case .refused(let failure):
      if failure.mimiReason == "illegal_transition" {
        judge.expect(
          before.status.isTerminal,
          "a tip was refused while the order was \(before.status.rawValue)"
        )
      } else if failure.mimiReason == "total_mismatch" {
        judge.held()
      }
    case .deleted, .unknown: break
    }
  }

  // MARK: MS-34

  /// Where the backend enforces a policy of fees, the documented ones are the only ones.
  @Sendable private static func judgeFees(
    _ placing: Placing, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard facts.rules.feePolicyEnforcement, facts.rules.feePolicy == .germanDocs,
      let amounts = Sums({ placing.draft[$0] }), amounts.sum == amounts.total
    else { return }
    let isDocumented =
      [199, 299].contains(amounts.delivery) && amounts.platform == 0 && amounts.tax == 0
    switch placing.fate {
    case .done:
      if !placing.isReplay {
        judge.expect(isDocumented, "an order was taken with fees that nobody documented")
      }
    case .refused(let failure) where failure.mimiReason == "fee_mismatch":
      judge.expect(!isDocumented, "the documented fees of \(placing.name) were refused")
    default: break
    }
  }

  // MARK: MS-35

  /// A partner earned the subtotals of what was delivered: at least of what was so before somebody asked.
  @Sendable private static func judgeShare(
    _ look: FiguresLook, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard facts.partners[look.partner] != nil, !facts.partnersWithPast.contains(look.partner)
    else { return }
    var due = DueFigures(of: look, in: facts.rules.zone)
    for order in facts.ordersOfPartner[look.partner] ?? [] {
      if let order = facts.orders[order] { due.count(order) }
    }
    due.mayCount(facts.unclearOrders[look.partner] ?? 0)
    let problem = due.problem(of: look.figures)
    judge.expect(problem == nil, "\(look.partner) is told of \(problem ?? "")")
  }
}

extension Check<MimiSupply> {
  /// Judges an identity of the amounts on every order that is shown, and on every try to create one.
  fileprivate static func trial(
    _ limit: MimiSupply.Rule, _ isBroken: @escaping @Sendable (Sums) -> Bool, _ reason: String,
    _ what: String
  ) -> MSCheck {
    .eachOrder(limit) { order, judge in
      guard let amounts = Sums({ order.record[$0] }) else { return }
      judge.expect(!isBroken(amounts), "\(order.name): \(what)")
    }
      + .placing(limit) { placing, _, judge in
        guard let amounts = Sums({ placing.draft[$0] }) else { return }
        placing.judge(isBroken(amounts), reason, what: what, &judge)
      }
  }
}

/// The amounts of an order, in cents.
struct Sums: Sendable {
  let subtotal: Int64
  let delivery: Int64
  let platform: Int64
  let tax: Int64
  let tip: Int64
  let total: Int64

  /// - Parameter field: Gives a field's number.
  init?(_ field: (FieldKey<Int64>) -> Int64?) {
    guard let subtotal = field(Order.subtotalCents), let delivery = field(Order.deliveryFeeCents),
      let platform = field(Order.platformFeeCents), let tax = field(Order.taxCents),
      let total = field(Order.totalCents)
    else { return nil }
    self.subtotal = subtotal
    self.delivery = delivery
    self.platform = platform
    self.tax = tax
    tip = field(Order.tipCents) ?? 0
    self.total = total
  }

  /// Of the five parts; `nil` beyond 64 bits.
  var sum: Int64? { Fees.adding(subtotal, delivery, platform, tax, tip) }

  private var all: [Int64] { [subtotal, delivery, platform, tax, tip, total] }

  var hasNegative: Bool { all.contains { $0 < 0 } }
  var hasTooLarge: Bool { all.contains { $0 > Bounds.cents.upperBound } }

  /// Quantity × unit price (MS-30); `nil` beyond 64 bits.
  static func line(_ line: OrderLine) -> Int64? {
    let (product, overflow) = line.quantity.multipliedReportingOverflow(by: line.unitPriceCents)
    return overflow ? nil : product
  }

  /// Σ quantity × (unit price + customisations) (MS-29); `nil` beyond 64 bits.
  static func subtotal(_ lines: [OrderLine]) -> Int64? {
    var subtotal: Int64 = 0
    for line in lines {
      var price = line.unitPriceCents
      for extra in line.extraCents {
        guard let sum = Fees.adding(price, extra) else { return nil }
        price = sum
      }
      let (share, overflow) = line.quantity.multipliedReportingOverflow(by: price)
      guard !overflow, let sum = Fees.adding(subtotal, share) else { return nil }
      subtotal = sum
    }
    return subtotal
  }
}

extension OrderFacts {
  /// `false`: perhaps; `nil`: certainly it never was.
  fileprivate var mayBeConfirmed: Bool? {
    let isSeen = created != nil && !isUncertain
    return isSeen && !versions.contains { $0.status == .paymentProcessing } ? nil : false
  }
}

/// What a partner is to be told (§3.4 fetchPartnerStats): each figure lies between two.
private struct DueFigures {
  private struct Bounds {
    var least: Int64 = 0
    var most: Int64 = 0

    /// - Parameter isCertain: `nil` where it certainly does not count.
    mutating func add(_ amount: Int64, _ isCertain: Bool?) {
      guard let isCertain else { return }
      most = most.plus(amount)
      if isCertain { least = least.plus(amount) }
    }

    func problem(_ figure: Int64, _ what: String) -> String? {
      least <= figure && figure <= most ? nil : "\(figure) \(what) instead of \(least) to \(most)"
    }
  }

  private let during: ClosedRange<Instant>
  private let zone: CivilZone
  private var (orders, ordersToday) = (Bounds(), Bounds())
  private var (revenue, revenueToday) = (Bounds(), Bounds())
  private var active = Bounds()

  init(of look: FiguresLook, in zone: CivilZone) {
    (during, self.zone) = (look.during, zone)
  }

  mutating func count(_ order: OrderFacts) {
    let confirmed = order.confirmedBy.map { $0 < during.lowerBound } ?? order.mayBeConfirmed
    orders.add(1, confirmed)
    if let isConfirmed = confirmed {
      let created = order.created ?? .distantPast...during.upperBound
      ordersToday.add(1, isToday(created).map { $0 && isConfirmed })
    }
    count(activityOf: order)
    guard let end = order.ended else {
      if order.isUncertain {
        revenue.add(order.subtotal, false)
        revenueToday.add(order.subtotal, false)
      }
      return
    }
    guard end.status == .delivered else { return }
    let known = end.committed ?? .distantPast...end.first.upperBound
    guard known.lowerBound <= during.upperBound else { return }
    let isDelivered = known.upperBound < during.lowerBound
    revenue.add(order.subtotal, isDelivered)
    revenueToday.add(order.subtotal, isToday(known).map { $0 && isDelivered })
  }

  private mutating func count(activityOf order: OrderFacts) {
    if let end = order.ended, end.first.upperBound < during.lowerBound { return }
    let isActive =
      order.versions.contains { $0.status.isActive && $0.first.upperBound <= during.lowerBound }
      && order.versions.contains { $0.status.isActive && $0.last.lowerBound >= during.upperBound }
    active.add(1, isActive)
  }

  /// Whether something happened on the day of the look: certainly, perhaps (`false`), or not (`nil`).
  private func isToday(_ happened: ClosedRange<Instant>) -> Bool? {
    func day(_ instant: Instant) -> CivilDate? {
      instant == .distantPast ? nil : zone.civil(at: instant).date
    }
    let today = (zone.civil(at: during.lowerBound).date, zone.civil(at: during.upperBound).date)
    guard let first = day(happened.lowerBound), let last = day(happened.upperBound) else {
      return false
    }
    if first == today.0, first == today.1, last == first { return true }
    return last < today.0 ? nil : false
  }

  /// Orders of which nobody knows whether they were taken.
  mutating func mayCount(_ unclear: Int64) {
    orders.add(unclear, false)
    ordersToday.add(unclear, false)
    active.add(unclear, false)
  }

  func problem(of figures: PartnerStats) -> String? {
    revenue.problem(figures.totalRevenueCents, "cents")
      ?? revenueToday.problem(figures.revenueTodayCents, "cents today")
      ?? orders.problem(Int64(figures.totalOrders), "orders")
      ?? ordersToday.problem(Int64(figures.ordersToday), "orders today")
      ?? active.problem(Int64(figures.activeOrders), "active orders")
  }
}

extension Placing {
  /// Whether something holds of a line of known products (`true`), of no line (`false`), or neither can be said.
  func anyLine(
    _ facts: MarketFacts, _ holds: (OrderLine, ProductFacts) -> Bool?
  ) -> Bool? {
    guard let lines else { return nil }
    var isKnown = true
    for line in lines {
      switch facts.products[line.productID].flatMap({ holds(line, $0) }) {
      case true?: return true
      case false?: break
      case nil: isKnown = false
      }
    }
    return isKnown ? false : nil
  }
}
