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

/// The Mann–Whitney test of two samples of given sizes, with its table worked out once.
public struct MannWhitney: Sendable {
  public let before: Int
  public let after: Int
  /// P(U ≤ u) under equal distributions.
  private let tails: [Double]

  /// - Complexity: O(before² · after); meant for up to a few hundred a side.
  public init(before: Int, after: Int) {
    self.before = before
    self.after = after
    tails = Comparison.mannWhitneyTails(before, after)
  }

  /// By how much the logarithms of one sample lie above those of another, independent one: Hodges and Lehmann's estimate, the exact
  /// interval, and exact chances.
  ///
  /// It assumes that the two differ by a factor alone. Ties count against a difference. The standard error is the half width of
  /// the interval in units of the normal distribution.
  ///
  /// - Parameter margin: On the scale of logarithms; not negative.
  /// - Returns: Too few when even the widest interval does not reach the confidence.
  public func logRatio(
    before old: [Double], after new: [Double], margin: Double, confidence: Double = 0.95
  ) -> Result<LogRatio, TooFew> {
    precondition(old.count == before && new.count == after, "the table is for other sizes")
    precondition(margin >= 0, "a margin is not negative")
    let (old, new) = (old.map(LogRatio.logarithm), new.map(LogRatio.logarithm))
    switch Comparison.shift(from: old, to: new, confidence: confidence, tails: tails) {
    case .failure(let tooFew): return .failure(tooFew)
    case .success(let shift):
      let width = shift.interval.high - shift.interval.low
      return .success(
        LogRatio(
          estimate: shift.estimate, interval: shift.interval,
          standardError: width / 2 / Quantiles.normal((1 + confidence) / 2),
          degrees: Double(before + after - 2), chance: chances(old, new, margin: 0),
          chanceWithinMargin: chances(old, new, margin: margin)))
    }
  }

  private func chances(_ old: [Double], _ new: [Double], margin: Double) -> LogRatio.Chances {
    LogRatio.Chances(
      ofMore: chance(ofMore: new, than: old.map { $0 + margin }),
      ofLess: chance(ofMore: old, than: new.map { $0 + margin }))
  }

  /// P(U ≥ u) for the pairs in which the first sample lies above the second.
  private func chance(ofMore high: [Double], than low: [Double]) -> Double {
    let above = high.reduce(0) { sum, value in sum + low.count { value > $0 } }
    return above == 0 ? 1 : min(1, max(0, tails[before * after - above]))
  }
}
