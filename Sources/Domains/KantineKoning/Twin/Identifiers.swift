import Timekeeping

extension RandomStream {
  /// A version 4 UUID in lower case (RFC 4122 §4.4).
  mutating func uuid() -> String {
    var high = next()
    var low = next()
    high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return String(unsafeUninitializedCapacity: 36) { buffer in
      var position = 0
      for nibble in 0..<32 {
        if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
          buffer[position] = UInt8(ascii: "-")
          position += 1
        }
        let word = nibble < 16 ? high : low
        let value = UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(nibble & 15))) & 15
        buffer[position] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        position += 1
      }
      return position
    }
  }
}
