import Foundation

/// Words as text search compares them: without case and diacritics (§3.2).
enum Words {
  /// Runs of letters and digits, folded without regard to any locale.
  static func of(_ text: String) -> Set<String> {
    let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    return Set(
      folded.split { !$0.isLetter && !$0.isNumber }.map(String.init))
  }
}
