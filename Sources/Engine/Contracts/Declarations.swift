import Timekeeping

/// A setting of a domain, declared once: validation, defaults, help and the report all read this.
public struct Setting: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case count(ClosedRange<Int>)
    /// A share in 0...1, written as `1%` or `0.01`.
    case share(ClosedRange<Double>)
    /// A bare number.
    case number(ClosedRange<Double>)
    case span(ClosedRange<Span>)
    case flag
    case choice([String])
  }

  public enum Value: Hashable, Sendable {
    case count(Int)
    case share(Double)
    case number(Double)
    case span(Span)
    case flag(Bool)
    case choice(String)
  }

  /// What binds a setting to others of its section; a scenario that breaks it contradicts itself.
  public enum Tie: Hashable, Sendable {
    /// Never above the setting of that name.
    case atMost(String)
    /// One of the weights by which something is chosen: not all of them are zero.
    case weight(of: String)
    /// One of the shares of a whole: together they are at most 100 %.
    case share(of: String)
  }

  public let name: String
  public let kind: Kind
  public let standard: Value
  public let meaning: String
  /// Where the default comes from; an assumption says so and never decides a verdict.
  public let source: String
  public let tie: Tie?

  /// - Parameter source: Left out where the documents say nothing.
  public init(
    _ name: String, _ kind: Kind, _ standard: Value, _ meaning: String,
    source: String = "assumption of this rehearsal", tie: Tie? = nil
  ) {
    self.name = name
    self.kind = kind
    self.standard = standard
    self.meaning = meaning
    self.source = source
    self.tie = tie
  }
}

/// The values of declared settings; asking for an undeclared one is a mistake of ours and stops the program.
public struct Settings: Hashable, Sendable {
  private var values: [String: Setting.Value]

  public init(_ declared: [Setting], overridden: [String: Setting.Value] = [:]) {
    values = Dictionary(
      declared.map { ($0.name, overridden[$0.name] ?? $0.standard) }, uniquingKeysWith: { $1 })
  }

  /// Any setting's value; `nil` for a name that nobody declared.
  public subscript(name: String) -> Setting.Value? { values[name] }

  public func count(_ name: String) -> Int {
    guard case .count(let value)? = values[name] else {
      programFault("no count '\(name)' is declared")
    }
    return value
  }

  public func share(_ name: String) -> Double {
    guard case .share(let value)? = values[name] else {
      programFault("no share '\(name)' is declared")
    }
    return value
  }

  /// A share that the engine reads from every domain that declares it, such as `requestLost`.
  public func shareIfDeclared(_ name: String) -> Double? {
    if case .share(let value)? = values[name] { value } else { nil }
  }

  public func number(_ name: String) -> Double {
    guard case .number(let value)? = values[name] else {
      programFault("no number '\(name)' is declared")
    }
    return value
  }

  public func span(_ name: String) -> Span {
    guard case .span(let value)? = values[name] else {
      programFault("no span '\(name)' is declared")
    }
    return value
  }

  public func flag(_ name: String) -> Bool {
    guard case .flag(let value)? = values[name] else {
      programFault("no flag '\(name)' is declared")
    }
    return value
  }

  public func choice(_ name: String) -> String {
    guard case .choice(let value)? = values[name] else {
      programFault("no choice '\(name)' is declared")
    }
    return value
  }
}

/// What a domain lets a scenario say about its world.
public struct WorldDeclaration: Sendable {
  public let domain: String
  public let title: String
  /// How many live there: `clubs`, `phonesPerClub`.
  public let population: [Setting]
  /// How people and network behave.
  public let parameters: [Setting]
  /// Named deviations of the simulated client; a profile switches several.
  public let quirks: [Quirk]
  public let profiles: [Profile]
  /// Operations by name, for objectives.
  public var operations: [Operation] { makeOperations() }
  /// Latencies between two things of the domain, by name, for objectives.
  public var business: [String] { makeBusiness() }
  public var limits: [Limit] { makeLimits() }
  public var controls: [ControlDeclaration] { makeControls() }
  /// The commands that a scenario may give as events: all but that of a clock.
  public var events: [ControlDeclaration] {
    controls.filter { $0.name != ControlDeclaration.clock }
  }
  // A contract's table is only read where its domain is meant: a command starts with the declarations of all.
  private let makeOperations: @Sendable () -> [Operation]
  private let makeBusiness: @Sendable () -> [String]
  private let makeLimits: @Sendable () -> [Limit]
  private let makeControls: @Sendable () -> [ControlDeclaration]
  /// What the domain says against an interval between barriers; `nil` bounds nothing.
  public let longestBarrierInterval: Span?
  /// What the backend searches for inside its calls and timers; `nil` for one that searches for nothing.
  public let search: SearchDeclaration?
  /// Services that the twin in process can give while a foreign server gives the others, as who signs callers in.
  public let twinServices: [String]
  /// What such a twin says of a caller, by name (`Twin.facts`).
  public let callers: [String]

  public init(
    domain: String, title: String, population: [Setting], parameters: [Setting],
    quirks: [Quirk], profiles: [Profile],
    operations: @autoclosure @escaping @Sendable () -> [Operation],
    business: @autoclosure @escaping @Sendable () -> [String],
    limits: @autoclosure @escaping @Sendable () -> [Limit],
    controls: @autoclosure @escaping @Sendable () -> [ControlDeclaration],
    longestBarrierInterval: Span? = nil,
    search: SearchDeclaration? = nil, twinServices: [String] = [], callers: [String] = []
  ) {
    self.domain = domain
    self.title = title
    self.population = population
    self.parameters = parameters
    self.quirks = quirks
    self.profiles = profiles
    makeOperations = operations
    makeBusiness = business
    makeLimits = limits
    makeControls = controls
    self.longestBarrierInterval = longestBarrierInterval
    self.search = search
    self.twinServices = twinServices
    self.callers = callers
  }
}

/// A search that a backend makes inside its calls and timers (`Searches`). Its service time — the real time of the
/// calls in which attempts ran — is reported beside those of the operations.
public struct SearchDeclaration: Hashable, Sendable {
  /// As reports name it beside the operations: `matching`.
  public let name: String
  public let title: String

  public init(_ name: String, _ title: String) {
    self.name = name
    self.title = title
  }
}

/// A known deviation of a real client from its documents.
public struct Quirk: Hashable, Sendable {
  public let id: String
  public let meaning: String

  public init(_ id: String, _ meaning: String) {
    self.id = id
    self.meaning = meaning
  }
}

/// A named set of quirks.
public struct Profile: Hashable, Sendable {
  public let name: String
  public let quirks: Set<String>

  public init(_ name: String, quirks: Set<String>) {
    self.name = name
    self.quirks = quirks
  }
}
