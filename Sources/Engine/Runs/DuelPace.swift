import Statistics

/// How fast the machine and the build were in each run of a duel, told by all operations together.
///
/// A run's pace is the median, over the operations, of the ratio of an operation's median time in that run to its median over all runs. One
/// slower operation moves it by next to nothing.
struct DuelPace {
  /// One for each run; 2 where everything took twice as long as in the middling run.
  let factors: [Double]
  /// Seconds: what a call of the middling operation took in the middling run.
  let typicalCall: Double

  /// The median of fewer operations follows a single one of them.
  static let fewestOperations = 5

  /// - Parameter medians: By operation the median times in every run, above zero.
  /// - Returns: `nil` with too few operations.
  init?(medians: [[Double]]) {
    guard medians.count >= Self.fewestOperations, let runs = medians.first?.count, runs > 0 else {
      return nil
    }
    let middles = medians.map { OrderStatistics.median(of: $0) }
    factors = (0..<runs).map { run in
      OrderStatistics.median(
        of: zip(medians, middles).map { times, middle in times[run] / middle })
    }
    typicalCall = OrderStatistics.median(of: middles)
  }
}
