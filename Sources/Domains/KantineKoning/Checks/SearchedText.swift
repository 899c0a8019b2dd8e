/// A text that searches look through or for. Where both are plain ASCII their bytes are compared: by characters it takes thirty times as
/// long.
struct SearchedText {
  let text: String
  private let isPlain: Bool

  /// As it is written.
  init(_ text: String) {
    self.text = text
    isPlain = Self.isPlain(text)
  }

  /// In lower case.
  init(folding text: String) { self.init(text.lowercased()) }

  /// A line feed after a carriage return is one character with it.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D }
  }

  func contains(_ needle: SearchedText) -> Bool {
    guard isPlain, needle.isPlain else { return text.contains(needle.text) }
    let found = text.utf8.withContiguousStorageIfAvailable { text in
      needle.text.utf8.withContiguousStorageIfAvailable { needle in
        guard needle.count <= text.count else { return false }
        return (0...(text.count - needle.count)).contains { start in
          needle.indices.allSatisfy { text[start + $0] == needle[$0] }
        }
      }
    }
    return (found ?? nil) ?? text.contains(needle.text)
  }

  /// Whether numbers in codes rise as numbers: a shorter run of digits in the same place comes first.
  static func isInOrder(_ codes: [String]) -> Bool {
    guard codes.allSatisfy(isPlain) else { return isInOrder(codes.map { Array($0) }, \.isNumber) }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return isInOrder(codes.map { Array($0.utf8) }) { digits.contains($0) }
  }

  private static func isInOrder<Letter: Comparable>(
    _ codes: [[Letter]], _ isDigit: (Letter) -> Bool
  ) -> Bool {
    zip(codes, codes.dropFirst()).allSatisfy { a, b in
      guard let place = zip(a, b).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
        return a.count < b.count
      }
      func run(_ text: [Letter]) -> Int {
        var start = place
        while start > 0, isDigit(text[start - 1]) { start -= 1 }
        return text[start...].prefix(while: isDigit).count
      }
      let (first, second) = (run(a), run(b))
      return first != second && first > 0 && second > 0 ? first < second : a[place] < b[place]
    }
  }
}
