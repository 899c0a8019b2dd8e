import Contracts
import Foundation
import Testing

/// A server of the agency's contract that was written from its documents alone, in another language (`Tests/ForeignServers`), as the
/// stock scenario for servers of one's own meets it: its faults are found, and none is invented.
@Suite struct `A foreign server of the agency` {
  private static let stock = "scenarios/load/agency-on-your-server.yaml"
  private static let alone: JSON = ["--one-at-a-time"]

  private struct Outcome {
    let faults: [String]
    /// Those that were broken.
    let rules: Set<String>
    let exercised: Int
    let status: Int
    let words: String
  }

  /// Meetings at the same time, by `meet.py`.
  private func outcomes(of meetings: [JSON]) throws -> [Outcome] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.currentDirectoryURL = CommandLineRun.root
    process.arguments = [
      "python3", "Tests/ForeignServers/meet.py", CommandLineRun.executable.path,
      JSON.array(meetings).description,
    ]
    let file = try CommandLineRun.folder().appendingPathComponent("outcomes.json")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    process.standardOutput = try FileHandle(forWritingTo: file)
    try process.run()
    process.waitUntilExit()
    let list = try #require(JSON(parsing: Array(Data(contentsOf: file)))?.array)
    return zip(meetings, list).map { meeting, outcome in
      Outcome(
        faults: meeting["faults"]?.strings ?? [], rules: Set(outcome["rules"]?.strings ?? []),
        exercised: outcome["exercised"]?.int ?? 0, status: outcome["status"]?.int ?? -1,
        words: outcome["words"]?.string ?? "")
    }
  }

  @Test func `breaks no rule while it has no fault, and shows races to requests that overlap`()
    throws
  {
    let runs = try outcomes(of: [
      [:], ["options": Self.alone], ["hasOwnIDs": true], ["isPrepared": true],
      ["faults": ["lost-updates"], "options": Self.alone],
      ["faults": ["torn-reads"], "options": Self.alone], ["faults": ["torn-reads"]],
      ["faults": ["lost-updates"]],
    ])
    for run in runs.prefix(6) {
      // A machine with much to do makes an unhurried generator late (96).
      #expect(run.rules.isEmpty && [0, 96].contains(run.status) && run.exercised > 70, "\(run)")
    }
    #expect(runs[6].rules == ["ATP-99"], "\(runs[6])")
    #expect(!runs[7].rules.isDisjoint(with: ["ATP-96", "ATP-97", "ATP-98"]), "\(runs[7])")
  }

  @Test func `turns the rule of each of its faults red, and no other`() throws {
    // What is not offered is not judged (O-09), and of fractions of pages nothing is said (O-06). Who still has what was taken from them is
    // shown to others as well.
    let faults: [(name: String, rules: Set<String>, others: Set<String>)] = [
      ("accountant-edits", ["ATP-47"], []), ("accountant-assigns", ["ATP-47", "ATP-50"], []),
      ("accountant-lists-staff", ["ATP-50"], []),
      ("unassign-ignored", ["ATP-81"], ["ATP-05", "ATP-96"]), ("null-body-500", ["ATP-99"], []),
      ("invoice-500", ["ATP-99"], []), ("no-me", [], []), ("fractional-pages", [], []),
      ("no-cross-origin", ["ATP-95"], []),
    ]
    let runs = try outcomes(
      of: faults.map { ["faults": [.string($0.name)], "options": Self.alone] })
    for (fault, run) in zip(faults, runs) {
      #expect(run.rules.subtracting(fault.others) == fault.rules, "\(run)")
    }
  }

  @Test func `is told whom it has to know, and asked one at a time only where there is one`() throws
  {
    let table = try CommandLineRun("persons", Self.stock, "--population", "--format", "csv")
    let rows = table.output.split(separator: "\n")
    #expect(rows.first?.hasPrefix("username,email,password,roles,staffId,staffName") == true)
    #expect(
      rows.contains { $0.hasPrefix("staff-2,") && $0.contains(",atp_staff\",staff_staff-2,") })
    #expect(rows.contains(",,,,staff_inactive,Inactive,adversary-inactive,false"))
    let names = try CommandLineRun("persons", Self.stock, "--format", "csv")
    #expect(names.status == 64 && names.problems.contains("goes with --population"))
    let twin = try CommandLineRun("run", "scenarios/load/agency-smoke.yaml", "--one-at-a-time")
    #expect(twin.status == 64 && twin.problems.contains("--one-at-a-time is for servers"))
  }
}
