import Foundation
import Testing

/// What the project may weigh (`budgets.json`): more than a twentieth beyond it takes another budget, with its reason, in the same commit.
/// Instructions are counted by `make budgets`.
struct Budgets: Codable {
  /// Of Swift, by module: the folder below Sources.
  var lines: [String: Int]
  /// Of the processor, a request, by the work that `rehearse-bench once` names.
  var instructions: [String: Int]
  /// What of Swift's run time may look something up in the path of a request, by the same works.
  var lookups: [String: [String]]
  /// Of the processor, by the command that builds from nothing (`Tests/Attribution/build.py`).
  var seconds: [String: Int]

  static let file = SourceFile.root.appendingPathComponent("Tests/Tidy/budgets.json")

  static func read() throws -> Budgets {
    try JSONDecoder().decode(Budgets.self, from: Data(contentsOf: file))
  }

  func write() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: Self.file)
  }

  /// Each module with its lines, by the folder that is its target's: two levels of the engine and the adapters, three of the domains.
  static func counted() -> [String: Int] {
    var lines: [String: Int] = [:]
    for file in SourceFile.all(below: "Sources") {
      let path = file.path.split(separator: "/").dropFirst().dropLast()
      let depth = path.first == "Domains" ? 3 : ["Engine", "Adapters"].contains(path.first) ? 2 : 1
      lines[path.prefix(depth).joined(separator: "/"), default: 0] += file.lines.count - 1
    }
    return lines
  }

  /// What lies beyond its budget, or has none; a module that has gone is named, too.
  static func excess(of lines: [String: Int], over budgets: [String: Int]) -> [String] {
    let beyond = lines.compactMap { module, count -> String? in
      guard let budget = budgets[module] else { return "\(module): \(count) lines, no budget" }
      return count * 20 > budget * 21 ? "\(module): \(count) lines, budget \(budget)" : nil
    }
    return (beyond + budgets.keys.filter { lines[$0] == nil }.map { "\($0): gone" }).sorted()
  }
}

@Suite struct `The weight of the sources` {
  @Test func `stays within its budgets`() throws {
    var budgets = try Budgets.read()
    let lines = Budgets.counted()
    if ProcessInfo.processInfo.environment["REHEARSAL_GOLDEN"] == "write" {
      budgets.lines = lines
      try budgets.write()
    }
    #expect(
      Budgets.excess(of: lines, over: budgets.lines) == [],
      "make it lighter; or set budgets.json and give the reason in the same commit")
  }

  @Test func `is too much from a twentieth on`() {
    let budgets = ["A": 100, "B": 100, "C": 19, "Gone": 1]
    let excess = Budgets.excess(of: ["A": 105, "B": 106, "C": 20, "D": 1], over: budgets)
    #expect(
      excess == [
        "B: 106 lines, budget 100", "C: 20 lines, budget 19", "D: 1 lines, no budget", "Gone: gone",
      ])
  }
}
