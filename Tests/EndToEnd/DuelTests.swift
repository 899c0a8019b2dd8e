import Foundation
import LoadTargets
import Testing

@Suite(.serialized) struct `A duel of two builds` {
  private static func scenario() throws -> String {
    try CommandLineRun.file(
      """
      rehearsal: 1
      name: duel
      starts: 2026-03-21T09:00 Europe/Amsterdam
      lasts: 5min
      worlds:
        - domain: kantine-koning
          regions: 1
          population: {clubs: 1}
      exchange: 5min
      """, named: "duel.yaml")
  }

  /// Names that always answer alike: what is tried is the duel, not this machine.
  private static func stub(wall: String) throws -> String {
    let path = try CommandLineRun.file(
      """
      #!/bin/sh
      [ "$1" = --version ] && { echo "rehearse 0.1.0 (stub)"; exit 0; }
      while [ $# -gt 0 ]; do [ "$1" = --output ] && out=$2; shift; done
      mkdir -p "$out"
      n=$(cat "$0.count" 2>/dev/null || echo 0); n=$((n + 1)); echo $n > "$0.count"
      echo "{\\"version\\": 1, \\"digest\\": \\"d\\", \\"machine\\": {\\"wallSeconds\\": \(wall)$((n % 7))1, \\"inProcess\\": []}}" > "$out/result.json"
      """, named: "rehearse")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @Test func `of a build that became slower ends with 97 and its figures`() throws {
    let folder = try CommandLineRun.folder().path
    let run = try CommandLineRun(
      "duel", try Self.scenario(), "--baseline-binary", try Self.stub(wall: "1.00"), "--binary",
      try Self.stub(wall: "1.20"), "--pairs", "10", "--output", folder)
    #expect(run.status == 97, "\(run.problems)")
    #expect(run.output.contains("1 of 1 figures grew by more than 5%"))
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/duel.json"))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(document["verdict"] as? String == "regression")
    #expect((document["baseline"] as? [Any])?.count == 10)
  }

  @Test func `of a build with itself finds no regression`() throws {
    let stub = try Self.stub(wall: "1.00")
    let run = try CommandLineRun(
      "duel", try Self.scenario(), "--baseline-binary", stub, "--binary", stub, "--pairs", "10")
    #expect(run.status == 0, "\(run.output)\(run.problems)")
    #expect(run.output.contains("No figure of 1 changed by more than 5%"))
  }

  @Test func `says what a build answered that cannot run the scenario`() throws {
    let path = try CommandLineRun.file(
      """
      #!/bin/sh
      [ "$1" = --version ] && { echo "rehearse 0.0.1 (old)"; exit 0; }
      echo "s.yaml:3:1: nobody reads 'starts'" >&2
      exit 65
      """, named: "rehearse")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let run = try CommandLineRun("duel", try Self.scenario(), "--baseline-binary", path)
    #expect(run.status == 65)
    #expect(run.problems.contains("rehearse 0.0.1 (old)"))
    #expect(run.problems.contains("nobody reads 'starts'"))
  }

  @Test func `measures real runs in process`() throws {
    let folder = try CommandLineRun.folder().path
    let program = CommandLineRun.executable.path
    let run = try CommandLineRun(
      "duel", try Self.scenario(), "--baseline-binary", program, "--pairs", "10", "--seconds",
      "0.1", "--output", folder, "--quiet")
    #expect(run.status == 0 || run.status == 97, "\(run.problems)")
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/duel.json"))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(document["sameWork"] as? Bool == true)
    let metrics = try #require(document["metrics"] as? [[String: Any]])
    #expect(metrics.contains { $0["name"] as? String == "wall time" })
  }

  @Test func `that is interrupted judges what there is and ends with 130`() throws {
    let process = Process()
    process.executableURL = CommandLineRun.executable
    process.arguments = [
      "duel", try Self.scenario(), "--baseline-binary", CommandLineRun.executable.path, "--quiet",
      "--seconds", "60",
    ]
    process.currentDirectoryURL = CommandLineRun.root
    process.standardError = FileHandle.nullDevice
    try process.run()
    try CommandLineRun.wait(for: process, toHear: SIGINT)
    usleep(1_500_000)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
  }
}

@Suite(.serialized) struct `A duel of two servers` {
  private static func load(_ server: FaultyProcess, _ path: String, rate: String = "100/s") throws
    -> String
  {
    try CommandLineRun.file(
      """
      rehearsal: 1
      timeline: wall
      load:
        urls: ["\(server.url(path))"]
        rate: "\(rate)"
        for: "300ms"
        max-lateness: "20s"
        max-stall: "20s"
      """, named: "load.yaml")
  }

  @Test func `of which one serves far more slowly ends with 97 and its figures`() throws {
    let server = try FaultyProcess()
    let folder = try CommandLineRun.folder().path
    let run = try CommandLineRun(
      "duel", try Self.load(server, "fixed/2"), "--url", server.url("fixed/40"), "--pairs", "10",
      "--output", folder)
    #expect(run.status == 97, "\(run.output)\(run.problems)")
    #expect(run.output.contains("10 and 10 runs of the load by turns"))
    #expect(run.problems.contains("10 pairs of runs of 300ms each"))
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/duel.json"))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(document["verdict"] as? String == "regression" && document["kind"] as? String == "load")
    let runs = try #require((document["runs"] as? [[String: Any]])?.first?["figures"] as? [Any])
    #expect(runs.count == 10)
  }

  @Test func `starts each server by its command, and ends it`() throws {
    let server = try FaultyProcess()
    let marks = try CommandLineRun.folder().path
    // A stand-in for a server: what answers is there already, and the command leaves a mark.
    func command(_ name: String) -> String { "echo x >> \(marks)/\(name); sleep 600" }
    let run = try CommandLineRun(
      "duel", try Self.load(server, "ok"), "--baseline-command", command("old"), "--command",
      command("new"), "--pairs", "10", "--quiet", "--margin", "1000%")
    #expect(run.status == 0, "\(run.output)\(run.problems)")
    for name in ["old", "new"] {
      let text = try String(contentsOfFile: marks + "/" + name, encoding: .utf8)
      #expect(text.split(separator: "\n").count == 10)
    }
  }

  @Test func `says why a server could not be started`() throws {
    let server = try FaultyProcess()
    let file = try Self.load(server, "ok")
    server.end()
    let run = try CommandLineRun(
      "duel", file, "--command", "echo no such port >&2; exit 3", "--baseline-command", "exit 4")
    #expect(run.status == 65 && run.problems.contains("ended with 4 before"), "\(run.problems)")
  }

  @Test func `takes options of its own kind only`() throws {
    let server = try FaultyProcess()
    let file = try Self.load(server, "ok")
    for more in [
      [], ["--url", "nonsense"], ["--url", server.url("ok"), "--baseline-binary", "x"],
      ["--url", server.url("ok"), "--seconds", "3"],
    ] {
      let run = try CommandLineRun(["duel", file] + more)
      #expect(run.status == 64 && run.output.isEmpty, "\(more): \(run.status) \(run.problems)")
    }
    let scenario = try CommandLineRun("duel", "scenarios/saturday.yaml", "--url", server.url("ok"))
    #expect(scenario.status == 64 && scenario.problems.contains("is for the file of a load"))
  }
}
