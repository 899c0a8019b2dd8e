import Verdicts

/// Whether a run's evidence is enough, or what it lacks.
public enum Sufficiency: Hashable, Sendable {
  case enough
  /// Something failed: more replications cannot make the run pass.
  case cannotPass
  case more

  /// Of a run that was judged at one of its looks.
  public init(_ run: Run) {
    let verdicts = run.limits.map(\.verdict) + run.objectives.map(\.verdict)
    if verdicts.contains(.fail) {
      self = .cannotPass
    } else if run.objectives.contains(where: \.wouldBeDecidedByMore) {
      self = .more
    } else {
      self = .enough
    }
  }
}

extension ObjectiveResult {
  /// Inconclusive, and not because the truth lies at the bound.
  var wouldBeDecidedByMore: Bool { verdict == .inconclusive && moreReplications != nil }
}
