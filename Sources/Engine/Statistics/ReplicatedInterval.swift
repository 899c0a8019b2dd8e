import CGSL

extension Interval {
  /// Fewer replications give no interval that covers at least 93 %.
  public static let fewestReplications = 10

  /// The interval of the true mean from one value per replication, for values that may be skewed: waits that queue, shares of rare
  /// events.
  ///
  /// It is the hull of Student's interval and of the one that belongs to Hall's skewness-adjusted statistic: it holds what either
  /// of them cannot exclude, as `ExceedanceGate` decides only where both agree. Measured with twenty replications at a nominal
  /// 95 %: 95–96 % for exponential, log-normal and bimodal times, 94–95 % for the waits of short runs of a queue at 0.9, of
  /// which Student's interval alone covers 88–92 % (`reports/validation.md`).
  ///
  /// - Parameters:
  ///   - values: One per replication, independent of each other.
  ///   - confidence: The share to cover, two-sided.
  /// - Returns: Too few below ten: with three to nine values from correlated waits even the hull covers 83 to 92 %.
  /// - Source: Student, Biometrika 6 (1908), 1–25; P. Hall, "On the removal of skewness by transformation", JRSS B 54 (1992),
  ///   221–228.
  public static func ofReplications(
    _ values: [Double], confidence: Double = 0.95
  ) -> Result<Interval, TooFew> {
    checkConfidence(confidence)
    guard values.count >= fewestReplications, let summary = Summary(values) else {
      return .failure(TooFew(have: values.count, need: fewestReplications))
    }
    return .success(hull(of: summary, confidence: confidence))
  }

  /// - Precondition: Three values or more.
  static func hull(of summary: Summary, confidence: Double) -> Interval {
    guard let error = summary.standardError, let skewness = summary.skewness else {
      return Interval(low: summary.mean, high: summary.mean, confidence: confidence)
    }
    let t = Quantiles.studentT((1 + confidence) / 2, degrees: Double(summary.count - 1))
    let slant = skewness / Double(summary.count).squareRoot()
    return Interval(
      low: summary.mean - error * max(t, plainT(t, slant: slant)),
      high: summary.mean - error * min(-t, plainT(-t, slant: slant)), confidence: confidence)
  }

  /// The plain statistic whose skewness-adjusted form, t + g(1 + 2t²)/(6√n) + g²t³/(27n), has a value.
  ///
  /// With λ = g/√n that form is ((1 + λt/3)³ − 1)/λ + λ/6.
  private static func plainT(_ adjusted: Double, slant: Double) -> Double {
    guard slant.magnitude > 1e-6 else { return adjusted }
    return 3 / slant * (cbrt(1 + slant * (adjusted - slant / 6)) - 1)
  }
}

extension Interval {
  /// How many replications would bring the mean of values like these to one side of a bound.
  ///
  /// - Returns: `nil` where a million would not, or nothing is known of the values' spread.
  public static func replicationsToDecide(
    _ values: [Double], bound: Double, confidence: Double = 0.95
  ) -> Int? {
    replications(values, confidence: confidence) { mean, reach in (mean - bound).magnitude > reach }
  }

  /// How many replications would bring the half width of the interval to a share of the mean.
  ///
  /// - Returns: `nil` where a million would not, or nothing is known of the values' spread.
  public static func replicationsToReach(
    _ values: [Double], relativeHalfWidth: Double, confidence: Double = 0.95
  ) -> Int? {
    replications(values, confidence: confidence) { mean, reach in
      reach <= relativeHalfWidth * mean.magnitude
    }
  }

  private static func replications(
    _ values: [Double], confidence: Double,
    where isEnough: (_ mean: Double, _ reach: Double) -> Bool
  ) -> Int? {
    checkConfidence(confidence)
    guard let summary = Summary(values), let deviation = summary.standardDeviation else {
      return nil
    }
    return ExceedanceGate.fewest(from: max(fewestReplications, values.count)) { count in
      let t = Quantiles.studentT((1 + confidence) / 2, degrees: Double(count - 1))
      return isEnough(summary.mean, t * deviation / Double(count).squareRoot())
    }
  }
}
