import Contracts
import Scenarios

/// The values of the environment that a scenario names: `${NAME}`, `${NAME:-default}`; `$${NAME}` stays as it is, as does what belongs to a
/// person of a foreign server (`${row.NAME}`, `${caller.NAME}`, `${env.NAME}`, `${token}`).
///
/// They are filled into finished scalars, so that a value never becomes a list, a key or a comment. For that, an expression goes
/// through the YAML parser in characters that mean nothing to it, one for each of its own, so that columns stay right.
struct Variables {
  private let environment: [String: String]
  private let file: String
  private let isMasked: Bool
  /// The file's text as it is written, and as the parser gets it.
  private let written: String
  let text: String
  /// Those of the text, as they are written.
  private let expressions: Set<String>
  /// The values of the expressions that stand in scalars.
  private var used: [String: String] = [:]
  private var bytes = 0

  private static let mask: UInt32 = 0xE000
  private static let masked: ClosedRange<UInt32> = 0xE000...0xE07F

  init(
    _ text: String, environment: [String: String], file: String
  ) throws(ScenarioErrors) {
    self.environment = environment
    self.file = file
    written = text
    guard text.contains("${") else {
      (self.text, isMasked, expressions) = (text, false, [])
      return
    }
    guard !text.unicodeScalars.contains(where: { Self.masked.contains($0.value) }) else {
      throw ScenarioErrors(
        file: file, "it names variables and holds characters from U+E000 to U+E07F",
        "remove those characters")
    }
    var masked = String.UnicodeScalarView()
    let parts = Self.parts(of: text)
    for part in parts {
      masked.append(
        contentsOf: part.isExpression
          ? String.UnicodeScalarView(
            part.text.unicodeScalars.map {
              $0.value < 0x80 ? Unicode.Scalar(Self.mask + $0.value)! : $0
            }) : String.UnicodeScalarView(part.text.unicodeScalars))
    }
    (self.text, isMasked) = (String(masked), true)
    expressions = Set(parts.lazy.filter(\.isExpression).map(\.text))
  }

  // MARK: - Filling in

  /// A scalar's text with its variables filled in.
  mutating func filled(_ scalar: String, at location: SourceLocation) throws(ScenarioErrors)
    -> String
  {
    guard isMasked else { return scalar }
    var result = ""
    for part in parts(ofScalar: scalar) {
      guard part.isExpression else {
        result += part.text
        continue
      }
      guard !part.text.hasPrefix("$$") else {
        result += part.text.dropFirst()
        continue
      }
      let value = try value(of: part.text, at: location)
      used[part.text] = value
      result += value
    }
    bytes += result.utf8.count
    guard bytes <= ScenarioFile.mostBytes else {
      throw ScenarioErrors(
        file: file, at: location,
        "with its variables filled in it is larger than \(ScenarioFile.mostBytes) bytes",
        "give shorter values")
    }
    return result
  }

  /// Keys are never variable.
  func problems(inKey text: String, at location: SourceLocation) -> [ScenarioProblem] {
    let plain = Self.unmasked(text)
    guard isMasked, plain != text else { return [] }
    return [
      ScenarioProblem(
        file: file, at: location, "the key '\(printable(plain))' holds a variable",
        "write the key itself; variables stand in values alone")
    ]
  }

  /// The file's text as it takes effect, for its digest.
  var effective: String {
    guard !used.isEmpty else { return written }
    return Self.parts(of: written).map { $0.isExpression ? used[$0.text] ?? $0.text : $0.text }
      .joined()
  }

  /// The variables that a text names, wherever that is.
  static func names(in text: String) -> Set<String> {
    Set(
      parts(of: text).filter { $0.isExpression && !$0.text.hasPrefix("$$") }.map { part in
        String(part.text.dropFirst(2).prefix { isNamed($0) })
      })
  }

  private static func isNamed(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_")
  }

  private func value(
    of expression: String, at location: SourceLocation
  ) throws(ScenarioErrors) -> String {
    let inner = expression.dropFirst(2).dropLast()
    // Filled in for each person, or when the run needs it, and never part of the scenario's text.
    let places = ["row.", "env.", "caller."]
    if inner == "token" || places.contains(where: inner.hasPrefix) { return expression }
    let name = inner.prefix(while: Self.isNamed)
    let rest = inner[name.endIndex...]
    guard let first = name.first, !first.isNumber, rest.isEmpty || rest.hasPrefix(":-") else {
      throw ScenarioErrors(
        file: file, at: location, "'\(printable(expression))' is not a variable",
        "write ${NAME} or ${NAME:-default}, or $${…} for the text itself")
    }
    let found = environment[String(name)]
    if rest.isEmpty {
      guard let found else {
        throw ScenarioErrors(
          file: file, at: location, "the environment variable '\(printable(name))' is not set",
          "set it, or write ${\(printable(name)):-default}")
      }
      return found
    }
    guard let found, !found.isEmpty else { return String(rest.dropFirst(2)) }
    return found
  }

  // MARK: - Expressions

  /// Text cut into expressions, `$${…}` among them, and what lies between; an expression ends in its line.
  private static func parts(of text: String) -> [(text: String, isExpression: Bool)] {
    var parts: [(text: String, isExpression: Bool)] = []
    let scalars = text.unicodeScalars
    var plain = scalars.startIndex
    var index = scalars.startIndex
    while let start = scalars[index...].firstIndex(of: "$") {
      index = start
      var brace = scalars.index(after: start)
      if brace < scalars.endIndex, scalars[brace] == "$" { brace = scalars.index(after: brace) }
      guard brace < scalars.endIndex, scalars[brace] == "{",
        let end = scalars[brace...].firstIndex(where: { ["}", "\n", "\r"].contains($0) }),
        scalars[end] == "}"
      else {
        index = scalars.index(after: start)
        continue
      }
      if plain < start { parts.append((String(scalars[plain..<start]), false)) }
      index = scalars.index(after: end)
      parts.append((String(scalars[start..<index]), true))
      plain = index
    }
    if plain < scalars.endIndex { parts.append((String(scalars[plain...]), false)) }
    return parts
  }

  /// A finished scalar cut into the text's expressions, and what lies between: what only the parser made look like one is none.
  private func parts(ofScalar scalar: String) -> [(text: String, isExpression: Bool)] {
    var parts: [(text: String, isExpression: Bool)] = []
    let scalars = scalar.unicodeScalars
    let (dollar, brace) = (Self.mask + 0x24, Self.mask + 0x7D)
    var plain = scalars.startIndex
    var index = scalars.startIndex
    while let start = scalars[index...].firstIndex(where: { $0.value == dollar }),
      let end = scalars[start...].firstIndex(where: { $0.value == brace })
    {
      let next = scalars.index(after: end)
      let expression = Self.unmasked(String(scalars[start..<next]))
      guard expressions.contains(expression) else {
        index = scalars.index(after: start)
        continue
      }
      if plain < start { parts.append((String(scalars[plain..<start]), false)) }
      parts.append((expression, true))
      (plain, index) = (next, next)
    }
    if plain < scalars.endIndex { parts.append((String(scalars[plain...]), false)) }
    return parts
  }

  private static func unmasked(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          masked.contains($0.value) ? Unicode.Scalar($0.value - mask)! : $0
        }))
  }
}
