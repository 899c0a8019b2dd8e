import CGSL

/// The only door to GSL: the first use turns its error handler off, which would otherwise end the process, so that a
/// failure is a NaN that the caller sees.
enum GSL {
  private static let errorsAreValues: Void = rehearsal_gsl_errors_are_values()

  /// Runs a computation with GSL's errors as values. A static constant is set up once, whatever the number of threads.
  static func compute<Value>(_ body: () -> Value) -> Value {
    _ = errorsAreValues
    return body()
  }

  /// Minus infinity of zero, where GSL would fail.
  static func log(_ x: Double) -> Double { x == 0 ? -.infinity : compute { gsl_sf_log(x) } }

  /// e to the power of x, and zero where that underflows.
  static func exp(_ x: Double) -> Double { x < -745 ? 0 : compute { gsl_sf_exp(x) } }

  static func expm1(_ x: Double) -> Double { compute { gsl_expm1(x) } }

  static func power(_ x: Double, _ exponent: Int) -> Double {
    guard let small = Int32(exactly: exponent) else { return exp(Double(exponent) * log(x)) }
    return compute { gsl_pow_int(x, small) }
  }

  /// Minus infinity of −1, where GSL would fail.
  static func log1p(_ x: Double) -> Double { x == -1 ? -.infinity : compute { gsl_log1p(x) } }
}
