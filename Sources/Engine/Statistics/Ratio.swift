/// Logarithms of ratios, for those who have none of their own.
package enum Ratio {
  package static func logarithm(_ ratio: Double) -> Double { LogRatio.logarithm(ratio) }

  /// Infinite where no double is large enough.
  package static func exponential(_ logarithm: Double) -> Double {
    logarithm > 709 ? .infinity : GSL.exp(logarithm)
  }
}
