import Contracts
import Observations
import Scenarios
import Statistics
import Timekeeping
import Verdicts

/// Judges one objective of a scenario against what the replications measured.
struct ObjectiveJudgement {
  private let objective: Objective
  private let tallies: [Merged]
  private let minimum: Int

  /// Fewer replications decide nothing about a quantile (DESIGN: R ≥ 20).
  static let replicationsForQuantiles = 20
  static let replicationsForMeans = 5

  init(_ objective: Objective, _ tallies: [Merged], _ scenario: Scenario) {
    self.objective = objective
    self.tallies = tallies.filter {
      objective.domain == nil || $0.declaration.domain == objective.domain
    }
    minimum =
      if case .quantile = objective.measure { Self.replicationsForQuantiles } else {
        Self.replicationsForMeans
      }
  }

  var result: ObjectiveResult {
    switch objective.measure {
    case .quantile(let q): return quantile(q)
    case .mean: return mean(latencies.compactMap(\.mean), isShare: false)
    case .errors: return mean(errorShares, isShare: true)
    }
  }

  // MARK: - What the replications measured

  private var replications: Int { tallies.first?.each.count ?? 0 }

  /// The subject's response times, one histogram for each replication; all operations together without a subject.
  private var latencies: [LatencyHistogram] {
    (0..<replications).map { replication in
      var merged = LatencyHistogram()
      for tally in tallies {
        for operation in tally.each[replication].operations
        where operation.kind == .product && isSubject(operation.name) {
          merged.merge(operation.latencies)
        }
      }
      return merged
    }
  }

  private var errorShares: [Double] {
    (0..<replications).compactMap { replication in
      var (errors, requests) = (0, 0)
      for tally in tallies {
        for operation in tally.each[replication].operations
        where operation.kind == .product && isSubject(operation.name) {
          errors += operation.unknown + operation.unsent
          requests += operation.requests
        }
      }
      return requests == 0 ? nil : Double(errors) / Double(requests)
    }
  }

  private func isSubject(_ name: String) -> Bool {
    objective.subject == nil || objective.subject == name
  }

  /// The subject as a business latency, one tally for each replication; `nil` when it is an operation.
  private var business: [BusinessTally]? {
    for tally in tallies {
      if let index = tally.whole.business.firstIndex(where: { $0.name == objective.subject }) {
        return tally.each.map { $0.business[index] }
      }
    }
    return nil
  }

  // MARK: - Quantiles

  private func quantile(_ q: Double) -> ObjectiveResult {
    let bound = Span(seconds: objective.bound)
    let shares: [Double]
    let quantiles: [Double]
    if let business {
      shares = business.compactMap { Self.shareLate($0, bound) }
      quantiles = business.compactMap { $0.finished.quantile(q)?.seconds }
    } else {
      let filled = latencies.filter { $0.count > 0 }
      shares = filled.map { Double($0.count(above: bound)) / Double($0.count) }
      quantiles = filled.compactMap { $0.quantile(q)?.seconds }
    }
    guard !shares.isEmpty else { return nothing(isShare: false) }
    let judgement = ExceedanceGate.judge(
      shares: shares, allowed: 1 - q, effectiveSamples: effectiveSamples, minimum: minimum)
    var verdict: Verdict
    var reason: String?
    switch judgement.decision {
    case .pass: verdict = .pass
    case .fail: verdict = .fail
    case .inconclusive(let why): (verdict, reason) = (.inconclusive, Self.words(for: why))
    }
    // A lower bound asks for the opposite: enough requests above it.
    if !objective.comparison.isUpperBound {
      verdict = verdict == .pass ? .fail : (verdict == .fail ? .pass : verdict)
    }
    if verdict == .fail, let share = judgement.share {
      reason = "\(Self.percent(share)) of requests took longer, \(Self.percent(1 - q)) may"
    }
    return finished(verdict, reason, of: quantiles, isShare: false)
  }

  /// The share that took longer than the bound, among those of which that is known.
  private static func shareLate(_ tally: BusinessTally, _ bound: Span) -> Double? {
    let late = tally.finished.count(above: bound) + tally.unfinished.count(above: bound)
    let known = tally.finished.count + tally.unfinished.count(above: bound)
    return known == 0 ? nil : Double(late) / Double(known)
  }

  /// How many independent requests the observed ones are worth: requests of one replication share its weather, so
  /// that their number is divided by the inflation of the variance of replication means (batch means).
  private var effectiveSamples: Double? {
    let filled = latencies.filter { $0.count > 0 }
    guard filled.count > 1, let means = Summary(filled.compactMap(\.mean)),
      let deviation = means.standardDeviation, deviation > 0
    else { return nil }
    let count = filled.reduce(0.0) { $0 + Double($1.count) }
    var pooled = LatencyHistogram()
    for histogram in filled { pooled.merge(histogram) }
    let spread = pooled.standardDeviation
    return min(count, spread * spread / (deviation * deviation) * Double(filled.count))
  }

  private static func words(for reason: ExceedanceGate.Reason) -> String {
    switch reason {
    case .tooFew(let few):
      "too few replications: \(few.have), and a quantile needs \(few.need)"
    case .undecided:
      "the interval lies across the bound; more replications would decide"
    case .testsDisagree:
      "the plain and the skewness-adjusted t test disagree; more replications would decide"
    case .tooFewEffectiveSamples(let have, let need):
      "no request was above the bound, but only \(Int(have)) effectively independent ones were seen, and \(Int(need.rounded(.up))) are needed"
    case .noVariation: "all replications gave the same share, which decides nothing by itself"
    }
  }

  // MARK: - Means and shares

  private func mean(_ values: [Double], isShare: Bool) -> ObjectiveResult {
    guard !values.isEmpty else { return nothing(isShare: isShare) }
    guard values.count >= minimum, case .success(let interval) = Interval.ofMean(values) else {
      return finished(
        .inconclusive, "too few replications: \(values.count), and a mean needs \(minimum)",
        of: values, isShare: isShare)
    }
    let bound = objective.bound
    let isUpper = objective.comparison.isUpperBound
    let verdict: Verdict
    if interval.low == interval.high {
      verdict = holds(interval.low) ? .pass : .fail
    } else if interval.high <= bound {
      verdict = isUpper ? .pass : .fail
    } else if interval.low >= bound {
      verdict = isUpper ? .fail : .pass
    } else {
      verdict = .inconclusive
    }
    let reason =
      verdict == .inconclusive
      ? "the interval lies across the bound; more replications would decide" : nil
    return finished(verdict, reason, of: values, isShare: isShare)
  }

  private func holds(_ value: Double) -> Bool {
    switch objective.comparison {
    case .less: value < objective.bound
    case .atMost: value <= objective.bound
    case .greater: value > objective.bound
    case .atLeast: value >= objective.bound
    }
  }

  // MARK: - Results

  private func finished(
    _ verdict: Verdict, _ reason: String?, of values: [Double], isShare: Bool
  ) -> ObjectiveResult {
    ObjectiveResult(
      text: objective.text, verdict: verdict, reason: reason, estimate: Summary(values)?.mean,
      interval: Bounds(between: values), bound: objective.bound, isShare: isShare)
  }

  private func nothing(isShare: Bool) -> ObjectiveResult {
    ObjectiveResult(
      text: objective.text, verdict: .notExercised, reason: "nothing of the kind happened",
      estimate: nil, interval: nil, bound: objective.bound, isShare: isShare)
  }

  private static func percent(_ share: Double) -> String {
    "\((share * 10_000).rounded() / 100) %"
  }
}
