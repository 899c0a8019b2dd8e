import CGSL

/// What a sample of numbers looks like; `nil` stands where there are too few to say.
public struct Summary: Hashable, Sendable {
  public let count: Int
  public let mean: Double
  /// The sample standard deviation, with count − 1 below the line; from two values on.
  public let standardDeviation: Double?
  /// The middle value, or the mean of the two in the middle.
  public let median: Double
  public let min: Double
  public let max: Double
  /// The adjusted Fisher–Pearson coefficient G₁, unbiased for normal data; from three values on that are not all equal.
  ///
  /// - Source: D. N. Joanes, C. A. Gill, The Statistician 47 (1998), 183–189.
  public let skewness: Double?
  /// The lag-1 autocorrelation in the order given, about the common mean; from two values on that are not all equal.
  public let autocorrelation: Double?

  /// - Parameter values: Finite numbers, in the order in which they were observed.
  /// - Returns: `nil` of no values.
  public init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    precondition(values.allSatisfy(\.isFinite), "only finite numbers can be summed up")
    let n = values.count
    let sorted = values.sorted()
    count = n
    min = sorted[0]
    max = sorted[n - 1]
    median = OrderStatistics.median(ofSorted: sorted)
    if min == max {
      // GSL's running mean of equal values can differ from them in the last place and would invent a deviation.
      mean = min
      standardDeviation = n >= 2 ? 0 : nil
      skewness = nil
      autocorrelation = nil
      return
    }
    let average = GSL.compute { gsl_stats_mean(values, 1, n) }
    let deviation = GSL.compute { gsl_stats_sd_m(values, 1, n, average) }
    mean = average
    standardDeviation = deviation
    let biased = GSL.compute { gsl_stats_skew_m_sd(values, 1, n, average, deviation) }
    let size = Double(n)
    skewness = n >= 3 ? biased * size * size / ((size - 1) * (size - 2)) : nil
    autocorrelation = GSL.compute { gsl_stats_lag1_autocorrelation_m(values, 1, n, average) }
  }

  /// The standard error of the mean, for independent values.
  public var standardError: Double? {
    standardDeviation.map { $0 / Double(count).squareRoot() }
  }
}
