import Observations
import Scenarios
import Statistics
import Timekeeping
import Verdicts

/// Judges one objective of a scenario against what the replications measured.
///
/// One rule for all: where the interval lies across the bound nothing is decided. It is a 95 % interval, 2.5 % a side, whose error
/// the planned looks share; where it holds no more than one side of the bound, the objective passes or fails. Objectives of one run are
/// one family, `ObjectiveFamily`.
struct ObjectiveJudgement {
  private let objective: Objective
  private let measured: ObjectiveMeasurement
  /// Of the two-sided interval; each side of a decision has half its error.
  private let confidence: Double
  /// What the run was repeated in, or cut into.
  private let repetition: Repetition
  private var noun: String { repetition.noun }

  /// Fewer replications decide nothing about such an objective.
  static func fewest(for measure: Objective.Measure) -> Int {
    switch measure {
    case .quantile, .share, .errors: Repetition.replication.fewestForShares
    case .mean, .rate, .count: Interval.fewestReplications
    }
  }

  /// - Parameters:
  ///   - repetition: What the run was repeated in, or cut into.
  ///   - looks: How often the plan may judge the run, whose error they share.
  ///   - family: Among how many objectives this one is the strictest step of Holm's.
  init(
    _ objective: Objective, _ tallies: [Merged], _ scenario: Scenario, looks: Int = 1,
    family: Int = 1, repetition: Repetition = .replication
  ) {
    self.objective = objective
    self.repetition = repetition
    measured = ObjectiveMeasurement(objective, tallies, lasts: scenario.lasts)
    confidence = ExceedanceGate.confidence(0.95, looks: looks * family)
  }

  /// A result with the chance that it fails although the truth lies at its bound.
  struct Judged {
    var result: ObjectiveResult
    var chanceOfFailing = 1.0
  }

  var judged: Judged {
    switch objective.measure {
    case .quantile(let q): quantile(q)
    case .share, .errors: share
    case .mean: mean
    case .rate, .count: figure(measured.values.map { Total(sum: $0, count: 1) })
    }
  }

  // MARK: - Quantiles and shares

  private func quantile(_ q: Double) -> Judged {
    let counts = lateCounts
    guard !counts.isEmpty else { return nothing }
    let judgement = judge(counts, allowed: 1 - q)
    let quantile = ReplicatedSample(measured.samples).quantile(q, confidence: confidence)
    var judged = self.judged(judgement, counts, allowed: 1 - q)
    if judged.result.verdict != .inconclusive, let interval = quantile.interval,
      interval.low < objective.bound, objective.bound < interval.high
    {
      // The classes of a histogram are a thousandth wide: the bound lies inside the one in which the interval ends.
      judged.result = undecided(counts, allowed: 1 - q)
    }
    if judged.result.verdict == .fail, let share = judgement.share {
      judged.result.reason =
        "\(Self.percent(share)) \(measured.lateInWords) \(Span(seconds: objective.bound)), and \(Self.percent(1 - q)) may"
    }
    judged.result.estimate = quantile.seconds
    judged.result.longerThan = quantile.longerThan
    judged.result.interval = quantile.interval
    return judged
  }

  private var share: Judged {
    let counts = lateCounts
    guard !counts.isEmpty else { return nothing }
    guard objective.bound > 0, objective.bound < 1 else { return absolute(counts) }
    let judgement = judge(counts, allowed: objective.bound)
    var judged = self.judged(judgement, counts, allowed: objective.bound)
    judged.result.estimate = judgement.share
    judged.result.interval = judgement.interval.map { Bounds(low: $0.low, high: $0.high) }
    return judged
  }

  private var lateCounts: [LateCount] {
    measured.lateCounts(above: Span(seconds: objective.bound)).filter { $0.requests > 0 }
  }

  private func judge(_ counts: [LateCount], allowed: Double) -> ExceedanceGate.Judgement {
    ExceedanceGate.judge(
      counts, allowed: allowed, confidence: (1 + confidence) / 2,
      effectiveSamples: effectiveSamples, minimum: repetition.fewestForShares,
      effective: Double(Repetition.fewestOfEqualSize))
  }

  private func judged(
    _ judgement: ExceedanceGate.Judgement, _ counts: [LateCount], allowed: Double
  ) -> Judged {
    let upper = objective.comparison.isUpperBound
    let result: ObjectiveResult
    switch judgement.decision {
    case .pass: result = upper ? passed(judgement, counts.count) : finished(.fail)
    case .fail: result = upper ? finished(.fail) : passed(judgement, counts.count)
    case .inconclusive(let why):
      result = undecided(counts, allowed: allowed, because: words(for: why), why)
    }
    return Judged(
      result: result,
      chanceOfFailing: upper ? judgement.chance.ofMore : judgement.chance.ofLess)
  }

  /// With the frequency of bad replications that so few could miss, as long as it is above one in twenty.
  private func passed(_ judgement: ExceedanceGate.Judgement, _ count: Int) -> ObjectiveResult {
    var result = finished(.pass)
    if let missable = judgement.missable, missable > 0.05 {
      result.reason =
        "with \(count) \(noun)s, up to 1 \(noun) in \(Int(1 / missable)) could still miss it"
    }
    return result
  }

  private func undecided(
    _ counts: [LateCount], allowed: Double, because: String = acrossTheBound,
    _ reason: ExceedanceGate.Reason = .undecided
  ) -> ObjectiveResult {
    switch reason {
    case .tooFew, .unequalSizes:
      if let remedy = repetition.remedyOfUneven(have: counts.count) {
        var result = finished(.inconclusive)
        result.reason = because + remedy
        return result
      }
    case .undecided, .tooFewEffectiveSamples, .noVariation: break
    }
    return open(
      because, have: counts.count,
      enough: ExceedanceGate.replicationsToDecide(
        counts, allowed: allowed, confidence: (1 + confidence) / 2,
        effectiveSamples: effectiveSamples, minimum: repetition.fewestForShares,
        effective: Double(Repetition.fewestOfEqualSize)))
  }

  private static let acrossTheBound = "the interval lies across the bound"

  /// None or all demanded: one single case the other way decides.
  private func absolute(_ counts: [LateCount]) -> Judged {
    let requests = counts.reduce(0) { $0 + $1.requests }
    let late = counts.reduce(0) { $0 + $1.late }
    let open = counts.reduce(0) { $0 + $1.open }
    let (least, most) = (Double(late) / Double(requests), Double(late + open) / Double(requests))
    var judged: Judged
    if !holds(least), !holds(most) {
      judged = Judged(result: finished(.fail), chanceOfFailing: 0)
    } else if !holds(least) || !holds(most) {
      judged = Judged(result: finished(.inconclusive))
      judged.result.reason = "the run ended before \(open) of \(requests) were known"
    } else if counts.count < Interval.fewestReplications {
      judged = Judged(result: tooFew(counts.count))
    } else {
      judged = Judged(result: finished(.pass))
      let independent = Int(effectiveSamples ?? Double(counts.count))
      let unseen = Ratio.upperBound(of: 0, in: max(counts.count, independent))
      judged.result.reason = "so few cannot rule out a share of up to \(Self.percent(unseen))"
    }
    judged.result.estimate = LateCount(late: late, open: open, requests: requests).share
    return judged
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

  private func words(for reason: ExceedanceGate.Reason) -> String {
    switch reason {
    case .tooFew(let few):
      "too few \(noun)s: \(few.have), and a share or a quantile needs \(few.need)"
    case .unequalSizes(let have, let need):
      "a few \(noun)s hold most of the requests: they weigh as \(Int(have)) of equal size, and \(need) are needed"
    case .undecided: Self.acrossTheBound
    case .tooFewEffectiveSamples(let have, let need):
      "nothing lay beyond the bound, but only \(Int(have)) effectively independent requests were seen, and \(Int(need.rounded(.up))) are needed"
    case .noVariation: "all \(noun)s gave the same share, which decides nothing by itself"
    }
  }

  // MARK: - Means, rates, counts

  private var mean: Judged {
    let totals = measured.totals
    let left = measured.withoutEnd
    guard left > 0 else { return figure(totals) }
    var judged = Judged(result: finished(.inconclusive))
    judged.result.reason =
      "\(left) \(measured.withoutEndInWords), and a mean would leave them out; demand a quantile"
    judged.result.estimate = Total.all(totals).mean
    return judged
  }

  /// The mean over all requests, or of one value for each replication.
  private func figure(_ given: [Total]) -> Judged {
    let totals = given.filter { $0.count > 0 }
    guard var mean = Total.all(totals).mean else { return nothing }
    var judged: Judged
    switch Interval.ofReplications(totals, confidence: confidence) {
    case .failure(let few):
      judged = Judged(
        result: totals.count < Interval.fewestReplications
          ? tooFew(totals.count)
          : open(
            "the \(noun)s differ too much to tell where the mean lies", have: totals.count,
            enough: few.need))
    case .success(let interval):
      let (low, high) = (max(0, interval.low), interval.high)
      // The mean of equal values can differ from them in the last place.
      if low == high { mean = low }
      let upper = objective.comparison.isUpperBound
      let result =
        if low == high {
          finished(holds(low) ? .pass : .fail)
        } else if high <= objective.bound {
          finished(upper ? .pass : .fail)
        } else if low >= objective.bound {
          finished(upper ? .fail : .pass)
        } else {
          open(
            Self.acrossTheBound, have: totals.count,
            enough: Interval.replicationsToDecide(
              totals, bound: objective.bound, confidence: confidence))
        }
      let chances = Interval.chances(ofReplications: totals, at: objective.bound)
      judged = Judged(
        result: result,
        chanceOfFailing: low == high ? 0 : upper ? chances.ofMore : chances.ofLess)
      judged.result.interval = Bounds(low: low, high: high)
    }
    judged.result.estimate = mean
    return judged
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
    let enough = repetition.enough(enough, have: have)
    result.moreReplications = enough.map { $0 - have }
    result.reason = reason + repetition.remedy(enough, have: have)
    return result
  }

  private func tooFew(_ have: Int) -> ObjectiveResult {
    let reason = "too few \(noun)s: \(have), and \(Interval.fewestReplications) are needed"
    guard let remedy = repetition.remedyOfUneven(have: have) else {
      return open(reason, have: have, enough: Interval.fewestReplications)
    }
    var result = finished(.inconclusive)
    result.reason = reason + remedy
    return result
  }

  private var nothing: Judged {
    var result = finished(.inconclusive)
    result.reason = "\(ObjectiveResult.notMeasured): nothing of the kind happened"
    return Judged(result: result)
  }

  static func percent(_ share: Double) -> String {
    let hundredths = (share * 10_000).rounded()
    let whole = hundredths.truncatingRemainder(dividingBy: 100) == 0
    return whole && hundredths < 1e12 ? "\(Int(hundredths / 100))%" : "\(hundredths / 100)%"
  }
}
