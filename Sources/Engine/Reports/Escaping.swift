/// Makes text from outside harmless for the place where it is shown.
///
/// Scenario titles, names of people and a backend's words are not ours: each writer of this target passes them through
/// here. The work is done scalar by scalar, because a grapheme such as `<` with a combining mark is another character
/// to Swift and still opens a tag to a browser.
public enum Escaping {
  /// Text on one line with every control, direction and invisible character made visible.
  ///
  /// - Parameter limit: Scalars to keep, about; what is cut off is counted in the text.
  public static func visible(_ text: String, limit: Int = 1_000) -> String {
    var result = ""
    var kept = 0
    let count = text.unicodeScalars.count
    // Nothing is cut that is hardly longer than the note about it.
    let end = count > limit + 30 ? limit : count
    for scalar in text.unicodeScalars {
      guard kept < end else { return result + Texts.english.cut(count - kept) }
      append(scalar, to: &result)
      kept += 1
    }
    return result
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar.value {
    case 0..<0x20: text.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
    case 0x7F: text.unicodeScalars.append("\u{2421}")
    default:
      if isHidden(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "⟨U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "⟩"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Whether a scalar changes how other text is shown, or shows nothing itself, or is no character at all.
  static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return false }
    return switch scalar.value {
    case 0x80..<0xA0, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFDD0...0xFDEF, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }

  /// For text and quoted attributes of HTML and XML.
  public static func markup(_ text: String) -> String {
    var result = ""
    for scalar in visible(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// For running text and table cells of GitHub's Markdown: no emphasis, link, mention, tag or cell can begin.
  public static func markdown(_ text: String) -> String {
    var result = ""
    var last: Unicode.Scalar = " "
    for scalar in visible(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "@": result += "&#64;"
      case "/" where last == ":": result += "&#47;"
      case "." where last == "w" || last == "W": result += "&#46;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "!", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
      last = scalar
    }
    return result
  }

  /// A code span of Markdown; its fence is longer than any run of backticks inside.
  public static func markdownCode(_ text: String) -> String {
    let shown = visible(text)
    var longest = 0
    var run = 0
    for scalar in shown.unicodeScalars {
      run = scalar == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let ends = [shown.unicodeScalars.first ?? "`", shown.unicodeScalars.last ?? "`"]
    let pad = ends.contains("`") ? " " : ""
    return fence + pad + shown + pad + fence
  }

  /// For JSON that `Contracts.JSON` has written: what a terminal would obey or hide becomes an escape.
  static func json(_ written: String) -> String {
    guard written.unicodeScalars.contains(where: isHidden) else { return written }
    var result = ""
    for scalar in written.unicodeScalars {
      guard isHidden(scalar) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result
  }

  /// A word of a shell command that means itself.
  public static func shell(_ word: String) -> String {
    let plain = word.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", "+", ",", ":", "=": true
      default: false
      }
    }
    guard word.isEmpty || !plain else { return word }
    return "'" + word.replacing(scalars: "'", with: "'\\''") + "'"
  }

  /// A file's name made of letters, digits, `.`, `_` and `-`, not hidden and at most 80 long.
  public static func fileName(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(80) {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-": result.unicodeScalars.append(scalar)
      case "." where !result.isEmpty: result += "."
      default: result += "_"
      }
    }
    return result.isEmpty ? "_" : result
  }
}
