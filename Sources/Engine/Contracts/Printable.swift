/// Foreign text as a message may show it: on one line, of bounded length, without anything that moves a terminal's
/// cursor, turns the direction of writing or hides.
///
/// Control, format, private and unassigned characters and line separators appear as `\u{…}`; what is beyond the
/// limit is replaced by `…`.
///
/// - Parameter limit: The most Unicode scalars of the text that are shown; a scalar, not a character, because one
///   character can hold thousands of combining marks.
/// - Complexity: O(limit), however long the text is.
public func printable(_ text: some StringProtocol, limit: Int = 60) -> String {
  var shown = ""
  var count = 0
  for scalar in text.unicodeScalars {
    guard count < limit else { return shown + "…" }
    count += 1
    switch scalar {
    case "\n": shown += "\\n"
    case "\r": shown += "\\r"
    case "\t": shown += "\\t"
    default:
      if isPlain(scalar) {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
  }
  return shown
}

/// Whether a character shows as itself wherever it is printed.
private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
  switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
    return false
  default: return true
  }
}
