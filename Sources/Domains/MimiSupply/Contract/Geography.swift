import Timekeeping

/// Distances on the sphere of §0.2: the same whole metres on every machine.
public enum Geography {
  /// In metres.
  public static let earthRadius = 6_371_008.8

  public struct Point: Hashable, Sendable {
    public var latitude, longitude: Double

    public init(_ latitude: Double, _ longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }

    /// Whether both coordinates lie in their ranges (§2.2).
    public var isOnEarth: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }
  }

  /// The great-circle distance in whole metres, rounded to the nearest.
  public static func metres(_ a: Point, _ b: Point) -> Int {
    let cosines = Elementary.cos(radians(a.latitude)) * Elementary.cos(radians(b.latitude))
    return Int(Int64(nearest: distance(a, b, cosines: cosines)))
  }

  /// The same with the product of the latitudes' cosines, which an index keeps.
  public static func distance(_ a: Point, _ b: Point, cosines: Double) -> Double {
    let north = Elementary.sin(radians(b.latitude - a.latitude) / 2)
    let east = Elementary.sin(radians(b.longitude - a.longitude) / 2)
    let h = north * north + cosines * (east * east)
    return 2 * earthRadius * arcsine(min(1, h).squareRoot())
  }

  public static func radians(_ degrees: Double) -> Double { degrees * (0x1.921fb54442d18p+1 / 180) }

  /// The arcsine of 0…1.
  ///
  /// Beyond √½ it goes over the complement, where the sine is steep enough for Newton's steps to converge.
  public static func arcsine(_ x: Double) -> Double {
    if x * x <= 0.5 { return lowerArcsine(x) }
    return 0x1.921fb54442d18p+0 - lowerArcsine(((1 - x) * (1 + x)).squareRoot())
  }

  /// Two steps of Newton's method on the sine, from a polynomial's guess.
  /// - Source: the guess is formula 4.4.45 of Abramowitz, Stegun, "Handbook of Mathematical Functions", 1964.
  private static func lowerArcsine(_ x: Double) -> Double {
    if x < 0x1p-27 { return x }
    var angle =
      0x1.921fb54442d18p+0 - (1 - x).squareRoot()
      * (1.5707288 + x * (-0.2121144 + x * (0.0742610 - x * 0.0187293)))
    for _ in 0..<2 {
      angle -= (Elementary.sin(angle) - x) / Elementary.cos(angle)
    }
    return angle
  }
}
