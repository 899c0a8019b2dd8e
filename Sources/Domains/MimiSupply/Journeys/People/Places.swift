import MimiSupplyContract
import Timekeeping

extension Geography.Point {
  /// The point so many metres away; good to a tenth of a percent over the distances of a city.
  ///
  /// - Parameter bearing: In full turns, clockwise from north.
  func moved(metres: Double, bearing: Double) -> Geography.Point {
    let angle = bearing * Self.turn
    let degree = Geography.earthRadius * Geography.radians(1)
    return Geography.Point(
      latitude + metres * Elementary.cos(angle) / degree,
      longitude + metres * Elementary.sin(angle)
        / (degree * Elementary.cos(Geography.radians(latitude))))
  }

  /// The point that lies a share of the straight way to another.
  func towards(_ goal: Geography.Point, share: Double) -> Geography.Point {
    Geography.Point(
      latitude + (goal.latitude - latitude) * share,
      longitude + (goal.longitude - longitude) * share)
  }

  private static let turn = 0x1.921fb54442d18p+2
}

extension RandomStream {
  /// A point of a disc, all of it equally likely.
  mutating func point(within metres: Double, of centre: Geography.Point) -> Geography.Point {
    let distance = metres * unit().squareRoot()
    return centre.moved(metres: distance, bearing: unit())
  }

  /// A gamma deviate.
  ///
  /// - Source: G. Marsaglia, W. W. Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000), 363; a
  ///   shape below 1 by the power of a uniform deviate, as they propose.
  mutating func gamma(shape: Double, scale: Double) -> Double {
    precondition(shape > 0 && scale > 0, "a gamma distribution has a positive shape and scale")
    if shape < 1 {
      let boost = Elementary.exp(Elementary.log(unit()) / shape)
      return gamma(shape: shape + 1, scale: scale) * boost
    }
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = normal()
      let root = 1 + c * x
      guard root > 0 else { continue }
      let v = root * root * root
      if Elementary.log(unit()) < 0.5 * x * x + d - d * v + d * Elementary.log(v) {
        return scale * d * v
      }
    }
  }

  /// A log-normal time by its median and the standard deviation of its logarithm.
  mutating func span(median: Span, sigma: Double) -> Span {
    Span(seconds: lognormal(median: median.seconds, sigma: sigma))
  }
}
