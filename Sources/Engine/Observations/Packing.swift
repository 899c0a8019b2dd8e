import Contracts
import Timekeeping

/// Values as bytes, and back: a type says once, in `pack`, what it consists of, and the same words write it and read it.
///
/// Whole numbers take as few bytes as they need (LEB128, signed ones zigzag), and only those are read: one value, one writing. Whatever bytes are read, each step ends with a value or
/// with a `PackingProblem`: numbers stay so small that sums over ten thousand replications do not overflow, and no list is longer
/// than the bytes that are left.
public struct Packing {
  /// The largest count: sums of ten thousand stay in 63 bits.
  public static let largestCount: UInt64 = 1 << 49

  public private(set) var bytes: [UInt8]
  public let isReading: Bool
  /// What has been read.
  private(set) var place = 0

  /// Begins to write.
  public init() { (bytes, isReading) = ([], false) }

  /// Begins to read.
  public init(reading bytes: [UInt8]) { (self.bytes, isReading) = (bytes, true) }

  /// - Throws: Where bytes are left that nothing has read.
  public func end() throws(PackingProblem) {
    guard !isReading || place == bytes.count else { throw PackingProblem() }
  }

  // MARK: - Numbers

  public mutating func pack(_ value: inout UInt64) throws(PackingProblem) {
    guard isReading else { return Self.write(value, to: &bytes) }
    var (found, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = try next()
      let part = UInt64(byte & 0x7f)
      guard shift < 63 || part <= 1 else { throw PackingProblem() }
      found |= part << shift
      guard byte & 0x80 != 0 else {
        guard byte > 0 || shift == 0 else { throw PackingProblem() }
        break
      }
      shift += 7
      guard shift < 64 else { throw PackingProblem() }
    }
    value = found
  }

  static func write(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// The number at a place of bytes that were written, or read, as numbers; the place is then that of the next.
  @inline(__always)
  static func number(in bytes: UnsafeBufferPointer<UInt8>, at place: inout Int) -> UInt64 {
    var (found, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = bytes[place]
      place += 1
      found |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return found }
      shift += 7
    }
  }

  /// Writes what was packed before.
  mutating func append(_ packed: [UInt8]) { bytes += packed }

  private mutating func next() throws(PackingProblem) -> UInt8 {
    guard place < bytes.count else { throw PackingProblem() }
    defer { place += 1 }
    return bytes[place]
  }

  public mutating func pack(_ value: inout Int64) throws(PackingProblem) {
    var zigzag = UInt64(bitPattern: value << 1 ^ value >> 63)
    try pack(&zigzag)
    value = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
  }

  /// A number of things.
  public mutating func count(_ value: inout UInt64) throws(PackingProblem) {
    try pack(&value)
    guard !isReading || value <= Self.largestCount else { throw PackingProblem() }
  }

  /// A number of things.
  public mutating func count(_ value: inout Int) throws(PackingProblem) {
    var count = UInt64(value)
    try self.count(&count)
    value = Int(count)
  }

  public mutating func pack(_ value: inout Bool) throws(PackingProblem) {
    var number: UInt64 = value ? 1 : 0
    try pack(&number)
    guard number < 2 else { throw PackingProblem() }
    value = number == 1
  }

  /// A finite number, to the bit.
  public mutating func pack(_ value: inout Double) throws(PackingProblem) {
    var pattern = value.bitPattern.byteSwapped
    try pack(&pattern)
    value = Double(bitPattern: pattern.byteSwapped)
    guard value.isFinite else { throw PackingProblem() }
  }

  // MARK: - Texts, lists and tables

  public mutating func pack(_ value: inout String) throws(PackingProblem) {
    guard isReading else {
      Self.write(UInt64(value.utf8.count), to: &bytes)
      bytes += value.utf8
      return
    }
    let length = try length(0)
    guard let text = String(validating: bytes[place..<place + length], as: UTF8.self) else {
      throw PackingProblem()
    }
    place += length
    value = text
  }

  /// Bytes as they are.
  public mutating func pack(_ value: inout [UInt8]) throws(PackingProblem) {
    let length = try length(value.count)
    guard isReading else {
      bytes += value
      return
    }
    value = Array(bytes[place..<place + length])
    place += length
  }

  /// How long a list is; each of its items takes a byte at least.
  public mutating func length(_ value: Int) throws(PackingProblem) -> Int {
    var length = UInt64(value)
    try pack(&length)
    guard !isReading || length <= UInt64(bytes.count - place) else { throw PackingProblem() }
    return Int(length)
  }

  /// Items in their order.
  ///
  /// - Parameter empty: What an item is read into.
  public mutating func pack<Item: Packable>(
    _ items: inout [Item], empty: Item
  ) throws(PackingProblem) {
    let length = try length(items.count)
    if isReading {
      items = []
      for _ in 0..<length {
        var item = empty
        try item.pack(&self)
        items.append(item)
      }
    } else {
      for var item in items { try item.pack(&self) }
    }
  }

  /// Items of a list that both sides know the length of.
  public mutating func each<Item: Packable>(_ items: inout [Item]) throws(PackingProblem) {
    for index in items.indices { try items[index].pack(&self) }
  }

  /// What may not be there.
  public mutating func pack<Value: Packable>(
    _ value: inout Value?, empty: Value
  ) throws(PackingProblem) {
    var isThere = value != nil
    try pack(&isThere)
    guard isThere else {
      value = nil
      return
    }
    var found = value ?? empty
    try found.pack(&self)
    value = found
  }

  /// A table, by its keys.
  public mutating func pack(_ table: inout [String: Int]) throws(PackingProblem) {
    var rows = table.sorted { $0.key < $1.key }.map { Row(key: $0.key, count: $0.value) }
    try pack(&rows, empty: Row(key: "", count: 0))
    guard isReading else { return }
    table = Dictionary(rows.map { ($0.key, $0.count) }) { first, _ in first }
  }

  private struct Row: Packable {
    var key: String
    var count: Int

    mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
      try packing.pack(&key)
      try packing.count(&count)
    }
  }
}

/// What can be written as bytes and read from them.
public protocol Packable {
  /// Goes through everything that is kept, in a fixed order: into the bytes, or from them into a value of the same shape.
  mutating func pack(_ packing: inout Packing) throws(PackingProblem)
}

extension Packable {
  /// This value as bytes.
  public var packed: [UInt8] {
    var packing = Packing()
    var copy = self
    do throws(PackingProblem) {
      try copy.pack(&packing)
    } catch {
      preconditionFailure("a value that was counted cannot be written: it is beyond all counts")
    }
    return packing.bytes
  }

  /// Takes over what bytes say.
  public mutating func unpack(_ bytes: [UInt8]) throws(PackingProblem) {
    var packing = Packing(reading: bytes)
    try pack(&packing)
    try packing.end()
  }
}

/// Bytes that no value was written as.
public struct PackingProblem: Error, Equatable {
  public init() {}
}

extension Packing {
  public mutating func pack(_ value: inout Span) throws(PackingProblem) {
    var nanoseconds = value.nanoseconds
    try pack(&nanoseconds)
    value = Span(nanoseconds: nanoseconds)
  }

  public mutating func pack(_ value: inout Instant) throws(PackingProblem) {
    try pack(&value.nanoseconds)
  }

  public mutating func pack(_ value: inout Digest) throws(PackingProblem) {
    var text = value.hexadecimal
    try pack(&text)
    guard let digest = Digest(hexadecimal: text) else { throw PackingProblem() }
    value = digest
  }
}

extension String: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&self)
  }
}

extension Double: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&self)
  }
}

extension Instant: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&self)
  }
}

extension Span: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&self)
  }
}
