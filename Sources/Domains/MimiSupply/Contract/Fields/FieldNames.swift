/// Some names of fields: the declared ones by number, and the others that a client made up, by their texts.
public struct FieldNames: Hashable, Sendable {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: UInt64 = 0
  /// Undeclared names, ascending.
  public private(set) var others: [String] = []

  @inlinable public init() {}

  /// - Parameter texts: As the wire has them; one may come twice.
  public init(_ texts: some Sequence<String>) {
    for text in texts { insert(text: text) }
  }

  /// The declared ones among them.
  public var declared: Declared { Declared(low: low, high: high) }

  public var count: Int { declaredCount + others.count }
  public var isEmpty: Bool { low == 0 && high == 0 && others.isEmpty }

  @inlinable var declaredCount: Int { low.nonzeroBitCount + high.nonzeroBitCount }

  /// Every name as the wire spells it, ascending.
  public var texts: [String] {
    let texts = declared.map(\.text)
    return others.isEmpty ? texts : (texts + others).sorted()
  }

  // MARK: Declared names

  @inlinable public func contains(_ name: FieldName) -> Bool {
    let number = UInt64(name.rawValue)
    return number < 64 ? low & (1 << number) != 0 : high & (1 << (number &- 64)) != 0
  }

  /// How many declared names come before one.
  @inlinable func rank(of name: FieldName) -> Int {
    let number = UInt64(name.rawValue)
    return number < 64
      ? (low & ((1 << number) &- 1)).nonzeroBitCount
      : low.nonzeroBitCount + (high & ((1 << (number &- 64)) &- 1)).nonzeroBitCount
  }

  public mutating func insert(_ name: FieldName) {
    let number = UInt64(name.rawValue)
    if number < 64 { low |= 1 << number } else { high |= 1 << (number - 64) }
  }

  public mutating func remove(_ name: FieldName) {
    let number = UInt64(name.rawValue)
    if number < 64 { low &= ~(1 << number) } else { high &= ~(1 << (number - 64)) }
  }

  // MARK: Texts

  public func contains(text: String) -> Bool {
    FieldName(text).map(contains) ?? others.contains(text)
  }

  public mutating func insert(text: String) {
    if let name = FieldName(text) { return insert(name) }
    let place = place(of: text)
    if place == others.count || others[place] != text { others.insert(text, at: place) }
  }

  /// Where an undeclared name stands among the others, or would.
  func place(of text: String) -> Int { others.firstIndex { $0 >= text } ?? others.count }

  mutating func removeOther(at place: Int) { others.remove(at: place) }

  // MARK: As a set

  public mutating func formUnion(_ more: FieldNames) {
    low |= more.low
    high |= more.high
    for text in more.others { insert(text: text) }
  }

  public func union(_ more: FieldNames) -> FieldNames {
    var union = self
    union.formUnion(more)
    return union
  }

  public func subtracting(_ less: FieldNames) -> FieldNames {
    var rest = self
    rest.low &= ~less.low
    rest.high &= ~less.high
    rest.others.removeAll(where: less.others.contains)
    return rest
  }

  public func isDisjoint(with more: FieldNames) -> Bool {
    low & more.low == 0 && high & more.high == 0 && !others.contains(where: more.others.contains)
  }

  public func isSubset(of more: FieldNames) -> Bool { subtracting(more).isEmpty }
}

extension FieldNames: ExpressibleByArrayLiteral {
  public init(arrayLiteral names: FieldName...) {
    for name in names { insert(name) }
  }
}

extension FieldNames {
  /// Declared names, ascending.
  public struct Declared: Sequence, IteratorProtocol, Sendable {
    var low: UInt64
    var high: UInt64

    public mutating func next() -> FieldName? {
      if low != 0 {
        defer { low &= low &- 1 }
        return FieldName(rawValue: UInt8(truncatingIfNeeded: low.trailingZeroBitCount))
      }
      guard high != 0 else { return nil }
      defer { high &= high &- 1 }
      return FieldName(rawValue: UInt8(truncatingIfNeeded: 64 + high.trailingZeroBitCount))
    }
  }
}
