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
  /// Chosen from the data that are judged afterwards, it favours beginnings that happen to differ: what that does to intervals is measured
  /// (`reports/validation.md`).
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

  /// By how much the load of a part of a series differs from that of the whole, at most, as a share of it: of eight parts of
  /// about equal length, what `steady` is the bound of.
  ///
  /// - Parameter counts: Requests in equal slices of time; at least eight.
  /// - Returns: Infinite without any.
  public static func unsteadiness(_ counts: [Double]) -> Double {
    precondition(counts.count >= eighths, "a slice for each part")
    let mean = counts.reduce(0, +) / Double(counts.count)
    guard mean > 0 else { return .infinity }
    return (0..<eighths).map { part in
      let slices = counts[part * counts.count / eighths..<(part + 1) * counts.count / eighths]
      return (slices.reduce(0, +) / Double(slices.count) / mean - 1).magnitude
    }.max() ?? .infinity
  }

  /// More than that, and the load varies: what looks like the end of a warm-up may be the end of a rush.
  public static let steady = 0.15

  /// Observations that are left out or kept together.
  public static let batchSize = 5
  /// Fewer observations are too few.
  public static let fewest = 50
  private static let keptAtLeast = 5
  private static let eighths = 8
}
