/// Text turned into harmless HTML with a little structure; templates insert it as it is.
enum Markup {
  /// What stands between backticks, as rules quote names, becomes code. A backtick without a partner stays one.
  static func prose(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count > 1, parts.count % 2 == 1 else { return Escaping.markup(text) }
    return parts.enumerated().map { index, part in
      let safe = Escaping.markup(String(part))
      return index % 2 == 1 && !safe.isEmpty ? "<code>" + safe + "</code>" : safe
    }.joined()
  }

  /// A sentence that begins with a title in quotes, with the title in bold.
  static func titled(_ text: String) -> String {
    guard text.hasPrefix("“"), let end = text.firstIndex(of: "”") else {
      return Escaping.markup(text)
    }
    let title = text[text.index(after: text.startIndex)..<end]
    let rest = text[text.index(after: end)...]
    return "<strong>" + Escaping.markup(String(title)) + "</strong>"
      + Escaping.markup(String(rest))
  }

  /// A command whose words break as a whole, so that no line ends inside an option.
  static func command(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map {
      "<span>" + Escaping.markup(String($0)) + "</span>"
    }.joined(separator: " ")
  }
}
