import CGSL

/// By how much one side lies above another, on the scale of natural logarithms: 0.1 is about 10 % more.
///
/// Ratios of times are skewed and multiply; their logarithms are nearly normal and add up.
public struct LogRatio: Hashable, Sendable {
  public let estimate: Double
  public let interval: Interval
  /// Of the estimate.
  public let standardError: Double
  /// Degrees of freedom behind the standard error.
  public let degrees: Double
  /// Where the truth is no change at all.
  public let chance: Chances
  /// Where the truth is a change by at most the margin, in either direction.
  public let chanceWithinMargin: Chances

  /// How likely chance alone shows a change as large as the one seen.
  public struct Chances: Hashable, Sendable {
    public let ofMore: Double
    public let ofLess: Double

    public var smaller: Double { min(ofMore, ofLess) }
  }

  /// Of the mean logarithm of after over before, pair by pair, by Student's t.
  ///
  /// Pairs share their random numbers, which takes most of the noise out of the ratio. It assumes independent pairs and nearly
  /// normal log-ratios.
  ///
  /// - Parameters:
  ///   - before: Positive; paired with `after` by place.
  ///   - margin: On the scale of logarithms; not negative.
  ///   - resolution: The relative width of the classes that the values were counted in. Values of one class differ
  ///     unseen, so that the standard error is at least what rounding leaves, and pairs that happen to be equal prove little.
  /// - Returns: Too few below two pairs.
  public static func paired(
    before: [Double], after: [Double], margin: Double, confidence: Double = 0.95,
    resolution: Double = 0
  ) -> Result<LogRatio, TooFew> {
    precondition(before.count == after.count, "a pair has two sides")
    precondition(margin >= 0 && resolution >= 0, "a margin and a resolution are not negative")
    Interval.checkConfidence(confidence)
    let ratios = zip(before, after).map { logarithm($1) - logarithm($0) }
    guard let summary = Summary(ratios), let spread = summary.standardDeviation else {
      return .failure(TooFew(have: ratios.count, need: 2))
    }
    // A value rounded to its class is off by a uniform error of variance width²/12, on both sides of the ratio.
    let rounding = resolution / 6.0.squareRoot()
    let error = max(spread, rounding) / Double(ratios.count).squareRoot()
    let degrees = Double(ratios.count - 1)
    let reach = Quantiles.studentT((1 + confidence) / 2, degrees: degrees) * error
    func chance(_ distance: Double) -> Double {
      if error > 0 { return Quantiles.studentTAbove(distance / error, degrees: degrees) }
      return distance > 0 ? 0 : 1
    }
    return .success(
      LogRatio(
        estimate: summary.mean,
        interval: Interval(
          low: summary.mean - reach, high: summary.mean + reach, confidence: confidence),
        standardError: error, degrees: degrees,
        chance: Chances(ofMore: chance(summary.mean), ofLess: chance(-summary.mean)),
        chanceWithinMargin: Chances(
          ofMore: chance(summary.mean - margin), ofLess: chance(-summary.mean - margin))))
  }

  static func logarithm(_ value: Double) -> Double {
    precondition(value > 0 && value.isFinite, "only positive numbers have a ratio")
    return GSL.log(value)
  }
}
