/// Where a text stops being JSON, and why.
public struct JSONProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public let why: String
  /// From 1.
  public let line: Int
  /// In bytes, from 1.
  public let column: Int
  /// The text ends before the document does.
  public let isTruncated: Bool

  public var description: String { "line \(line), column \(column): \(why)" }
}

extension JSON {
  /// Parses a document as RFC 8259 has it and says where it goes wrong; members keep their order.
  ///
  /// Whole numbers that 64 bits cannot hold become doubles. Numbers that no finite double can hold, depths beyond 200 and invalid UTF-8 are
  /// problems.
  ///
  /// - Complexity: O(bytes), and quadratic in the number of members of one object.
  public static func parse(_ bytes: [UInt8]) throws(JSONProblem) -> JSON {
    var parser = JSONParser(bytes)
    return try parser.document()
  }

  /// Parses a document that came over a wire; `nil` when it is none.
  ///
  /// A number that is whole is a whole number, however it is written: `1.0` and `1e3` are what their senders' integers
  /// may look like.
  public init?(parsing bytes: some Sequence<UInt8>) {
    var parser = JSONParser(Array(bytes), wholeIsWhole: true)
    do throws(JSONProblem) { self = try parser.document() } catch { return nil }
  }

  public init?(parsing text: String) { self.init(parsing: text.utf8) }
}

private struct JSONParser {
  private let bytes: [UInt8]
  private let wholeIsWhole: Bool
  private var place = 0

  private static let deepest = 200

  init(_ bytes: [UInt8], wholeIsWhole: Bool = false) {
    self.bytes = bytes
    self.wholeIsWhole = wholeIsWhole
  }

  mutating func document() throws(JSONProblem) -> JSON {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    skipBlanks()
    let value = try value(depth: 0)
    skipBlanks()
    if place < bytes.count { throw problem("the document is over, and something follows") }
    return value
  }

  private mutating func value(depth: Int) throws(JSONProblem) -> JSON {
    guard depth <= Self.deepest else {
      throw problem("it is nested more than \(Self.deepest) deep")
    }
    guard let first = peek else { throw problem("the text ends here") }
    switch first {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw problem("a value was expected")
    }
  }

  private mutating func object(_ depth: Int) throws(JSONProblem) -> JSON {
    place += 1
    var members: [(name: String, value: JSON)] = []
    skipBlanks()
    if take("}") { return .object(JSONObject()) }
    while true {
      skipBlanks()
      guard peek == UInt8(ascii: "\"") else { throw problem("a member's name was expected") }
      let name = try string()
      skipBlanks()
      guard take(":") else { throw problem("':' was expected") }
      skipBlanks()
      members.append((name, try value(depth: depth + 1)))
      skipBlanks()
      if take("}") { return .object(JSONObject(members)) }
      guard take(",") else { throw problem("',' or '}' was expected") }
    }
  }

  private mutating func array(_ depth: Int) throws(JSONProblem) -> JSON {
    place += 1
    var items: [JSON] = []
    skipBlanks()
    if take("]") { return .array([]) }
    while true {
      skipBlanks()
      items.append(try value(depth: depth + 1))
      skipBlanks()
      if take("]") { return .array(items) }
      guard take(",") else { throw problem("',' or ']' was expected") }
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONProblem) -> JSON {
    for byte in "\(word)".utf8 {
      guard peek == byte else { throw problem("'\(word)' was expected") }
      place += 1
    }
    return value
  }

  private mutating func number() throws(JSONProblem) -> JSON {
    let start = place
    _ = take("-")
    guard let first = peek, isDigit(first) else { throw problem("a digit was expected") }
    place += 1
    if first != UInt8(ascii: "0") { digits() }
    var isWhole = true
    if take(".") {
      isWhole = false
      try oneOrMoreDigits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      try oneOrMoreDigits()
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if isWhole, let number = Int64(text) { return .int(number) }
    guard let number = Double(text), number.isFinite else {
      place = start
      throw problem("no number is as large as this")
    }
    if wholeIsWhole, let whole = Int64(exactly: number) { return .int(whole) }
    return .double(number)
  }

  private mutating func digits() {
    while let byte = peek, isDigit(byte) { place += 1 }
  }

  private mutating func oneOrMoreDigits() throws(JSONProblem) {
    guard let byte = peek, isDigit(byte) else { throw problem("a digit was expected") }
    digits()
  }

  private mutating func string() throws(JSONProblem) -> String {
    place += 1
    var text = ""
    var start = place
    while let byte = peek {
      if byte == UInt8(ascii: "\"") {
        text += try plain(start..<place)
        place += 1
        return text
      }
      if byte == UInt8(ascii: "\\") {
        text += try plain(start..<place)
        place += 1
        text.unicodeScalars.append(try escape())
        start = place
      } else if byte < 0x20 {
        throw problem("a control character stands in a string")
      } else {
        place += 1
      }
    }
    throw problem("the text ends in a string")
  }

  private func plain(_ range: Range<Int>) throws(JSONProblem) -> String {
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw problem("this string is no valid UTF-8")
    }
    return text
  }

  private mutating func escape() throws(JSONProblem) -> Unicode.Scalar {
    guard let byte = peek else { throw problem("the text ends in a string") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicode()
    default: throw problem("no escape begins so")
    }
  }

  private mutating func unicode() throws(JSONProblem) -> Unicode.Scalar {
    let high = try fourDigits()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xDC00, take("\\"), take("u") else { throw problem("half of a character") }
    let low = try fourDigits()
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw problem("half of a character") }
    return scalar
  }

  private mutating func fourDigits() throws(JSONProblem) -> UInt32 {
    guard place + 4 <= bytes.count else {
      place = bytes.count
      throw problem("the text ends in a string")
    }
    var value: UInt32 = 0
    for byte in bytes[place..<place + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw problem("four hexadecimal digits were expected")
      }
      value = value << 4 | UInt32(digit)
    }
    place += 4
    return value
  }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      place += 1
    }
  }

  private func problem(_ why: String) -> JSONProblem {
    let before = bytes[..<min(place, bytes.count)]
    let line = before.count { $0 == 0x0A }
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return JSONProblem(
      why: why, line: line + 1, column: before.count - start + 1,
      isTruncated: place >= bytes.count)
  }
}
