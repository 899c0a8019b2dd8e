import Contracts
import Foundation
import Scenarios

/// A file with a row for each person: CSV (RFC 4180, the first line names the columns) or a JSON list of objects.
///
/// What it holds may be secret: messages name places and columns, never values.
public struct Feeder: Sendable {
  public static let mostBytes = 64 << 20

  public let file: String
  public let rows: [[String: String]]

  /// - Parameters:
  ///   - columns: Those that are needed.
  ///   - key: The column by which rows are found, in which no value stands twice; `nil` where rows are found by their place. A
  ///     row in which it is empty is found by nothing.
  /// - Throws: What is wrong, with file and line.
  public init(_ path: String, columns: [String], key: String? = nil) throws(ScenarioErrors) {
    let (bytes, file) = (try Self.bytes(of: path), path)
    self.file = file
    let text = try RawText.text(of: bytes, file: file, wanted: "a CSV or JSON file")
    let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
    let places: [SourceLocation?]
    (rows, places) =
      first == "[" || file.lowercased().hasSuffix(".json")
      ? try Self.json(bytes, file, columns) : try Self.csv(text, file, columns)
    guard !rows.isEmpty else {
      throw ScenarioErrors(file: file, "it has no rows", "give one for each person")
    }
    if let key { try demandOnce(key, places) }
  }

  /// A row that is found by a value is the only one that has it.
  private func demandOnce(
    _ key: String, _ places: [SourceLocation?]
  ) throws(ScenarioErrors) {
    var known: [String: Int] = [:]
    for (index, row) in rows.enumerated() {
      guard let value = row[key], !value.isEmpty,
        let earlier = known.updateValue(index, forKey: value)
      else { continue }
      let before = places[earlier].map { "line \($0.line)" } ?? "item \(earlier + 1)"
      let item = places[index] == nil ? "item \(index + 1): " : ""
      throw ScenarioErrors(
        file: file, at: places[index],
        "\(item)'\(printable(key))' is the same as in \(before)",
        "give each row another, since rows are found by it")
    }
  }

  private static func bytes(of path: String) throws(ScenarioErrors) -> [UInt8] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw ScenarioErrors(
        file: path, "there is no such file",
        "give the path of a CSV or JSON file, from the scenario's folder")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ScenarioErrors(file: path, "it is not a file", "give a CSV or JSON file")
    }
    guard status.st_size <= mostBytes else {
      throw ScenarioErrors(
        file: path, "it is larger than \(mostBytes >> 20) MB", "give fewer rows")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ScenarioErrors(file: path, "it cannot be read", "check its permissions")
    }
    return Array(data)
  }

  private static func demand(
    _ columns: [String], among found: [String], _ file: String, line: Int
  ) throws(ScenarioErrors) {
    let location = SourceLocation(line: line, column: 1)
    for (index, name) in found.enumerated() where found[..<index].contains(name) {
      throw ScenarioErrors(
        file: file, at: location, "two columns are called '\(printable(name))'",
        "give one of them another name")
    }
    let missing = columns.filter { !found.contains($0) }
    guard missing.isEmpty else {
      let names = missing.map { "'\(printable($0))'" }.joined(separator: ", ")
      throw ScenarioErrors(
        file: file, at: location,
        "there is no column \(names); there are \(found.prefix(20).map { printable($0) }.joined(separator: ", "))",
        "add it, or name another in the scenario")
    }
  }

  // MARK: - JSON

  private static func json(
    _ bytes: [UInt8], _ file: String, _ columns: [String]
  ) throws(ScenarioErrors) -> (rows: [[String: String]], places: [SourceLocation?]) {
    guard let list = JSON(parsing: bytes)?.array else {
      throw ScenarioErrors(file: file, "it is no JSON list", "give [{\"COLUMN\": \"value\"}, …]")
    }
    var rows: [[String: String]] = []
    for (index, item) in list.enumerated() {
      var row: [String: String] = [:]
      for (name, value) in item.object?.members ?? [] {
        row[name] = value.string ?? (value.array == nil ? value.description : nil)
      }
      let missing = columns.filter { row[$0] == nil }
      guard missing.isEmpty else {
        throw ScenarioErrors(
          file: file,
          "item \(index + 1) has no text '\(printable(missing[0]))'",
          "give every item the same members")
      }
      rows.append(row)
    }
    return (rows, rows.map { _ in nil })
  }

  // MARK: - CSV

  private static func csv(
    _ text: String, _ file: String, _ columns: [String]
  ) throws(ScenarioErrors) -> (rows: [[String: String]], places: [SourceLocation?]) {
    var reader = CSVReader(text)
    guard let header = try reader.next(file) else { return ([], []) }
    let names = header.fields.map { $0.trimmingCharacters(in: .whitespaces) }
    try demand(columns, among: names, file, line: header.line)
    var (rows, places) = ([[String: String]](), [SourceLocation?]())
    while let record = try reader.next(file) {
      let place = SourceLocation(line: record.line, column: 1)
      guard record.fields.count == names.count else {
        throw ScenarioErrors(
          file: file, at: place,
          "the row has \(record.fields.count) fields, and the header \(names.count)",
          "give as many; a field with a comma stands in double quotes")
      }
      rows.append(Dictionary(uniqueKeysWithValues: zip(names, record.fields)))
      places.append(place)
    }
    return (rows, places)
  }
}

/// Records of comma-separated values; empty lines between them are none.
private struct CSVReader {
  private let characters: [Unicode.Scalar]
  private var index = 0
  private var line = 1

  init(_ text: String) {
    characters = Array(text.unicodeScalars.drop { $0 == "\u{FEFF}" })
  }

  mutating func next(
    _ file: String
  ) throws(ScenarioErrors) -> (fields: [String], line: Int)? {
    while index < characters.count, ["\n", "\r"].contains(characters[index]) { step() }
    guard index < characters.count else { return nil }
    let first = line
    var fields = [""]
    while index < characters.count, !["\n", "\r"].contains(characters[index]) {
      switch characters[index] {
      case ",":
        fields.append("")
        step()
      case "\"" where fields[fields.count - 1].isEmpty:
        let opened = line
        step()
        fields[fields.count - 1] = try quoted(file, opened)
      default:
        fields[fields.count - 1].unicodeScalars.append(characters[index])
        step()
      }
    }
    return (fields, first)
  }

  private mutating func quoted(
    _ file: String, _ opened: Int
  ) throws(ScenarioErrors) -> String {
    var text = String.UnicodeScalarView()
    while index < characters.count {
      let character = characters[index]
      step()
      guard character == "\"" else {
        text.append(character)
        continue
      }
      guard index < characters.count, characters[index] == "\"" else { return String(text) }
      text.append("\"")
      step()
    }
    throw ScenarioErrors(
      file: file, at: SourceLocation(line: opened, column: 1), "a quoted field does not end",
      "close it with a double quote")
  }

  private mutating func step() {
    if characters[index] == "\n" { line += 1 }
    index += 1
  }
}
