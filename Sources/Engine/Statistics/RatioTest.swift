/// A ratio of two sums over replications, such as the share of all requests that were late or their mean time, tested against a value.
///
/// With sᵢ the sum and nᵢ the requests of a replication, the ratio Σs/Σn lies at v where the differences dᵢ = sᵢ − v·nᵢ have mean 0:
/// replications are independent, requests are not. Three statistics of that mean must agree on a side:
///
/// - Student's t, with the variance of the dᵢ between replications;
/// - Hall's, which corrects it for the skewness of the dᵢ. Johnson's parabola, from which it comes, turns back for strongly
///   skewed values and would call a clear pass undecided; Hall's cubic agrees with it to the order 1/n and is monotone;
/// - one with the variance that v itself implies: a sample that happens to lack the bad replications has a small ratio *and* a small
///   variance, and seems surer than it is. For shares that is the variance of counts of these sizes whose requests are correlated
///   as those seen were, so that weather which only small replications showed counts for large ones, too; for times
///   the deviation grows with the mean.
///
/// Replications of unequal size count as (Σn)²/Σn² equal ones.
///
/// - Source: Student, Biometrika 6 (1908), 1–25; N. J. Johnson, JASA 73 (1978), 536–544; P. Hall, "On the removal of skewness by
///   transformation", JRSS B 54 (1992), 221–228; W. G. Cochran, "Sampling Techniques", 3rd edition 1977, sections 6.2 and 9A
///   (ratios, clusters of unequal size and their intraclass correlation); L. Kish, "Survey Sampling", 1965 (effective size).
struct RatioTest {
  /// What a value implies about the variance between replications.
  enum Kind {
    case share
    /// Positive: times, counts.
    case amount
  }

  enum Side { case below, above, neither }

  let kind: Kind
  /// Replications with requests.
  let count: Int
  /// How many replications of equal size they are worth.
  let effective: Double
  /// Σs/Σn.
  let ratio: Double
  /// Whether all replications have the same ratio.
  let isEqual: Bool
  private let sums: [Double]
  private let sizes: [Double]
  /// Of the sum of all dᵢ, where the ratio is what was seen.
  private let variance: Double

  /// - Returns: `nil` without requests.
  init?(_ totals: [Total], _ kind: Kind) {
    let filled = totals.filter { $0.count > 0 }
    guard !filled.isEmpty else { return nil }
    let sums = filled.map(\.sum)
    let sizes = filled.map { Double($0.count) }
    let all = sizes.reduce(0, +)
    let squares = sizes.reduce(0) { $0 + $1 * $1 }
    let means = filled.compactMap(\.mean)
    // Sums of equal values can differ in their last places.
    isEqual = means.allSatisfy { ($0 - means[0]).magnitude <= 1e-12 * means[0].magnitude }
    let ratio = isEqual ? means[0] : sums.reduce(0, +) / all
    self.kind = kind
    (self.sums, self.sizes, self.ratio) = (sums, sizes, ratio)
    count = filled.count
    effective = all * all / squares
    let places = sums.indices
    switch kind {
    case .share:
      let single = ratio * (1 - ratio)
      let between = places.reduce(0.0) {
        let distance = means[$1] - ratio
        return $0 + sizes[$1] * distance * distance
      }
      let shared = max(0, between - Double(count - 1) * single) / all
      variance = single * all + shared * squares
    case .amount:
      let rest = places.reduce(0.0) {
        let distance = sums[$1] - ratio * sizes[$1]
        return $0 + distance * distance
      }
      variance = rest * Double(count) / Double(max(1, count - 1))
    }
  }

  /// Where a value lies away from the ratio, in standard errors: all three are positive below the ratio.
  struct Statistics {
    let plain: Double
    let adjusted: Double
    let implied: Double

    /// The one that says least.
    var weakest: Double {
      let low = min(plain, adjusted, implied)
      return low > 0 ? low : min(0, max(plain, adjusted, implied))
    }
  }

  /// - Parameter weight: As if there were so many times as many replications, all like those seen.
  func statistics(at value: Double, weight: Double = 1) -> Statistics {
    let size = Double(count)
    let all = sizes.reduce(0, +)
    let mean = (ratio - value) * all / size
    var (second, third) = (0.0, 0.0)
    for place in sums.indices {
      let deviation = sums[place] - value * sizes[place] - mean
      second += deviation * deviation
      third += deviation * deviation * deviation
    }
    let error = (second / (size - 1) / size / weight).squareRoot()
    func standardised(_ error: Double) -> Double {
      if error > 0 { return mean / error }
      return mean == 0 ? 0 : (mean > 0 ? .infinity : -.infinity)
    }
    let plain = standardised(error)
    // G₁, the adjusted Fisher–Pearson coefficient, as in `Summary`.
    let skewness =
      second > 0 && count > 2
      ? third / size / (second / size * (second / size).squareRoot())
        * (size * (size - 1)).squareRoot() / (size - 2) : 0
    return Statistics(
      plain: plain,
      adjusted: Self.adjusted(plain, skewness: skewness, count: effective * weight),
      implied: standardised((variance * implied(value) / weight).squareRoot() / size))
  }

  /// By how much a value makes the variance larger than the ratio that was seen.
  private func implied(_ value: Double) -> Double {
    switch kind {
    case .share:
      let seen = ratio * (1 - ratio)
      return seen > 0 ? max(1, value * (1 - value) / seen) : 1
    case .amount: return ratio > 0 ? max(1, value * value / (ratio * ratio)) : 1
    }
  }

  /// Hall's monotone form of Johnson's statistic: t + g(1 + 2t²)/(6√n) + g²t³/(27n).
  static func adjusted(_ t: Double, skewness g: Double, count: Double) -> Double {
    guard t.isFinite else { return t }
    let root = count.squareRoot()
    return t + g * (1 + 2 * t * t) / (6 * root) + g * g * t * t * t / (27 * root * root)
  }

  /// On which side of a value the true ratio lies, with this one-sided confidence.
  func side(of value: Double, confidence: Double, weight: Double = 1) -> Side {
    let degrees = effective * weight - 1
    guard count > 2, degrees > 0 else { return .neither }
    let critical = Quantiles.studentT(confidence, degrees: degrees)
    let weakest = statistics(at: value, weight: weight).weakest
    return weakest >= critical ? .above : weakest <= -critical ? .below : .neither
  }

  /// The chance of a ratio as far above a value, or farther, where the value is the truth: the largest that any of the three gives.
  func chanceAbove(_ value: Double) -> Double {
    guard count > 2, effective > 1 else { return 1 }
    let found = statistics(at: value)
    let least = min(found.plain, found.adjusted, found.implied)
    return Quantiles.studentTAbove(least, degrees: effective - 1)
  }

  /// The same for one as far below, or farther.
  func chanceBelow(_ value: Double) -> Double {
    guard count > 2, effective > 1 else { return 1 }
    let found = statistics(at: value)
    let most = max(found.plain, found.adjusted, found.implied)
    return Quantiles.studentTAbove(-most, degrees: effective - 1)
  }

  /// The smallest value that the ratio is not found to be above, within `least` and `start`; `least` where even that is none.
  func lowerEnd(confidence: Double, least: Double, from start: Double? = nil) -> Double {
    end(from: start ?? ratio, towards: least) { side(of: $0, confidence: confidence) == .above }
  }

  /// The largest value that the ratio is not found to be below, within `start` and `most`; `most` where even that is none.
  func upperEnd(confidence: Double, most: Double, from start: Double? = nil) -> Double {
    end(from: start ?? ratio, towards: most) { side(of: $0, confidence: confidence) == .below }
  }

  /// The value on the way to a limit at which a test begins to decide, to twelve digits; the limit where it never does.
  private func end(from start: Double, towards limit: Double, decides: (Double) -> Bool) -> Double {
    var (open, decided) = (start, limit)
    if limit.isInfinite {
      var step = 0.01 * variance.squareRoot() / sizes.reduce(0, +)
      let most = 1e6 * max(step, start.magnitude)
      repeat {
        decided = limit > 0 ? start + step : start - step
        if decides(decided) { break }
        open = decided
        step *= 2
        if step > most { return limit }
      } while true
    } else if start == limit || !decides(limit) {
      return limit
    }
    while (decided - open).magnitude > 1e-12 * max(decided.magnitude, open.magnitude) {
      let middle = open + (decided - open) / 2
      guard middle != open, middle != decided else { break }
      if decides(middle) { decided = middle } else { open = middle }
    }
    return decided
  }
}
