import Scenarios
import Statistics

/// After how many replications a run is judged, and how the error is divided among those looks.
///
/// A run that is judged again whenever its replications have doubled would err more often than promised: each look errs with its part
/// of the whole error (Bonferroni). Whether a look is made depends on the replications before it alone, never on the machine.
public struct ReplicationPlan: Hashable, Sendable {
  /// Ascending; the last one is the maximum.
  public let looks: [Int]
  /// With fewer replications a run may fail, but not pass.
  public let wanted: Int

  public init(_ scenario: Scenario) {
    let most = scenario.mostReplications
    let need = min(most, Self.fewest(for: scenario.objectives))
    wanted = scenario.replications
    guard !scenario.objectives.isEmpty || scenario.precision != nil else {
      looks = [scenario.replications]
      return
    }
    var looks: [Int] = []
    // Replications cost the same before the first look that could decide and after it: so it comes no earlier.
    var next = scenario.replications
    if most > scenario.replications { next = max(next, need) }
    if scenario.stopEarly {
      var early = need
      while early < next {
        looks.append(early)
        early *= 2
      }
    }
    while next < most {
      looks.append(next)
      next *= 2
    }
    self.looks = looks + [most]
  }

  /// The replications that a look adds to those before it; rounds are counted from 1.
  public func replications(ofRound round: Int) -> Range<Int> {
    (round > 1 ? looks[round - 2] : 0)..<looks[round - 1]
  }

  /// Replications below which nothing is decided about any objective.
  public static func fewest(for objectives: [Objective]) -> Int {
    objectives.map { ObjectiveJudgement.fewest(for: $0.measure) }.min()
      ?? Interval.fewestReplications
  }

  /// The confidence of one look, of so much for all of them.
  public func confidence(_ overall: Double) -> Double {
    ExceedanceGate.confidence(overall, looks: looks.count)
  }
}

/// The looks that a run took at its replications.
public struct Looks: Hashable, Sendable {
  /// After how many replications, each of them.
  public var made: [Int]
  /// How many the plan had.
  public var planned: Int
  /// Why no other followed.
  public var ended: End

  public enum End: String, Hashable, Sendable {
    /// Every objective is decided and every figure known as well as wanted.
    case decided
    /// The run could not pass any more.
    case cannotPass
    /// All replications that the scenario allows were made.
    case maximum
    case interrupted
  }

  public init(made: [Int], planned: Int, ended: End) {
    self.made = made
    self.planned = planned
    self.ended = ended
  }
}
