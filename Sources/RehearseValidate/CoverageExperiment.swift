import Statistics
import Timekeeping

/// How often 95 % intervals over replications hold the truth.
public struct CoverageExperiment: Sendable {
  public let repetitions: Int
  public var replications = 20

  public init(repetitions: Int) { self.repetitions = repetitions }

  public struct Outcome: Sendable {
    public var mean = 0.0
    public var share = 0.0
    public var quantile = 0.0
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
      var (means, shares, quantiles): ([Double], [Double], [Double]) = ([], [], [])
      for _ in 0..<replications {
        let times = traffic.replication(&stream)
        let count = Double(times.count)
        means.append(times.reduce(0, +) / count)
        shares.append(Double(times.count { $0 > bound }) / count)
        quantiles.append(Self.quantile(of: times, near: bound))
      }
      if Self.covers(means, traffic.mean) { outcome.mean += weight }
      if Self.covers(shares, Self.share) { outcome.share += weight }
      if Self.covers(quantiles, bound) { outcome.quantile += weight }
      let estimate = quantiles.reduce(0, +) / Double(replications)
      outcome.quantileBias += (estimate / bound - 1) * weight
    }
    return outcome
  }

  /// The 95th percentile; only what lies above half of its true value is sorted, where that is enough.
  private static func quantile(of times: [Double], near bound: Double) -> Double {
    let rank = Int(((1 - share) * Double(times.count)).rounded(.up))
    let high = times.filter { $0 > bound / 2 }
    let below = times.count - high.count
    return below < rank ? high.sorted()[rank - 1 - below] : times.sorted()[rank - 1]
  }

  private static func covers(_ values: [Double], _ truth: Double) -> Bool {
    guard case .success(let interval) = Interval.ofMean(values) else { return false }
    return interval.contains(truth)
  }

  func section() -> String {
    var table = Table(
      "Coverage of 95 % intervals",
      "Student's t between \(replications) replications, \(repetitions) repetitions: how often the interval of the mean, of the share of requests above the true 95th percentile, and of the 95th percentile itself holds the truth. The estimate of a quantile is biased where a replication has few requests, which is why objectives are judged by shares.",
      columns: [
        "data", "requests a replication", "mean", "share above the bound", "p95", "bias of p95",
      ])
    for traffic in Traffic.all {
      let outcome = measure(traffic)
      table.add(
        traffic.name, "\(traffic.requests)", Table.percent(outcome.mean),
        Table.percent(outcome.share), Table.percent(outcome.quantile),
        Table.percent(outcome.quantileBias))
    }
    return table.text
  }
}
