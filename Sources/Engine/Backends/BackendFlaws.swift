import Contracts
import Observations

extension Backend {
  /// What it is called, without making its declaration.
  public var domain: String { Contract.domain }

  /// What its declarations contradict, a sentence each; empty for a sound backend.
  ///
  /// Commands say those of the domains that they are about before they do anything else: what follows from a contradiction is a riddle.
  public var flaws: [String] {
    // What the declaration is made of comes first: made of a rule that is stated nowhere, it says nothing.
    let contract = (Contract.self as? any DeclaredContract.Type)?.flaws ?? []
    let declared = declaration
    let settings =
      declared.population.map { ("population", $0) } + declared.parameters.map { ("parameter", $0) }
    let judged = judged.map(\.rule.id)
    return contract + Contract.Rule.flaws
      + repeated(declared.population.map(\.name)).map {
        "two settings of the population are '\($0)'"
      }
      + repeated(declared.parameters.map(\.name)).map { "two parameters are called '\($0)'" }
      + settings.compactMap { section, setting in
        setting.kind.allows(setting.standard)
          ? nil : "the default of \(section) '\(setting.name)' is none of its values"
      }
      + repeated(declared.business).map { "two business latencies are called '\($0)'" }
      + repeated(judged).map { "\($0) has two checks: join them with +" }
      + declared.limits.compactMap { limit in
        let isJudged = judged.contains(limit.id)
        switch limit.unjudged {
        case nil where !isJudged: return "\(limit.id) has no check, and does not say why (unjudged)"
        case _? where isJudged: return "\(limit.id) has a check, and says why it has none"
        default: return nil
        }
      }
  }
}

extension Setting.Kind {
  /// Whether a value is of this kind and in its range.
  fileprivate func allows(_ value: Setting.Value) -> Bool {
    switch (self, value) {
    case (.count(let range), .count(let value)): range.contains(value)
    case (.share(let range), .share(let value)): range.contains(value)
    case (.number(let range), .number(let value)): range.contains(value)
    case (.span(let range), .span(let value)): range.contains(value)
    case (.flag, .flag): true
    case (.choice(let words), .choice(let word)): words.contains(word)
    default: false
    }
  }
}
