extension Interval {
  /// Fewer replications give no interval that covers at least 93 %.
  public static let fewestReplications = 10

  /// The interval of the true mean from one value per replication, such as a rate or a count.
  ///
  /// - Returns: Too few below ten: with three to nine values from correlated waits even this interval covers 83 to 92 %.
  public static func ofReplications(
    _ values: [Double], confidence: Double = 0.95
  ) -> Result<Interval, TooFew> {
    ofReplications(values.map { Total(sum: $0, count: 1) }, confidence: confidence)
  }

  /// The interval of the mean over all requests, from their sum and number in each replication.
  ///
  /// It holds the values that the three tests of `RatioTest` do not agree to exclude, for requests that depend on each other within
  /// a replication, replications that differ in size, and times that are skewed. Measured at a nominal 95 % with twenty replications:
  /// 94 to 98 % for exponential, log-normal and bimodal times and the waits of short runs of a queue at 0.9, of which
  /// Student's interval alone covers 88 to 92 %; tails so heavy that their variance is infinite are covered less often
  /// (`reports/validation.md`).
  ///
  /// - Parameters:
  ///   - totals: One per replication, independent of each other; those without requests are left out.
  ///   - confidence: The share to cover, two-sided.
  /// - Returns: Too few below ten, where a few replications hold most of the requests, so that all weigh as fewer than five of equal
  ///   size, or where the values differ so much that no value can be excluded.
  /// - Source: `RatioTest`.
  public static func ofReplications(
    _ totals: [Total], confidence: Double = 0.95
  ) -> Result<Interval, TooFew> {
    checkConfidence(confidence)
    let have = totals.count { $0.count > 0 }
    guard let test = RatioTest(totals, .amount), have >= fewestReplications else {
      return .failure(TooFew(have: have, need: fewestReplications))
    }
    let needed = Double(have) * Double(fewestReplications) / 2 / test.effective
    guard needed <= Double(have) else {
      return .failure(TooFew(have: have, need: Int(needed.rounded(.up))))
    }
    guard !test.isEqual else {
      return .success(Interval(low: test.ratio, high: test.ratio, confidence: confidence))
    }
    let side = (1 + confidence) / 2
    let low = test.lowerEnd(confidence: side, least: -.infinity)
    let high = test.upperEnd(confidence: side, most: .infinity)
    guard low.isFinite, high.isFinite else {
      return .failure(TooFew(have: have, need: 2 * have))
    }
    return .success(Interval(low: low, high: high, confidence: confidence))
  }
}

extension Interval {
  /// How likely chance alone shows a mean so far above a bound, or so far below it, where the bound is the true mean: what
  /// `ofReplications` excludes has a chance of at most half its error.
  public static func chances(
    ofReplications totals: [Total], at bound: Double
  ) -> ExceedanceGate.Chances {
    guard let test = RatioTest(totals, .amount) else {
      return ExceedanceGate.Chances(ofMore: 1, ofLess: 1)
    }
    guard !test.isEqual else {
      return ExceedanceGate.Chances(
        ofMore: test.ratio > bound ? 0 : 1, ofLess: test.ratio < bound ? 0 : 1)
    }
    return ExceedanceGate.Chances(
      ofMore: test.chanceAbove(bound), ofLess: test.chanceBelow(bound))
  }
}

extension Interval {
  /// How many replications would bring the mean of values like these to one side of a bound.
  ///
  /// - Returns: `nil` where a million would not, or nothing is known of the values' spread.
  public static func replicationsToDecide(
    _ totals: [Total], bound: Double, confidence: Double = 0.95
  ) -> Int? {
    guard let test = RatioTest(totals, .amount), !test.isEqual, test.count > 2 else { return nil }
    return ExceedanceGate.fewest(from: max(fewestReplications, test.count)) { count in
      let weight = Double(count) / Double(test.count)
      return test.side(of: bound, confidence: (1 + confidence) / 2, weight: weight) != .neither
    }
  }

  /// How many replications would bring the half width of the interval to a share of the mean.
  ///
  /// - Returns: `nil` where a million would not, or nothing is known of the values' spread.
  public static func replicationsToReach(
    _ values: [Double], relativeHalfWidth: Double, confidence: Double = 0.95
  ) -> Int? {
    checkConfidence(confidence)
    guard let summary = Summary(values), let deviation = summary.standardDeviation else {
      return nil
    }
    return ExceedanceGate.fewest(from: max(fewestReplications, values.count)) { count in
      let t = Quantiles.studentT((1 + confidence) / 2, degrees: Double(count - 1))
      let reach = t * deviation / Double(count).squareRoot()
      return reach <= relativeHalfWidth * summary.mean.magnitude
    }
  }
}
