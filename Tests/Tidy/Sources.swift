import Foundation

/// The project's own sources, read as text: what the compiler lets through is looked for here.
struct SourceFile: Sendable {
  /// Relative to the project's root: `Sources/Engine/…`.
  let path: String
  let lines: [String]

  var text: String { lines.joined(separator: "\n") }

  /// The lines without comments and without what stands in string literals, for searches in code.
  var code: [String] {
    lines.map { line in
      var code = ""
      var isText = false
      var previous: Character = " "
      for character in line {
        if character == "\"", previous != "\\" { isText.toggle() }
        if !isText, character == "/", previous == "/" {
          code.removeLast()
          break
        }
        if !isText { code.append(character) }
        previous = character
      }
      return code
    }
  }

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The names of the folders in a folder, sorted.
  static func folders(in folder: String) -> [String] {
    let base = root.appendingPathComponent(folder)
    let found = try? FileManager.default.contentsOfDirectory(
      at: base, includingPropertiesForKeys: [.isDirectoryKey])
    return (found ?? []).filter { $0.hasDirectoryPath }.map(\.lastPathComponent).sorted()
  }

  /// All Swift files below a folder, sorted by path.
  static func all(below folder: String) -> [SourceFile] {
    let base = root.appendingPathComponent(folder)
    let found =
      FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return found.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let text = (try? String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)) ?? ""
      return SourceFile(
        path: folder + "/" + name, lines: text.components(separatedBy: "\n"))
    }
  }

  /// `path:line` of every line of code that matches.
  func places(_ matches: (String) -> Bool) -> [String] {
    code.enumerated().filter { matches($0.element) }.map { "\(path):\($0.offset + 1)" }
  }
}
