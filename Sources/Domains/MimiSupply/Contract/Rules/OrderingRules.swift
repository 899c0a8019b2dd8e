import Contracts

extension MimiSupply.Rule {
  /// §4.4 Ordering preconditions, §4.5 Stock: MS-39 to MS-55.
  static let ordering = Theme<Self>([
    .ms39: "subtotalCents ≥ partner's minimumOrderAmount; fees, tax and tip do not count."
      .stated(in: "Seed field; ComprehensiveBusinessLogicTests.swift"),
    .ms40: "Distance partner → delivery address ≤ deliveryRadius · 1000 m."
      .stated(in: "Seed field; same tests"),
    .ms41: """
    The partner is open at the commit time according to openingHours in local time, including \
    intervals over midnight and the days of clock change.
    """.stated(in: "Seed field; Decision"),
    .ms42: "The partner exists, is active and verified.".stated(in: "Seed fields; Decision"),
    .ms43: "All ordered products exist and are available."
      .stated(in: "Seed (productUnavailable), 03_…"),
    .ms44: "All lines belong to the order's partner."
      .stated(in: "CheckoutView.swift (single partner per cart)"),
    .ms45: "estimatedDeliveryTime is later than now and at most 24 h ahead."
      .stated(in: "03_…; 06_Nutzer_Handbuch_FAQ.md"),
    .ms46: "At most 50 lines, quantity 1–99 per line.".stated(in: "CartService.swift"),
    .ms47: """
    Initial state is one of: created with payment pending; payment_confirmed with completed; \
    payment_confirmed with pending and method cash. driverId and actualDeliveryTime are absent.
    """.stated(in: "CheckoutView.swift; Decision"),
    .ms48: """
    Creating the same record name again yields EXISTS with the server record and no second \
    reservation, charge or push.
    """.stated(in: "CloudKit; needed by the offline queue"),
    .ms49: "Only signed-in customers order.".stated(in: "requirements.md 1.4, role permissions"),
    .ms50: "stockQuantity is never below 0 except the sentinel −1.".stated(in: "03_…"),
    .ms51: """
    Creating an order reserves all lines or none, atomically with the order. Lines of the same \
    product add up.
    """.stated(in: "ComprehensiveBusinessLogicTests.swift; Decision"),
    .ms52: """
    Cancellation or failure before pickup returns the reserved quantity exactly once; after pickup \
    nothing returns.
    """.stated(in: "Decision"),
    .ms53: """
    Stock reaching 0 sets isAvailable to 0; returned stock sets it to 1 again only if the system \
    had switched it off.
    """.stated(in: "04_Partner_Handbuch.md; Decision"),
    .ms54: "Absent or −1 stock is unlimited and is never changed by orders.".stated(in: "03_…"),
    .ms55: """
    An order that is still unpaid 15 minutes after creation becomes failed and releases its stock.
    """.stated(in: "ComprehensiveBusinessLogicTests.swift (reservation lifetime); Decision"),
  ])
}
