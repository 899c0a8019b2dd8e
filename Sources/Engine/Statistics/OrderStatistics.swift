/// Quantiles of a sample.
///
/// How well they are known is for `ReplicatedQuantile` to say: waits of requests that queue together are not independent, and intervals
/// between order statistics of pooled requests would cover far less than promised.
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
}
