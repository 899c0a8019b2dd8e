/// Two samples against each other, and several findings at once.
public enum Comparison {
  /// Holm's adjustment: each p-value raised so that rejecting those at most α errs in any of them with at most probability α.
  ///
  /// - Returns: Adjusted values in the order given.
  /// - Source: S. Holm, "A simple sequentially rejective multiple test procedure",
  ///   Scandinavian Journal of Statistics 6 (1979), 65–70.
  public static func holm(_ pValues: [Double]) -> [Double] {
    precondition(pValues.allSatisfy { $0 >= 0 && $0 <= 1 }, "a p-value lies in 0...1")
    let order = pValues.indices.sorted { (pValues[$0], $0) < (pValues[$1], $1) }
    var adjusted = pValues
    var largest = 0.0
    for (rank, index) in order.enumerated() {
      largest = max(largest, min(1, Double(pValues.count - rank) * pValues[index]))
      adjusted[index] = largest
    }
    return adjusted
  }

  /// By how much one sample lies above another: the median of all pairwise differences, with the interval that belongs to the
  /// Mann–Whitney test, exact up to 300 a side.
  ///
  /// It assumes two independent samples whose distributions differ by a shift alone; ties make the interval wider than needed.
  ///
  /// - Returns: Too few when even the widest interval does not reach the confidence.
  /// - Complexity: O(mn·log(mn) + m²n): meant for tens of runs a side.
  /// - Source: J. L. Hodges, E. L. Lehmann, Annals of Mathematical Statistics 34 (1963), 598–611;
  ///   H. B. Mann, D. R. Whitney, ibid. 18 (1947), 50–60.
  public static func shift(
    from before: [Double], to after: [Double], confidence: Double = 0.95
  ) -> Result<Shift, TooFew> {
    shift(
      from: before, to: after, confidence: confidence,
      chances: RankSumDistribution(before.count, after.count))
  }

  static func shift(
    from before: [Double], to after: [Double], confidence: Double, chances: RankSumDistribution
  ) -> Result<Shift, TooFew> {
    Interval.checkConfidence(confidence)
    let (m, n) = (before.count, after.count)
    let tail = (1 - confidence) / 2
    // The k-th smallest difference bounds the shift from below with error P(U < k).
    guard m > 0, n > 0, let most = chances.largest(tail: tail) else {
      return .failure(TooFew(have: min(m, n), need: fewestPerSide(tail)))
    }
    let k = most + 1
    let differences = after.flatMap { late in before.map { late - $0 } }.sorted()
    let count = differences.count
    let estimate = (differences[(count - 1) / 2] + differences[count / 2]) / 2
    let interval = Interval(
      low: differences[k - 1], high: differences[count - k], confidence: confidence)
    return .success(Shift(estimate: estimate, interval: interval))
  }

  public struct Shift: Hashable, Sendable {
    public let estimate: Double
    public let interval: Interval
  }

  private static func fewestPerSide(_ tail: Double) -> Int {
    var (size, likelihood) = (1, 0.5)
    while likelihood > tail {
      size += 1
      // 1 / (2s choose s) from its predecessor.
      likelihood *= Double(size) / Double(2 * (2 * size - 1))
    }
    return size
  }
}
