/// What is wrong with a document: where, and what would be right.
public struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    case missing
    case invalid
    /// Given more than once where one value is meant.
    case repeated
  }

  public let kind: Kind
  /// The member from the document's root: `items[2].price`; empty for the document itself.
  public private(set) var path: String
  /// Completes a sentence that begins with the member: `is not a whole number`.
  public let what: String

  public init(_ kind: Kind, _ what: String, at path: String = "") {
    self.kind = kind
    self.what = what
    self.path = path
  }

  public static func missing(_ name: String) -> Malformed {
    Malformed(.missing, "is missing", at: name)
  }

  public static func invalid(_ what: String) -> Malformed { Malformed(.invalid, what) }

  /// The same, as the member of that name, or the item `[2]`, sees it from outside.
  public func below(_ name: String) -> Malformed {
    var outer = self
    outer.path = path.isEmpty || path.hasPrefix("[") ? name + path : name + "." + path
    return outer
  }

  public var description: String {
    path.isEmpty ? "the document \(what)" : "'\(printable(path))' \(what)"
  }
}
