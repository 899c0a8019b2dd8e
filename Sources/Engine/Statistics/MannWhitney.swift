/// The Mann–Whitney test of two samples of given sizes, with its table worked out once.
public struct MannWhitney: Sendable {
  public let before: Int
  public let after: Int
  /// P(U ≤ u) under equal distributions.
  private let tails: [Double]

  /// - Complexity: O(before² · after); meant for up to a few hundred a side.
  public init(before: Int, after: Int) {
    self.before = before
    self.after = after
    tails = Comparison.mannWhitneyTails(before, after)
  }

  /// The probability of a statistic of at most u where both samples come from one distribution: of all pairs at most so many in
  /// which the first sample's value lies above the second's.
  public func probability(atMost u: Int) -> Double {
    u < 0 ? 0 : tails[min(u, before * after)]
  }

  /// The largest statistic that a test at a level rejects with, `nil` where none does.
  ///
  /// - Parameter level: Two-sided: half of it belongs to each end.
  public func criticalValue(level: Double) -> Int? {
    let rejecting = tails.prefix { $0 <= level / 2 }.count
    return rejecting == 0 ? nil : rejecting - 1
  }

  /// By how much the logarithms of one sample lie above those of another, independent one: Hodges and Lehmann's estimate, the exact
  /// interval, and exact chances.
  ///
  /// It assumes that the two differ by a factor alone. Ties count against a difference. The standard error is the half width of
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
    switch Comparison.shift(from: old, to: new, confidence: confidence, tails: tails) {
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
    let above = high.reduce(0) { sum, value in sum + low.count { value > $0 } }
    return above == 0 ? 1 : min(1, max(0, tails[before * after - above]))
  }
}
