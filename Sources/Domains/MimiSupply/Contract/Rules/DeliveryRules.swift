import Contracts

extension MimiSupply.Rule {
  /// §4.8 Delivery and rating: MS-77 to MS-81.
  static let delivery = Theme<Self>([
    .ms77: """
    delivered requires a DeliveryCompletion of the assigned driver, created before or earlier in \
    the same request. Photo optional unless proofPhotoRequired.
    """.stated(in: "Seed (photo optional); Decision"),
    .ms78: "At most one completion per order, only in status en_route, only by the assigned driver."
      .stated(in: "Decision"),
    .ms79: "Each delivery raises completedDeliveries of its driver by exactly 1."
      .stated(in: "Seed field"),
    .ms80: """
    A rating updates the driver's rating, and the partner's rating and reviewCount, as arithmetic \
    mean over all ratings, kept exactly as sum and count and exposed as sum/count.
    """.stated(
      in: "ComprehensiveBusinessLogicTests.swift (mean); target of the rating: Decision OP-16"),
    .ms81: "Only the order's customer rates, once, after delivery."
      .stated(in: "06_Nutzer_Handbuch_FAQ.md; Decision"),
  ])
}
