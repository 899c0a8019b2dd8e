import Contracts
import Timekeeping

/// How large a value may be where the specification names no end: declared here once, for the schema, for files, for
/// moments and for `configure`. With these ends no sum that anybody is likely to make leaves 64 bits; what reckons with
/// values that nobody judged (a rule is switched off, a foreign server answers) stays at the end of 64 bits instead.
public enum Bounds {
  /// An amount of money: ten billion euro. Nine million of the largest still have a sum (MS-31).
  public static let cents: ClosedRange<Int64> = 0...1_000_000_000_000
  /// Pieces, reviews, deliveries, attempts.
  public static let counts: ClosedRange<Int64> = 0...1_000_000_000
  /// Whole metres between two points on earth.
  public static let metres: ClosedRange<Double> = 0...20_100_000
  /// Bytes of one file: a petabyte, all that the seed gives a database.
  public static let fileBytes: ClosedRange<Int> = 0...(1 << 50)
  /// Milliseconds since 1970 that leave nanoseconds of 64 bits room to reckon: 1684 to 2255.
  public static let moments: ClosedRange<Int64> = -8_999_999_999_999...8_999_999_999_999
  /// What `configure` takes for a number, and for a span.
  public static let settings: ClosedRange<Int> = 0...(1 << 60)
  public static let spans: ClosedRange<Span> = .nanoseconds(1)...(.days(36_500))
}

/// Sums stay at the ends of 64 bits rather than overflow, as those of a `Span` do.
extension Int64 {
  public func plus(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }

  public func minus(_ other: Int64) -> Int64 {
    let (rest, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : rest
  }

  public func times(_ other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }

  /// The nearest whole number that there is; zero for what is none.
  public init(nearest number: Double) {
    let whole = number.rounded()
    self =
      Int64(exactly: whole)
      ?? (whole.isNaN ? 0 : whole > 0 ? Int64.max : Int64.min)
  }
}

extension Instant {
  /// The instant so many milliseconds after 1970, or the nearest that there is.
  public init(nearestMilliseconds milliseconds: Int64) {
    self.init(nanoseconds: milliseconds.times(1_000_000))
  }
}
