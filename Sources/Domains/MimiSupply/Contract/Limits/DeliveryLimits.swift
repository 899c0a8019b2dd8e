import Contracts

extension MimiSupply {
  /// §4.8 Delivery and rating: MS-77 to MS-81.
  static let deliveryLimits: [Limit] = [
    Limit(
      "MS-77",
      """
      delivered requires a DeliveryCompletion of the assigned driver, created before or \
      earlier in the same request. Photo optional unless proofPhotoRequired.
      """,
      source: "Seed (photo optional); Decision"),
    Limit(
      "MS-78",
      """
      At most one completion per order, only in status en_route, only by the assigned \
      driver.
      """,
      source: "Decision"),
    Limit(
      "MS-79",
      """
      Each delivery raises completedDeliveries of its driver by exactly 1.
      """,
      source: "Seed field"),
    Limit(
      "MS-80",
      """
      A rating updates the driver's rating, and the partner's rating and reviewCount, as \
      arithmetic mean over all ratings, kept exactly as sum and count and exposed as \
      sum/count.
      """,
      source: """
        ComprehensiveBusinessLogicTests.swift (mean); target of the rating: Decision \
        OP-16
        """),
    Limit(
      "MS-81",
      """
      Only the order's customer rates, once, after delivery.
      """,
      source: "06_Nutzer_Handbuch_FAQ.md; Decision"),
  ]
}
