import Contracts

/// A club's key as §2 defines the type: `^[a-z0-9][a-z0-9-]{0,62}$`.
public func isSlug(_ name: Slug) -> Bool {
  let text = name.text
  func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
  guard (1...63).contains(text.utf8.count), let first = text.utf8.first else { return false }
  return isLetterOrDigit(first)
    && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
}

/// How long a text is that people read: in characters as they count them (§2.7), none of them longer than any
/// that is in use.
///
/// A character may have any number of marks, so characters alone bound nothing.
public enum TextLength {
  /// The longest character that Unicode recommends for interchange, two people with skin tones who kiss, has 35 bytes.
  /// - Source: Unicode 16, `emoji-zwj-sequences.txt`.
  public static let bytesPerCharacter = 40

  /// Whether a text has at most that many characters, in at most as many bytes as they may take.
  /// - Complexity: O(1) for short texts, which need no counting, and for those with too many bytes; else O(characters).
  public static func fits(_ text: String, most: Int) -> Bool {
    let bytes = text.utf8.count
    return bytes <= most || (bytes <= most * bytesPerCharacter && text.count <= most)
  }

  /// Whether anything of a text can be seen: not white space, not a control or format character, nothing that Unicode
  /// says to ignore, and not the braille cell without dots, which is drawn as a space.
  public static func isVisible(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      if scalar.isASCII { return scalar.value > 0x20 && scalar.value < 0x7F }
      let properties = scalar.properties
      guard !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint, scalar != "\u{2800}"
      else { return false }
      return properties.generalCategory != .control && properties.generalCategory != .format
    }
  }
}
