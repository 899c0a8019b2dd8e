/// One member of a document: its name, its value, how that is spelt, where it stands.
public struct Field<Root: Sendable, Value: Sendable>: Sendable {
  let name: String
  let location: WireLocation
  let coding: Coding<Value>
  /// Whose members stand in the same document; `nil` for a member of its own.
  private let inlined: Shape<Value>?
  private let get: @Sendable (Root) -> Value
  private var meaning: String
  private var isSingle = false
  private var isDemanded = false
  private var missing: Malformed
  /// Further names under which it is understood where the first is absent, in the order in which they are looked for.
  private var aliases: [String] = []
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
    in location: WireLocation = .body, _ meaning: String = ""
  ) {
    self.name = name
    self.location = location
    self.coding = coding
    self.get = get
    self.meaning = meaning
    inlined = nil
    missing = .missing(name)
  }

  /// The members of another shape, in the same document.
  public init(_ get: @escaping @Sendable (Root) -> Value, _ shape: Shape<Value>) {
    (name, location, coding, meaning) = ("", .body, shape.coding, "")
    (self.get, inlined, missing) = (get, shape, .missing(""))
  }

  /// Given twice it cannot be read (else the first counts); in queries.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public var single: Field {
    var field = self
    field.isSingle = true
    return field
  }

  /// Read where it is left out, too, because that is refused in its turn: a description asks for it.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public var demanded: Field {
    var field = self
    field.isDemanded = true
    return field
  }

  /// Understood under other names as well.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func or(_ aliases: String...) -> Field {
    var field = self
    field.aliases = aliases
    return field
  }

  /// With other words for a member that is not there.
  /// - Parameter member: The one that they are about, where it is another.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func whenMissing(_ what: String, at member: String? = nil) -> Field {
    var field = self
    field.missing = Malformed(.missing, what, at: member ?? name)
    return field
  }

  /// The same value once more under another name.
  /// - Parameter isChecked: Whether a document whose two values differ cannot be read.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func also(_ mirror: String, isChecked: Bool = true) -> Field {
    let (name, location, get, write) = (name, location, get, coding.write)
    return with(
      Follower(
        name: mirror, isChecked: isChecked, schema: coding.schema, write: { write(get($0), $1) },
        expected: { $1.value(of: name, in: location) }))
  }

  /// A further member that follows from the document's others.
  /// - Parameter isChecked: Whether a document that contradicts it cannot be read.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
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

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func read(_ parts: WireParts) throws(Malformed) -> Value {
    if isSingle, location == .query, parts.query.count(of: name) > 1 {
      throw Malformed(.repeated, "is given more than once", at: name)
    }
    if let inlined { return try inlined.readParts(parts) }
    guard let value = value(parts) else {
      guard let absent = coding.absent else { throw missing }
      return absent
    }
    do {
      return try coding.read(value)
    } catch {
      guard let said = plain(value) else { throw error.below(name) }
      do { return try coding.read(said) } catch { throw error.below(name) }
    }
  }

  /// Outside a document every value is a text: what the text of a number or of a flag says.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func plain(_ value: JSON) -> JSON? {
    guard location != .body, let text = value.string, let said = JSON(parsing: Array(text.utf8))
    else { return nil }
    let kinds = (coding.schema["anyOf"]?.array ?? [coding.schema]).compactMap { $0["type"]?.string }
    let isOne =
      switch said {
      case .int: kinds.contains("integer") || kinds.contains("number")
      case .double: kinds.contains("number")
      case .bool: kinds.contains("boolean")
      default: false
      }
    // Not `? said : nil`: that nil would be the null of JSON.
    guard isOne else { return nil }
    return said
  }

  /// A value that is there; `null` is none, unless the coding reads it.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func value(_ parts: WireParts) -> JSON? {
    if let value = parts.value(of: name, in: location), coding.readsNull || !value.isNull {
      return value
    }
    for alias in aliases {
      if let value = parts.value(of: alias, in: location), !value.isNull { return value }
    }
    return nil
  }

  /// What follows from a value must be what the document says.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func check(_ root: Root, _ parts: WireParts) throws(Malformed) {
    for follower in followers where follower.isChecked {
      guard parts.value(of: follower.name, in: location) == follower.expected(root, parts) else {
        throw Malformed(.invalid, "contradicts '\(name)'", at: follower.name)
      }
    }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func write(_ root: Root, _ spelling: Spelling, to parts: inout WireParts) {
    if let inlined {
      parts.take(inlined.writeParts(get(root), spelling))
      return
    }
    if let value = coding.write(get(root), spelling) { parts.set(name, in: location, to: value) }
    for follower in followers {
      if let value = follower.write(root, spelling) {
        parts.set(follower.name, in: location, to: value)
      }
    }
  }

  /// Takes a document's member into a digest.
  var mix: @Sendable (Root, inout Digest) -> Void {
    let (get, mix) = (get, coding.mix)
    return { mix(get($0), &$1) }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func describe(_ members: inout [ShapeMember]) {
    if let inlined {
      members += inlined.members
      return
    }
    let isRequired = isDemanded || coding.absent == nil || location == .path
    members.append(
      ShapeMember(
        name: name, location: location,
        schema: isRequired || location != .body || coding.readsNull
          ? coding.schema : coding.schema.orNull,
        example: coding.example, words: coding.words, isRequired: isRequired, meaning: meaning,
        aliases: aliases))
    for follower in followers {
      members.append(
        ShapeMember(
          name: follower.name, location: location, schema: follower.schema, example: nil, words: "",
          isRequired: follower.isChecked, meaning: ""))
    }
  }
}

extension Field where Root == Value {
  /// A member that is a value by itself: of a shape whose value is the tuple of its members.
  public init(
    _ name: String, _ coding: Coding<Value>, in location: WireLocation = .body,
    _ meaning: String = ""
  ) { self.init(name, { $0 }, coding, in: location, meaning) }

  /// The members of another shape, in the same document.
  public init(_ shape: Shape<Value>) { self.init({ $0 }, shape) }
}

/// A member of a shape, for descriptions.
public struct ShapeMember: Sendable {
  public let name: String
  public let location: WireLocation
  public let schema: JSON
  /// `nil` for a member that follows from others.
  public let example: JSON?
  public let words: String
  public let isRequired: Bool
  public let meaning: String
  /// Further names under which it is understood.
  public let aliases: [String]

  /// - Parameter coding: What is told of it.
  public init<Value>(
    _ name: String, _ coding: Coding<Value>, in location: WireLocation = .body,
    _ meaning: String = ""
  ) {
    self.init(
      name: name, location: location, schema: coding.schema, example: coding.example,
      words: coding.words, isRequired: coding.absent == nil || location == .path, meaning: meaning,
      aliases: [])
  }

  init(
    name: String, location: WireLocation, schema: JSON, example: JSON?, words: String,
    isRequired: Bool,
    meaning: String, aliases: [String] = []
  ) {
    (self.name, self.location, self.schema, self.example) = (name, location, schema, example)
    (self.words, self.isRequired, self.meaning) = (words, isRequired, meaning)
    self.aliases = aliases
  }
}
