import Contracts
import Scenarios

/// A file's bytes, and what has to be known of them before a YAML parser may see them.
///
/// The parser expands aliases and descends into nested collections; both are cheap to write and dear to read
/// (nine lines of aliases make a billion nodes), so they are looked for in the text itself.
struct RawText {
  let bytes: [UInt8]
  let file: String

  init(_ bytes: [UInt8], file: String) {
    // A byte order mark says nothing in UTF-8 and would stand in the first key's way.
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    self.file = file
  }

  func checked() throws(ScenarioErrors) -> String {
    guard bytes.count <= ScenarioFile.mostBytes else {
      throw ScenarioErrors(
        file: file, "it is larger than \(ScenarioFile.mostBytes) bytes",
        "give a scenario, not a recording")
    }
    let text = try Self.text(of: bytes, file: file, wanted: "a YAML file")
    try refuseControlCharacters()
    try refuseDepth()
    try refuseAliases()
    return text
  }

  /// The text that bytes are in UTF-8; what else they look like is named.
  ///
  /// - Parameter wanted: What belongs in place of what is no text.
  static func text(of bytes: [UInt8], file: String, wanted: String) throws(ScenarioErrors) -> String
  {
    // A mark at the beginning, or a zero in every character that Latin has.
    let start = bytes.prefix(4_096)
    let zeros = start.count { $0 == 0 }
    let isHalfZeros = zeros * 3 > start.count && zeros * 3 < start.count * 2
    if isHalfZeros || [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(start.prefix(2))) {
      throw ScenarioErrors(
        file: file, "it is not UTF-8 but looks like UTF-16", "save it as UTF-8")
    }
    guard !bytes.contains(0) else {
      throw ScenarioErrors(file: file, "it is binary, not text", "give \(wanted)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ScenarioErrors(file: file, "it is not UTF-8", "save it as UTF-8")
    }
    return text
  }

  private func refuseControlCharacters() throws(ScenarioErrors) {
    let allowed: [UInt8] = [9, 10, 13]
    let found = bytes.firstIndex { ($0 < 32 && !allowed.contains($0)) || $0 == 127 }
    guard let found else { return }
    let code = String(bytes[found], radix: 16, uppercase: true)
    throw ScenarioErrors(
      file: file, at: location(of: found), "there is a control character, \\u{\(code)}",
      "remove it, or write it as \\x\(code.count < 2 ? "0" : "")\(code) in double quotes")
  }

  // MARK: - Depth

  /// Counts brackets that are open at once, so that 20,000 of them are refused where they stand.
  ///
  /// It knows comments and quotes of one line, and that a key at the left margin ends all brackets; where it counts
  /// too few, the parser's own bound of 1,000 levels and the exact count in the finished tree remain.
  private func refuseDepth() throws(ScenarioErrors) {
    var depth = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let atLineStart = index == 0 || isBreak(bytes[index - 1])
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        guard depth <= ScenarioFile.deepest else {
          throw YAMLTree.tooDeep(file: file, at: location(of: index))
        }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): index = endOfQuote(from: index)
      case UInt8(ascii: "#") where atLineStart || isBlank(bytes[index - 1]):
        index = endOfLine(from: index)
      default: if atLineStart, isAlphanumeric(byte) { depth = 0 }
      }
      index += 1
    }
  }

  /// The closing quote in the same line, or the opening one when there is none.
  private func endOfQuote(from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count, !isBreak(bytes[index]) {
      if bytes[index] == bytes[start] { return index }
      // What a backslash escapes between double quotes ends nothing.
      index += bytes[start] == UInt8(ascii: "\"") && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return start
  }

  private func endOfLine(from start: Int) -> Int {
    bytes[start...].firstIndex(where: isBreak) ?? bytes.count
  }

  // MARK: - Aliases

  /// Refuses `*name` behind `&name`, wherever they stand.
  ///
  /// An alias without its anchor is an error of the parser's and expands nothing. So this need not know where
  /// quotes and comments begin, and cannot be misled about it; anchors alone are refused in the finished tree.
  private func refuseAliases() throws(ScenarioErrors) {
    var anchors: Set<ArraySlice<UInt8>> = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "&") || byte == UInt8(ascii: "*"),
        index < 2 || !isAlphanumeric(bytes[index - 2])
      else { continue }
      let start = index
      while index < bytes.count, isAlphanumeric(bytes[index]) || [45, 95].contains(bytes[index]) {
        index += 1
      }
      let name = bytes[start..<index]
      guard !name.isEmpty else { continue }
      if byte == UInt8(ascii: "&") {
        anchors.insert(name)
      } else if anchors.contains(name) {
        throw YAMLTree.alias(
          String(decoding: name, as: UTF8.self), file: file, at: location(of: start - 1))
      }
    }
  }

  // MARK: - Places

  /// Line and column of a byte; columns count Unicode scalars.
  private func location(of offset: Int) -> SourceLocation {
    var line = 1
    var column = 1
    for index in 0..<offset {
      let byte = bytes[index]
      let isPair = byte == 13 && index + 1 < bytes.count && bytes[index + 1] == 10
      if isBreak(byte), !isPair {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return SourceLocation(line: line, column: column)
  }

  private func isBreak(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }
  private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

  private func isAlphanumeric(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }
}
