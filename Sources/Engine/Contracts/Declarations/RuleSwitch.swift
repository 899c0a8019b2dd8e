/// The operator's switch of a rule, so that its check can be seen to fail.
public struct RuleSwitch<Rule: Contracts.Rule>: Hashable, Sendable {
  public var rule: Rule
  public var binds: Bool

  public init(_ rule: Rule, binds: Bool) { (self.rule, self.binds) = (rule, binds) }

  public static var shape: Shape<RuleSwitch> {
    Shape(id, binds).converted(
      to: { RuleSwitch($0.0, binds: $0.1) }, from: { ($0.rule, $0.binds) })
  }

  fileprivate static var id: Field<Rule, Rule> {
    Field("id", .rule, "the rule, e.g. \(Rule.limits.first?.id.text ?? "")")
  }

  fileprivate static var binds: Field<Bool, Bool> {
    Field("binds", .flag, "whether its guard is obeyed")
  }
}

extension Coding where Value: Rule {
  /// A rule by its id.
  public static var rule: Coding {
    let ids = Value.limits.map(\.id.text)
    return Coding(
      schema: ["type": "string", "enum": .strings(ids)], example: .optional(ids.first),
      words: "rule",
      read: { (json) throws(Malformed) in
        guard let text = json.string else { throw .invalid("is not a string") }
        guard let rule = Value(LimitID(text)) else {
          let hint = nearest(text, among: ids).map { "; did you mean '\($0)'?" } ?? ""
          throw .invalid("is no rule\(hint)")
        }
        return rule
      }, write: { rule, _ in .string(rule.id.text) }, mix: { $1.mix($0.rawValue) })
  }
}

extension Command {
  /// `setRule`: switches a rule off or on.
  public static func setRule<Rule: Contracts.Rule>(
    _ make: @escaping @Sendable (RuleSwitch<Rule>) -> Contract.Request,
    answers: [ReplyForm<Contract>] = []
  ) -> Command {
    Command("setRule", switches, RuleSwitch<Rule>.shape, make, answers: answers)
  }

  /// The same for a request that holds the two apart.
  public static func setRule<Rule: Contracts.Rule>(
    _ make: @escaping @Sendable (Rule, Bool) -> Contract.Request,
    answers: [ReplyForm<Contract>] = []
  ) -> Command {
    Command(
      "setRule", switches, make, RuleSwitch<Rule>.id, RuleSwitch<Rule>.binds, answers: answers)
  }

  private static var switches: String { "Switches a rule off or on." }
}
