import Scenarios
import Statistics
import Verdicts

/// Whether the figures of the objectives are known as well as the scenario wants; without objectives on times and rates, the mean
/// response time of each world.
struct PrecisionJudgement {
  private let wanted: Precision
  private let figures: [Figure]
  private let confidence: Double

  /// One figure with its value in each replication, and how many requests it is over.
  struct Figure {
    let name: String
    let totals: [Total]

    var values: [Double] { totals.compactMap(\.mean) }
  }

  init(_ wanted: Precision, _ scenario: Scenario, _ tallies: [Merged], looks: Int) {
    self.wanted = wanted
    confidence = ExceedanceGate.confidence(wanted.confidence, looks: looks)
    let named = scenario.objectives.compactMap { objective -> Figure? in
      // A share near nothing is never known to a part of itself; whether it is small enough is for its verdict to say.
      guard objective.measure.unit != .share else { return nil }
      let measured = ObjectiveMeasurement(objective, tallies, lasts: scenario.lasts)
      let totals =
        objective.measure == .mean
        ? measured.totals.filter { $0.count > 0 }
        : measured.values.map { Total(sum: $0, count: 1) }
      return totals.isEmpty ? nil : Figure(name: objective.subjectInWords, totals: totals)
    }
    figures =
      named.isEmpty
      ? tallies.map {
        Figure(
          name: "mean of \($0.declaration.domain)",
          totals: $0.meanResponses.map { Total(sum: $0, count: 1) })
      } : named
  }

  var result: ObjectiveResult {
    let text =
      "precision \(percent(wanted.halfWidth)) at \(percent(wanted.confidence))"
    var worst: (name: String, reach: Double, need: Int?)?
    for figure in figures {
      guard let reach = reach(of: figure.totals) else {
        return ObjectiveResult(
          text: text, verdict: .inconclusive,
          reason: "'\(figure.name)' has values in too few replications for an interval",
          estimate: nil, interval: nil, bound: wanted.halfWidth, unit: .share,
          moreReplications: max(1, Interval.fewestReplications - figure.values.count))
      }
      if reach > worst?.reach ?? -1 {
        let need = Interval.replicationsToReach(
          figure.values, relativeHalfWidth: wanted.halfWidth, confidence: confidence)
        worst = (figure.name, reach, need.map { $0 - figure.values.count })
      }
    }
    guard let worst else {
      return ObjectiveResult(
        text: text, verdict: .inconclusive,
        reason: "\(ObjectiveResult.notMeasured): nothing of the kind happened", estimate: nil,
        interval: nil, bound: wanted.halfWidth, unit: .share, moreReplications: nil)
    }
    let isReached = worst.reach <= wanted.halfWidth
    return ObjectiveResult(
      text: text, verdict: isReached ? .pass : .inconclusive,
      reason: isReached
        ? nil : "'\(worst.name)' is known to ±\(ObjectiveJudgement.percent(worst.reach)) only",
      estimate: worst.reach, interval: nil, bound: wanted.halfWidth, unit: .share,
      moreReplications: isReached ? nil : worst.need.map { max(1, $0) })
  }

  private func reach(of totals: [Total]) -> Double? {
    guard case .success(let interval) = Interval.ofReplications(totals, confidence: confidence),
      let mean = Total.all(totals).mean, mean > 0
    else { return nil }
    return (interval.high - interval.low) / 2 / mean
  }
}
