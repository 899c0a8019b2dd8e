import Contracts

extension MimiSupply.Rule {
  /// §4.8 Delivery and rating: MS-77 to MS-81.
  static let delivery = Theme<Self>([
    .ms77: Stated(
      """
      delivered requires a DeliveryCompletion of the assigned driver, created before or earlier in \
      the same request. Photo optional unless proofPhotoRequired.
      """, source: "Seed (photo optional); Decision"),
    .ms78: Stated(
      "At most one completion per order, only in status en_route, only by the assigned driver.",
      source: "Decision"),
    .ms79: Stated(
      "Each delivery raises completedDeliveries of its driver by exactly 1.", source: "Seed field"),
    .ms80: Stated(
      """
      A rating updates the driver's rating, and the partner's rating and reviewCount, as \
      arithmetic mean over all ratings, kept exactly as sum and count and exposed as sum/count.
      """,
      source: "ComprehensiveBusinessLogicTests.swift (mean); target of the rating: Decision OP-16"),
    .ms81: Stated(
      "Only the order's customer rates, once, after delivery.",
      source: "06_Nutzer_Handbuch_FAQ.md; Decision"),
  ])
}
