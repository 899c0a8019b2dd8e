import Foundation
import KantineKoningContract

/// Whether a text can be the name of something: at least one character, and at most so many.
func isName(_ text: String, most: Int) -> Bool {
  !text.isEmpty && TextLength.fits(text, most: most)
}

/// Text without white space at either end.
func trimmed(_ text: String) -> String {
  let scalars = text.unicodeScalars
  guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
    let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
  else { return "" }
  if first == scalars.startIndex, scalars.index(after: last) == scalars.endIndex { return text }
  return String(text.unicodeScalars[first...last])
}

/// Unicode normalisation form C; ASCII is its own.
func composed(_ text: String) -> String {
  text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
}

/// Text as the searches compare it: composed, lower case, as bytes.
func foldedForSearch(_ text: String) -> [UInt8] {
  Array(composed(text.lowercased()).utf8)
}

/// Whether bytes occur inside others; nothing occurs everywhere.
func occurs(_ needle: [UInt8], in haystack: [UInt8]) -> Bool {
  guard needle.count <= haystack.count else { return false }
  for start in 0...(haystack.count - needle.count) {
    var length = 0
    while length < needle.count, haystack[start + length] == needle[length] { length += 1 }
    if length == needle.count { return true }
  }
  return false
}

/// Natural order of codes: runs of digits compare as numbers, so that `JO9-1` comes before `JO11-1`.
func naturallyPrecedes(_ a: TeamName, _ b: TeamName) -> Bool {
  let left = Array(a.text.utf8)
  let right = Array(b.text.utf8)
  var i = 0
  var j = 0
  while i < left.count, j < right.count {
    if isDigit(left[i]), isDigit(right[j]) {
      let x = digits(left, from: &i)
      let y = digits(right, from: &j)
      if x.count != y.count { return x.count < y.count }
      for (p, q) in zip(x, y) where p != q { return p < q }
    } else {
      if left[i] != right[j] { return left[i] < right[j] }
      i += 1
      j += 1
    }
  }
  if left.count - i != right.count - j { return left.count - i < right.count - j }
  return a < b
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// A run of digits without its leading zeros.
private func digits(_ bytes: [UInt8], from index: inout Int) -> ArraySlice<UInt8> {
  let start = index
  while index < bytes.count, isDigit(bytes[index]) { index += 1 }
  return bytes[start..<index].drop { $0 == UInt8(ascii: "0") }
}

/// An address as it is stored and compared: trimmed, lower case (§2.3).
func normalisedAddress(_ text: String) -> String { trimmed(text).lowercased() }

/// Whether a normalised address is `local@domain.tld` as §2.3 wants it.
func isAddress(_ text: String) -> Bool {
  let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
  guard parts.count == 2, text.utf8.count <= 254, !parts[0].isEmpty else { return false }
  guard parts[0].allSatisfy({ isLetterOrDigit($0) || "._%+-".utf8.contains($0) }) else {
    return false
  }
  let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  guard labels.count >= 2, let top = labels.last, (2...64).contains(top.count) else { return false }
  return top.allSatisfy(isLetter)
    && labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
    }
}

private func isLetter(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }
