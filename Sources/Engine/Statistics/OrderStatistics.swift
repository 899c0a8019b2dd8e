/// Quantiles of a sample and how well they are known, for independent observations.
///
/// Waits of requests that queue together are not independent: intervals over pooled requests then cover far less than promised.
/// Such quantiles belong to `ExceedanceGate`.
public enum OrderStatistics {
  /// The smallest observation with at least a share q of all at or below it; `nil` of none.
  ///
  /// - Parameters:
  ///   - q: A share in 0...1; 0 gives the smallest observation.
  ///   - sorted: Observations in ascending order.
  /// - Source: R. J. Hyndman, Y. Fan, The American Statistician 50 (1996), 361–365, definition 1.
  public static func quantile(_ q: Double, ofSorted sorted: [Double]) -> Double? {
    precondition(q >= 0 && q <= 1, "a quantile lies in 0...1")
    guard !sorted.isEmpty else { return nil }
    return sorted[rank(ofQuantile: q, count: sorted.count) - 1]
  }

  /// The middle value, or the mean of the two in the middle.
  public static func median(of values: some Sequence<Double>) -> Double {
    median(ofSorted: values.sorted())
  }

  /// - Parameter sorted: Observations in ascending order, at least one.
  static func median(ofSorted sorted: [Double]) -> Double {
    precondition(!sorted.isEmpty, "no values have no median")
    let n = sorted.count
    return n % 2 == 1 ? sorted[n / 2] : sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2
  }

  /// The rank, counted from 1, of the smallest of so many observations with at least a share q of all at or below it.
  ///
  /// A share such as 0.07 is a hair more than it says, and so is its product with 100: rounding errors must not cost a rank.
  public static func rank(ofQuantile q: Double, count: Int) -> Int {
    let share = q * Double(count)
    return min(max(Int((share - share * 4 * .ulpOfOne).rounded(.up)), 1), count)
  }

  /// The interval of a quantile between two order statistics, exact for every continuous distribution.
  ///
  /// - Returns: Too few when not even the smallest and the largest observation reach the confidence.
  public static func interval(
    ofQuantile q: Double, ofSorted sorted: [Double], confidence: Double = 0.95
  ) -> Result<Interval, TooFew> {
    switch ranks(ofQuantile: q, count: sorted.count, confidence: confidence) {
    case .success(let ranks):
      .success(
        Interval(
          low: sorted[ranks.lowerBound - 1], high: sorted[ranks.upperBound - 1],
          confidence: confidence))
    case .failure(let tooFew): .failure(tooFew)
    }
  }

  /// The ranks, counted from 1, of the two order statistics between which the quantile lies with at least the confidence.
  ///
  /// As many observations lie below the quantile as a binomial count of `count` trials with success q. The tails get half of the
  /// error each; where an end of the sample leaves one tail larger, the other gets what remains.
  ///
  /// - Source: H. A. David, H. N. Nagaraja, "Order Statistics", 3rd edition 2003, section 7.1.
  public static func ranks(
    ofQuantile q: Double, count: Int, confidence: Double = 0.95
  ) -> Result<ClosedRange<Int>, TooFew> {
    precondition(q > 0 && q < 1, "an interval needs a quantile between 0 and 1, ends excluded")
    Interval.checkConfidence(confidence)
    let need = fewest(forQuantile: q, confidence: confidence)
    guard count >= need else { return .failure(TooFew(have: count, need: need)) }

    let error = 1 - confidence
    func atMost(_ k: Int) -> Double {
      Quantiles.binomialShare(atMost: k, trials: count, success: q)
    }
    func lowest(_ tail: Double) -> Int { lastRank(of: count) { atMost($0 - 1) <= tail } }
    func highest(_ tail: Double) -> Int {
      count + 1 - lastRank(of: count) { 1 - atMost(count - $0) <= tail }
    }
    var (low, high) = (lowest(error / 2), highest(error / 2))
    if low < 1 {
      low = 1
      high = highest(error - atMost(0))
    } else if high > count {
      high = count
      low = lowest(error - (1 - atMost(count - 1)))
    }
    // Rounding can leave no rank just where the need is met; the whole sample then has the confidence.
    low = max(low, 1)
    high = min(high, count)
    return .success(low...high)
  }

  /// The largest rank up to `count` for which a condition holds that turns false once; 0 if for none.
  private static func lastRank(of count: Int, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low + 1) / 2
      if holds(middle) { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The fewest observations of which the smallest and the largest enclose a quantile with the confidence; the largest integer where
  /// not even so many would do.
  public static func fewest(forQuantile q: Double, confidence: Double = 0.95) -> Int {
    func covers(_ n: Int) -> Bool {
      let outside = GSL.exp(Double(n) * GSL.log(q)) + GSL.exp(Double(n) * GSL.log1p(-q))
      return 1 - outside >= confidence
    }
    var high = 2
    while !covers(high) {
      guard high <= Int.max / 2 else { return Int.max }
      high *= 2
    }
    var low = high / 2
    while low + 1 < high {
      let middle = (low + high) / 2
      if covers(middle) { high = middle } else { low = middle }
    }
    return covers(low) && low >= 2 ? low : high
  }
}
