import Scenarios
import Statistics
import Verdicts

/// The objectives of one run, judged together at one look.
///
/// Of twelve objectives that all lie just at their bounds, each would fail in 2.5 % of runs, and one of them in a quarter. So a fail must
/// hold among all of them, by Holm's procedure: a run in which every truth lies at its bound or on the right side of it ends red
/// with at most 2.5 %, whatever the objectives have to do with each other. A run passes only where all of them do, at the
/// same look and from the same replications; that errs no more often than the one that errs most, so that a pass needs no such care.
struct ObjectiveFamily {
  private let objectives: [Objective]
  private let judged: [ObjectiveJudgement.Judged]
  /// What it would take to fail for sure, as the strictest of Holm's steps.
  private let strictest: (Objective) -> ObjectiveResult
  private let level: Double
  private let repetition: Repetition
  private let have: Int

  /// - Parameter repetition: What the run was repeated in, or cut into.
  init(
    _ scenario: Scenario, _ tallies: [Merged], looks: Int, repetition: Repetition = .replication
  ) {
    self.repetition = repetition
    have = tallies.first?.each.count ?? 0
    objectives = scenario.objectives
    judged = objectives.map {
      ObjectiveJudgement($0, tallies, scenario, looks: looks, repetition: repetition).judged
    }
    let family = objectives.count
    strictest = {
      ObjectiveJudgement(
        $0, tallies, scenario, looks: looks, family: family, repetition: repetition
      ).judged.result
    }
    level = (1 - ExceedanceGate.confidence(0.95, looks: looks)) / 2
  }

  var results: [ObjectiveResult] {
    let chances = Comparison.holm(judged.map { min(1, max(0, $0.chanceOfFailing)) })
    return objectives.indices.map { place in
      let result = judged[place].result
      let isSpared = objectives.count > 1 && chances[place] > level
      guard result.verdict == .fail, isSpared else { return result }
      return spared(result, objectives[place])
    }
  }

  private func spared(_ result: ObjectiveResult, _ objective: Objective) -> ObjectiveResult {
    var result = result
    result.verdict = .inconclusive
    let more = strictest(objective).moreReplications
    result.moreReplications = more
    result.reason =
      "by itself it would fail; among \(objectives.count) objectives that can be chance (Holm)"
      + (more.map { repetition.remedy(have + $0, have: have) } ?? "")
    return result
  }
}
