/// The Mann–Whitney test of two samples of given sizes, with its table worked out once: exact up to 300 a side, beyond it
/// Edgeworth's approximation, with ties taken into account.
public struct MannWhitney: Sendable {
  public let before: Int
  public let after: Int
  private let distribution: RankSumDistribution

  /// - Complexity: O(before² · after) up to 300 a side.
  public init(before: Int, after: Int) {
    self.before = before
    self.after = after
    distribution = RankSumDistribution(before, after)
  }

  /// The probability of a statistic of at most u where both samples come from one distribution: of all pairs at most so many in
  /// which the first sample's value lies above the second's.
  public func probability(atMost u: Int) -> Double { distribution.probability(atMost: u) }

  /// The approximation that stands in beyond 300 a side, for any sizes.
  public static func approximateProbability(atMost u: Int, before: Int, after: Int) -> Double {
    RankSumDistribution.approximate(atMost: Double(u), before, after)
  }

  /// The largest statistic that a test at a level rejects with, `nil` where none does.
  ///
  /// - Parameter level: Two-sided: half of it belongs to each end.
  public func criticalValue(level: Double) -> Int? { distribution.largest(tail: level / 2) }

  /// By how much the logarithms of one sample lie above those of another, independent one: Hodges and Lehmann's estimate, the exact
  /// interval, and exact chances.
  ///
  /// It assumes that the two differ by a factor alone. Up to 300 a side ties count against a
  /// difference. The standard error is the half width of
  /// the interval in units of the normal distribution.
  ///
  /// - Parameter margin: On the scale of logarithms; not negative.
  /// - Returns: Too few when even the widest interval does not reach the confidence.
  public func logRatio(
    before old: [Double], after new: [Double], margin: Double, confidence: Double = 0.95
  ) -> Result<LogRatio, TooFew> {
    precondition(old.count == before && new.count == after, "the table is for other sizes")
    precondition(margin >= 0, "a margin is not negative")
    let (old, new) = (old.map(LogRatio.logarithm), new.map(LogRatio.logarithm))
    switch Comparison.shift(from: old, to: new, confidence: confidence, chances: distribution) {
    case .failure(let tooFew): return .failure(tooFew)
    case .success(let shift):
      let width = shift.interval.high - shift.interval.low
      return .success(
        LogRatio(
          estimate: shift.estimate, interval: shift.interval,
          standardError: width / 2 / Quantiles.normal((1 + confidence) / 2),
          degrees: Double(before + after - 2), chance: chances(old, new, margin: 0),
          chanceWithinMargin: chances(old, new, margin: margin)))
    }
  }

  private func chances(_ old: [Double], _ new: [Double], margin: Double) -> LogRatio.Chances {
    LogRatio.Chances(
      ofMore: chance(ofMore: new, than: old.map { $0 + margin }),
      ofLess: chance(ofMore: old, than: new.map { $0 + margin }))
  }

  /// P(U ≥ u) for the pairs in which the first sample lies above the second.
  private func chance(ofMore high: [Double], than low: [Double]) -> Double {
    let low = low.sorted()
    func count(_ holds: (Double) -> Bool) -> Int { low.partitioningIndex { !holds($0) } }
    var (above, equal) = (0, 0)
    for value in high {
      let below = count { $0 < value }
      above += below
      equal += count { $0 <= value } - below
    }
    guard !distribution.isExact else {
      return above == 0 ? 1 : distribution.probability(atMost: before * after - above)
    }
    var ties = 0.0
    var group = 0.0
    var last: Double?
    for value in (high + low).sorted() {
      group = value == last ? group + 1 : 1
      // t³ − t as a sum over the group: each further value adds 3t(t − 1).
      ties += 3 * group * (group - 1)
      last = value
    }
    let below = Double(before * after - above) - Double(equal) / 2
    return RankSumDistribution.approximate(atMost: below, before, after, ties: ties)
  }

  /// How far the ends of the interval at a one-sided level lie from the estimate of `logRatio`, the farther one; `nil` where no samples
  /// of these sizes, however different, are found different at that level.
  public func reach(from old: [Double], to new: [Double], level: Double) -> Double? {
    let (old, new) = (old.map(LogRatio.logarithm), new.map(LogRatio.logarithm))
    guard let most = distribution.largest(tail: level) else { return nil }
    let differences = new.flatMap { late in old.map { late - $0 } }.sorted()
    let count = differences.count
    let estimate = (differences[(count - 1) / 2] + differences[count / 2]) / 2
    return max(estimate - differences[most], differences[count - 1 - most] - estimate)
  }
}

extension Array {
  /// The first place from which on a condition holds that never turns false again.
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
