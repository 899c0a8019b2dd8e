/// The sixteen bytes of a name, whatever it is a name of.
///
/// The last six bits say how the rest is to be read:
/// - 0 to 15: so many bytes of text, the first in the highest place, zeros after the last;
/// - `listed`: the hash of the text, and its number in the table;
/// - `numbered`: eight characters of seven bits, zeros before the first, and 64 bits that follow them as hexadecimal digits;
/// - `counted`: twelve characters of the alphabet of `symbol`, and the decimal number that follows them;
/// - `shortened`: 122 bits of the digest of a text for which the table had no room;
/// - `lowerUUID`, `upperUUID`: the 122 bits of a version 4 UUID that are not the same in all of them.
///
/// A text has one form alone, so equal names have equal bits. (Once the table is full, no text that is not in it gets in.)
struct Letters: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  static let mostInline = 15
  private static let listed: UInt64 = 16
  private static let shortened: UInt64 = 17
  private static let numbered: UInt64 = 18
  private static let counted: UInt64 = 19
  private static let lowerUUID: UInt64 = 32
  private static let upperUUID: UInt64 = 33

  private init(_ high: UInt64, _ low: UInt64) {
    self.high = high
    self.low = low
  }

  private var form: UInt64 { low & 63 }
  var isEmpty: Bool { low == 0 }
  var isUUID: Bool { form >= Self.lowerUUID }
  var isShortened: Bool { form == Self.shortened }

  // MARK: From text

  init(_ text: String, in table: NameTable) {
    var text = text
    self = text.withUTF8 { bytes in
      if bytes.count <= Self.mostInline { return Letters(inline: bytes) }
      return UUIDText.read(bytes).map {
        Letters(uuid: $0.high, $0.low, isUpperCase: $0.isUpperCase)
      } ?? Letters(numbered: bytes) ?? Letters(counted: bytes)
        ?? Letters(long: bytes, in: table)
    }
  }

  private init(inline bytes: UnsafeBufferPointer<UInt8>) {
    var (high, low) = (UInt64(0), UInt64(bytes.count))
    for (place, byte) in bytes.enumerated() {
      if place < 8 {
        high |= UInt64(byte) << UInt64(56 - 8 * place)
      } else {
        low |= UInt64(byte) << UInt64(120 - 8 * place)
      }
    }
    self.init(high, low)
  }

  init(uuid high: UInt64, _ low: UInt64, isUpperCase: Bool) {
    let upper = (high >> 16) << 12 | high & 0xFFF
    let lower = low & 0x3FFF_FFFF_FFFF_FFFF
    self.init(
      upper << 4 | lower >> 58, lower << 6 | (isUpperCase ? Self.upperUUID : Self.lowerUUID))
  }

  /// What backends call things that nobody named: a word and a random number.
  private init?(numbered bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count <= Self.mostNumbered else { return nil }
    var (word, number) = (UInt64(0), UInt64(0))
    for byte in bytes.dropLast(16) {
      guard byte > 0, byte < 0x80 else { return nil }
      word = word << 7 | UInt64(byte)
    }
    for byte in bytes.suffix(16) {
      guard let digit = UUIDText.lowerDigit(byte) else { return nil }
      number = number << 4 | UInt64(digit)
    }
    self.init(word << 8 | number >> 56, (number & 0xFF_FFFF_FFFF_FFFF) << 6 | Self.numbered)
  }

  /// Eight characters and sixteen digits.
  private static let mostNumbered = 24

  /// What is named in turn: a short path and a number, such as a time.
  private init?(counted bytes: UnsafeBufferPointer<UInt8>) {
    let digits = bytes.reversed().prefix { Self.decimals.contains($0) }.count
    let length = bytes.count - digits
    guard 1...Self.mostDecimals ~= digits, length <= Self.mostSymbols,
      bytes[length] != Self.decimals.lowerBound
    else { return nil }
    var (word, number) = (UInt64(0), UInt64(0))
    for place in 0..<Self.mostSymbols {
      guard let symbol = place < length ? Self.symbol(bytes[place]) : 0 else { return nil }
      word = word * Self.symbols + symbol
    }
    for byte in bytes[length...] { number = number * 10 + UInt64(byte - Self.decimals.lowerBound) }
    self.init(word, number << 6 | Self.counted)
  }

  private static let decimals = UInt8(ascii: "0")...UInt8(ascii: "9")
  /// 10¹⁷ takes 57 bits.
  private static let mostDecimals = 17
  /// 39¹² takes 64 bits; 0 stands behind the last character.
  private static let (symbols, mostSymbols) = (UInt64(39), 12)

  private static func symbol(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "-"): 1
    case decimals: 2 + UInt64(byte - decimals.lowerBound)
    case UInt8(ascii: "_"): 12
    case UInt8(ascii: "a")...UInt8(ascii: "z"): 13 + UInt64(byte - UInt8(ascii: "a"))
    default: nil
    }
  }

  private static func character(_ symbol: UInt64) -> UInt8 {
    switch symbol {
    case 1: UInt8(ascii: "-")
    case 2...11: decimals.lowerBound + UInt8(symbol - 2)
    case 12: UInt8(ascii: "_")
    default: UInt8(ascii: "a") + UInt8(symbol - 13)
    }
  }

  private init(long bytes: UnsafeBufferPointer<UInt8>, in table: NameTable) {
    var digest = Digest()
    digest.mix(bytes: bytes)
    if let number = table.number(of: bytes, digest) {
      self.init(digest.high, UInt64(number) << 6 | Self.listed)
    } else {
      self.init(digest.high, digest.low << 6 | Self.shortened)
    }
  }

  // MARK: To text

  /// The UUID, with the bits of its version and variant.
  private var uuid: (high: UInt64, low: UInt64) {
    let upper = high >> 4
    let lower = (high & 0xF) << 58 | low >> 6
    return ((upper >> 12) << 16 | 0x4000 | upper & 0xFFF, lower | 0x8000_0000_0000_0000)
  }

  func text(in table: NameTable) -> String {
    switch form {
    case Self.listed: return table.text(Int(low >> 6))
    case Self.shortened:
      // Of no known text: what begins with a control character is nobody's identifier by accident.
      return "\u{1}" + Self.hexadecimal(high) + Self.hexadecimal(low >> 6)
    case ...UInt64(Self.mostInline):
      return withBytes(in: table) { String(decoding: $0, as: UTF8.self) }
    default:
      return String(unsafeUninitializedCapacity: UUIDText.length) { write(into: $0) }
    }
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Writes what stands in the value itself, into a buffer that has room for a UUID, and says how much that is.
  private func write(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    if form <= Self.mostInline {
      let raw = UnsafeMutableRawBufferPointer(buffer)
      raw.storeBytes(of: high.bigEndian, as: UInt64.self)
      raw.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
      return Int(form)
    }
    if form == Self.numbered { return writeNumbered(into: buffer) }
    if form == Self.counted { return writeCounted(into: buffer) }
    let (high, low) = uuid
    UUIDText.write(high, low, isUpperCase: form == Self.upperUUID, into: buffer)
    return UUIDText.length
  }

  private func writeNumbered(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    for place in (0..<8).reversed() {
      let character = UInt8(truncatingIfNeeded: high >> UInt64(8 + 7 * place)) & 0x7F
      guard character > 0 else { continue }
      buffer[count] = character
      count += 1
    }
    let number = high << 56 | low >> 6
    UUIDText.write(number, into: UnsafeMutableBufferPointer(rebasing: buffer[count...]))
    return count + 16
  }

  private func writeCounted(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var (word, length) = (high, 0)
    for place in (0..<Self.mostSymbols).reversed() {
      let (rest, symbol) = word.quotientAndRemainder(dividingBy: Self.symbols)
      word = rest
      guard symbol > 0 else { continue }
      buffer[place] = Self.character(symbol)
      length = max(length, place + 1)
    }
    let count = length + decimalCount
    var number = low >> 6
    for place in (length..<count).reversed() {
      let (rest, digit) = number.quotientAndRemainder(dividingBy: 10)
      number = rest
      buffer[place] = Self.decimals.lowerBound + UInt8(digit)
    }
    return count
  }

  /// How long the text is, where that is seen without writing it.
  var byteCount: Int? {
    switch form {
    case ...UInt64(Self.mostInline): Int(form)
    case Self.counted: Self.mostSymbols - Self.rest(of: high) + decimalCount
    case Self.lowerUUID, Self.upperUUID: UUIDText.length
    default: nil
    }
  }

  /// How many characters a word could still take.
  private static func rest(of word: UInt64) -> Int {
    var (word, rest) = (word, 0)
    while rest < mostSymbols, word % symbols == 0 {
      word /= symbols
      rest += 1
    }
    return rest
  }

  /// Of the number that is `counted`.
  private var decimalCount: Int {
    var (count, power) = (1, UInt64(10))
    while low >> 6 >= power {
      count += 1
      power *= 10
    }
    return count
  }

  func withBytes<Value>(
    in table: NameTable, _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    if form == Self.listed { return table.withBytes(of: Int(low >> 6), body) }
    guard form != Self.shortened else {
      var text = text(in: table)
      return text.withUTF8(body)
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: UUIDText.length) { buffer in
      let count = write(into: buffer)
      return body(UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
  }

  // MARK: Order and hash

  /// What a hash table sees of it: the text's own bits, never its number.
  private var rest: UInt64 { form == Self.listed ? Self.listed : low }

  func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(rest)
  }

  /// One multiplication with what only this process knows, instead of a hash for text of any length.
  func rawHashValue(seed: Int) -> Int {
    let (a, b) = (high ^ Self.secret, rest ^ UInt64(bitPattern: Int64(seed)))
    let product = a.multipliedFullWidth(by: b &* 0xE703_7ED1_A0B4_28DB ^ Self.secret)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }

  private static let secret = UInt64(bitPattern: Int64(Hasher().finalize()))

  /// Whether one of two different words is what the other begins with: only then what follows them decides.
  private static func isBeginning(_ a: UInt64, of b: UInt64) -> Bool {
    var (shorter, longer) = (min(a, b), max(a, b))
    while shorter % symbols == 0, shorter > 0 {
      shorter /= symbols
      longer /= symbols
    }
    return shorter == longer || shorter == 0
  }

  /// By the bytes of the text, as unsigned numbers.
  func precedes(_ other: Letters, in table: NameTable) -> Bool {
    let (own, others) = (form, other.form)
    let isInOrder =
      if own != others {
        max(own, others) <= 15
      } else {
        switch own {
        case Self.listed, Self.shortened: false
        case Self.numbered: high >> 8 == other.high >> 8
        case Self.counted:
          high == other.high
            ? decimalCount == other.decimalCount : !Self.isBeginning(high, of: other.high)
        default: true
        }
      }
    if isInOrder {
      return (high, low) < (other.high, other.low)
    }
    return withBytes(in: table) { bytes in
      other.withBytes(in: table) { bytes.lexicographicallyPrecedes($0) }
    }
  }
}

/// A random UUID as text: 32 hexadecimal digits of one case, in five groups.
enum UUIDText {
  static let length = 36

  /// `nil` for anything but a version 4 UUID in one case; one without letters counts as lower case.
  static func read(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (high: UInt64, low: UInt64, isUpperCase: Bool)? {
    guard bytes.count == length, bytes[8] == hyphen, bytes[13] == hyphen, bytes[18] == hyphen,
      bytes[23] == hyphen
    else { return nil }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    var (hasLower, hasUpper) = (false, false)
    for place in 0..<length where !isHyphen(place) {
      let byte = bytes[place]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"):
        digit = byte - UInt8(ascii: "a") + 10
        hasLower = true
      case UInt8(ascii: "A")...UInt8(ascii: "F"):
        digit = byte - UInt8(ascii: "A") + 10
        hasUpper = true
      default: return nil
      }
      if place < 18 {
        words.high = words.high << 4 | UInt64(digit)
      } else {
        words.low = words.low << 4 | UInt64(digit)
      }
    }
    guard !(hasLower && hasUpper), words.high & 0xF000 == 0x4000, words.low >> 62 == 2 else {
      return nil
    }
    return (words.high, words.low, hasUpper)
  }

  static func write(
    _ high: UInt64, _ low: UInt64, isUpperCase: Bool,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) {
    let raw = UnsafeMutableRawBufferPointer(buffer)
    func put(_ digits: UInt64, _ place: Int) {
      raw.storeBytes(of: digits, toByteOffset: place, as: UInt64.self)
    }
    // From front to back: what is too long in front is written over.
    let middle = digits(UInt32(truncatingIfNeeded: high), isUpperCase)
    let next = digits(UInt32(truncatingIfNeeded: low >> 32), isUpperCase)
    put(digits(UInt32(truncatingIfNeeded: high >> 32), isUpperCase), 0)
    put(middle, 9)
    put(middle >> 32, 14)
    put(next, 19)
    put(next >> 32, 24)
    put(digits(UInt32(truncatingIfNeeded: low), isUpperCase), 28)
    (buffer[8], buffer[13], buffer[18], buffer[23]) = (hyphen, hyphen, hyphen, hyphen)
  }

  /// Sixteen hexadecimal digits in lower case.
  static func write(_ word: UInt64, into buffer: UnsafeMutableBufferPointer<UInt8>) {
    let raw = UnsafeMutableRawBufferPointer(buffer)
    raw.storeBytes(
      of: digits(UInt32(truncatingIfNeeded: word >> 32), false), toByteOffset: 0, as: UInt64.self)
    raw.storeBytes(
      of: digits(UInt32(truncatingIfNeeded: word), false), toByteOffset: 8, as: UInt64.self)
  }

  static func lowerDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Eight hexadecimal digits as their characters, the first in the lowest byte.
  private static func digits(_ word: UInt32, _ isUpperCase: Bool) -> UInt64 {
    var nibbles = UInt64(word)
    nibbles = (nibbles << 16 | nibbles) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles << 8 | nibbles) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles << 4 | nibbles) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    let characters = nibbles &+ 0x3030_3030_3030_3030 &+ letters &* (isUpperCase ? 7 : 39)
    return characters.byteSwapped.littleEndian
  }

  private static let hyphen = UInt8(ascii: "-")
  private static func isHyphen(_ place: Int) -> Bool {
    place == 8 || place == 13 || place == 18 || place == 23
  }
}
