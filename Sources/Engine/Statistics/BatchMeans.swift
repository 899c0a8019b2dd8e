/// The mean of a long run, from its own course: for a single run, or a few, where replications are too few for an interval.
///
/// The run is cut into some twenty long batches, whose means count as if they were independent. They are where a batch is much longer than
/// the run remembers; where neighbouring batches are still alike, the interval is too short, and `isCorrelated` says so.
///
/// - Source: C. Alexopoulos, A. F. Seila, "Output data analysis", in J. Banks (ed.), "Handbook of Simulation", 1998, chapter 7;
///   B. W. Schmeiser, "Batch size effects in the analysis of simulation output", Operations Research 30 (1982), 556–568;
///   J. von Neumann, Annals of Mathematical Statistics 12 (1941), 367–395.
public struct BatchMeans: Hashable, Sendable {
  /// Over all requests.
  public let mean: Double
  /// At 95 % as far as batches are independent.
  public let interval: Interval
  public let batches: Int
  /// From one batch to the next of its run.
  public let correlation: Double
  /// Neighbouring batches are more alike than independent ones would be in one run of twenty.
  public let isCorrelated: Bool

  /// More batches are hardly better known and less independent.
  public static let batchesMost = 20

  /// - Parameter runs: Of each run its slices in time order, without its warm-up: sum and number of requests.
  /// - Returns: Too few where all runs together have fewer than ten batches of at least two slices.
  public static func of(_ runs: [[Total]]) -> Result<BatchMeans, TooFew> {
    let each = max(1, batchesMost / max(1, runs.count))
    let batched = runs.map { batches(of: $0, number: min(each, $0.count / 2)) }
    let all = batched.flatMap(\.self)
    guard case .success(let interval) = Interval.ofReplications(all),
      let mean = Total.all(all).mean
    else { return .failure(TooFew(have: all.count, need: Interval.fewestReplications)) }
    let deviations = batched.map { run in run.map { $0.sum - mean * Double($0.count) } }
    let correlation = Self.correlation(deviations)
    // Lag-1 correlations of independent values are nearly normal with variance 1/n.
    let limit = Quantiles.normal(0.95) / Double(all.count).squareRoot()
    return .success(
      BatchMeans(
        mean: mean, interval: interval, batches: all.count, correlation: correlation,
        isCorrelated: correlation > limit))
  }

  private static func batches(of slices: [Total], number: Int) -> [Total] {
    (0..<number).map { batch in
      Total.all(Array(slices[batch * slices.count / number..<(batch + 1) * slices.count / number]))
    }
  }

  /// About the common mean, pairs of neighbours of one run alone.
  private static func correlation(_ runs: [[Double]]) -> Double {
    let squares = runs.joined().reduce(0) { $0 + $1 * $1 }
    guard squares > 0 else { return 0 }
    let products = runs.reduce(0.0) { sum, run in
      sum + zip(run, run.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    }
    return products / squares
  }
}
