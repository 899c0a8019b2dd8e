import Contracts
import Timekeeping

/// What was seen so far in real time, for whoever watches a run.
public struct LiveFigures: Sendable {
  /// Response times of all operations after the warm-up, long polls left out.
  public var sample = LatencySample()
  /// Calls that ended, one way or the other.
  public var ended = 0
  public var answered = 0
  public var inFlight = 0
  /// Calls without a usable answer, by what became of them.
  public var failures: [String: Int] = [:]
  public var violations = 0
  public var arrivals = ArrivalTally()
  /// How late requests left.
  public var lateness = LatencyHistogram(unit: PunctualityTally.latenessUnit)

  public init() {}

  public mutating func merge(_ other: LiveFigures) {
    sample.merge(other.sample)
    ended += other.ended
    answered += other.answered
    inFlight += other.inFlight
    failures.merge(other.failures, uniquingKeysWith: +)
    violations += other.violations
    arrivals.merge(other.arrivals)
    lateness.merge(other.lateness)
  }
}

extension WorldTally {
  /// How it stands; what the checks decided and what is under way is known elsewhere.
  public var live: LiveFigures {
    var live = LiveFigures()
    live.ended = requests
    live.arrivals = arrivals
    for operation in operations {
      live.answered += operation.replied + operation.refused
      live.failures.merge(
        operation.unknowns.filter { $0.key != UnknownCause.runEnded.rawValue }, uniquingKeysWith: +)
      live.failures.merge(
        operation.unsents.filter { UnsentCause(rawValue: $0.key)?.isNotAsked != true },
        uniquingKeysWith: +)
      if let punctuality = operation.punctuality { live.lateness.merge(punctuality.lateness) }
      if !operation.isLongPoll { live.sample.merge(operation.sample) }
    }
    return live
  }
}
