import Contracts
import Observations

/// What the tries of a rule allow to say about it.
public struct LimitVerdict: Hashable, Sendable {
  public let verdict: Verdict
  public let reason: String?

  /// - Parameters:
  ///   - tally: The decisions of the rule's checks; `nil` when no check judges it.
  ///   - unjudged: Why no check does.
  public init(_ tally: LimitTally?, unjudged: String?) {
    guard let tally else {
      (verdict, reason) = (.notExercised, unjudged ?? "no check judges it")
      return
    }
    if tally.violations > 0 {
      (verdict, reason) = (.fail, nil)
    } else if tally.exercised == 0 {
      (verdict, reason) = (.notExercised, "nobody tried it in this run")
    } else if tally.undecided == tally.exercised {
      (verdict, reason) = (.inconclusive, tally.undecidedReason ?? "no try could be decided")
    } else {
      (verdict, reason) = (.pass, nil)
    }
  }
}

extension LimitVerdict {
  /// A rule that fails for a reason beside its checks: the scenario demands that every documented rule is tried.
  public init(failing reason: String) {
    verdict = .fail
    self.reason = reason
  }
}
