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

  // By bytes: rules are put in order for every region.
  private var prefix: Substring { Substring(text.utf8.prefix { $0 != UInt8(ascii: "-") }) }
  private var number: Int {
    Int(Substring(text.utf8.drop { $0 != UInt8(ascii: "-") }.dropFirst())) ?? .max
  }
}

extension Limit {
  /// What every server that is asked over a wire has to keep, whatever its documents state.
  public static let contractOverHTTP = Limit(
    "CONTRACT",
    Stated(
      "Every answer has a status that its operation declares, and is what the operation declares under that status.",
      source: "the contract's declarations"))
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
  /// What it belongs to with others: `Dispatch`; empty where the domain does not say.
  public let theme: String
  /// One sentence in the specification's words.
  public let statement: String
  /// The heading of the document that states it.
  public let source: String
  public let keeper: Keeper
  /// Why no check judges it; `nil` when one does.
  public let unjudged: String?

  public init(_ id: LimitID, _ stated: Stated, theme: String = "") {
    (self.id, self.theme) = (id, theme)
    (statement, source) = (stated.statement, stated.source)
    (keeper, unjudged) = (stated.keeper, stated.unjudged)
  }
}
