/// A 128-bit fold of a sequence of words; equal on every machine and in every build.
///
/// Two lanes of multiply-and-fold (each step xors a word in and multiplies to 128 bits, then folds the halves), the
/// second lane fed with a rotated word. It finds accidental differences; it is no cryptographic hash.
public struct Digest: Hashable, Sendable {
  @usableFromInline var first: UInt64
  @usableFromInline var second: UInt64

  public var high: UInt64 { first }
  public var low: UInt64 { second }

  public init() {
    first = 0x9e37_79b9_7f4a_7c15
    second = 0xd1b5_4a32_d192_ed03
  }

  /// A digest from its 32 hexadecimal digits, as files hold it; `nil` for anything else.
  public init?(hexadecimal text: String) {
    let isDigits = text.utf8.count == 32 && text.utf8.allSatisfy(Self.isDigit)
    guard isDigits, let high = UInt64(text.prefix(16), radix: 16),
      let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    (first, second) = (high, low)
  }

  /// One digest of several in their order, as a run's follows from those of its replications.
  public init(folding parts: some Sequence<Digest>) {
    self.init()
    for part in parts { mix(part) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte)
  }

  // Into whoever calls it, in other modules, too: a request takes some thirty words.
  @inlinable @inline(__always)
  public mutating func mix(_ word: UInt64) {
    let a = (first ^ word).multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
    let rotated = word << 23 | word >> 41
    let b = (second &+ rotated).multipliedFullWidth(by: 0xe703_7ed1_a0b4_28db)
    first = a.high ^ a.low ^ second
    second = b.high ^ b.low &+ 0x8ebc_6af0_9c88_c6e3
  }

  @inlinable @inline(__always)
  public mutating func mix(_ number: Int) { mix(UInt64(bitPattern: Int64(number))) }
  @inlinable @inline(__always)
  public mutating func mix(_ flag: Bool) { mix(flag ? 1 : 0 as UInt64) }

  /// Text by its length and its UTF-8 bytes, eight to a word.
  public mutating func mix(_ text: String) {
    var text = text
    text.withUTF8 { mix(bytes: $0) }
  }

  /// Bytes by their number and in their order.
  public mutating func mix(bytes: UnsafeBufferPointer<UInt8>) {
    mix(UInt64(bytes.count))
    var rest = UnsafeRawBufferPointer(bytes)
    while rest.count >= 8 {
      mix(UInt64(littleEndian: rest.loadUnaligned(as: UInt64.self)))
      rest = UnsafeRawBufferPointer(rebasing: rest[8...])
    }
    guard !rest.isEmpty else { return }
    guard bytes.count < 8 else {
      let last = UnsafeRawBufferPointer(bytes).loadUnaligned(
        fromByteOffset: bytes.count - 8, as: UInt64.self)
      // Of these eight bytes the first have been mixed in before.
      return mix(UInt64(littleEndian: last) >> UInt64(8 * (8 - rest.count)))
    }
    var word: UInt64 = 0
    for (offset, byte) in rest.enumerated() { word |= UInt64(byte) << UInt64(8 * offset) }
    mix(word)
  }

  /// A document member by member, without writing it down.
  public mutating func mix(_ document: JSON) {
    switch document {
    case .null: mix(0)
    case .bool(let flag): mix(flag ? 2 : 1)
    case .int(let number):
      mix(3)
      mix(Int(number))
    case .double(let number):
      mix(4)
      mix(number.bitPattern)
    case .string(let text):
      mix(5)
      mix(text)
    case .array(let items):
      mix(6)
      mix(items.count)
      for item in items { mix(item) }
    case .object(let object):
      mix(7)
      mix(object.members.count)
      for (name, value) in object.members {
        mix(name)
        mix(value)
      }
    }
  }

  public mutating func mix(_ other: Digest) {
    mix(other.high)
    mix(other.low)
  }

  /// 32 hexadecimal digits.
  public var hexadecimal: String {
    Self.hexadecimal(high) + Self.hexadecimal(low)
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
