import Contracts

extension MimiSupply {
  /// §4.4 Ordering preconditions, §4.5 Stock: MS-39 to MS-55.
  static let orderingLimits: [Limit] = [
    Limit(
      "MS-39",
      """
      subtotalCents ≥ partner's minimumOrderAmount; fees, tax and tip do not count.
      """,
      source: "Seed field; ComprehensiveBusinessLogicTests.swift"),
    Limit(
      "MS-40",
      """
      Distance partner → delivery address ≤ deliveryRadius · 1000 m.
      """,
      source: "Seed field; same tests"),
    Limit(
      "MS-41",
      """
      The partner is open at the commit time according to openingHours in local time, \
      including intervals over midnight and the days of clock change.
      """,
      source: "Seed field; Decision"),
    Limit(
      "MS-42",
      """
      The partner exists, is active and verified.
      """,
      source: "Seed fields; Decision"),
    Limit(
      "MS-43",
      """
      All ordered products exist and are available.
      """,
      source: "Seed (productUnavailable), 03_…"),
    Limit(
      "MS-44",
      """
      All lines belong to the order's partner.
      """,
      source: "CheckoutView.swift (single partner per cart)"),
    Limit(
      "MS-45",
      """
      estimatedDeliveryTime is later than now and at most 24 h ahead.
      """,
      source: "03_…; 06_Nutzer_Handbuch_FAQ.md"),
    Limit(
      "MS-46",
      """
      At most 50 lines, quantity 1–99 per line.
      """,
      source: "CartService.swift"),
    Limit(
      "MS-47",
      """
      Initial state is one of: created with payment pending; payment_confirmed with \
      completed; payment_confirmed with pending and method cash. driverId and \
      actualDeliveryTime are absent.
      """,
      source: "CheckoutView.swift; Decision"),
    Limit(
      "MS-48",
      """
      Creating the same record name again yields EXISTS with the server record and no \
      second reservation, charge or push.
      """,
      source: "CloudKit; needed by the offline queue"),
    Limit(
      "MS-49",
      """
      Only signed-in customers order.
      """,
      source: "requirements.md 1.4, role permissions"),
    Limit(
      "MS-50",
      """
      stockQuantity is never below 0 except the sentinel −1.
      """,
      source: "03_…"),
    Limit(
      "MS-51",
      """
      Creating an order reserves all lines or none, atomically with the order. Lines of \
      the same product add up.
      """,
      source: "ComprehensiveBusinessLogicTests.swift; Decision"),
    Limit(
      "MS-52",
      """
      Cancellation or failure before pickup returns the reserved quantity exactly once; \
      after pickup nothing returns.
      """,
      source: "Decision"),
    Limit(
      "MS-53",
      """
      Stock reaching 0 sets isAvailable to 0; returned stock sets it to 1 again only if \
      the system had switched it off.
      """,
      source: "04_Partner_Handbuch.md; Decision"),
    Limit(
      "MS-54",
      """
      Absent or −1 stock is unlimited and is never changed by orders.
      """,
      source: "03_…"),
    Limit(
      "MS-55",
      """
      An order that is still unpaid 15 minutes after creation becomes failed and releases \
      its stock.
      """,
      source: "ComprehensiveBusinessLogicTests.swift (reservation lifetime); Decision"),
  ]
}
