/// How much of the beginning of a series to leave out, because the system had not yet settled.
public struct WarmUp: Hashable, Sendable {
  /// Observations to leave out.
  public let truncated: Int
  /// Observations in the series.
  public let total: Int

  /// The series had perhaps not settled by its end: run longer.
  public var eatsMoreThanHalf: Bool { truncated * 2 > total }

  /// MSER-5: leaves out what makes the standard error of the rest smallest, in batches of five observations.
  ///
  /// The last five batches are never all that is left: a few values that happen to be alike would look settled. Of several equal
  /// minima the earliest counts.
  ///
  /// - Parameter series: Observations in time order, such as the mean over replications; fewer than fifty are too few.
  /// - Complexity: O(n).
  /// - Source: K. P. White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69
  ///   (1997), 323–334; K. P. White, M. J. Cobb, S. C. Spratt, Proc. Winter Simulation Conference 2000, 755–760.
  public static func mser5(_ series: [Double]) -> Result<WarmUp, TooFew> {
    guard series.count >= fewest else {
      return .failure(TooFew(have: series.count, need: fewest))
    }
    precondition(series.allSatisfy(\.isFinite), "only finite numbers can settle")
    let batches = stride(from: 0, to: series.count - batchSize + 1, by: batchSize).map {
      series[$0..<$0 + batchSize].reduce(0, +) / Double(batchSize)
    }
    // Backwards with Welford's update of mean and squares, so that a large mean does not swallow small deviations.
    var (mean, squares, best, leave) = (0.0, 0.0, Double.infinity, 0)
    for (kept, batch) in batches.reversed().enumerated() {
      let size = Double(kept + 1)
      let step = batch - mean
      mean += step / size
      squares += step * (batch - mean)
      let error = squares / (size * size)
      if kept + 1 > keptAtLeast, error <= best {
        best = error
        leave = batches.count - (kept + 1)
      }
    }
    return .success(WarmUp(truncated: leave * batchSize, total: series.count))
  }

  /// The mean over replications at each place, as far as the shortest replication reaches.
  public static func meanOverReplications(_ replications: [[Double]]) -> [Double] {
    let length = replications.map(\.count).min() ?? 0
    return (0..<length).map { place in
      replications.reduce(0) { $0 + $1[place] } / Double(replications.count)
    }
  }

  private static let batchSize = 5
  private static let keptAtLeast = 5
  private static let fewest = 50
}
