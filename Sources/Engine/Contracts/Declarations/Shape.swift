/// A kind of document: which members it has and what they make together.
///
///     static let shape = Shape(
///       Order.init(id:total:), Field("id", \.id, .text), Field("total_cents", \.total, .int))
public struct Shape<Value: Sendable>: Sendable {
  public let members: [ShapeMember]
  let readParts: @Sendable (WireParts) throws(Malformed) -> Value
  let writeParts: @Sendable (Value, Spelling) -> WireParts
  let mix: Mix

  typealias Mix = @Sendable (Value, inout Digest) -> Void

  /// - Parameters:
  ///   - make: Makes a value of its members' values, which come in the order of the fields.
  ///   - fields: The members, in the order in which they are written and in which faults are found.
  public init<each Member: Sendable>(
    _ make: @escaping @Sendable (repeat each Member) -> Value,
    _ fields: repeat Field<Value, each Member>
  ) {
    readParts = Self.reading(make, repeat each fields)
    writeParts = Self.writing(repeat each fields)
    // Found once: an expansion looks its types up again for every value, and lists have hundreds.
    var mixes: [Mix] = []
    repeat mixes.append((each fields).mix)
    mix = Self.joined(mixes[...])
    members = describing(repeat each fields)
  }

  // Here and in what a shape consists of, reading, writing and describing are called and not specialised: a machine code of its own for
  // every member would be three fifths of a contract's compilation.

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func reading<each Member: Sendable>(
    _ make: @escaping @Sendable (repeat each Member) -> Value,
    _ fields: repeat Field<Value, each Member>
  ) -> @Sendable (WireParts) throws(Malformed) -> Value {
    { (parts) throws(Malformed) in
      // An expansion throws `any Error`; a field throws nothing else than `Malformed`.
      do {
        let value = make(repeat try (each fields).read(parts))
        repeat try (each fields).check(value, parts)
        return value
      } catch let problem as Malformed {
        throw problem
      } catch { preconditionFailure("\(error)") }
    }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func writing<each Member: Sendable>(
    _ fields: repeat Field<Value, each Member>
  ) -> @Sendable (Value, Spelling) -> WireParts {
    { value, spelling in
      var parts = WireParts()
      repeat (each fields).write(value, spelling, to: &parts)
      return parts
    }
  }

  /// All of them in their order. Each is held by the one that calls it: an array would count references to each for every value.
  private static func joined(_ mixes: ArraySlice<Mix>) -> Mix {
    guard let one = mixes.first else { return { _, _ in } }
    guard mixes.count > 1 else { return one }
    let middle = mixes.startIndex + mixes.count / 2
    let (first, second) = (joined(mixes[..<middle]), joined(mixes[middle...]))
    return { value, digest in
      first(value, &digest)
      second(value, &digest)
    }
  }

  /// One whose members are known only when it is made, or whose parts are read and written by hand.
  public init(
    members: [ShapeMember], read: @escaping @Sendable (WireParts) throws(Malformed) -> Value,
    write: @escaping @Sendable (Value, Spelling) -> WireParts,
    mix: @escaping @Sendable (Value, inout Digest) -> Void
  ) { (self.members, readParts, writeParts, self.mix) = (members, read, write, mix) }

  /// As a value inside other documents, or as a whole body.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public var coding: Coding<Value> {
    let (readParts, writeParts, mix) = (readParts, writeParts, mix)
    return Coding(
      schema: schema, example: example(in: .body),
      words: "{" + members.map(\.name).joined(separator: ", ") + "}",
      read: { (json) throws(Malformed) in
        guard let object = json.object else { throw .invalid("is not an object") }
        return try readParts(WireParts(body: object))
      }, write: { value, spelling in .object(writeParts(value, spelling).body) }, mix: mix)
  }

  /// A value as its document.
  public func document(of value: Value, _ spelling: Spelling) -> JSON {
    .object(writeParts(value, spelling).body)
  }

  /// The value that a document stands for; `nil` for one that cannot be read.
  public func value(in document: JSON) -> Value? {
    do throws(Malformed) { return try coding.read(document) } catch { return nil }
  }

  var schema: JSON { Self.schema(members.filter { $0.location == .body }) }

  func example(in location: WireLocation) -> JSON {
    var object = JSONObject()
    for member in members where member.location == location { object[member.name] = member.example }
    return .object(object)
  }

  private static func schema(_ members: [ShapeMember]) -> JSON {
    var properties = JSONObject()
    for member in members { properties[member.name] = member.described }
    return [
      "type": "object", "required": .strings(members.filter(\.isRequired).map(\.name)),
      "properties": .object(properties),
    ]
  }
}

// MARK: - Variations

extension Shape {
  /// The members' values themselves, in the order of the fields.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public init<each Member: Sendable>(_ fields: repeat Field<each Member, each Member>)
  where Value == (repeat each Member) {
    self.init(
      members: describing(repeat each fields),
      read: { (parts) throws(Malformed) in
        // An expansion throws `any Error`; a field throws nothing else than `Malformed`.
        do {
          return (repeat try (each fields).read(parts))
        } catch let problem as Malformed {
          throw problem
        } catch { preconditionFailure("\(error)") }
      },
      write: { value, spelling in
        var parts = WireParts()
        repeat (each fields).write(each value, spelling, to: &parts)
        return parts
      },
      mix: { value, digest in repeat (each fields).mix(each value, &digest) })
  }

  /// A value of another type that stands for each of these; `to` says what is wrong with one that stands for none.
  public func converted<Other: Sendable>(
    to: @escaping @Sendable (Value) throws(Malformed) -> Other,
    from: @escaping @Sendable (Other) -> Value
  ) -> Shape<Other> {
    let mix = mix
    return Shape<Other>(
      members: members, read: reading(to), write: writing(from), mix: { mix(from($0), &$1) })
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func reading<Other: Sendable>(
    _ to: @escaping @Sendable (Value) throws(Malformed) -> Other
  ) -> @Sendable (WireParts) throws(Malformed) -> Other {
    { [readParts] (parts) throws(Malformed) in try to(try readParts(parts)) }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func writing<Other: Sendable>(
    _ from: @escaping @Sendable (Other) -> Value
  ) -> @Sendable (Other, Spelling) -> WireParts { { [writeParts] in writeParts(from($0), $1) } }

  /// No document of this kind has other members: a name that nobody declared cannot be read.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public var closed: Shape {
    let (readParts, known) = (readParts, members.map(\.name))
    let names = known + members.flatMap(\.aliases)
    return Shape(
      members: members,
      read: { (parts) throws(Malformed) in
        for member in parts.body.members where !names.contains(member.name) {
          let hint = nearest(member.name, among: names).map { "did you mean '\($0)'?" }
          let all = known.isEmpty ? "there are none" : "known are " + known.joined(separator: ", ")
          throw Malformed(.invalid, "is no parameter; \(hint ?? all)", at: member.name)
        }
        return try readParts(parts)
      }, write: writeParts, mix: mix)
  }
}

/// What the fields of a shape say of themselves.
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
private func describing<Root, each Member: Sendable>(
  _ fields: repeat Field<Root, each Member>
) -> [ShapeMember] {
  var members: [ShapeMember] = []
  repeat (each fields).describe(&members)
  return members
}

/// For shapes whose values are tuples of their members.
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
private func describing<each Member: Sendable>(
  _ fields: repeat Field<each Member, each Member>
) -> [ShapeMember] {
  var members: [ShapeMember] = []
  repeat (each fields).describe(&members)
  return members
}

extension ShapeMember {
  /// The schema with what the member means.
  var described: JSON {
    guard !meaning.isEmpty, var object = schema.object else { return schema }
    object["description"] = .string(meaning)
    return .object(object)
  }
}

extension Shape where Value == NoMembers {
  /// Nothing is said beside the path.
  public static var empty: Shape { Shape({ NoMembers() }) }
}

/// What an operation without parameters asks with.
public struct NoMembers: Hashable, Sendable {
  public init() {}
}
