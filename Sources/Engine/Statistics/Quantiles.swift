import CGSL

/// Quantile functions: the value below which a share p in 0...1 of a distribution lies. NaN where there is none.
///
/// GSL's own inverses fail or stop early for some large parameters and far tails. Their answer counts where the distribution
/// function agrees with it; elsewhere that function is inverted by halving intervals.
public enum Quantiles {
  /// The standard normal distribution.
  public static func normal(_ p: Double) -> Double { GSL.compute { gsl_cdf_ugaussian_Pinv(p) } }

  /// The share of the standard normal distribution below a value.
  static func normalBelow(_ x: Double) -> Double { GSL.compute { gsl_cdf_ugaussian_P(x) } }

  /// Student's t distribution.
  public static func studentT(_ p: Double, degrees: Double) -> Double {
    guard degrees > 0 else { return .nan }
    // Symmetric, and only below the middle a share keeps its digits.
    if p > 0.5 { return 0 - studentT(1 - p, degrees: degrees) }
    if p == 0.5 { return 0 }
    let tails = Tails(
      below: { x in GSL.compute { gsl_cdf_tdist_P(x, degrees) } },
      above: { x in GSL.compute { gsl_cdf_tdist_Q(x, degrees) } })
    return tails.quantile(p, between: -.infinity, and: 0) { gsl_cdf_tdist_Pinv(p, degrees) }
  }

  /// The share of Student's t distribution above a value.
  public static func studentTAbove(_ t: Double, degrees: Double) -> Double {
    GSL.compute { gsl_cdf_tdist_Q(t, degrees) }
  }

  /// The beta distribution. GSL's inverse does not converge for some of the large parameters that a share of millions of requests
  /// brings, and is not asked.
  public static func beta(_ p: Double, _ a: Double, _ b: Double) -> Double {
    guard a > 0, b > 0 else { return .nan }
    let tails = Tails(
      below: { betaShare(atMost: $0, a, b) }, above: { betaShare(above: $0, a, b) })
    return tails.quantile(p, between: 0, and: 1) { .nan }
  }

  /// The beta distribution function.
  static func betaShare(atMost x: Double, _ a: Double, _ b: Double) -> Double {
    let share = GSL.compute { gsl_cdf_beta_P(x, a, b) }
    return share.isNaN ? GSL.compute { gsl_cdf_ugaussian_P(deviate(x, a, b)) } : share
  }

  static func betaShare(above x: Double, _ a: Double, _ b: Double) -> Double {
    let share = GSL.compute { gsl_cdf_beta_Q(x, a, b) }
    return share.isNaN ? GSL.compute { gsl_cdf_ugaussian_Q(deviate(x, a, b)) } : share
  }

  /// GSL gives up on its continued fraction near the mean of very large parameters, where the cube-root approximation is
  /// good to 1e-6.
  ///
  /// - Source: M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 1964, 26.5.22.
  private static func deviate(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let (up, down) = (cbrt(b * x), cbrt(a * (1 - x)))
    let distance = 3 * (up * (1 - 1 / (9 * b)) - down * (1 - 1 / (9 * a)))
    return distance / (up * up / b + down * down / a).squareRoot()
  }
}

/// A continuous distribution by its two tails, each exact where it is small.
private struct Tails {
  let below: (Double) -> Double
  let above: (Double) -> Double

  /// The value with a share p below it: the guess where it fits, else found by halving.
  func quantile(
    _ p: Double, between low: Double, and high: Double, guess: () -> Double
  ) -> Double {
    guard p >= 0, p <= 1 else { return .nan }
    if p == 0 { return low }
    if p == 1 { return high }
    let guessed = GSL.compute(guess)
    if guessed > low, guessed < high, fits(guessed, p) { return guessed }
    return search(p, low, high)
  }

  private func fits(_ x: Double, _ p: Double) -> Bool {
    let (share, wanted) = p <= 0.5 ? (below(x), p) : (above(x), 1 - p)
    return (share - wanted).magnitude <= 1e-11 * wanted
  }

  /// By halving between neighbouring numbers, whatever their size: at most 64 steps.
  private func search(_ p: Double, _ low: Double, _ high: Double) -> Double {
    var (low, high) = (Self.place(low), Self.place(high))
    while low + 1 < high {
      let middle = low + (high - low) / 2
      let x = Self.value(middle)
      let isBelow = p <= 0.5 ? below(x) < p : above(x) > 1 - p
      if isBelow { low = middle } else { high = middle }
    }
    return Self.value(high)
  }

  /// The place of a number among all numbers in ascending order.
  private static func place(_ x: Double) -> Int64 {
    let bits = Int64(bitPattern: x.magnitude.bitPattern)
    return x < 0 ? -bits : bits
  }

  private static func value(_ place: Int64) -> Double {
    let size = Double(bitPattern: UInt64(place.magnitude))
    return place < 0 ? -size : size
  }
}
