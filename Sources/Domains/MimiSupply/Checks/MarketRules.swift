import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// The values of section 10 that these checks go by, as the operator set them.
@dynamicMemberLookup
struct MarketRules: Sendable {
  /// Since when they are what they are.
  var since = Instant.distantPast
  var furthestEstimate = Span.hours(24)
  private var values = MimiSupply.Deployment()

  subscript<Value>(dynamicMember path: KeyPath<MimiSupply.Deployment, Value>) -> Value {
    values[keyPath: path]
  }

  /// How long an order lasts at least before the system ends it.
  var shortestLife: Span {
    min(values.unpaidTimeout, min(values.partnerAcceptTimeout, values.dispatchGiveUp))
  }

  /// The last state in which a customer may cancel.
  var customerCancelUntil: OrderStatus {
    OrderStatus.of(values.customerCancelUntil.rawValue)!
  }

  var paysByStub: Bool { values.paymentMode == .stub }

  mutating func configure(_ adjustment: Adjustment<MimiSupply.Deployment>, at now: Instant) {
    since = now
    adjustment.apply(to: &values)
  }
}
