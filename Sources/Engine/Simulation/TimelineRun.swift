import Observations

/// A scenario on one of the timelines.
public protocol TimelineRun: Sendable {
  /// Runs replications.
  ///
  /// - Parameters:
  ///   - replications: By their numbers from 0, ascending; all of the scenario when left out.
  ///   - workers: Threads.
  ///   - stopsEarly: Whether no replication after the first with a violated limit is kept or begun.
  ///   - progress: Called now and then, by any worker, never by two at once.
  ///   - isStopped: Asked now and then; once true, living replications end soon and no other begins.
  /// - Returns: The replications that ran, in the order of their numbers.
  func run(
    replications: [Int]?, workers: Int, stopsEarly: Bool,
    progress: @escaping @Sendable (RunProgress) -> Void,
    isStopped: @escaping @Sendable () -> Bool
  ) -> [ReplicationResult]
}
