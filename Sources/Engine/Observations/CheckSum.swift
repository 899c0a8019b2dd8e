import Contracts

extension Check {
  /// One rule that is judged in two ways: by records of different classes, or by what ripens beside them.
  public static func + (one: Check, other: Check) -> Check {
    precondition(one.rule == other.rule, "two rules are two checks")
    return Check(one.rule, one.concerns.union(other.concerns)) { library, index in
      one.join(library, index)
      other.join(library, index)
    }
  }
}
