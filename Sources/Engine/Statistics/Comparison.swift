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

  /// Benjamini's and Hochberg's adjustment: each p-value raised so that of those that are at most q, on average at most a share q is a
  /// false alarm, however many there are.
  ///
  /// It is for lists that somebody looks through, where a few false entries among many true ones do no harm. Where any single error
  /// does harm, as in a gate, Holm's is right. It promises as much for independent values and for those that depend on each
  /// other positively, as figures of one operation do.
  ///
  /// - Returns: Adjusted values in the order given.
  /// - Source: Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", JRSS B 57 (1995), 289–300;
  ///   Y. Benjamini, D. Yekutieli, Annals of Statistics 29 (2001), 1165–1188.
  public static func benjaminiHochberg(_ pValues: [Double]) -> [Double] {
    precondition(pValues.allSatisfy { $0 >= 0 && $0 <= 1 }, "a p-value lies in 0...1")
    let order = pValues.indices.sorted { (pValues[$0], $0) < (pValues[$1], $1) }
    var adjusted = pValues
    var smallest = 1.0
    for (rank, index) in order.enumerated().reversed() {
      smallest = min(smallest, pValues[index] * Double(pValues.count) / Double(rank + 1))
      adjusted[index] = smallest
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
