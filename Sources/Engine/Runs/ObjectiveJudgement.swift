import Observations
import Scenarios
import Statistics
import Timekeeping
import Verdicts

/// Judges one objective of a scenario against what the replications measured.
struct ObjectiveJudgement {
  private let objective: Objective
  private let measured: ObjectiveMeasurement
  /// Of each one-sided decision, and of the two-sided intervals that are shown beside it.
  private let confidence: Double

  /// Fewer replications decide nothing about a share, and so about a quantile.
  static let replicationsForShares = 20

  /// Fewer replications decide nothing about such an objective.
  static func fewest(for measure: Objective.Measure) -> Int {
    switch measure {
    case .quantile, .share, .errors: replicationsForShares
    case .mean, .rate, .count: Interval.fewestReplications
    }
  }

  /// - Parameter looks: How often the plan may judge the run, whose error they share.
  init(_ objective: Objective, _ tallies: [Merged], _ scenario: Scenario, looks: Int = 1) {
    self.objective = objective
    measured = ObjectiveMeasurement(objective, tallies, lasts: scenario.lasts)
    confidence = ExceedanceGate.confidence(0.95, looks: looks)
  }

  var result: ObjectiveResult {
    switch objective.measure {
    case .quantile(let q): quantile(q)
    case .share, .errors: share
    case .mean: mean
    case .rate, .count: figure(measured.values)
    }
  }

  // MARK: - Quantiles and shares

  private func quantile(_ q: Double) -> ObjectiveResult {
    let shares = measured.lateCounts(above: Span(seconds: objective.bound)).compactMap(\.share)
    guard !shares.isEmpty else { return nothing }
    let judgement = judge(shares, allowed: 1 - q)
    let quantile = Quantile(q, of: measured.samples, confidence: confidence)
    var result = self.result(of: judgement, shares, allowed: 1 - q)
    if result.verdict == .fail, let share = judgement.share {
      result.reason =
        "\(Self.percent(share)) \(measured.lateInWords) \(Span(seconds: objective.bound)), and \(Self.percent(1 - q)) may"
    }
    result.estimate = quantile.seconds
    result.longerThan = quantile.longerThan
    result.interval = quantile.interval
    return result
  }

  private var share: ObjectiveResult {
    let shares = measured.values
    guard !shares.isEmpty else { return nothing }
    guard objective.bound > 0, objective.bound < 1 else { return absolute(shares) }
    let judgement = judge(shares, allowed: objective.bound)
    var result = self.result(of: judgement, shares, allowed: objective.bound)
    result.estimate = judgement.share
    if case .success(let interval) = Interval.ofReplications(shares, confidence: confidence) {
      result.interval = Bounds(low: max(0, interval.low), high: min(1, interval.high))
    }
    return result
  }

  private func judge(_ shares: [Double], allowed: Double) -> ExceedanceGate.Judgement {
    ExceedanceGate.judge(
      shares: shares, allowed: allowed, confidence: confidence, effectiveSamples: effectiveSamples,
      minimum: Self.replicationsForShares)
  }

  private func result(
    of judgement: ExceedanceGate.Judgement, _ shares: [Double], allowed: Double
  ) -> ObjectiveResult {
    switch judgement.decision {
    case .pass: return finished(objective.comparison.isUpperBound ? .pass : .fail)
    case .fail: return finished(objective.comparison.isUpperBound ? .fail : .pass)
    case .inconclusive(let why):
      let enough = ExceedanceGate.replicationsToDecide(
        shares: shares, allowed: allowed, confidence: confidence,
        effectiveSamples: effectiveSamples, minimum: Self.replicationsForShares)
      return open(Self.words(for: why), have: shares.count, enough: enough)
    }
  }

  /// None or all demanded: one single case the other way decides.
  private func absolute(_ shares: [Double]) -> ObjectiveResult {
    let mean = shares.reduce(0, +) / Double(shares.count)
    var result =
      if holds(mean), shares.count < Interval.fewestReplications {
        open(
          "too few replications: \(shares.count), and \(Interval.fewestReplications) are needed",
          have: shares.count, enough: Interval.fewestReplications)
      } else {
        finished(holds(mean) ? .pass : .fail)
      }
    result.estimate = mean
    return result
  }

  /// How many independent requests the observed ones are worth: requests of one replication share its weather, so
  /// that their number is divided by the inflation of the variance of replication means (batch means).
  private var effectiveSamples: Double? {
    let filled = measured.samples.map(\.ended).filter { $0.count > 0 }
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
      "too few replications: \(few.have), and a share or a quantile needs \(few.need)"
    case .undecided: "the interval lies across the bound"
    case .testsDisagree: "the plain and the skewness-adjusted t test disagree"
    case .tooFewEffectiveSamples(let have, let need):
      "nothing lay beyond the bound, but only \(Int(have)) effectively independent requests were seen, and \(Int(need.rounded(.up))) are needed"
    case .noVariation: "all replications gave the same share, which decides nothing by itself"
    }
  }

  // MARK: - Means, rates, counts

  private var mean: ObjectiveResult {
    let left = measured.withoutEnd
    guard left > 0 else { return figure(measured.values) }
    var result = finished(.inconclusive)
    result.reason =
      "\(left) \(measured.withoutEndInWords), and a mean would leave them out; demand a quantile"
    result.estimate = Summary(measured.values)?.mean
    return result
  }

  private func figure(_ values: [Double]) -> ObjectiveResult {
    guard let mean = Summary(values)?.mean else { return nothing }
    guard case .success(let interval) = Interval.ofReplications(values, confidence: confidence)
    else {
      var result = open(
        "too few replications: \(values.count), and \(Interval.fewestReplications) are needed",
        have: values.count, enough: Interval.fewestReplications)
      result.estimate = mean
      return result
    }
    let (low, high) = (max(0, interval.low), interval.high)
    var result: ObjectiveResult
    if low == high {
      result = finished(holds(low) ? .pass : .fail)
    } else if high <= objective.bound {
      result = finished(objective.comparison.isUpperBound ? .pass : .fail)
    } else if low >= objective.bound {
      result = finished(objective.comparison.isUpperBound ? .fail : .pass)
    } else {
      result = open(
        "the interval lies across the bound", have: values.count,
        enough: Interval.replicationsToDecide(
          values, bound: objective.bound, confidence: confidence))
    }
    result.estimate = mean
    result.interval = Bounds(low: low, high: high)
    return result
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

  private func finished(_ verdict: Verdict) -> ObjectiveResult {
    ObjectiveResult(
      text: objective.text, verdict: verdict, reason: nil, estimate: nil, interval: nil,
      bound: objective.bound, unit: objective.measure.unit)
  }

  private func open(_ reason: String, have: Int, enough: Int?) -> ObjectiveResult {
    var result = finished(.inconclusive)
    let more = enough.map { max(1, $0 - have) }
    result.moreReplications = more
    result.reason =
      reason
      + (more.map { "; about \($0) more replication\($0 == 1 ? "" : "s") would decide" }
        ?? "; the truth is so near the bound that no number of replications would decide")
    return result
  }

  private var nothing: ObjectiveResult {
    var result = finished(.inconclusive)
    result.reason = "\(ObjectiveResult.notMeasured): nothing of the kind happened"
    return result
  }

  static func percent(_ share: Double) -> String {
    let hundredths = (share * 10_000).rounded()
    let whole = hundredths.truncatingRemainder(dividingBy: 100) == 0
    return whole && hundredths < 1e12 ? "\(Int(hundredths / 100))%" : "\(hundredths / 100)%"
  }
}
