import Contracts

/// Where something stands in a file; lines and columns count from 1.
public struct SourceLocation: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let line: Int
  public let column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// `12:9`
  public var description: String { "\(line):\(column)" }

  public static func < (a: SourceLocation, b: SourceLocation) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// A scenario as its file writes it, before anything in it has a meaning; every node knows its location.
///
/// Adapters translate their format into it, so that meaning and messages are written once.
public struct SourceNode: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    /// Text; quotes matter, because `"5"` is text and `5` a number.
    case scalar(String, quoted: Bool)
    case sequence([SourceNode])
    /// Members in the file's order, doubled keys included.
    case mapping([Member])
  }

  public struct Member: Hashable, Sendable {
    public let key: SourceNode
    public let value: SourceNode

    public init(key: SourceNode, value: SourceNode) {
      self.key = key
      self.value = value
    }
  }

  public let content: Content
  public let location: SourceLocation

  public init(_ content: Content, at location: SourceLocation) {
    self.content = content
    self.location = location
  }

  /// The text of a scalar, quoted or not.
  public var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// How many items a list has; `nil` for anything else.
  var count: Int? {
    if case .sequence(let items) = content { items.count } else { nil }
  }

  /// A key without a value: `events:`, or `null` and `~` in so many words.
  public var isEmpty: Bool {
    guard case .scalar(let text, quoted: false) = content else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  /// What a message calls this value: `'5'`, `a list`, `a mapping`, `empty`.
  public var inWords: String {
    switch content {
    case .scalar(let text, let quoted):
      isEmpty ? "empty" : quoted ? "\"\(printable(text))\"" : "'\(printable(text))'"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}
