/// The rules and figures that a backend's documents state, a case each: `kk14` is KK-14.
///
///     public enum Rule: String, Contracts.Rule {
///       case ty01, ty02
///
///       public static let themes = [
///         Theme<Self>("Members", [.ty01: "A member signs in with a PIN.", .ty02: "A token is needed."])
///       ]
///     }
public protocol Rule: RawRepresentable<String>, CaseIterable, Hashable, Comparable, Sendable {
  /// What the documents say of them; each is stated once.
  static var themes: [Theme<Self>] { get }
}

/// What the documents say of one rule.
public struct Stated: Hashable, Sendable {
  /// One sentence in the specification's words.
  public let statement: String
  /// The heading of the document that states it.
  public let source: String
  public let keeper: Limit.Keeper
  /// Why no check judges it; `nil` when one does.
  public let unjudged: String?

  public init(
    _ statement: String, source: String, keeper: Limit.Keeper = .twin, unjudged: String? = nil
  ) {
    (self.statement, self.source) = (statement, source)
    (self.keeper, self.unjudged) = (keeper, unjudged)
  }
}

extension String {
  /// A rule's statement with the heading that states it; `unjudged` says why no check judges it, where none does.
  public func stated(
    in source: String, keptBy keeper: Limit.Keeper = .twin, unjudged: String? = nil
  ) -> Stated {
    Stated(self, source: source, keeper: keeper, unjudged: unjudged)
  }
}

/// Rules that belong together.
public struct Theme<Rule: Contracts.Rule>: Sendable {
  /// As reports call it; empty where it has no name.
  let name: String
  let rules: [(rule: Rule, stated: Stated)]

  public init(_ rules: KeyValuePairs<Rule, Stated>) {
    name = ""
    self.rules = rules.map { ($0.key, $0.value) }
  }

  private init(_ name: String, _ rules: [(rule: Rule, stated: Stated)]) {
    (self.name, self.rules) = (name, rules)
  }

  /// The same rules under a name of their own.
  public func named(_ name: String) -> Theme { Theme(name, rules) }

  /// Those that one heading of the documents states, and that one keeper keeps.
  public init(
    _ heading: String, keptBy keeper: Limit.Keeper = .twin,
    _ statements: KeyValuePairs<Rule, String>
  ) {
    name = heading
    rules = statements.map { ($0.key, Stated($0.value, source: heading, keeper: keeper)) }
  }
}

extension Rule {
  public var id: LimitID {
    // By bytes: a look at characters would take most of what making a region's checks takes.
    let letters = rawValue.utf8.prefix { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return LimitID(
      Substring(letters).uppercased() + "-" + Substring(rawValue.utf8.dropFirst(letters.count)))
  }

  /// `nil` for the name of no rule.
  public init?(_ id: LimitID) {
    self.init(rawValue: id.text.replacing("-", with: "", maxReplacements: 1).lowercased())
    guard self.id == id else { return nil }
  }

  public static func < (a: Self, b: Self) -> Bool { a.id < b.id }

  /// All of them in their order, as whoever knows no domain sees them.
  static var limits: [Limit] {
    let stated = Dictionary(
      themes.flatMap { theme in theme.rules.map { ($0.rule, ($0.stated, theme.name)) } },
      uniquingKeysWith: { first, _ in first })
    return Contracts.sorted(allCases).compactMap { rule in
      stated[rule].map { Limit(rule.id, $0.0, theme: $0.1) }
    }
  }

  /// What its statements contradict, a sentence each.
  public static var flaws: [String] {
    let stated = themes.flatMap(\.rules).map(\.rule)
    return repeated(stated).map { "\($0.id) is stated twice" }
      + allCases.filter { !stated.contains($0) }.map { "\($0.id) is stated nowhere" }
      + allCases.filter { Self($0.id) != $0 }.map {
        "rule '\($0.rawValue)' is not named as rules are: letters and a number, such as ty01"
      }
  }
}

/// Rules that one source file keeps, or tries to break; said in that file, beside the guards and the journeys that do.
public struct RulesOfFile<Rule: Contracts.Rule>: Sendable {
  public let rules: [Rule]
  /// From the root of the sources: `Sources/Domains/Toy/Twin/ToyTwin.swift`.
  public let file: String

  public init(_ rules: Rule..., in id: String = #fileID) {
    (self.rules, file) = (rules, sourceFile(id))
  }
}

/// Where a file of a domain lies.
///
/// - Parameter id: Its module and its name: `ToyTwin/ToyTwin.swift`.
public func sourceFile(_ id: String) -> String {
  let (module, name) = (id.prefix { $0 != "/" }, id.drop { $0 != "/" })
  let parts = ["Contract", "Twin", "Journeys", "Checks", "Domain"]
  guard let part = parts.first(where: module.hasSuffix) else { return id }
  return "Sources/Domains/\(module.dropLast(part.count))/\(part)\(name)"
}

/// Rules in their order; each is asked for its name once, where `sorted` asks with every comparison.
public func sorted<R: Rule>(_ rules: some Collection<R>) -> [R] {
  rules.map { (id: $0.id, rule: $0) }.sorted { $0.id < $1.id }.map(\.rule)
}

/// The rules of a contract that states none.
public enum NoRule: Rule {
  public static let themes: [Theme<NoRule>] = []

  public var rawValue: String { switch self {} }

  public init?(rawValue: String) { nil }
}

/// Which rules are switched off, so that each check can be proven able to fail.
public struct Rules<Rule: Contracts.Rule>: Hashable, Sendable {
  public private(set) var off: Set<Rule>

  public init(off: Set<Rule> = []) { self.off = off }

  /// Whether the guard that names this rule is to be obeyed.
  public func binds(_ rule: Rule) -> Bool { off.isEmpty || !off.contains(rule) }

  public mutating func set(_ rule: Rule, binds: Bool) {
    if binds { off.remove(rule) } else { off.insert(rule) }
  }
}

extension Rules {
  /// - Parameter names: Other domains' rules are nobody's here.
  public init(off names: Set<LimitID>) { self.init(off: Set(names.compactMap { Rule($0) })) }
}
