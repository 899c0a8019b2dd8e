import Timekeeping

/// What something is called: any text, in sixteen bytes that are copied without counting references.
///
/// A name of one kind of thing is no name of another (`Name<Order>`, `Name<Team>`). Up to fifteen bytes of text (so every number of
/// fifteen digits), random UUIDs, and a short word before sixteen hexadecimal digits (`record-0123456789abcdef`) or a decimal number
/// (`driver-17-1774630800123`) stand in the value itself, all other text in a table of the process (`NameTable`).
///
/// Names are the same where their bytes are, are ordered by their bytes, and hash by their text, never by where it is kept: two
/// processes, and two threads in whatever order, agree.
public struct Name<Kind>: Hashable, Sendable {
  let letters: Letters

  init(_ letters: Letters) { self.letters = letters }

  public init(_ text: some StringProtocol) {
    self.init(Letters(String(text), in: .shared))
  }

  /// What something of another kind is called by the same text; O(1).
  public init<Other>(_ name: Name<Other>) { self.init(name.letters) }

  /// A random UUID (RFC 4122, version 4) in lower case; bits that its version and variant demand are set here.
  public init(uuid high: UInt64, _ low: UInt64) {
    self.init(Letters(uuid: high, low, isUpperCase: false))
  }

  public var text: String { letters.text(in: .shared) }
  public var isEmpty: Bool { letters.isEmpty }
  /// How long the text is in UTF-8.
  public var byteCount: Int { letters.byteCount ?? withUTF8 { $0.count } }

  /// Lends the bytes of the text, without making one.
  public func withUTF8<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    letters.withBytes(in: .shared, body)
  }

  /// Whether it is a version 4 UUID in one case; O(1).
  public var isRandomUUID: Bool { letters.isUUID }

  public static func == (a: Name, b: Name) -> Bool { a.letters == b.letters }

  public func hash(into hasher: inout Hasher) { letters.hash(into: &hasher) }
  public func _rawHashValue(seed: Int) -> Int { letters.rawHashValue(seed: seed) }
}

extension Name: Comparable {
  public static func < (a: Name, b: Name) -> Bool { a.letters.precedes(b.letters, in: .shared) }
}

extension Name: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }
}

/// A name of whatever kind, for code that treats all kinds alike.
public protocol Naming: Hashable, Sendable {
  init(_ text: some StringProtocol)
  var text: String { get }
  var isEmpty: Bool { get }
  /// As its text.
  func mix(into digest: inout Digest)
}

extension Name: Naming {
  public func mix(into digest: inout Digest) { digest.mix(self) }
}

extension Coding where Value: Naming {
  /// A name as its text.
  public static var name: Coding {
    let text = Coding<String>.text
    return Coding(
      schema: text.schema, example: text.example, words: text.words,
      read: { (json) throws(Malformed) in Value(try text.read(json)) },
      write: { name, _ in .string(name.text) }, mix: { $0.mix(into: &$1) })
  }
}

extension Coding {
  /// Any number of names.
  public static func names<Item: Naming>() -> Coding where Value == [Item] {
    Coding<[String]>.strings.converted(
      to: { $0.map { Item($0) } }, from: { names, _ in names.map(\.text) })
  }
}

extension JSON {
  public static func name(_ name: some Naming) -> JSON { .string(name.text) }
  public static func names(_ names: [some Naming]) -> JSON { .strings(names.map(\.text)) }

  public func name<Kind>() -> Name<Kind>? { string.map(Name.init) }
  public func names<Kind>() -> [Name<Kind>]? { strings?.map(Name.init) }
}

extension Name: CustomStringConvertible {
  public var description: String { text }
}

extension RandomStream {
  /// A name that is a random UUID; takes two words of the stream.
  public mutating func uuid<Kind>() -> Name<Kind> {
    let high = next()
    return Name(uuid: high, next())
  }
}

extension Digest {
  /// A name as its text.
  public mutating func mix<Kind>(_ name: Name<Kind>) {
    name.letters.withBytes(in: .shared) { mix(bytes: $0) }
  }
}
