import Contracts

extension MimiSupply.Rule {
  /// §4.4 Ordering preconditions, §4.5 Stock: MS-39 to MS-55.
  static let ordering = Theme<Self>([
    .ms39: Stated(
      "subtotalCents ≥ partner's minimumOrderAmount; fees, tax and tip do not count.",
      source: "Seed field; ComprehensiveBusinessLogicTests.swift"),
    .ms40: Stated(
      "Distance partner → delivery address ≤ deliveryRadius · 1000 m.",
      source: "Seed field; same tests"),
    .ms41: Stated(
      """
      The partner is open at the commit time according to openingHours in local time, including \
      intervals over midnight and the days of clock change.
      """, source: "Seed field; Decision"),
    .ms42: Stated("The partner exists, is active and verified.", source: "Seed fields; Decision"),
    .ms43: Stated(
      "All ordered products exist and are available.", source: "Seed (productUnavailable), 03_…"),
    .ms44: Stated(
      "All lines belong to the order's partner.",
      source: "CheckoutView.swift (single partner per cart)"),
    .ms45: Stated(
      "estimatedDeliveryTime is later than now and at most 24 h ahead.",
      source: "03_…; 06_Nutzer_Handbuch_FAQ.md"),
    .ms46: Stated("At most 50 lines, quantity 1–99 per line.", source: "CartService.swift"),
    .ms47: Stated(
      """
      Initial state is one of: created with payment pending; payment_confirmed with completed; \
      payment_confirmed with pending and method cash. driverId and actualDeliveryTime are absent.
      """, source: "CheckoutView.swift; Decision"),
    .ms48: Stated(
      """
      Creating the same record name again yields EXISTS with the server record and no second \
      reservation, charge or push.
      """, source: "CloudKit; needed by the offline queue"),
    .ms49: Stated(
      "Only signed-in customers order.", source: "requirements.md 1.4, role permissions"),
    .ms50: Stated("stockQuantity is never below 0 except the sentinel −1.", source: "03_…"),
    .ms51: Stated(
      """
      Creating an order reserves all lines or none, atomically with the order. Lines of the same \
      product add up.
      """, source: "ComprehensiveBusinessLogicTests.swift; Decision"),
    .ms52: Stated(
      """
      Cancellation or failure before pickup returns the reserved quantity exactly once; after \
      pickup nothing returns.
      """, source: "Decision"),
    .ms53: Stated(
      """
      Stock reaching 0 sets isAvailable to 0; returned stock sets it to 1 again only if the system \
      had switched it off.
      """, source: "04_Partner_Handbuch.md; Decision"),
    .ms54: Stated(
      "Absent or −1 stock is unlimited and is never changed by orders.", source: "03_…"),
    .ms55: Stated(
      """
      An order that is still unpaid 15 minutes after creation becomes failed and releases its \
      stock.
      """, source: "ComprehensiveBusinessLogicTests.swift (reservation lifetime); Decision"),
  ])
}
