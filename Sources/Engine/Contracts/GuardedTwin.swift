/// A twin whose guards are one line each: what has to be so, which rule says it, and how it is refused otherwise.
///
///     try require(.ty03, tool.loan == nil, or: .lent)
public protocol GuardedTwin: Twin where Contract: DeclaredContract {
  var rules: Rules<Contract.Rule> { get }
  /// The refusal that says no more than its code.
  static func refusal(_ kind: Contract.RefusalKind) -> Contract.Refusal
}

extension GuardedTwin where Contract.Refusal == CodedRefusal<Contract.RefusalKind> {
  @inline(__always)
  public static func refusal(_ kind: Contract.RefusalKind) -> Contract.Refusal {
    Contract.Refusal(kind)
  }
}

extension GuardedTwin {
  /// Refuses where a rule is not kept, unless the rule is switched off.
  @inline(__always)
  public func require(
    _ rule: Contract.Rule, _ isKept: @autoclosure () -> Bool, or kind: Contract.RefusalKind
  ) throws(Contract.Refusal) {
    if !isKept(), rules.binds(rule) { throw Self.refusal(kind) }
  }

  /// Refuses where something is not so that no rule can be switched off for.
  @inline(__always)
  public func require(_ isSo: Bool, or kind: Contract.RefusalKind) throws(Contract.Refusal) {
    if !isSo { throw Self.refusal(kind) }
  }

  /// What is there, or a refusal.
  @inline(__always)
  public func require<Value>(
    _ value: Value?, or kind: Contract.RefusalKind
  ) throws(Contract.Refusal) -> Value {
    guard let value else { throw Self.refusal(kind) }
    return value
  }
}
