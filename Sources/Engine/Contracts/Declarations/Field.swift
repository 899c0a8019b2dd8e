/// One member of a document: its name, its value, how that is spelt, where it stands.
public struct Field<Root: Sendable, Value: Sendable>: Sendable {
  let name: String
  let place: WirePlace
  let coding: Coding<Value>
  private let get: @Sendable (Root) -> Value
  private var meaning: String
  private var isSingle = false
  /// Members that follow from the document's others and are written after this one.
  private var followers: [Follower] = []

  private struct Follower: Sendable {
    let name: String
    let isChecked: Bool
    let schema: JSON
    let write: @Sendable (Root, Spelling) -> JSON?
    /// What a document has to say that holds this value.
    let expected: @Sendable (Root, WireParts) -> JSON?
  }

  public init(
    _ name: String, _ get: @escaping @Sendable (Root) -> Value, _ coding: Coding<Value>,
    in place: WirePlace = .body, _ meaning: String = ""
  ) {
    self.name = name
    self.place = place
    self.coding = coding
    self.get = get
    self.meaning = meaning
  }

  /// Given twice it cannot be read (else the first counts); in queries.
  public var single: Field {
    var field = self
    field.isSingle = true
    return field
  }

  /// The same value once more under another name.
  /// - Parameter isChecked: Whether a document whose two values differ cannot be read.
  public func also(_ mirror: String, isChecked: Bool = true) -> Field {
    let (name, place, get, write) = (name, place, get, coding.write)
    return with(
      Follower(
        name: mirror, isChecked: isChecked, schema: coding.schema, write: { write(get($0), $1) },
        expected: { $1.value(of: name, in: place) }))
  }

  /// A further member that follows from the document's others.
  /// - Parameter isChecked: Whether a document that contradicts it cannot be read.
  public func then<Other: Sendable>(
    _ name: String, _ coding: Coding<Other>, isChecked: Bool = true,
    _ value: @escaping @Sendable (Root) -> Other
  ) -> Field {
    with(
      Follower(
        name: name, isChecked: isChecked, schema: coding.schema,
        write: { coding.write(value($0), $1) },
        expected: { root, _ in coding.write(value(root), .redacted) }))
  }

  private func with(_ follower: Follower) -> Field {
    var field = self
    field.followers.append(follower)
    return field
  }

  // MARK: What a shape asks of its fields

  func read(_ parts: WireParts) throws(Malformed) -> Value {
    if isSingle, place == .query, parts.query.count(of: name) > 1 {
      throw Malformed(.repeated, "is given more than once", at: name)
    }
    guard let value = parts.value(of: name, in: place), !value.isNull else {
      guard let absent = coding.absent else { throw .missing(name) }
      return absent
    }
    do { return try coding.read(value) } catch { throw error.below(name) }
  }

  /// What follows from a value must be what the document says.
  func check(_ root: Root, _ parts: WireParts) throws(Malformed) {
    for follower in followers where follower.isChecked {
      guard parts.value(of: follower.name, in: place) == follower.expected(root, parts) else {
        throw Malformed(.invalid, "contradicts '\(name)'", at: follower.name)
      }
    }
  }

  func write(_ root: Root, _ spelling: Spelling, to parts: inout WireParts) {
    if let value = coding.write(get(root), spelling) { parts.set(name, in: place, to: value) }
    for follower in followers {
      if let value = follower.write(root, spelling) {
        parts.set(follower.name, in: place, to: value)
      }
    }
  }

  func mix(_ root: Root, into digest: inout Digest) { coding.mix(get(root), &digest) }

  func describe(_ members: inout [ShapeMember]) {
    members.append(
      ShapeMember(
        name: name, place: place, schema: coding.schema, example: coding.example,
        words: coding.words, isRequired: coding.absent == nil || place == .path, meaning: meaning))
    for follower in followers {
      members.append(
        ShapeMember(
          name: follower.name, place: place, schema: follower.schema, example: nil, words: "",
          isRequired: follower.isChecked, meaning: ""))
    }
  }
}

/// A member of a shape, for descriptions.
public struct ShapeMember: Sendable {
  public let name: String
  public let place: WirePlace
  public let schema: JSON
  /// `nil` for a member that follows from others.
  public let example: JSON?
  public let words: String
  public let isRequired: Bool
  public let meaning: String
}
