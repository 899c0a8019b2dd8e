import Timekeeping

/// A setting of a domain, declared once: validation, defaults, help and the report all read this.
package struct Setting: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case count(ClosedRange<Int>)
    /// A share in 0...1, written as `1%` or `0.01`.
    case share(ClosedRange<Double>)
    /// A bare number.
    case number(ClosedRange<Double>)
    case span(ClosedRange<Span>)
    case flag
    case choice([String])
  }

  package enum Value: Hashable, Sendable {
    case count(Int)
    case share(Double)
    case number(Double)
    case span(Span)
    case flag(Bool)
    case choice(String)
  }

  package let name: String
  package let kind: Kind
  package let standard: Value
  package let meaning: String
  /// Where the default comes from; an assumption says so and never decides a verdict.
  package let source: String

  package init(_ name: String, _ kind: Kind, _ standard: Value, _ meaning: String, source: String) {
    self.name = name
    self.kind = kind
    self.standard = standard
    self.meaning = meaning
    self.source = source
  }
}

/// The values of declared settings; asking for an undeclared one is a mistake of ours and stops the program.
package struct Settings: Hashable, Sendable {
  private var values: [String: Setting.Value]

  package init(_ declared: [Setting], overridden: [String: Setting.Value] = [:]) {
    values = Dictionary(
      declared.map { ($0.name, overridden[$0.name] ?? $0.standard) }, uniquingKeysWith: { $1 })
  }

  package func count(_ name: String) -> Int {
    guard case .count(let value)? = values[name] else { preconditionFailure("no count '\(name)' is declared") }
    return value
  }

  package func share(_ name: String) -> Double {
    guard case .share(let value)? = values[name] else { preconditionFailure("no share '\(name)' is declared") }
    return value
  }

  /// A share that the engine reads from every domain that declares it, such as `requestLost`.
  package func shareIfDeclared(_ name: String) -> Double? {
    if case .share(let value)? = values[name] { value } else { nil }
  }

  package func number(_ name: String) -> Double {
    guard case .number(let value)? = values[name] else { preconditionFailure("no number '\(name)' is declared") }
    return value
  }

  package func span(_ name: String) -> Span {
    guard case .span(let value)? = values[name] else { preconditionFailure("no span '\(name)' is declared") }
    return value
  }

  package func flag(_ name: String) -> Bool {
    guard case .flag(let value)? = values[name] else { preconditionFailure("no flag '\(name)' is declared") }
    return value
  }

  package func choice(_ name: String) -> String {
    guard case .choice(let value)? = values[name] else { preconditionFailure("no choice '\(name)' is declared") }
    return value
  }
}

/// What a domain lets a scenario say about its world.
package struct WorldDeclaration: Sendable {
  package let domain: String
  package let title: String
  /// How many live there: `clubs`, `phonesPerClub`.
  package let population: [Setting]
  /// How people and network behave.
  package let parameters: [Setting]
  /// Named deviations of the simulated client; a profile switches several.
  package let quirks: [Quirk]
  package let profiles: [Profile]
  /// Operations by name, for objectives.
  package let operations: [Operation]
  /// Latencies between two things of the domain, by name, for objectives.
  package let business: [String]
  package let limits: [Limit]
  package let controls: [ControlDeclaration]
  /// What the domain says against an interval between exchange points; `nil` bounds nothing.
  package let longestExchange: Span?

  package init(
    domain: String, title: String, population: [Setting], parameters: [Setting],
    quirks: [Quirk], profiles: [Profile], operations: [Operation], business: [String],
    limits: [Limit], controls: [ControlDeclaration], longestExchange: Span? = nil
  ) {
    self.domain = domain
    self.title = title
    self.population = population
    self.parameters = parameters
    self.quirks = quirks
    self.profiles = profiles
    self.operations = operations
    self.business = business
    self.limits = limits
    self.controls = controls
    self.longestExchange = longestExchange
  }
}

/// A known deviation of a real client from its documents.
package struct Quirk: Hashable, Sendable {
  package let id: String
  package let meaning: String

  package init(_ id: String, _ meaning: String) {
    self.id = id
    self.meaning = meaning
  }
}

/// A named set of quirks.
package struct Profile: Hashable, Sendable {
  package let name: String
  package let quirks: Set<String>

  package init(_ name: String, quirks: Set<String>) {
    self.name = name
    self.quirks = quirks
  }
}
