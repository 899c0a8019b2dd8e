import Contracts

extension Check {
  /// One rule that is judged in two ways: by records of different classes, or by what ripens beside them.
  public static func + (one: Check, other: Check) -> Check {
    guard one.rule == other.rule else {
      programFault("a check of \(one.rule.id) and one of \(other.rule.id) cannot be joined with +")
    }
    return Check(one.rule, one.concerns.union(other.concerns)) { library, index in
      one.join(library, index)
      other.join(library, index)
    }
  }
}
