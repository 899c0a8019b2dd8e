import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

// Checks of what was tried, each attempt once and in the light of everything that met it.
extension Check<MimiSupply> {
  /// Judges each try to create an order.
  static func placing(
    _ limit: MimiSupply.Rule,
    _ judge: @escaping @Sendable (Placing, MarketFacts, inout Judge) -> Void
  ) -> MSCheck {
    .ripe(limit, of: MarketFacts.self) { attempt, facts, verdict in
      if case .placing(let placing) = attempt { judge(placing, facts, &verdict) }
    }
  }

  /// Judges each try to change an order.
  static func attempt(
    _ limit: MimiSupply.Rule, _ judge: @escaping @Sendable (Step, MarketFacts, inout Judge) -> Void
  ) -> MSCheck {
    .ripe(limit, of: MarketFacts.self) { attempt, facts, verdict in
      if case .step(let step) = attempt { judge(step, facts, &verdict) }
    }
  }

  /// Judges each try to change an order that the facts know.
  static func step(
    _ limit: MimiSupply.Rule,
    _ judge: @escaping @Sendable (Step, OrderFacts, MarketFacts, inout Judge) -> Void
  ) -> MSCheck {
    attempt(limit) { step, facts, verdict in
      if let order = facts.orders[step.order] { judge(step, order, facts, &verdict) }
    }
  }

  /// Judges each look at a product that the facts know.
  static func productLook(
    _ limit: MimiSupply.Rule,
    _ judge: @escaping @Sendable (ProductLook, ProductFacts, MarketFacts, inout Judge) -> Void
  ) -> MSCheck {
    .ripe(limit, of: MarketFacts.self) { attempt, facts, verdict in
      if case .look(let look) = attempt, let product = facts.products[look.product] {
        judge(look, product, facts, &verdict)
      }
    }
  }

  static func figures(
    _ limit: MimiSupply.Rule,
    _ judge: @escaping @Sendable (FiguresLook, MarketFacts, inout Judge) -> Void
  ) -> MSCheck {
    .ripe(limit, of: MarketFacts.self) { attempt, facts, verdict in
      if case .figures(let figures) = attempt { judge(figures, facts, &verdict) }
    }
  }

  /// Judges each write of a completion.
  static func completion(
    _ limit: MimiSupply.Rule,
    _ judge: @escaping @Sendable (CompletionWrite, MarketFacts, inout Judge) -> Void
  ) -> MSCheck {
    .ripe(limit, of: MarketFacts.self) { attempt, facts, verdict in
      if case .completion(let write) = attempt { judge(write, facts, &verdict) }
    }
  }

  /// Judges each whole order that an answer shows by itself.
  static func eachOrder(
    _ limit: MimiSupply.Rule, _ judge: @escaping @Sendable (ShownOrder, inout Judge) -> Void
  ) -> MSCheck {
    each(limit, .asking(.query, .lookup, .modify, .changes)) { call, verdict in
      guard call.showsWholeRecords else { return }
      for order in call.orders where order.hasItems { judge(order, &verdict) }
    }
  }

  /// Judges each whole order that an answer shows, in the light of what was known of it before.
  static func shownOrder(
    _ limit: MimiSupply.Rule,
    _ judge:
      @escaping @Sendable (ShownOrder, OrderFacts?, SeenCall, MarketFacts, inout Judge)
      -> Void
  ) -> MSCheck {
    each(limit, .asking(.query, .lookup, .modify, .changes), by: MarketFacts.self) {
      call, facts, verdict in
      guard call.showsWholeRecords else { return }
      for order in call.orders where order.hasItems {
        judge(order, facts.orders[order.name], call, facts, &verdict)
      }
    }
  }
}

/// The reasons for which an order is not created, in the order of evaluation (§3.4).
enum Reasons {
  private static let rows: [String: Int] = {
    let rows: [[String]] = [
      ["customer_mismatch"],
      ["malformed_items", "malformed_address", "address_without_coordinates"],
      ["items_empty", "too_many_items", "quantity_out_of_range"],
      [
        "negative_amount", "item_total_mismatch", "subtotal_mismatch", "total_mismatch",
        "amount_out_of_range",
      ],
      ["initial_status_invalid", "payment_state_invalid"],
      ["eta_not_in_future", "eta_too_far"],
      ["partner_unknown"],
      ["partner_inactive", "partner_unverified"],
      ["partner_closed"],
      ["outside_delivery_radius"],
      ["fee_mismatch"],
      ["product_unknown", "product_of_other_partner"],
      ["product_unavailable"],
      ["price_changed"],
      ["below_minimum_order"],
      ["insufficient_stock"],
    ]
    var places: [String: Int] = [:]
    for (index, reasons) in rows.enumerated() { for reason in reasons { places[reason] = index } }
    return places
  }()

  static func row(_ reason: String) -> Int? { rows[reason] }

  /// The code with which a reason is given, and the error's name from the seed's own list.
  static func fits(_ failure: Failure, _ reason: String) -> Bool {
    let (code, names): (Failure.Code, [String]) =
      switch reason {
      case "customer_mismatch": (.accessDenied, ["orderCreationFailed"])
      case "partner_unknown": (.validatingReferenceError, ["partnerNotFound"])
      case "product_unknown": (.validatingReferenceError, ["productUnavailable"])
      case "product_unavailable", "insufficient_stock": (.badRequest, ["productUnavailable"])
      case "payment_state_invalid": (.badRequest, ["paymentFailed", "orderCreationFailed"])
      default: (.badRequest, ["orderCreationFailed"])
      }
    return failure.code == code && failure.mimiError.map(names.contains) == true
  }
}

extension Placing {
  /// Judges one rule of creating an order: whoever breaks it is refused for it, or for what is looked at before; nobody
  /// else is refused for it.
  ///
  /// - Parameters:
  ///   - isBroken: `nil` when that cannot be known.
  ///   - reasons: With which a breach may be refused; all of one row.
  func judge(
    _ isBroken: Bool?, _ reasons: String..., what: @autoclosure () -> String,
    _ judge: inout Judge
  ) {
    guard let isBroken else { return }
    switch fate {
    case .done:
      guard !isReplay else { return }
      judge.expect(!isBroken, "an order was taken although \(what())")
    case .refused(let failure):
      guard let reason = failure.mimiReason else { return }
      if reasons.contains(reason) {
        if !isBroken {
          judge.violated("an order was refused for \(reason), which does not hold: \(name)")
        } else {
          judge.expect(
            Reasons.fits(failure, reason),
            "\(reason) came with \(failure.code.rawValue), \(failure.mimiError ?? "no name")")
        }
      } else if isBroken, let row = Reasons.row(reason), let own = Reasons.row(reasons[0]),
        row > own
      {
        judge.violated("an order was refused for \(reason) before \(reasons[0])")
      }
    case .deleted, .unknown: break
    }
  }
}
