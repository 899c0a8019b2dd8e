import Foundation
import Testing

/// Files of former runs that are not what they should be: each has its code, and says what is wrong and what would be right.
@Suite struct `Former runs on the command line` {
  private static let golden = CommandLineRun.root
    .appendingPathComponent("Tests/Engine/Reports/Golden/result.json").path

  private static func altered(_ name: String, _ change: (String) -> String) throws -> String {
    let text = try String(contentsOfFile: golden, encoding: .utf8)
    return try CommandLineRun.file(change(text), named: name)
  }

  @Test func `a run equals itself to the bit`() throws {
    let run = try CommandLineRun("compare", Self.golden, Self.golden)
    #expect(run.status == 0 && run.output.contains("IDENTICAL"))
  }

  @Test func `a truncated, a foreign and a newer result end with 65 and the reason`() throws {
    let files: [(name: String, reason: String, change: (String) -> String)] = [
      ("cut.json", "the file is cut off", { String($0.prefix($0.count / 2)) }),
      ("empty.json", "the file is empty", { _ in "" }),
      ("foreign.json", "neither the result of a run nor a baseline", { _ in "{\"name\": \"x\"}" }),
      ("text.json", "not JSON", { _ in "hello" }),
      (
        "newer.json", "a newer Rehearsal wrote this file",
        { $0.replacingOccurrences(of: "\"version\": 1,", with: "\"version\": 9,") }
      ),
      (
        "interrupted.json", "this run was interrupted",
        { $0.replacingOccurrences(of: "\"interrupted\": false", with: "\"interrupted\": true") }
      ),
      (
        "other.json", "this is a baseline of the scenario 'sunday'",
        { $0.replacingOccurrences(of: "\"name\": \"saturday\"", with: "\"name\": \"sunday\"") }
      ),
    ]
    for file in files {
      let path = try Self.altered(file.name, file.change)
      let run = try CommandLineRun("compare", Self.golden, path)
      #expect(run.status == 65, "\(file.name): \(run.output)\(run.problems)")
      #expect(run.problems.contains(file.reason), "\(file.name): \(run.problems)")
      #expect(run.problems.contains(file.name))
      guard file.name != "other.json" else { continue }
      let accepted = try CommandLineRun("baseline", "accept", path, "--output", path + ".accepted")
      #expect(accepted.status == 65, "\(file.name): \(accepted.output)")
      #expect(!FileManager.default.fileExists(atPath: path + ".accepted"))
    }
  }

  @Test func `a baseline of another scenario stops a run before it begins`() throws {
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let other = try Self.altered("other.json") {
      $0.replacingOccurrences(of: "\"name\": \"saturday\"", with: "\"name\": \"sunday\"")
    }
    let run = try CommandLineRun(
      "run", "scenarios/saturday.yaml", "--baseline", other, "--output", folder)
    #expect(run.status == 65)
    #expect(run.problems.contains("a baseline of the scenario 'sunday', not of 'saturday'"))
    #expect(!FileManager.default.fileExists(atPath: folder + "/result.json"))
  }

  @Test func `stores that are none, newer or missing end with 65`() throws {
    let folder = try CommandLineRun.folder()
    let none = folder.appendingPathComponent("none.sqlite").path
    try "hello".write(toFile: none, atomically: true, encoding: .utf8)
    for path in [none, folder.appendingPathComponent("missing.sqlite").path] {
      for arguments in [["history", "saturday"], ["runs", "list"], ["compare", "1", "2"]] {
        let run = try CommandLineRun(arguments + ["--store", path])
        #expect(run.status == 65, "\(arguments): \(run.output)\(run.problems)")
        #expect(run.problems.contains(path), "\(run.problems)")
      }
    }
  }
}
