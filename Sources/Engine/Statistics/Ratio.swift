/// Logarithms of ratios, for those who have none of their own.
public enum Ratio {
  public static func logarithm(_ ratio: Double) -> Double { LogRatio.logarithm(ratio) }

  /// Infinite where no double is large enough.
  public static func exponential(_ logarithm: Double) -> Double {
    logarithm > 709 ? .infinity : GSL.exp(logarithm)
  }
}
