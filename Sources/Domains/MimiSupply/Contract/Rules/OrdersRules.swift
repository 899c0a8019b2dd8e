import Contracts

extension MimiSupply.Rule {
  /// §4.6 Order state machine: MS-56 to MS-63.
  static let orders = Theme<Self>([
    .ms56: "Only the transitions of 5.1 happen."
      .stated(in: "ComprehensiveBusinessLogicTests.swift; 03_… \"Status-Transition-Validierung\""),
    .ms57: "Only the actors of 5.1 perform them.".stated(in: "role permissions; Decision"),
    .ms58: "Terminal states never change again.".stated(in: "same"),
    .ms59: """
    Stored status is canonical; aliases are normalised; a write that names the present status is \
    refused as illegal.
    """.stated(in: "Decision"),
    .ms60: "Cancellation windows of 5.1; after pickup nobody can cancel."
      .stated(in: "Order.swift, tests, FAQ (contradictory, OP-12)"),
    .ms61: """
    actualDeliveryTime is present exactly when the status is delivered and equals the completion's \
    completedAt; updatedAt never decreases; status times in the commit log never decrease.
    """.stated(in: "Seed fields; Decision"),
    .ms62: """
    A partner has 2 minutes to accept a confirmed order; then the system cancels and refunds it \
    (reason partner_timeout).
    """.stated(in: "04_Partner_Handbuch.md (2 minutes); consequence: Decision"),
    .ms63: """
    Payment status moves only pending→processing→completed/failed, pending→completed, \
    completed→refunded, pending/processing→cancelled/failed. An order reaches payment_confirmed \
    only with completed, or cash and pending; cash becomes completed with delivery.
    """.stated(in: "Order.swift; Decision"),
  ])
}
