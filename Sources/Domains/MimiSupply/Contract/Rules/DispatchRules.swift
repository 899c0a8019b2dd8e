import Contracts

extension MimiSupply.Rule {
  /// §4.7 Drivers and dispatch: MS-64 to MS-76.
  static let dispatch = Theme<Self>([
    .ms64: """
    An order has at most one driver at any commit; once picked up, the driver never changes.
    """.stated(in: "Decision (implied by the schema)"),
    .ms65: "A driver has at most driverCapacity active orders assigned (default 1)."
      .stated(in: "Decision; client holds a queue, handbook speaks of combining (OP-14)"),
    .ms66: """
    Only verified, online, available drivers with a fresh position inside the dispatch radius are \
    offered or assigned orders.
    """.stated(in: "tests; requirements.md 6.1; Decision"),
    .ms67: """
    In offer mode an order has at most one open offer, a driver at most one open offer; an offer \
    lives 30 s.
    """.stated(in: "05_Fahrer_Handbuch.md (30 s); Decision"),
    .ms68: """
    Decline or expiry leads to the next candidate; the same driver is not asked again for the same \
    order in the same round (6.3).
    """.stated(in: "05_…; Decision"),
    .ms69: """
    Of several competing claims exactly one succeeds; the others get CONFLICT (stale tag) or \
    driverNotAvailable with reason order_already_assigned.
    """.stated(in: "Decision"),
    .ms70: """
    Without a candidate the order stays unassigned in its state, is retried on every relevant \
    change and at a fixed interval, and fails with refund after the give-up time.
    """.stated(
      in: "OrderManagementTests.swift, OrderWorkflowIntegrationTests.swift; give-up: Decision"),
    .ms71: """
    Before pickup an order can lose its driver (release, driver offline, pickup timeout); it is \
    then dispatched anew and the customer is informed.
    """.stated(in: "06_Nutzer_Handbuch_FAQ.md"),
    .ms72: """
    isAvailable becomes 0 when the driver reaches capacity and 1 again when the last active order \
    ends, if still online. Setting it to 1 at capacity is refused (driver_busy).
    """.stated(in: "DriverDashboardViewModel.swift, 06_Test_QA_Dokumentation.md"),
    .ms73: """
    Going offline clears isAvailable, withdraws open offers, removes the driver from available \
    drivers, ends position sharing and releases assigned orders before pickup for re-dispatch; it \
    is refused (driver_busy) while an order is picked up.
    """.stated(in: "requirements.md 4.7; Decision"),
    .ms74: "A driver on delivery sends a position every 10 s."
      .stated(
        in: "requirements.md 4.4 (the client dashboard uses 30 s, a budget file 60 s minimum)",
        keptBy: .device),
    .ms75: """
    currentLatitude/currentLongitude always equal the position with the greatest timestamp \
    accepted so far; late positions are stored but do not move the driver backwards in time.
    """.stated(in: "Decision; client merge rule"),
    .ms76: "Candidate order and tie breaks follow 6.3 exactly.".stated(in: "tests; Decision"),
  ])
}
