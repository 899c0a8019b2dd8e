import Statistics
import Timekeeping

/// How often 95 % intervals over replications hold the truth.
public struct CoverageExperiment: Sendable {
  public let repetitions: Int
  public var replications = 20

  public init(repetitions: Int) { self.repetitions = repetitions }

  public struct Outcome: Sendable {
    /// Of the repetitions in which there was an interval.
    public var mean = 0.0
    /// Repetitions with an interval of the mean.
    public var meanGiven = 0.0
    /// By Student's interval alone, to set beside.
    public var student = 0.0
    public var share = 0.0
    /// Of the repetitions in which there was an interval.
    public var quantile = 0.0
    /// Repetitions with an interval of the quantile.
    public var quantileGiven = 0.0
    /// Of the quantile's estimate, relative to the truth.
    public var quantileBias = 0.0
  }

  private static let share = 0.05

  public func measure(_ traffic: Traffic) -> Outcome {
    var stream = RandomStream(
      seed: 1, owner: stableHash("coverage \(traffic.name)"), purpose: UInt32(traffic.requests))
    let bound = traffic.bound(Self.share)
    var outcome = Outcome()
    let weight = 1 / Double(repetitions)
    for _ in 0..<repetitions {
      let times = (0..<replications).map { _ in traffic.replication(&stream) }
      let totals = times.map { Total(sum: $0.reduce(0, +), count: UInt64($0.count)) }
      let late = times.map { each in
        LateCount(late: UInt64(each.count { $0 > bound }), requests: UInt64(each.count))
      }
      let ofMean = Interval.ofReplications(totals)
      if case .success = ofMean { outcome.meanGiven += weight }
      if Self.covers(ofMean, traffic.mean) { outcome.mean += weight }
      if Self.covers(Interval.ofMean(totals.compactMap(\.mean)), traffic.mean) {
        outcome.student += weight
      }
      let judgement = ExceedanceGate.judge(late, allowed: Self.share, minimum: replications)
      if judgement.interval?.contains(Self.share) == true { outcome.share += weight }
      // What lies below half of the quantile cannot change which observations are near it; sorting it would take most of the time.
      let high = times.map { each in each.map { max($0, bound / 2) } }
      let interval = ReplicatedQuantile.interval(ofQuantile: 1 - Self.share, replications: high)
      if case .success = interval { outcome.quantileGiven += weight }
      if Self.covers(interval, bound) { outcome.quantile += weight }
      let pooled = times.flatMap { each in each.filter { $0 > bound / 2 } }.sorted()
      let all = times.reduce(0) { $0 + $1.count }
      let rank = Int(((1 - Self.share) * Double(all)).rounded(.up)) - (all - pooled.count)
      let estimate = pooled.isEmpty ? bound / 2 : pooled[max(0, rank - 1)]
      outcome.quantileBias += (estimate / bound - 1) * weight
    }
    outcome.mean /= max(outcome.meanGiven, weight)
    outcome.quantile /= max(outcome.quantileGiven, weight)
    return outcome
  }

  private static func covers(_ interval: Result<Interval, TooFew>, _ truth: Double) -> Bool {
    guard case .success(let interval) = interval else { return false }
    return interval.contains(truth)
  }

  func section() -> String {
    var table = Table(
      "Coverage of 95 % intervals",
      "\(replications) replications, \(repetitions) repetitions: how often the interval of the mean, of the share of requests above the true 95th percentile, and of the 95th percentile itself holds the truth; beside it what Student's interval alone would do. \"Given\" says how often there was an interval (else it is \"too few\"); the last column says how biased the estimate of the percentile is. The last lines have tails so heavy that no procedure covers their mean as promised: the variance of the last two is infinite.",
      columns: [
        "data", "requests a replication", "mean", "given", "Student alone", "share above the bound",
        "p95",
        "given", "bias of p95",
      ])
    for traffic in Traffic.all + Traffic.heavyTails {
      let outcome = measure(traffic)
      table.add(
        traffic.name, "\(traffic.requests)", Table.percent(outcome.mean),
        Table.percent(outcome.meanGiven), Table.percent(outcome.student),
        Table.percent(outcome.share),
        Table.percent(outcome.quantile), Table.percent(outcome.quantileGiven),
        Table.percent(outcome.quantileBias))
    }
    return table.text
  }
}
