import Contracts

extension MimiSupply.Rule {
  /// §4.7 Drivers and dispatch: MS-64 to MS-76.
  static let dispatch = Theme<Self>([
    .ms64: Stated(
      "An order has at most one driver at any commit; once picked up, the driver never changes.",
      source: "Decision (implied by the schema)"),
    .ms65: Stated(
      "A driver has at most driverCapacity active orders assigned (default 1).",
      source: "Decision; client holds a queue, handbook speaks of combining (OP-14)"),
    .ms66: Stated(
      """
      Only verified, online, available drivers with a fresh position inside the dispatch radius \
      are offered or assigned orders.
      """, source: "tests; requirements.md 6.1; Decision"),
    .ms67: Stated(
      """
      In offer mode an order has at most one open offer, a driver at most one open offer; an offer \
      lives 30 s.
      """, source: "05_Fahrer_Handbuch.md (30 s); Decision"),
    .ms68: Stated(
      """
      Decline or expiry leads to the next candidate; the same driver is not asked again for the \
      same order in the same round (6.3).
      """, source: "05_…; Decision"),
    .ms69: Stated(
      """
      Of several competing claims exactly one succeeds; the others get CONFLICT (stale tag) or \
      driverNotAvailable with reason order_already_assigned.
      """, source: "Decision"),
    .ms70: Stated(
      """
      Without a candidate the order stays unassigned in its state, is retried on every relevant \
      change and at a fixed interval, and fails with refund after the give-up time.
      """,
      source: "OrderManagementTests.swift, OrderWorkflowIntegrationTests.swift; give-up: Decision"),
    .ms71: Stated(
      """
      Before pickup an order can lose its driver (release, driver offline, pickup timeout); it is \
      then dispatched anew and the customer is informed.
      """, source: "06_Nutzer_Handbuch_FAQ.md"),
    .ms72: Stated(
      """
      isAvailable becomes 0 when the driver reaches capacity and 1 again when the last active \
      order ends, if still online. Setting it to 1 at capacity is refused (driver_busy).
      """, source: "DriverDashboardViewModel.swift, 06_Test_QA_Dokumentation.md"),
    .ms73: Stated(
      """
      Going offline clears isAvailable, withdraws open offers, removes the driver from available \
      drivers, ends position sharing and releases assigned orders before pickup for re-dispatch; \
      it is refused (driver_busy) while an order is picked up.
      """, source: "requirements.md 4.7; Decision"),
    .ms74: Stated(
      "A driver on delivery sends a position every 10 s.",
      source: "requirements.md 4.4 (the client dashboard uses 30 s, a budget file 60 s minimum)",
      keeper: .device),
    .ms75: Stated(
      """
      currentLatitude/currentLongitude always equal the position with the greatest timestamp \
      accepted so far; late positions are stored but do not move the driver backwards in time.
      """, source: "Decision; client merge rule"),
    .ms76: Stated("Candidate order and tie breaks follow 6.3 exactly.", source: "tests; Decision"),
  ])
}
