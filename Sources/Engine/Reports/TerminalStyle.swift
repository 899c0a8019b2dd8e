import Verdicts

/// Lays text out in columns of a terminal.
struct TerminalStyle {
  enum Tone: String {
    case good = "32"
    case bad = "31"
    case doubtful = "33"
    case quiet = "2"
    case strong = "1"
  }

  let width: Int
  let colour: Bool

  static func mark(_ verdict: Verdict) -> String {
    switch verdict {
    case .pass: "✓"
    case .fail: "✗"
    case .inconclusive: "?"
    case .notExercised: "–"
    }
  }

  static func tone(_ verdict: Verdict) -> Tone {
    switch verdict {
    case .pass: .good
    case .fail: .bad
    case .inconclusive: .doubtful
    case .notExercised: .quiet
    }
  }

  func paint(_ text: String, _ tone: Tone) -> String {
    colour ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// At most so many columns, with an ellipsis where something is missing.
  func cut(_ text: String, to columns: Int) -> String {
    guard Self.columns(of: text) > columns else { return text }
    var result = ""
    var used = 0
    for character in text {
      let next = Self.columns(of: character)
      guard used + next < columns else { break }
      result.append(character)
      used += next
    }
    return result + "…"
  }

  /// Left-aligned text and right-aligned text in one line.
  func spread(_ left: String, _ right: String, over columns: Int) -> String {
    let gap = columns - Self.columns(of: left) - Self.columns(of: right)
    return left + String(repeating: " ", count: max(1, gap)) + right
  }

  /// A line with a mark, a label and figures; figures that leave a label too little room go below it.
  ///
  /// - Parameter isWhole: Whether the label may not be cut.
  func row(_ mark: String, _ label: String, _ figures: String, isWhole: Bool = false) -> [String] {
    let room = width - 5 - Self.columns(of: figures)
    if Self.columns(of: label) <= room || (!isWhole && room >= 20) {
      return ["  \(mark) " + spread(cut(label, to: room), figures, over: width - 4)]
    }
    let bare = String(figures.drop { $0 == " " })
    let labels = isWhole ? wrap(label, indent: 4) : ["    " + cut(label, to: width - 4)]
    return ["  \(mark) " + labels[0].dropFirst(4)] + labels.dropFirst()
      + (bare.isEmpty ? [] : [pad(cut(bare, to: width - 4), to: width)])
  }

  /// Right-aligned.
  func pad(_ text: String, to columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - Self.columns(of: text))) + text
  }

  /// Lines broken at spaces, each after so many blanks; a word that no line holds is cut.
  func wrap(_ text: String, indent: Int = 0) -> [String] {
    let room = max(1, width - indent)
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, Self.columns(of: line) + 1 + Self.columns(of: String(word)) > room {
        lines.append(margin + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + cut(String(word), to: room)
    }
    return lines + [margin + line]
  }

  /// Rows that lines take, long commands wrapped by the terminal included; colours take none.
  func rows(of lines: [String]) -> Int {
    lines.reduce(0) { sum, line in
      let bare = line.replacing(/\u{1B}\[[0-9]+m/, with: "")
      return sum + max(1, (Self.columns(of: bare) + width - 1) / width)
    }
  }

  static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

  /// Two for wide East Asian characters and emoji, as terminals draw them; an estimate, since they differ.
  static func columns(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    let properties = first.properties
    if properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}
