/// The fields of a record, each found by its number.
public struct Fields: Hashable, Sendable {
  public private(set) var names = FieldNames()
  /// Of the declared names, ascending, then of the others.
  @usableFromInline var storage: [FieldValue] = []

  public init() {}

  /// None yet, with room for so many.
  public init(reserving count: Int) { storage.reserveCapacity(count) }

  public var values: [FieldValue] { storage }
  public var count: Int { storage.count }
  public var isEmpty: Bool { storage.isEmpty }

  public subscript(name: FieldName) -> FieldValue? {
    @inlinable get { names.contains(name) ? storage[names.rank(of: name)] : nil }
    set {
      let place = names.rank(of: name)
      switch (name.holdsName ? newValue?.asName : newValue, names.contains(name)) {
      case (let value?, true): storage[place] = value
      case (let value?, false):
        // Whoever names them in their order pays for no move.
        if place == storage.count {
          storage.append(value)
        } else {
          storage.insert(value, at: place)
        }
        names.insert(name)
      case (nil, true):
        storage.remove(at: place)
        names.remove(name)
      case (nil, false): break
      }
    }
  }

  /// A field by what the wire calls it, declared or not.
  public subscript(text text: String) -> FieldValue? {
    get {
      if let name = FieldName(text) { return self[name] }
      guard let place = names.others.firstIndex(of: text) else { return nil }
      return storage[names.declaredCount + place]
    }
    set {
      if let name = FieldName(text) {
        self[name] = newValue
        return
      }
      let place = names.place(of: text)
      let isThere = place < names.others.count && names.others[place] == text
      if isThere {
        names.removeOther(at: place)
        storage.remove(at: names.declaredCount + place)
      }
      if let newValue {
        names.insert(text: text)
        storage.insert(newValue, at: names.declaredCount + place)
      }
    }
  }

  /// The declared fields in the order of their names.
  public var declared: Zip2Sequence<FieldNames.Declared, [FieldValue]> {
    zip(names.declared, storage)
  }

  /// The undeclared fields in the order of their names.
  public var others: Zip2Sequence<[String], ArraySlice<FieldValue>> {
    zip(names.others, storage.suffix(names.others.count))
  }

  /// Every field in the order of the names, which is that of the wire.
  public var all: [(name: String, value: FieldValue)] {
    let all = declared.map { (name: $0.text, value: $1) }
    guard !names.others.isEmpty else { return all }
    return (all + others.map { (name: $0, value: $1) }).sorted { $0.name < $1.name }
  }

  /// Takes what was sent: values, and what is to be removed.
  public mutating func apply(_ sent: FieldChanges) {
    for (name, value) in sent.written.declared { self[name] = value }
    for (text, value) in sent.written.others { self[text: text] = value }
    for name in sent.removed.declared { self[name] = nil }
    for text in sent.removed.others { self[text: text] = nil }
  }

  /// With other fields, which go before those of the same name.
  public func merging(_ more: Fields) -> Fields {
    var merged = self
    merged.apply(FieldChanges(more))
    return merged
  }

  /// The wanted ones alone.
  public func reduced(to wanted: FieldNames) -> Fields {
    let unwanted = names.subtracting(wanted)
    guard !unwanted.isEmpty else { return self }
    var reduced = Fields()
    for (name, value) in declared where wanted.contains(name) { reduced[name] = value }
    for (text, value) in others where wanted.contains(text: text) { reduced[text: text] = value }
    return reduced
  }

  /// Gives the values that a function has something for.
  public mutating func replace(_ new: (FieldValue) -> FieldValue?) {
    for place in storage.indices {
      if let value = new(storage[place]) { storage[place] = value }
    }
  }
}

extension Fields: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral fields: (FieldName, FieldValue)...) {
    storage.reserveCapacity(fields.count)
    for (name, value) in fields {
      precondition(!names.contains(name), "\(name.text) stands twice in a literal")
      self[name] = value
    }
  }
}

/// What is to become of fields: values to write, and names of what is to be removed. A client sends it, and the twin
/// makes its own.
public struct FieldChanges: Hashable, Sendable {
  public private(set) var written: Fields
  public private(set) var removed = FieldNames()

  public init(_ fields: Fields = Fields()) { written = fields }

  /// One field that no record type declares.
  public init(undeclared text: String, _ value: FieldValue?) {
    self.init()
    self[text: text] = .some(value)
  }

  /// Every name that was sent.
  public var names: FieldNames { written.names.union(removed) }
  public var count: Int { written.count + removed.count }
  public var isEmpty: Bool { written.isEmpty && removed.isEmpty }

  /// `nil` was not sent, `.some(nil)` is to be removed.
  public subscript(name: FieldName) -> FieldValue?? {
    get {
      if let value = written[name] { return .some(value) }
      return removed.contains(name) ? .some(nil) : nil
    }
    set {
      written[name] = newValue.flatMap(\.self)
      if case .some(.none) = newValue { removed.insert(name) } else { removed.remove(name) }
    }
  }

  /// A field by what the wire calls it, declared or not.
  public subscript(text text: String) -> FieldValue?? {
    get {
      if let value = written[text: text] { return .some(value) }
      return removed.contains(text: text) ? .some(nil) : nil
    }
    set {
      written[text: text] = newValue.flatMap(\.self)
      removed = removed.subtracting(FieldNames([text]))
      if case .some(.none) = newValue { removed.insert(text: text) }
    }
  }

  /// The declared fields in the order of their names.
  public var declared: [(name: FieldName, value: FieldValue?)] {
    names.declared.map { ($0, written[$0]) }
  }

  /// Every field in the order of the names, which is that of the wire.
  public var all: [(name: String, value: FieldValue?)] {
    names.texts.map { ($0, written[text: $0]) }
  }

  /// With other fields, which go before those of the same name.
  public func merging(_ more: FieldChanges) -> FieldChanges {
    var merged = self
    for (text, value) in more.all { merged[text: text] = .some(value) }
    return merged
  }
}

extension FieldChanges: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral fields: (FieldName, FieldValue?)...) {
    self.init()
    written.storage.reserveCapacity(fields.count)
    for (name, value) in fields {
      precondition(!names.contains(name), "\(name.text) stands twice in a literal")
      self[name] = .some(value)
    }
  }
}
