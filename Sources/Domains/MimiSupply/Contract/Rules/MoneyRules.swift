import Contracts

extension MimiSupply.Rule {
  /// §4.3 Money: MS-28 to MS-38.
  static let money = Theme<Self>([
    .ms28: """
    totalCents = subtotalCents + deliveryFeeCents + platformFeeCents + taxCents + (tipCents or 0), \
    for every Order at every commit.
    """.stated(in: "03_…, Order.swift, PaymentServiceImpl.swift"),
    .ms29: """
    subtotalCents = Σ over lines of quantity × (unitPriceCents + Σ customisation priceCents).
    """.stated(in: "Order.swift (price with customisations); Decision OP-11"),
    .ms30: "Per line totalPriceCents = quantity × unitPriceCents.".stated(in: "03_…, Order.swift"),
    .ms31: "No amount is negative, totalCents > 0, 64-bit overflow is refused."
      .stated(
        in: """
          PaymentServiceImpl.swift; Decision. Read so: an amount is at most \
          \(Bounds.cents.upperBound) cent, a number of pieces at most \(Bounds.counts.upperBound); \
          an order beyond it is refused with amount_out_of_range, last of row 4
          """),
    .ms32: """
    At creation each unitPriceCents equals the product's current priceCents; price changes take \
    effect at once.
    """.stated(in: "04_Partner_Handbuch.md; Decision"),
    .ms33: """
    A tip change adjusts totalCents in the same operation, is possible only while the order is \
    active, and touches no other amount.
    """.stated(in: "Decision; merge rule of the client"),
    .ms34: """
    Documented delivery fee: 199 cent standard, 299 cent express, no further fees for the \
    customer.
    """.stated(
      in: """
        06_Nutzer_Handbuch_FAQ.md, 05_…. Read so: with feePolicyEnforcement another fee is refused \
        with fee_mismatch, once the distance is known: after row 10
        """),
    .ms35: """
    Partners pay no commission: their share of an order is exactly subtotalCents; drivers receive \
    100 % of tipCents.
    """.stated(in: "04_Partner_Handbuch.md, 05_Fahrer_Handbuch.md"),
    .ms36: "Driver pay per delivery follows 5.4 exactly, in cents."
      .stated(in: "05_Fahrer_Handbuch.md"),
    .ms37: """
    A cancelled or failed order whose payment was completed becomes refunded in the same commit \
    over the full totalCents; a refund happens at most once and never exceeds the payment.
    """.stated(in: "requirements.md 6.6, 7.6; PaymentServiceImpl.swift"),
    .ms38: """
    Conservation: over all orders, money received = refunds + partner shares + tips + delivery \
    fees + platform fees + tax of delivered orders + amounts of still active paid orders.
    """.stated(in: "Decision"),
  ])
}
