import Contracts

/// Where something stands in a file; lines and columns count from 1.
package struct SourcePlace: Hashable, Comparable, Sendable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (a: SourcePlace, b: SourcePlace) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// A scenario as its file writes it, before anything in it has a meaning; every node knows its place.
///
/// Adapters translate their format into it, so that meaning and messages are written once.
package struct SourceNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// Text; quotes matter, because `"5"` is text and `5` a number.
    case scalar(String, quoted: Bool)
    case sequence([SourceNode])
    /// Members in the file's order, doubled keys included.
    case mapping([Member])
  }

  package struct Member: Hashable, Sendable {
    package let key: SourceNode
    package let value: SourceNode

    package init(key: SourceNode, value: SourceNode) {
      self.key = key
      self.value = value
    }
  }

  package let content: Content
  package let place: SourcePlace

  package init(_ content: Content, at place: SourcePlace) {
    self.content = content
    self.place = place
  }

  /// The text of a scalar, quoted or not.
  package var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// How many items a list has; `nil` for anything else.
  var count: Int? {
    if case .sequence(let items) = content { items.count } else { nil }
  }

  /// A key without a value: `events:`, or `null` and `~` in so many words.
  package var isEmpty: Bool {
    guard case .scalar(let text, quoted: false) = content else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  /// What a message calls this value: `'5'`, `a list`, `a mapping`, `empty`.
  package var inWords: String {
    switch content {
    case .scalar(let text, let quoted):
      isEmpty ? "empty" : quoted ? "\"\(printable(text))\"" : "'\(printable(text))'"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}
