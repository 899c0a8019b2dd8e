import Observations
import Scenarios
import Statistics
import Timekeeping
import Verdicts

/// Up to which rate something holds, in phases that ask for more and more: the knee, between the last phase before the first that breaks and
/// that one.
struct CapacityJudgement {
  private let sought: Workload.Capacity
  /// By replication: the highest rate before the first phase that broke, and that phase's; `nil` where none did.
  private let knees: [(holds: Double, breaks: Double?)]
  private let top: Double

  init(
    _ sought: Workload.Capacity, _ workload: Workload, _ scenario: Scenario, _ tallies: [Merged]
  ) {
    self.sought = sought
    let steps = workload.measured(from: scenario.starts).map { phase, window in
      var objective = sought.objective
      objective.window = window
      return (
        rate: phase.from,
        counts: ObjectiveMeasurement(objective, tallies, lasts: scenario.lasts)
          .lateCounts(above: Span(seconds: objective.bound))
      )
    }
    top = steps.last?.rate ?? 0
    let allowed =
      if case .quantile(let q) = sought.objective.measure { 1 - q } else { sought.objective.bound }
    knees = (0..<(steps.first?.counts.count ?? 0)).map { replication in
      var holds = 0.0
      for step in steps {
        let count = step.counts[replication]
        guard Double(count.late) <= allowed * Double(count.requests) else {
          return (holds, step.rate)
        }
        holds = step.rate
      }
      return (holds, nil)
    }
  }

  var result: ObjectiveResult {
    let held = knees.map(\.holds).sorted()
    let low = held.first ?? 0
    let broken = knees.compactMap(\.breaks)
    let isFound = !knees.isEmpty && broken.count == knees.count
    let high = isFound ? broken.max() : nil
    return ObjectiveResult(
      text: "capacity while \(sought.objective.text)", verdict: verdict(low, high),
      reason: words(low, high), estimate: held.isEmpty ? nil : held[held.count / 2],
      interval: high.map { Bounds(low: low, high: $0) }, bound: sought.atLeast ?? 0,
      unit: .perSecond)
  }

  private func verdict(_ low: Double, _ high: Double?) -> Verdict {
    guard !knees.isEmpty else { return .inconclusive }
    guard let least = sought.atLeast else { return .pass }
    if low >= least { return .pass }
    return high.map { $0 <= least } == true ? .fail : .inconclusive
  }

  private func words(_ low: Double, _ high: Double?) -> String {
    let runs = knees.count == 1 ? "" : " in each of \(knees.count) replications"
    guard let high else {
      return low >= top
        ? "it held up to \(plain(top))/s, the last phase\(runs): the knee lies beyond"
        : "it held up to \(plain(low))/s\(runs), and in some to the last phase"
    }
    return low > 0
      ? "it held up to \(plain(low))/s\(runs), and broke by \(plain(high))/s"
      : "it broke in the first phase already, at \(plain(high))/s"
  }
}
