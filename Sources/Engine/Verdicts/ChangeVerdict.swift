/// What two runs allow to say about a figure that should be small.
public enum ChangeVerdict: String, Hashable, Sendable, CaseIterable {
  /// Not a bit differs.
  case identical
  /// The interval of the change lies within the margin.
  case equivalent
  case improved
  case inconclusive
  /// Worse by more than the margin.
  case regression

  /// The verdict over several: one regression is a regression, and an open question keeps the whole open.
  public static func overall(_ verdicts: [ChangeVerdict]) -> ChangeVerdict {
    for verdict in [regression, inconclusive, improved, equivalent, identical]
    where verdicts.contains(verdict) { return verdict }
    return .inconclusive
  }
}
