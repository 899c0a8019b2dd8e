import MimiSupplyContract
import Timekeeping

/// What a scenario may set of the domain layer (§6.6, §10); the defaults are the specification's.
struct MarketSettings: Hashable, Sendable {
  /// The state whose first entry begins the search for a driver (§6.1).
  enum DispatchTrigger: String, Hashable, Sendable, CaseIterable {
    case paymentConfirmed = "payment_confirmed"
    case accepted
    case readyForPickup = "ready_for_pickup"
  }

  /// §6.2.
  enum DispatchMode: String, Hashable, Sendable, CaseIterable { case offer, auto, batch, pool }

  /// Who says that an order is paid (OP-18).
  enum PaymentMode: String, Hashable, Sendable, CaseIterable { case client, stub }

  /// The last state in which a customer may cancel (OP-12).
  enum CustomerCancelUntil: String, Hashable, Sendable, CaseIterable {
    case paymentConfirmed = "payment_confirmed"
    case accepted, preparing
  }

  var dispatchTrigger = DispatchTrigger.accepted
  var dispatchMode = DispatchMode.offer
  /// Driver to partner, in metres, inclusive.
  var dispatchRadius = 10_000
  /// How old a position may be that makes a driver a candidate, inclusive.
  var positionMaxAge = Span.seconds(120)
  /// Active orders that one driver may hold.
  var driverCapacity = 1
  var offerLifetime = Span.seconds(30)
  var retryInterval = Span.seconds(15)
  var dispatchGiveUp = Span.minutes(30)
  var pickupTimeout = Span.minutes(20)
  var offlineGrace = Span.seconds(120)
  var batchWindow = Span.seconds(10)
  var batchAsOffers = true
  /// Ranks by whole metres instead of classes of 100 m.
  var strictDistance = false
  var partnerAcceptTimeout = Span.minutes(2)
  var unpaidTimeout = Span.minutes(15)
  var proofPhotoRequired = false
  /// The only suitable vehicle; `nil`: every vehicle suits.
  var requiredVehicle: String?

  var paymentMode = PaymentMode.client
  /// How long the payment stub takes.
  var paymentDelay = Span.seconds(2)
  var feePolicy = FeePolicy.germanDocs
  var feePolicyEnforcement = false
  var customerCancelUntil = CustomerCancelUntil.accepted

  var maxLines = 50
  var maxQuantity: Int64 = 99
  /// How far ahead a delivery may be estimated (MS-45).
  var furthestEstimate = Span.hours(24)
  /// How far a client's clock may be ahead (§2.7, §2.8).
  var clockLeeway = Span.seconds(60)
  var zone = CivilZone.berlin

  var pay = PayTable()

  init() {}

  /// §5.4, in cents, metres and minutes.
  struct PayTable: Hashable, Sendable {
    var base: Int64 = 350
    var perKilometre: Int64 = 80
    var perWaitingMinute: Int64 = 20
    var freeWaitingMinutes: Int64 = 5
    var bicycle: Int64 = 50
    var lunch: Int64 = 100
    var evening: Int64 = 150
    var weekend: Int64 = 75
    /// How near the partner waiting begins, in metres.
    var waitingRadius = 75
  }
}

/// MS-118; the default is granted.
enum Consent: String, Hashable, Sendable, CaseIterable {
  case essential, analytics, marketing, location, notifications, personalization
}
