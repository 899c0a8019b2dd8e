import Contracts

extension MimiSupply.Rule {
  /// §4.10 Subscriptions and pushes: MS-90 to MS-100.
  static let pushes = Theme<Self>([
    .ms90: Stated(
      """
      order-updates informs the customer and the assigned driver about every change of their \
      orders.
      """, source: "Seed \"Real-time Subscriptions\""),
    .ms91: Stated(
      """
      driver-location-updates informs customers with active orders about every new position of \
      their driver.
      """, source: "Seed"),
    .ms92: Stated(
      "partner-order-updates informs the partner about each new order exactly once.",
      source: "Seed; 3.5"),
    .ms93: Stated(
      """
      Completeness: without injected faults every expected notification arrives exactly once per \
      registered device of the subscriber.
      """, source: "Seed (implied); Decision"),
    .ms94: Stated(
      "No notification reveals a record its receiver cannot see at that commit.",
      source: "Seed \"Private Database\""),
    .ms95: Stated("The originating device receives nothing, other devices do.", source: "CloudKit"),
    .ms96: Stated(
      "Payload shape as in 3.5 with the exact top-level names orderid and status.",
      source: "Seed \"Notification Payloads\""),
    .ms97: Stated(
      """
      Fan-out latency is measured from the change (its answer; for a system change its instant) to \
      the arrival of the notification; percentiles per subscription kind. The push log (section \
      11) splits it at the queueing. No bound is documented; alarm threshold p99 1 s (Assumption).
      """, source: "Decision",
      unjudged: """
        no bound is documented and the alarm threshold is an assumption: the business latencies \
        fan-out-orders, -partners, -positions and -offers measure it
        """),
    .ms98: Stated("Notifications of one device arrive in CSN order.", source: "Decision"),
    .ms99: Stated(
      "badge counts the unfetched notifications of the device token.",
      source: "Seed example; Decision"),
    .ms100: Stated(
      "Payload ≤ 4 096 bytes and free of address, items, amounts and phone numbers.",
      source: "CloudKit; data minimisation in 07_…"),
  ])
}
