import Contracts

extension MimiSupply.Rule {
  /// §4.10 Subscriptions and pushes: MS-90 to MS-100.
  static let pushes = Theme<Self>([
    .ms90: """
    order-updates informs the customer and the assigned driver about every change of their orders.
    """.stated(in: "Seed \"Real-time Subscriptions\""),
    .ms91: """
    driver-location-updates informs customers with active orders about every new position of their \
    driver.
    """.stated(in: "Seed"),
    .ms92: "partner-order-updates informs the partner about each new order exactly once."
      .stated(in: "Seed; 3.5"),
    .ms93: """
    Completeness: without injected faults every expected notification arrives exactly once per \
    registered device of the subscriber.
    """.stated(in: "Seed (implied); Decision"),
    .ms94: "No notification reveals a record its receiver cannot see at that commit."
      .stated(in: "Seed \"Private Database\""),
    .ms95: "The originating device receives nothing, other devices do.".stated(in: "CloudKit"),
    .ms96: "Payload shape as in 3.5 with the exact top-level names orderid and status."
      .stated(in: "Seed \"Notification Payloads\""),
    .ms97: """
    Fan-out latency is measured from the change (its answer; for a system change its instant) to \
    the arrival of the notification; percentiles per subscription kind. The push log (section 11) \
    splits it at the queueing. No bound is documented; alarm threshold p99 1 s (Assumption).
    """.stated(
      in: "Decision",
      unjudged: """
        no bound is documented and the alarm threshold is an assumption: the business latencies \
        fan-out-orders, -partners, -positions and -offers measure it
        """),
    .ms98: "Notifications of one device arrive in CSN order.".stated(in: "Decision"),
    .ms99: "badge counts the unfetched notifications of the device token."
      .stated(in: "Seed example; Decision"),
    .ms100: "Payload ≤ 4 096 bytes and free of address, items, amounts and phone numbers."
      .stated(in: "CloudKit; data minimisation in 07_…"),
  ])
}
