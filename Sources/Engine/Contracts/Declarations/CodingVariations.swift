import Timekeeping

/// One of several kinds of document that a value can be.
public struct CodingKind<Value: Sendable>: Sendable {
  let schema: JSON
  let example: JSON
  let fits: @Sendable (JSON) -> Bool
  let read: @Sendable (JSON) throws(Malformed) -> Value
  let write: @Sendable (Value, Spelling) -> JSON?
  let mix: @Sendable (Value, inout Digest) -> Bool

  /// - Parameter fits: Whether a document is of this kind, which the first that says so decides.
  public static func kind<Part>(
    _ coding: Coding<Part>, _ make: @escaping @Sendable (Part) -> Value,
    _ get: @escaping @Sendable (Value) -> Part?,
    where fits: @escaping @Sendable (JSON) -> Bool = { _ in true }
  ) -> CodingKind {
    let (read, write, mix) = (coding.read, coding.write, coding.mix)
    return CodingKind(
      schema: coding.schema, example: coding.example, fits: fits,
      read: { (json) throws(Malformed) in make(try read(json)) },
      write: { value, spelling in get(value).flatMap { write($0, spelling) } },
      mix: { value, digest in
        guard let part = get(value) else { return false }
        mix(part, &digest)
        return true
      })
  }
}

extension Coding {
  /// One of several kinds of document, told apart by what they hold.
  public static func oneOf(_ kinds: CodingKind<Value>...) -> Coding {
    Coding(
      schema: ["anyOf": .array(kinds.map(\.schema))], example: kinds.last?.example ?? [:],
      words: "object",
      read: { (json) throws(Malformed) in
        guard let kind = kinds.first(where: { $0.fits(json) }) else {
          throw .invalid("is of no known kind")
        }
        return try kind.read(json)
      },
      write: { value, spelling in
        for kind in kinds { if let json = kind.write(value, spelling) { return json } }
        return nil
      },
      mix: { value, digest in
        for (index, kind) in kinds.enumerated() where kind.mix(value, &digest) {
          digest.mix(index)
          return
        }
      })
  }

  /// A value or none, which is left out; what cannot be read counts as none.
  public static func lenient<Wrapped>(_ coding: Coding<Wrapped>) -> Coding
  where Value == Wrapped? {
    let omittable = Coding.omittable(coding)
    return Coding(
      schema: omittable.schema, example: omittable.example, words: omittable.words,
      absent: .some(nil),
      read: { try? coding.read($0) }, write: omittable.write, mix: omittable.mix)
  }

  /// Left out where it is what an absent member stands for.
  public func leftOut(for standard: Value) -> Coding where Value: Equatable {
    let write = write
    return Coding(
      schema: schema, example: example, words: words, absent: standard, read: read,
      write: { value, spelling in value == standard ? nil : write(value, spelling) }, mix: mix)
  }

  /// Left out where people read along.
  public var hidden: Coding {
    let write = write
    return Coding(
      schema: schema, example: example, words: words, absent: absent, read: read,
      write: { value, spelling in
        if case .redacted = spelling { nil } else { write(value, spelling) }
      }, mix: mix)
  }

  /// How many there are, where people read along.
  public static func counted<Item>(_ coding: Coding<Item>) -> Coding where Value == [Item] {
    let list = Coding.list(coding)
    return Coding(
      schema: list.schema, example: list.example, words: list.words, absent: [], read: list.read,
      write: { items, spelling in
        if case .redacted = spelling { .number(items.count) } else { list.write(items, spelling) }
      }, mix: list.mix)
  }

  /// The wrapping of a value that is known by one member: `{name: value}`.
  /// - Parameter orBare: Whether the value alone is understood, too.
  public func wrapped(in name: String, orBare: Bool = false) -> Coding {
    let (read, write) = (read, write)
    let wrapped: JSON = [
      "type": "object", "required": [.string(name)], "properties": [name: schema],
    ]
    return Coding(
      schema: orBare ? ["anyOf": [wrapped, schema]] : wrapped,
      example: [name: example], words: words,
      read: { (json) throws(Malformed) in
        guard let value = json[name] ?? (orBare ? Optional(json) : .none) else {
          throw .missing(name)
        }
        do throws(Malformed) { return try read(value) } catch { throw error.below(name) }
      }, write: { value, spelling in write(value, spelling).map { [name: $0] } }, mix: mix)
  }
}

extension Coding where Value == Int64 {
  public static let whole = Coding<Int>.int.converted(
    to: { Int64($0) }, from: { number, _ in Int(number) })
}

extension Coding where Value: RawRepresentable<Int> {
  /// One of the numbers of an enumeration.
  public static var number: Coding {
    Coding<Int>.int.converted(
      to: { (number) throws(Malformed) in
        guard let value = Value(rawValue: number) else { throw .invalid("is no known number") }
        return value
      }, from: { value, _ in value.rawValue })
  }
}

extension Coding where Value == String {
  /// One of several words.
  public static func text(among words: [String]) -> Coding {
    Coding(
      schema: ["type": "string", "enum": .strings(words)], example: .optional(words.first),
      words: words.joined(separator: ", "),
      read: { (json) throws(Malformed) in
        guard let text = json.string, words.contains(text) else {
          let hint = json.string.flatMap { nearest($0, among: words) }
          throw .invalid(
            "is none of \(words.joined(separator: ", "))\(hint.map { "; did you mean '\($0)'?" } ?? "")"
          )
        }
        return text
      }, write: { text, _ in .string(text) }, mix: { $1.mix($0) })
  }
}

extension Coding where Value == Instant {
  /// An instant as text, or milliseconds since 1970, as it is written.
  public static let moment = Coding(
    schema: ["anyOf": [["type": "integer"], ["type": "string", "format": "date-time"]]],
    example: 1_774_087_200_000, words: "instant",
    read: { (json) throws(Malformed) in
      guard let milliseconds = json.int.map(Int64.init) else { return try instant.read(json) }
      guard milliseconds.magnitude < 9_000_000_000_000 else { throw .invalid("is no instant") }
      return Instant(unixMilliseconds: milliseconds)
    }, write: { moment, _ in .int(moment.unixMilliseconds) },
    mix: { $1.mix(UInt64(bitPattern: $0.nanoseconds)) })
}

extension Shape where Value == FaultSelection {
  /// - Parameter operations: The names that there are.
  public static func requests(of operations: [String]) -> Shape {
    Shape(
      { FaultSelection(operation: $0, from: $1, until: $2, count: $3) },
      Field(
        "operation", \.operation, .omittable(.text(among: operations).called("operation")),
        "which, as objectives name them; every one"),
      Field("from", \.from, .omittable(.moment), "from when; now"),
      Field(
        "until", \.until, .omittable(.moment), "until before when, later than from; for good"),
      Field(
        "count", \.count, .omittable(.int(0...Int.max).called("int")),
        "how many requests meet it; all"))
  }
}

extension Coding where Value == [String] {
  /// Any number of texts.
  public static let strings = Coding(
    schema: ["type": "array", "items": ["type": "string"]], example: ["text"],
    words: "list of texts",
    read: { (json) throws(Malformed) in
      guard let texts = json.strings else { throw .invalid("is not a list of strings") }
      return texts
    }, write: { texts, _ in .strings(texts) },
    mix: { texts, digest in
      digest.mix(texts.count)
      for text in texts { digest.mix(text) }
    })
}
