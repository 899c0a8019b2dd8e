/// How values of a type are read from a document, written to one, described, and mixed into a digest: declared once, read by whoever needs it.
public struct Coding<Value: Sendable>: Sendable {
  /// JSON Schema, as OpenAPI 3.1 uses it.
  public let schema: JSON
  /// A value that can be read.
  public let example: JSON
  /// What it holds, in words, where a command's parameters are listed: `text`, `true or false`.
  public let words: String
  /// What a member that is absent or `null` stands for; `nil` when it has to be there.
  public let absent: Value?
  /// Whether `null` is a value of its own, to be read, and does not stand for an absent member.
  public let readsNull: Bool
  public let read: @Sendable (JSON) throws(Malformed) -> Value
  /// `nil` leaves the member out.
  public let write: @Sendable (Value, Spelling) -> JSON?
  /// Takes in what decides whether two runs did the same: no secret, and nothing drawn for the wire alone.
  public let mix: @Sendable (Value, inout Digest) -> Void

  public init(
    schema: JSON, example: JSON, words: String, absent: Value? = nil,
    readsNull: Bool = false,
    read: @escaping @Sendable (JSON) throws(Malformed) -> Value,
    write: @escaping @Sendable (Value, Spelling) -> JSON?,
    mix: @escaping @Sendable (Value, inout Digest) -> Void
  ) {
    self.schema = schema
    self.example = example
    self.words = words
    self.absent = absent
    self.readsNull = readsNull
    self.read = read
    self.write = write
    self.mix = mix
  }
}

// MARK: - Variations

extension Coding {
  /// A value or none; none is written as `null`.
  public static func optional<Wrapped>(_ coding: Coding<Wrapped>) -> Coding
  where Value == Wrapped? { coding.orNone(written: .null) }

  /// A value or none; none is left out.
  public static func omittable<Wrapped>(_ coding: Coding<Wrapped>) -> Coding
  where Value == Wrapped? { coding.orNone(written: nil) }

  /// Any number of them.
  public static func list<Item>(_ coding: Coding<Item>) -> Coding where Value == [Item] {
    coding.any
  }

  private func orNone(written none: JSON?) -> Coding<Value?> {
    let mix = mix
    return Coding<Value?>(
      schema: schema.orNull, example: example, words: words,
      absent: .some(nil), read: readingOptional, write: writingOptional(none),
      mix: { value, digest in
        digest.mix(value != nil)
        if let value { mix(value, &digest) }
      })
  }

  private var readingOptional: @Sendable (JSON) throws(Malformed) -> Value? {
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    get { { [read] (json) throws(Malformed) in json.isNull ? nil : try read(json) } }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func writingOptional(_ none: JSON?) -> @Sendable (Value?, Spelling) -> JSON? {
    { [write] value, spelling in value.map { write($0, spelling) } ?? none }
  }

  /// What an absent member stands for.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func otherwise(_ standard: Value) -> Coding {
    Coding(
      schema: schema, example: example, words: words, absent: standard, read: read, write: write,
      mix: mix)
  }

  private var any: Coding<[Value]> {
    let mix = mix
    return Coding<[Value]>(
      schema: ["type": "array", "items": schema], example: [example], words: "list of \(words)",
      read: readingList, write: writingList,
      mix: { values, digest in
        digest.mix(values.count)
        for value in values { mix(value, &digest) }
      })
  }

  private var readingList: @Sendable (JSON) throws(Malformed) -> [Value] {
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    get {
      { [read] (json) throws(Malformed) in
        guard let items = json.array else { throw .invalid("is not a list") }
        var values: [Value] = []
        values.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
          do throws(Malformed) { values.append(try read(item)) } catch {
            throw error.below("[\(index)]")
          }
        }
        return values
      }
    }
  }

  private var writingList: @Sendable ([Value], Spelling) -> JSON? {
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    get { { [write] values, spelling in .array(values.compactMap { write($0, spelling) }) } }
  }

  /// A value of another type that stands for each of these; `to` says what is wrong with one that stands for none.
  public func converted<Other: Sendable>(
    to: @escaping @Sendable (Value) throws(Malformed) -> Other,
    from: @escaping @Sendable (Other, Spelling) -> Value
  ) -> Coding<Other> {
    let mix = mix
    return Coding<Other>(
      schema: schema, example: example, words: words, read: reading(to), write: writing(from),
      mix: { value, digest in mix(from(value, .redacted), &digest) })
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func reading<Other: Sendable>(
    _ to: @escaping @Sendable (Value) throws(Malformed) -> Other
  ) -> @Sendable (JSON) throws(Malformed) -> Other {
    { [read] (json) throws(Malformed) in try to(try read(json)) }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func writing<Other: Sendable>(
    _ from: @escaping @Sendable (Other, Spelling) -> Value
  ) -> @Sendable (Other, Spelling) -> JSON? {
    { [write] value, spelling in write(from(value, spelling), spelling) }
  }

  /// With a condition that values meet.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func checked(
    _ schema: JSON? = nil, _ problem: @escaping @Sendable (Value) -> Malformed?
  ) -> Coding {
    let read = read
    return Coding(
      schema: schema ?? self.schema, example: example, words: words, absent: absent,
      read: { (json) throws(Malformed) in
        let value = try read(json)
        if let problem = problem(value) { throw problem }
        return value
      }, write: write, mix: mix)
  }

  /// This one value.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func only(_ value: Value) -> Coding where Value: Equatable {
    let constant = write(value, .redacted) ?? .null
    return checked(["const": constant]) {
      $0 == value ? nil : .invalid("is not \(constant)")
    }.example(constant)
  }

  /// With an example that says more than the type's own.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func example(_ example: JSON) -> Coding {
    Coding(
      schema: schema, example: example, words: words, absent: absent, read: read, write: write,
      mix: mix)
  }

  /// With a schema that says more than the type's own, or less.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func described(by schema: JSON) -> Coding {
    Coding(
      schema: schema, example: example, words: words, absent: absent, read: read, write: write,
      mix: mix)
  }

  /// With a word for what it holds that says more than the type's own: `slug`.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func called(_ words: String) -> Coding {
    Coding(
      schema: schema, example: example, words: words, absent: absent, read: read, write: write,
      mix: mix)
  }

  /// Redacted to its first characters where people read along, and no part of a digest.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func secret(showing characters: Int = 0) -> Coding {
    let write = write
    return Coding(
      schema: schema, example: example, words: words, absent: absent, read: read,
      write: { value, spelling in
        let written = write(value, spelling)
        guard case .redacted = spelling, let written, !written.isNull else { return written }
        let shown = (written.string ?? "").prefix(characters)
        return .string(shown + Spelling.ellipsis)
      }, mix: { _, _ in })
  }

  /// Taken into a digest by code that the compiler sees whole, where a value comes with every other request: it takes what the type's own
  /// would, in its order.
  public func mixed(_ mix: @escaping @Sendable (Value, inout Digest) -> Void) -> Coding {
    Coding(
      schema: schema, example: example, words: words, absent: absent, read: read, write: write,
      mix: mix)
  }

  /// No part of a digest: generated for the wire alone, or said elsewhere in the same document.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public var undigested: Coding {
    Coding(
      schema: schema, example: example, words: words, absent: absent, read: read, write: write,
      mix: { _, _ in })
  }
}

extension JSON {
  /// This schema, or `null`.
  var orNull: JSON {
    let kinds = self["anyOf"]?.array ?? [self]
    return kinds.contains(["type": "null"]) ? self : ["anyOf": [self, ["type": "null"]]]
  }
}
