extension String {
  /// With a text in place of each occurrence of a part, by their scalars. To Swift a quote before a combining mark is no quote but half of
  /// another character; whoever reads the bytes sees a quote.
  public func replacing(scalars part: String, with text: String) -> String {
    String(unicodeScalars.replacing(part.unicodeScalars, with: text.unicodeScalars))
  }

  /// Whether every character is one of ASCII that leaves ink, or a space: nearly every text is, and needs no longer look.
  public var isPrintableASCII: Bool {
    utf8.withContiguousStorageIfAvailable(Self.isPrintable)
      ?? utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  /// Eight bytes at a time.
  fileprivate static func isPrintable(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var place = 0
    while place + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      // The highest bit of a byte is set where it was, where the byte is below a space, or where it is DEL.
      let strange = word | (word &- 0x2020_2020_2020_2020) | (word &+ 0x0101_0101_0101_0101)
      if strange & 0x8080_8080_8080_8080 != 0 { return false }
      place += 8
    }
    return raw[place...].allSatisfy { (0x20..<0x7F).contains($0) }
  }
}

extension Name {
  /// As of its text.
  public var isPrintableASCII: Bool { withUTF8(String.isPrintable) }
}
