import Contracts

extension MimiSupply.Rule {
  /// §4.3 Money: MS-28 to MS-38.
  static let money = Theme<Self>([
    .ms28: Stated(
      """
      totalCents = subtotalCents + deliveryFeeCents + platformFeeCents + taxCents + (tipCents or \
      0), for every Order at every commit.
      """, source: "03_…, Order.swift, PaymentServiceImpl.swift"),
    .ms29: Stated(
      "subtotalCents = Σ over lines of quantity × (unitPriceCents + Σ customisation priceCents).",
      source: "Order.swift (price with customisations); Decision OP-11"),
    .ms30: Stated(
      "Per line totalPriceCents = quantity × unitPriceCents.", source: "03_…, Order.swift"),
    .ms31: Stated(
      "No amount is negative, totalCents > 0, 64-bit overflow is refused.",
      source: """
        PaymentServiceImpl.swift; Decision. Read so: an amount is at most \
        \(Bounds.cents.upperBound) cent, a number of pieces at most \(Bounds.counts.upperBound); \
        an order beyond it is refused with amount_out_of_range, last of row 4
        """),
    .ms32: Stated(
      """
      At creation each unitPriceCents equals the product's current priceCents; price changes take \
      effect at once.
      """, source: "04_Partner_Handbuch.md; Decision"),
    .ms33: Stated(
      """
      A tip change adjusts totalCents in the same operation, is possible only while the order is \
      active, and touches no other amount.
      """, source: "Decision; merge rule of the client"),
    .ms34: Stated(
      """
      Documented delivery fee: 199 cent standard, 299 cent express, no further fees for the \
      customer.
      """,
      source: """
        06_Nutzer_Handbuch_FAQ.md, 05_…. Read so: with feePolicyEnforcement another fee is refused \
        with fee_mismatch, once the distance is known: after row 10
        """),
    .ms35: Stated(
      """
      Partners pay no commission: their share of an order is exactly subtotalCents; drivers \
      receive 100 % of tipCents.
      """, source: "04_Partner_Handbuch.md, 05_Fahrer_Handbuch.md"),
    .ms36: Stated(
      "Driver pay per delivery follows 5.4 exactly, in cents.", source: "05_Fahrer_Handbuch.md"),
    .ms37: Stated(
      """
      A cancelled or failed order whose payment was completed becomes refunded in the same commit \
      over the full totalCents; a refund happens at most once and never exceeds the payment.
      """, source: "requirements.md 6.6, 7.6; PaymentServiceImpl.swift"),
    .ms38: Stated(
      """
      Conservation: over all orders, money received = refunds + partner shares + tips + delivery \
      fees + platform fees + tax of delivered orders + amounts of still active paid orders.
      """, source: "Decision"),
  ])
}
