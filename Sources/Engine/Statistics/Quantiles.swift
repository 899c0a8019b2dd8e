import CGSL

/// Quantile functions: the value below which a share p in 0...1 of a distribution lies. NaN where there is none.
public enum Quantiles {
  /// The standard normal distribution.
  public static func normal(_ p: Double) -> Double { GSL.compute { gsl_cdf_ugaussian_Pinv(p) } }

  /// Student's t distribution.
  public static func studentT(_ p: Double, degrees: Double) -> Double {
    GSL.compute { gsl_cdf_tdist_Pinv(p, degrees) }
  }

  public static func chiSquare(_ p: Double, degrees: Double) -> Double {
    GSL.compute { gsl_cdf_chisq_Pinv(p, degrees) }
  }

  /// The F distribution with its degrees of freedom above and below the line.
  public static func f(_ p: Double, _ above: Double, _ below: Double) -> Double {
    GSL.compute { gsl_cdf_fdist_Pinv(p, above, below) }
  }

  /// The beta distribution, by halving intervals on its distribution function: GSL's own inverse does not converge for
  /// some of the large parameters that a share of millions of requests brings.
  public static func beta(_ p: Double, _ a: Double, _ b: Double) -> Double {
    guard p > 0, p < 1, a > 0, b > 0 else { return p == 0 ? 0 : (p == 1 ? 1 : .nan) }
    var (low, high) = (0.0, 1.0)
    while true {
      let middle = low + (high - low) / 2
      if middle <= low || middle >= high { return high }
      if betaShare(atMost: middle, a, b) < p { low = middle } else { high = middle }
    }
  }

  /// The beta distribution function.
  static func betaShare(atMost x: Double, _ a: Double, _ b: Double) -> Double {
    GSL.compute {
      let share = gsl_cdf_beta_P(x, a, b)
      guard share.isNaN else { return share }
      // GSL gives up on its continued fraction near the mean of very large parameters, where the cube-root approximation is
      // good to 1e-6.
      // Source: M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 1964, 26.5.22.
      let (up, down) = (cbrt(b * x), cbrt(a * (1 - x)))
      let deviate = 3 * (up * (1 - 1 / (9 * b)) - down * (1 - 1 / (9 * a)))
      return gsl_cdf_ugaussian_P(deviate / (up * up / b + down * down / a).squareRoot())
    }
  }

  /// The smallest count with at least a share p at or below it, of so many trials that succeed independently.
  public static func binomial(_ p: Double, trials: Int, success: Double) -> Int {
    var (low, high) = (0, trials)
    while low < high {
      let middle = low + (high - low) / 2
      if binomialShare(atMost: middle, trials: trials, success: success) < p {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// The probability of at most so many successes in so many trials.
  public static func binomialShare(atMost count: Int, trials: Int, success: Double) -> Double {
    if count < 0 { return 0 }
    if count >= trials { return 1 }
    return 1 - betaShare(atMost: success, Double(count) + 1, Double(trials - count))
  }
}
