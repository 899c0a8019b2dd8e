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
    readParts = { (parts) throws(Malformed) in
      // An expansion throws `any Error`; a field throws nothing else than `Malformed`.
      do {
        let value = make(repeat try (each fields).read(parts))
        repeat try (each fields).check(value, parts)
        return value
      } catch let problem as Malformed {
        throw problem
      } catch { preconditionFailure("\(error)") }
    }
    writeParts = { value, spelling in
      var parts = WireParts()
      repeat (each fields).write(value, spelling, to: &parts)
      return parts
    }
    // Found once: an expansion looks its types up again for every value, and lists have hundreds.
    var mixes: [Mix] = []
    repeat mixes.append((each fields).mix)
    mix = Self.joined(mixes[...])
    var members: [ShapeMember] = []
    repeat (each fields).describe(&members)
    self.members = members
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
  public init<each Member: Sendable>(_ fields: repeat Field<each Member, each Member>)
  where Value == (repeat each Member) {
    var members: [ShapeMember] = []
    repeat (each fields).describe(&members)
    self.init(
      members: members,
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
    let (readParts, writeParts, mix) = (readParts, writeParts, mix)
    return Shape<Other>(
      members: members,
      read: { (parts) throws(Malformed) in try to(try readParts(parts)) },
      write: { writeParts(from($0), $1) }, mix: { mix(from($0), &$1) })
  }

  /// No document of this kind has other members: a name that nobody declared cannot be read.
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
