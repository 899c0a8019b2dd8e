import Contracts

// How this backend takes what clients write: leniently (O-24).

extension Coding where Value == String? {
  /// A text; a number or a flag is read as its text form, and what has none counts as left out.
  static let said = reading(writing: nil)
  /// The same, which is written as `null` where it is none.
  static let saidOrNull = reading(writing: .null)

  private static func reading(writing none: JSON?) -> Coding {
    Coding(
      schema: ["anyOf": [["type": "string"], ["type": "null"]]], example: "text", words: "text",
      absent: .some(nil),
      read: { (json) throws(Malformed) in json.said },
      write: { text, _ in text.map(JSON.string) ?? none },
      mix: { text, digest in
        digest.mix(text != nil)
        if let text { digest.mix(text) }
      })
  }
}

extension Coding where Value == Int? {
  /// A whole number, or a text that is one; anything else counts as left out (O-06).
  static let wholeOrNone = Coding(
    schema: ["anyOf": [["type": "integer"], ["type": "null"]]], example: 1, words: "whole number",
    absent: .some(nil),
    read: { (json) throws(Malformed) in json.whole },
    write: { number, _ in number.map(JSON.number) },
    mix: { number, digest in
      digest.mix(number != nil)
      if let number { digest.mix(number) }
    })
}

extension Coding where Value == Bool? {
  /// A flag; anything else counts as left out.
  static let flagOrNone = Coding.lenient(.flag)
}

extension Coding where Value == [String]? {
  /// A list of texts, or one text with commas; anything else counts as left out.
  static let saidList = Coding(
    schema: [
      "anyOf": [
        ["type": "array", "items": ["type": "string"]], ["type": "string"], ["type": "null"],
      ]
    ], example: ["text"], words: "list of texts, or a text with commas", absent: .some(nil),
    read: { (json) throws(Malformed) in
      if let items = json.array { return items.compactMap(\.said) }
      return json.string.map { $0.split(separator: ",").map(String.init) }
    },
    write: { list, _ in list.map(JSON.strings) },
    mix: { list, digest in
      digest.mix(list?.count ?? -1)
      for text in list ?? [] { digest.mix(text) }
    })
}

extension Field where Value == Bool {
  /// Whether the body is `null`, which acts as an empty object (O-24).
  static func isNull(_ get: @escaping @Sendable (Root) -> Bool) -> Field {
    Field(
      get,
      Shape<Bool>(
        members: [], read: { JSON(parsing: $0.content) == JSON.null },
        write: { isNull, _ in WireParts(content: isNull ? JSON.null.bytes : []) },
        mix: { $1.mix($0) }))
  }
}

extension JSON {
  fileprivate var said: String? {
    switch self {
    case .string(let text): text
    case .int, .double, .bool: description
    case .null, .array, .object: nil
    }
  }

  fileprivate var whole: Int? {
    switch self {
    case .int(let number): Int(number)
    case .double(let number) where number == number.rounded(): Int(exactly: number)
    case .string(let text): Int(text.trimmed)
    default: nil
    }
  }
}

extension Array where Element: Equatable {
  /// Whether another text stands in this one.
  public func holds(_ part: [Element]) -> Bool {
    guard let first = part.first else { return true }
    guard part.count <= count else { return false }
    return withUnsafeBufferPointer { text in
      (0...(text.count - part.count)).contains { start in
        text[start] == first && part.indices.allSatisfy { text[start + $0] == part[$0] }
      }
    }
  }
}

extension StringProtocol {
  /// Without blanks at both ends.
  public var trimmed: String {
    let text = String(self)
    // Most have none.
    if let first = text.utf8.first, let last = text.utf8.last,
      (0x21..<0x7F).contains(first), (0x21..<0x7F).contains(last)
    {
      return text
    }
    let isBlank = { (letter: Unicode.Scalar) in letter.properties.isWhitespace }
    let scalars = text.unicodeScalars.drop(while: isBlank)
    guard let last = scalars.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(Substring(scalars[...last]))
  }
}
