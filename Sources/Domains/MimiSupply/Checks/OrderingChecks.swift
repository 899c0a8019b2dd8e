import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What must be true before an order is taken: MS-39 to MS-48.
enum OrderingChecks {
  static let all: [MSCheck] = [
    .placing(.ms39) { placing, facts, judge in
      guard let subtotal = placing.draft[Order.subtotalCents] else { return }
      placing.judge(
        placing.partner(facts) { subtotal < $0.minimum }, "below_minimum_order",
        what: "\(subtotal) cents are below the partner's minimum", &judge)
    },
    .placing(.ms40) { placing, facts, judge in
      guard let text = placing.draft[Order.deliveryAddress],
        case .success(let address) = DeliveryAddress.reading(text)
      else { return }
      placing.judge(
        placing.partner(facts) {
          Double(Geography.metres($0.point, address.point)) > $0.radius
        }, "outside_delivery_radius", what: "it goes beyond the partner's radius", &judge)
    },
    .placing(.ms41) { placing, facts, judge in
      placing.judge(
        placing.isClosed(facts), "partner_closed", what: "the partner was closed", &judge)
    },
    .placing(.ms42, judgePartner) + .step(.ms42, judgeAcceptance),
    .placing(.ms43, judgeProducts),
    .placing(.ms44) { placing, facts, judge in
      guard let partner = placing.draft[Order.partner] else { return }
      placing.judge(
        placing.anyLine(facts) { _, product in
          product.terms.holds(during: placing.during) { $0.exists && $0.partner != partner }
        }, "product_of_other_partner", what: "a line is another partner's", &judge)
    },
    .placing(.ms45, judgeEstimate) + .step(.ms45, judgeDelay),
    .placing(.ms46) { placing, facts, judge in
      guard let lines = placing.lines else { return }
      let rules = facts.rules
      placing.judge(
        lines.isEmpty || lines.count > rules.maxLines
          || lines.contains { $0.quantity < 1 || $0.quantity > rules.maxQuantity },
        "items_empty", "too_many_items", "quantity_out_of_range",
        what: "it has \(lines.count) lines or a quantity that nobody may order", &judge)
    },
    .placing(.ms47, judgeBeginning),
    .placing(.ms48) { placing, _, judge in
      guard placing.isReplay else {
        if case .refused(let failure) = placing.fate, failure.code == .exists { judge.held() }
        return
      }
      switch placing.fate {
      case .done: judge.violated("\(placing.name) was created a second time")
      case .refused(let failure) where failure.code == .exists: judge.held()
      case .refused(let failure) where failure.code == .badRequest && failure.mimiReason != nil:
        judge.violated("a replay was answered with \(failure.mimiReason!) instead of EXISTS")
      default: break
      }
    },
  ]

  // MARK: MS-42, MS-43

  @Sendable private static func judgePartner(
    _ placing: Placing, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard let isGone = placing.partner(facts, { !$0.exists }) else { return }
    if isGone {
      return placing.judge(
        true, "partner_unknown", what: "its partner does not exist", &judge)
    }
    placing.judge(
      placing.partner(facts) { !$0.isActive || !$0.isVerified }, "partner_inactive",
      "partner_unverified", what: "its partner is not active and verified", &judge)
  }

  /// A partner that is not verified accepts nothing (§5.1, T6).
  @Sendable private static func judgeAcceptance(
    _ step: Step, _ order: OrderFacts, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard step.target == .accepted, step.kind == .update, step.names(only: [.status]),
      let tag = step.draft.changeTag,
      order.version(tag)?.status == .paymentConfirmed,
      let isVerified = facts.partners[order.partner]?.terms.holds(
        during: step.during, { $0.exists && $0.isVerified })
    else { return }
    switch step.fate {
    case .done: judge.expect(isVerified, "\(step.order) was accepted by one who is not verified")
    case .refused(let failure) where failure.mimiReason == "partner_unverified":
      judge.expect(!isVerified, "\(order.partner) is verified and could not accept \(step.order)")
    case .refused(let failure) where !isVerified && failure.code == .badRequest:
      judge.violated(
        "\(order.partner), not verified, was refused \(step.order) as \(failure.shown)")
    default: break
    }
  }

  @Sendable private static func judgeProducts(
    _ placing: Placing, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    let isMissing = placing.anyLine(facts) { _, product in
      product.terms.holds(during: placing.during) { !$0.exists }
    }
    let isOff = placing.anyLine(facts) { _, product in
      // What the system switches off and on beside its partner depends on the stock.
      guard let isOn = product.isAvailable.holds(during: placing.during, { $0 }),
        !product.wasFinite || (!isOn && product.isUntouched)
      else { return nil }
      return !isOn
    }
    if isMissing == true {
      placing.judge(true, "product_unknown", what: "a product does not exist", &judge)
    } else if isMissing == false {
      placing.judge(isOff, "product_unavailable", what: "a product is not available", &judge)
    }
  }

  // MARK: MS-45

  @Sendable private static func judgeEstimate(
    _ placing: Placing, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard let estimate = placing.draft[Order.estimatedDeliveryTime] else { return }
    let (sent, answered) = (
      placing.during.lowerBound.toMilliseconds, placing.during.upperBound.toMilliseconds
    )
    let ahead = facts.rules.furthestEstimate
    let isPast: Bool? = estimate <= sent ? true : estimate > answered ? false : nil
    let isFar: Bool? = estimate > answered + ahead ? true : estimate <= sent + ahead ? false : nil
    if isFar == false {
      placing.judge(isPast, "eta_not_in_future", what: "its estimate had passed", &judge)
    }
    if isPast == false {
      placing.judge(isFar, "eta_too_far", what: "its estimate is more than a day ahead", &judge)
    }
  }

  /// Whoever puts an estimate off names a moment that is still to come (§2.14).
  @Sendable private static func judgeDelay(
    _ step: Step, _ order: OrderFacts, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard step.names(only: [.estimatedDeliveryTime]), let tag = step.draft.changeTag,
      let estimate = step.draft[Order.estimatedDeliveryTime], let before = order.version(tag),
      estimate != before.estimate
    else { return }
    switch step.fate {
    case .done:
      judge.expect(
        estimate > step.during.lowerBound.toMilliseconds,
        "\(step.order) was put off to \(estimate), which had passed")
    case .refused(let failure) where failure.mimiReason == "eta_not_in_future":
      judge.expect(
        estimate <= step.during.upperBound.toMilliseconds,
        "\(step.order) could not be put off to \(estimate)")
    default: break
    }
  }

  // MARK: MS-47

  @Sendable private static func judgeBeginning(
    _ placing: Placing, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard let named = placing.draft[Order.status], let payment = placing.draft[Order.paymentStatus],
      let method = placing.draft[Order.paymentMethod], Stored.paymentStatuses.contains(payment),
      Stored.paymentMethods.contains(method)
    else { return }
    let status = OrderStatus.aliases[named] ?? named
    guard status == OrderStatus.claim || OrderStatus.of(status) != nil else { return }
    let begins =
      switch (status, payment) {
      case ("created", "pending"), ("payment_confirmed", "completed"): true
      case ("payment_confirmed", "pending"): method == "cash"
      default: false
      }
    placing.judge(
      !begins || placing.has(.driverId) || placing.has(.actualDeliveryTime),
      "initial_status_invalid", "payment_state_invalid",
      what: "it begins as \(status) with payment \(payment)", &judge)
  }
}

extension Placing {
  /// Whether something holds of the partner's terms throughout, or never.
  fileprivate func partner(_ facts: MarketFacts, _ holds: (PartnerTerms) -> Bool) -> Bool? {
    guard let partner = draft[Order.partner].flatMap({ facts.partners[$0] }) else { return nil }
    return partner.terms.holds(during: during, holds)
  }

  /// Closed throughout (`true`), open throughout (`false`), or neither. No interval of opening hours is shorter than a
  /// minute, and no request is longer than ten seconds.
  fileprivate func isClosed(_ facts: MarketFacts) -> Bool? {
    guard during.upperBound < during.lowerBound + .seconds(30) else { return nil }
    let zone = facts.rules.zone
    return partner(facts) { terms in
      terms.hours?.isOpen(at: during.lowerBound, in: zone) != true
    }.flatMap { wasClosed in
      partner(facts) { $0.hours?.isOpen(at: during.upperBound, in: zone) != true } == wasClosed
        ? wasClosed : nil
    }
  }
}
