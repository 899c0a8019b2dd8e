import MimiSupplyContract
import Timekeeping

/// What the domain layer goes by: the deployment's values (§6.6, §10), and what nobody sets.
@dynamicMemberLookup
struct MarketSettings: Hashable, Sendable {
  var deployment = MimiSupply.Deployment()
  /// How far ahead a delivery may be estimated (MS-45).
  var furthestEstimate = Span.hours(24)
  /// How far a client's clock may be ahead (§2.7, §2.8).
  var clockLeeway = Span.seconds(60)
  var pay = PayTable()

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

  subscript<Value>(dynamicMember path: WritableKeyPath<MimiSupply.Deployment, Value>) -> Value {
    get { deployment[keyPath: path] }
    set { deployment[keyPath: path] = newValue }
  }
}

/// MS-118; the default is granted.
enum Consent: String, Hashable, Sendable, CaseIterable {
  case essential, analytics, marketing, location, notifications, personalization
}
