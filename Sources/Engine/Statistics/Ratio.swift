/// Logarithms of ratios, and how large a share may be, for those who have none of their own.
public enum Ratio {
  public static func logarithm(_ ratio: Double) -> Double { LogRatio.logarithm(ratio) }

  /// Infinite where no double is large enough.
  public static func exponential(_ logarithm: Double) -> Double {
    logarithm > 709 ? .infinity : GSL.exp(logarithm)
  }

  /// The share that so many events in so many independent tries do not exclude, one-sided: of none in `tries` tries at 95 %, the
  /// rule of three, some 3/tries.
  ///
  /// - Parameters:
  ///   - count: Events seen; between zero and `tries`.
  ///   - tries: Without any, every share is possible.
  /// - Source: C. J. Clopper, E. S. Pearson, Biometrika 26 (1934), 404–413.
  public static func upperBound(of count: Int, in tries: Int, confidence: Double = 0.95) -> Double {
    Interval.checkConfidence(confidence)
    precondition(0 <= count && count <= tries, "more events than tries, or fewer than none")
    return count == tries ? 1 : Quantiles.beta(confidence, Double(count) + 1, Double(tries - count))
  }
}
