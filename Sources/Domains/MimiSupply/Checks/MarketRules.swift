import Contracts
import MimiSupplyContract
import Timekeeping

/// The values of section 10 that these checks go by, as the operator set them.
struct MarketRules: Sendable {
  /// Since when they are what they are.
  var since = Instant.distantPast
  /// Whose clocks opening hours go by.
  var zone = CivilZone.berlin
  var maxLines = 50
  var maxQuantity: Int64 = 99
  var furthestEstimate = Span.hours(24)
  var unpaidTimeout = Span.minutes(15)
  var partnerAcceptTimeout = Span.minutes(2)
  var dispatchGiveUp = Span.minutes(30)
  var customerCancelUntil = OrderStatus.accepted
  var enforcesFees = false
  var feePolicy = FeePolicy.germanDocs
  var paysByStub = false
  var needsPhoto = false

  /// How long an order lasts at least before the system ends it.
  var shortestLife: Span { min(unpaidTimeout, min(partnerAcceptTimeout, dispatchGiveUp)) }

  mutating func configure(_ values: [String: JSON], at now: Instant) {
    since = now
    func span(_ name: String) -> Span? { values[name]?.string.flatMap { Span($0) } }
    zone = values["timeZone"]?.string.flatMap { CivilZone($0) } ?? zone
    maxLines = values["maxLines"]?.int ?? maxLines
    maxQuantity = values["maxQuantity"]?.int.map { Int64($0) } ?? maxQuantity
    unpaidTimeout = span("unpaidTimeout") ?? unpaidTimeout
    partnerAcceptTimeout = span("partnerAcceptTimeout") ?? partnerAcceptTimeout
    dispatchGiveUp = span("dispatchGiveUp") ?? dispatchGiveUp
    customerCancelUntil =
      values["customerCancelUntil"]?.string.flatMap(OrderStatus.init) ?? customerCancelUntil
    enforcesFees = values["feePolicyEnforcement"]?.bool ?? enforcesFees
    feePolicy = values["feePolicy"]?.string.flatMap(FeePolicy.init) ?? feePolicy
    paysByStub = values["paymentMode"]?.string.map { $0 == "stub" } ?? paysByStub
    needsPhoto = values["proofPhotoRequired"]?.bool ?? needsPhoto
  }
}
