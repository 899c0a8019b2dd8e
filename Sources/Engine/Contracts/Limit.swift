/// The name of a rule: `KK-14`.
public struct LimitID: Hashable, Comparable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  public let text: String

  public init(_ text: String) { self.text = text }
  public init(stringLiteral text: String) { self.text = text }

  public var description: String { text }

  /// By prefix, then by number: KK-9 comes before KK-14.
  public static func < (a: LimitID, b: LimitID) -> Bool {
    (a.prefix, a.number, a.text) < (b.prefix, b.number, b.text)
  }

  private var prefix: Substring { text.prefix { $0 != "-" } }
  private var number: Int { Int(text.drop { $0 != "-" }.dropFirst()) ?? .max }
}

/// A rule or figure that a backend's documents state.
public struct Limit: Hashable, Sendable {
  /// Who keeps the rule, and so where its switch lies.
  public enum Keeper: String, Hashable, Sendable {
    case twin, device
    /// It follows from the shape of the contract or binds nobody at run time.
    case nobody
  }

  public let id: LimitID
  /// One sentence in the specification's words.
  public let statement: String
  /// The heading of the document that states it.
  public let source: String
  public let keeper: Keeper
  /// Why no check judges it; `nil` when one does.
  public let unjudged: String?
  /// Where in the sources it lives.
  public private(set) var places = LimitPlaces()

  public init(
    _ id: LimitID, _ statement: String, source: String, keeper: Keeper = .twin,
    unjudged: String? = nil
  ) {
    self.id = id
    self.statement = statement
    self.source = source
    self.keeper = keeper
    self.unjudged = unjudged
  }
}

extension Limit {
  /// Limits that one heading of the documents states, and that one keeper keeps.
  public static func stated(
    under source: String, keptBy keeper: Keeper = .twin,
    _ statements: KeyValuePairs<LimitID, String>
  ) -> [Limit] {
    statements.map { Limit($0.key, $0.value, source: source, keeper: keeper) }
  }

  /// The same limit with the places where it lives.
  public func found(at places: LimitPlaces?) -> Limit {
    var limit = self
    limit.places = places ?? LimitPlaces()
    return limit
  }
}

/// The source files in which a limit lives, relative to the project.
public struct LimitPlaces: Hashable, Sendable {
  /// The one file of the twin or of the journeys whose guard keeps it.
  public var enforced: String?
  /// The journeys that run into it, honest or not.
  public var tried: [String]
  /// The one file whose check judges it.
  public var judged: String?

  public init(enforced: String? = nil, tried: [String] = [], judged: String? = nil) {
    self.enforced = enforced
    self.tried = tried
    self.judged = judged
  }
}

/// Which rules are switched off, so that each check can be proven able to fail.
public struct Rules: Hashable, Sendable {
  public private(set) var off: Set<LimitID>

  public init(off: Set<LimitID> = []) { self.off = off }

  /// Whether the guard that names this rule is to be obeyed.
  public func binds(_ limit: LimitID) -> Bool {
    off.isEmpty || !off.contains(limit)
  }

  public mutating func set(_ limit: LimitID, binds: Bool) {
    if binds { off.remove(limit) } else { off.insert(limit) }
  }
}
