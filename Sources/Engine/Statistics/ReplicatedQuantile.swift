/// The interval of a quantile over replications whose observations are correlated.
///
/// A value is a possible quantile q as long as the requests above it do not contradict a true share of 1 − q among all: the interval
/// holds the values that `ExceedanceGate` would neither pass nor fail. So it covers as that test errs, holds the estimate, has no bias
/// where a replication has few observations, and never contradicts the verdict of an objective.
public enum ReplicatedQuantile {
  /// In fewer replications than this with observations on both sides of it nothing is known of a quantile.
  public static let fewestWithExceedances = 5

  /// - Parameters:
  ///   - replications: Observations in any order, one array per replication; empty ones are left out.
  ///   - q: Between 0 and 1, ends excluded.
  /// - Returns: Too few below ten replications, or where their observations do not reach far enough beyond the quantile.
  /// - Complexity: O(n log n).
  public static func interval(
    ofQuantile q: Double, replications: [[Double]], confidence: Double = 0.95
  ) -> Result<Interval, TooFew> {
    let sorted = replications.filter { !$0.isEmpty }.map { $0.sorted() }
    let pooled = sorted.flatMap(\.self).sorted()
    guard !pooled.isEmpty else {
      return .failure(TooFew(have: 0, need: Interval.fewestReplications))
    }
    let range = candidates(
      ofQuantile: q, count: pooled.count, confidence: confidence,
      estimate: OrderStatistics.rank(ofQuantile: q, count: pooled.count) - 1
    ) { place in
      sorted.map {
        LateCount(
          late: UInt64($0.count - rank(of: pooled[place], in: $0)), requests: UInt64($0.count))
      }
    }
    return range.map {
      Interval(low: pooled[$0.lowerBound], high: pooled[$0.upperBound], confidence: confidence)
    }
  }

  /// The same over any ascending candidates, such as the classes of histograms.
  ///
  /// - Parameters:
  ///   - count: How many candidates.
  ///   - estimate: The place of the quantile's estimate; `count` where it lies beyond the last.
  ///   - isOpenAbove: Whether observations without a value lie beyond the last candidate, so that the interval may reach there: to the
  ///     place `count`.
  ///   - lateAt: How many of each replication's observations lie above the candidate at a place.
  public static func candidates(
    ofQuantile q: Double, count: Int, confidence: Double = 0.95, estimate: Int,
    isOpenAbove: Bool = false, lateAt: (_ place: Int) -> [LateCount]
  ) -> Result<ClosedRange<Int>, TooFew> {
    precondition(q > 0 && q < 1, "an interval needs a quantile between 0 and 1, ends excluded")
    Interval.checkConfidence(confidence)
    precondition(estimate < count || isOpenAbove && count > 0, "an estimate is a candidate")
    let near = lateAt(min(estimate, count - 1)).filter { $0.requests > 0 }
    guard near.count >= Interval.fewestReplications else {
      return .failure(TooFew(have: near.count, need: Interval.fewestReplications))
    }
    let telling = min(near.count { $0.late > 0 }, near.count { $0.late < $0.requests })
    guard telling >= fewestWithExceedances else {
      return .failure(tooFew(near.count, telling: telling))
    }
    func decision(_ place: Int) -> ExceedanceGate.Decision {
      ExceedanceGate.decide(
        lateAt(place), allowed: 1 - q, confidence: (1 + confidence) / 2,
        minimum: Interval.fewestReplications)
    }
    // At the estimate no more than 1 − q lie above it, so that it cannot fail; below it more do, so that they cannot pass.
    let low = first(in: 0..<estimate) { decision($0) != .fail }
    let high = first(in: estimate..<count) { decision($0) == .pass }
    guard high < count || isOpenAbove else { return .failure(tooFew(near.count, telling: telling)) }
    return .success(low...high)
  }

  /// As many more as would bring as many telling replications as it takes; at least twice as many.
  private static func tooFew(_ have: Int, telling: Int) -> TooFew {
    let factor = max(2, (fewestWithExceedances + max(1, telling) - 1) / max(1, telling))
    return TooFew(have: have, need: have * factor)
  }

  /// The first place at which a condition holds that never turns false again; the end if none.
  private static func first(in places: Range<Int>, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (places.lowerBound, places.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// How many of a sorted sample are at most a value.
  private static func rank(of value: Double, in sorted: [Double]) -> Int {
    first(in: 0..<sorted.count) { sorted[$0] > value }
  }
}
