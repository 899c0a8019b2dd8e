import Foundation
import Testing

@Suite struct `Replaying from the command line` {
  private static let load = #"""
    {"control": {"load": {"tenants": [{"slug": "a", "name": "A"}], "teams": [{"tenant_slug": "a", "id": "t", "code": "J1", "naam": "J1"}], "enrollments": [{"device_id": "e-1", "tenant_slug": "a", "role": "member", "team_codes": ["J1"], "hardware_identifier": "p"}]}}}
    """#
  private static let status =
    #"{"at": "+1s", "as": "e-1", "method": "GET", "path": "/api/mobile/v1/enrollments/status"}"#

  @Test func `takes lines that end with CR LF, empty ones, and a last one without an end`() throws {
    let lines = "\(Self.load)\r\n\r\n  \r\n\(Self.status)\r\n\n\(Self.status)"
    let run = try CommandLineRun("replay", "kantine-koning", "-", input: lines)
    #expect(run.status == 0, "\(run.problems)")
    let answers = run.output.split(separator: "\n")
    #expect(answers.count == 3)
    #expect(answers.dropFirst().allSatisfy { $0.contains("\"status\":200") }, "\(run.output)")
  }

  @Test func `a loaded enrollment, session or user can be acted as`() throws {
    let mimi = #"""
      {"control": {"load": {"users": [{"userRecordName": "u-anna"}], "sessions": [{"ckWebAuthToken": "key of Anna", "userRecordName": "u-anna", "deviceID": "d"}]}}}
      {"as": "u-anna", "method": "GET", "path": "/database/1/iCloud.com.mimisupply.app/production/public/users/current?ckAPIToken=a"}
      {"as": "key of Anna", "method": "GET", "path": "/database/1/iCloud.com.mimisupply.app/production/public/users/current?ckAPIToken=a"}
      {"control": {"loadSampleWorld": {}}}
      {"as": "user-driver-2", "method": "GET", "path": "/database/1/iCloud.com.mimisupply.app/production/public/users/current?ckAPIToken=a"}
      """#
    let run = try CommandLineRun("replay", "mimi-supply", "-", input: mimi)
    #expect(run.status == 0, "\(run.problems)")
    let answers = run.output.split(separator: "\n")
    #expect(answers.count == 5)
    #expect(answers.allSatisfy { $0.contains("\"status\":200") }, "\(run.output)")
  }

  @Test func `what a command makes is answered by its name, and later lines can use it`() throws {
    let lines = #"""
      {"control": {"load": {"tenants": [{"slug": "a", "name": "A"}]}}}
      {"control": {"createTeam": {"tenant": "a", "code": "J1"}}}
      {"control": {"scheduleDienst": {"tenant": "a", "team": "{{2.body.id}}", "start_tijd": "2026-03-28T08:00:00Z", "eind_tijd": "2026-03-28T11:00:00Z"}}}
      {"control": {"changeDienst": {"id": "{{3.body.id}}", "minimum_bemanning": 4}}}
      {"control": {"cancelDienst": {"id": "{{3.body.id}}"}}}
      {"control": {"createBanner": {"name": "B", "file_url": "https://x/b.png"}}}
      {"control": {"removeBanner": {"id": "{{6.body.id}}"}}}
      {"control": {"scheduleDienst": {"id": "d-1", "tenant": "a", "start_tijd": "2026-03-28T08:00:00Z", "eind_tijd": "2026-03-28T11:00:00Z"}}}
      {"control": {"cancelDienst": {"id": "{{8.body.id}} {{{{"}}}
      """#
    let run = try CommandLineRun("replay", "kantine-koning", "-", input: lines)
    #expect(run.status == 0, "\(run.problems)")
    let answers = run.output.split(separator: "\n").map(String.init)
    try #require(answers.count == 9, "\(run.output)")
    #expect(answers.prefix(8).allSatisfy { $0.contains("\"status\":200") }, "\(run.output)")
    #expect(answers[7].contains(#""done":true,"id":"d-1""#), "\(answers[7])")
    #expect(answers.last?.contains("d-1 {{") == true, "a text may hold braces: \(run.output)")
  }

  @Test func `starts choose the clock, and the seed the identifiers`() throws {
    let lines = """
      {"control": {"advance": {"by": "0s"}}}
      {"control": {"load": {"tenants": [{"slug": "a", "name": "A"}], "teams": [{"tenant_slug": "a", "id": "t", "code": "J1", "naam": "J1"}], "managers": [{"tenant_slug": "a", "email": "m@b.nl", "team_codes": ["J1"]}]}}}
      {"method": "POST", "path": "/api/mobile/v1/enrollments/request", "body": {"email": "m@b.nl", "tenant_slug": "a", "team_codes": ["J1"], "platform": "ios"}}
      """
    func replay(_ arguments: String...) throws -> String {
      let run = try CommandLineRun(["replay", "kantine-koning", "-"] + arguments, input: lines)
      #expect(run.status == 0, "\(run.problems)")
      return run.output
    }
    let standard = try replay()
    #expect(standard.contains("2026-03-21T05:00:00.000Z"))
    #expect(try replay("--seed", "1") == standard)
    #expect(try replay("--seed", "2") != standard)
    let later = try replay("--starts", "2026-06-01T08:00:00+02:00")
    #expect(later.contains("2026-06-01T06:00:00.000Z"))
    for wrong in ["tomorrow", "2026-06-01", "2200-01-01T00:00:00Z"] {
      let run = try CommandLineRun("replay", "kantine-koning", "-", "--starts", wrong)
      #expect(run.status == 64)
      #expect(run.problems.contains("--starts"))
    }
  }

  @Test(arguments: [
    (
      #"{"path": "/x", "method": "GET", "control": {"reset": {}}}"#, 26,
      "has 'control' and 'method'"
    ),
    (#"{"method": "GET", "path": "/x", "as": "nobody"}"#, 39, "names nobody"),
    (#"{"method": "GET", "path": "/x", "headers": []}"#, 44, "no object"),
    (#"{"method": "GET", "path": "/x{{abc}}"}"#, 30, "line's number"),
    (#"{"at": "+90000d", "control": {"reset": {}}}"#, 8, "where every clock ends"),
    (#"{"at": "+2m", "control": {"reset": {}}}"#, 8, "2min (minutes) or 2ms"),
    ("{\"path\": \"\u{FF}", 13, "the text ends in a string"),
  ])
  func `a line that is none ends with 65, its number and its column, after what was answered`(
    line: String, column: Int, words: String
  ) throws {
    let refused = #"{"control": {"setRule": {"id": "KK-58"}}}"#
    let run = try CommandLineRun(
      "replay", "kantine-koning", "-", input: "\(refused)\n\n\(line)\n\(refused)\n")
    #expect(run.status == 65)
    #expect(run.output.split(separator: "\n").count == 1)
    #expect(run.output.contains("\"status\":400"))
    #expect(run.problems.hasPrefix("-:3:\(column): "), "\(run.problems)")
    #expect(run.problems.contains(words), "\(run.problems)")
  }

  @Test func `answers each line before the next is there`() async throws {
    let process = Process()
    process.executableURL = CommandLineRun.executable
    process.arguments = ["replay", "kantine-koning", "-"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    for hour in 1...3 {
      input.fileHandleForWriting.write(Data(#"{"control": {"advance": {"by": "1h"}}}"#.utf8 + [10]))
      var line: [UInt8] = []
      while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
        line.append(byte)
      }
      #expect(String(decoding: line, as: UTF8.self).contains("2026-03-21T0\(5 + hour):00:00.000Z"))
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `a lost answer leaves the clock where it was, and says so`() throws {
    let lines = #"""
      {"control": {"loadSampleWorld": {}}}
      {"control": {"injectFault": {"kind": "answerLost", "count": 1}}}
      {"at": "+1s", "as": "session-customer-1", "method": "GET", "path": "/database/1/iCloud.com.mimisupply.app/production/public/users/current?ckAPIToken=a"}
      {"at": "2026-03-21T05:00:02Z", "control": {"advance": {"by": "0s"}}}
      """#
    let run = try CommandLineRun("replay", "mimi-supply", "-", input: lines)
    #expect(run.status == 0, "\(run.problems)")
    let answers = run.output.split(separator: "\n")
    #expect(answers.count == 4)
    #expect(answers[2].contains("\"status\":504") && answers[2].contains("the clock stays"))
    #expect(answers[3].contains("2026-03-21T05:00:02.000Z"))
  }
}
