import Contracts

extension MimiSupply.Rule {
  /// §4.6 Order state machine: MS-56 to MS-63.
  static let orders = Theme<Self>([
    .ms56: Stated(
      "Only the transitions of 5.1 happen.",
      source: "ComprehensiveBusinessLogicTests.swift; 03_… \"Status-Transition-Validierung\""),
    .ms57: Stated("Only the actors of 5.1 perform them.", source: "role permissions; Decision"),
    .ms58: Stated("Terminal states never change again.", source: "same"),
    .ms59: Stated(
      """
      Stored status is canonical; aliases are normalised; a write that names the present status is \
      refused as illegal.
      """, source: "Decision"),
    .ms60: Stated(
      "Cancellation windows of 5.1; after pickup nobody can cancel.",
      source: "Order.swift, tests, FAQ (contradictory, OP-12)"),
    .ms61: Stated(
      """
      actualDeliveryTime is present exactly when the status is delivered and equals the \
      completion's completedAt; updatedAt never decreases; status times in the commit log never \
      decrease.
      """, source: "Seed fields; Decision"),
    .ms62: Stated(
      """
      A partner has 2 minutes to accept a confirmed order; then the system cancels and refunds it \
      (reason partner_timeout).
      """, source: "04_Partner_Handbuch.md (2 minutes); consequence: Decision"),
    .ms63: Stated(
      """
      Payment status moves only pending→processing→completed/failed, pending→completed, \
      completed→refunded, pending/processing→cancelled/failed. An order reaches payment_confirmed \
      only with completed, or cash and pending; cash becomes completed with delivery.
      """, source: "Order.swift; Decision"),
  ])
}
