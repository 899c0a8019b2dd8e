import Timekeeping

extension RandomStream {
  /// A random identifier in the form of an RFC 4122 version 4 UUID, lower case.
  mutating func uuid() -> String {
    let high = next() & 0xffff_ffff_ffff_0fff | 0x4000
    let low = next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, digit) in digits.enumerated() {
      if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func hexadecimal(_ word: UInt64) -> [UInt8] {
    (0..<16).map { index in
      let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * index)) & 0xf
      return nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
  }

  /// Different elements in drawn order, at most as many as there are.
  mutating func sample<Element>(_ count: Int, of choices: [Element]) -> [Element] {
    var rest = choices
    var taken: [Element] = []
    while taken.count < count, !rest.isEmpty { taken.append(rest.remove(at: pick(0..<rest.count))) }
    return taken
  }
}
