import Contracts
import MimiSupplyContract
import Timekeeping

/// The market's search for the nearest available driver by itself (§6.3), as a bench times it: drivers that stand
/// somewhere and move, and one order that asks at changing places.
public struct DriverSearch: Sendable {
  private var market = Market(MarketSettings(), rules: Rules<MimiSupply.Rule>())
  private let order = OrderState(
    customer: "", partner: "partner", status: .accepted, createdAt: .distantPast,
    enteredAt: .distantPast)

  public init() {}

  /// An available driver, or where he is from now on.
  public mutating func place(
    _ driver: RecordName, at point: Geography.Point, rating: Double, deliveries: Int64, now: Instant
  ) {
    if market.drivers[driver] == nil {
      market.drivers[driver] = DriverFacts(
        user: "", isVerified: true, isOnline: true, isAvailable: true, vehicle: "bicycle",
        rating: rating, completedDeliveries: deliveries, ratings: RatingSum())
    }
    market.drivers[driver]!.position = point
    market.drivers[driver]!.positionAt = now
    market.grid.place(driver, at: point)
  }

  /// Where the order is fetched.
  public mutating func move(partner point: Geography.Point) {
    market.partners["partner"] = PartnerState(
      owner: "", point: point, radiusMetres: 0, hours: nil, minimumOrderAmount: 0,
      isVerified: true, isActive: true, ratings: RatingSum())
  }

  /// Who is asked first, and how many drivers had to be looked at.
  public mutating func nearest(at now: Instant) -> (name: RecordName?, metres: Int, examined: Int) {
    market.nearest(for: order, at: now)
  }
}
