import Contracts
import Foundation
import LoadTargets
import SchemaChecker
import Testing

/// `rehearse load` as a user runs it, against a server that does as its path says.
@Suite struct `Loading a URL` {
  private static let easy = ["--max-lateness", "20s", "--max-stall", "20s"]

  private func result(_ folder: URL) throws -> JSON {
    let data = try Data(contentsOf: folder.appendingPathComponent("result.json"))
    return try #require(JSON(parsing: Array(data)))
  }

  private func load(_ url: String, _ more: String...) throws -> (run: CommandLineRun, folder: URL) {
    let folder = try CommandLineRun.folder().appendingPathComponent("out")
    let arguments = ["load", url, "--for", "1s", "--output", folder.path] + Self.easy + more
    return (try CommandLineRun(arguments), folder)
  }

  @Test func `writes files that the schema allows and the report command reads`() throws {
    let server = try FaultyProcess()
    let (run, folder) = try load(
      server.url("ok"), "--rate", "200/s", "--objective", "p50 < 10s", "--objective", "errors < 50%"
    )
    #expect(run.status == 0, "\(run.problems)")
    let result = try result(folder)
    let schema = try #require(
      JSON(parsing: Array(try CommandLineRun("schema", "result").output.utf8)))
    #expect(SchemaChecker(schema).problems(of: result) == [])
    #expect(result["verdict"] == "pass" && result["requests"]?.int == 200)
    #expect(result["latencies"]?[0]?["basis"] == "overHTTP")
    #expect(result["generator"]?["wantedPerSecond"]?.double == 200)
    let again = try CommandLineRun("report", folder.path, "--output", folder.path + "-again")
    #expect(again.status == 0, "\(again.problems)")
    let (page, second) = (
      try String(contentsOfFile: folder.path + "/index.html", encoding: .utf8),
      try String(contentsOfFile: folder.path + "-again/index.html", encoding: .utf8)
    )
    #expect(page == second)
    #expect(page.contains("Health of the load generator") && !page.contains("virtual time"))
  }

  @Test func `fits a screen of eighty columns and twenty-four lines`() throws {
    let server = try FaultyProcess()
    let (run, _) = try load(server.url("resets-each-tenth"), "--rate", "100/s")
    #expect(run.status == 0, "\(run.problems)")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24)
    #expect(
      lines.filter { $0.count > 80 && !$0.contains("rehearse load") && !$0.contains("/") } == [])
    #expect(run.output.contains("× reset") && run.output.contains("MEASURED"))
  }

  @Test func `goes through its phases and tells of each`() throws {
    let server = try FaultyProcess()
    let folder = try CommandLineRun.folder().appendingPathComponent("out")
    let run = try CommandLineRun(
      [
        "load", server.url("status/500"), "--phase", "500ms at 100/s", "--phase",
        "1s at 100/s to 300/s", "--output", folder.path, "--expect", "200",
      ] + Self.easy)
    #expect(
      run.output.contains("× status 500") && !run.output.contains("status500"), "\(run.output)")
    #expect(run.output.contains("500ms at 100/s") && run.output.contains("1s at 100/s to 300/s"))
    let generator = try #require(try result(folder)["generator"])
    #expect(try result(folder)["requests"]?.int == 250)
    #expect((0..<2).map { generator["phases"]?[$0]?["calls"]?.int } == [50, 200])
    #expect((0..<2).map { generator["phases"]?[$0]?["failed"]?.int } == [50, 200])
    let again = try CommandLineRun("report", folder.path, "--output", folder.path + "-again")
    #expect(again.status == 0, "\(again.problems)")
  }

  @Test func `has users who come and go, phase after phase`() throws {
    let server = try FaultyProcess()
    let folder = try CommandLineRun.folder().appendingPathComponent("out")
    let phases = ["500ms of 1 to 8 users", "500ms of 8 to 1 user"]
    let asked =
      ["load", server.url("fixed/20")] + phases.flatMap { ["--phase", $0] } + Self.easy
    let run = try CommandLineRun(asked + ["--output", folder.path])
    #expect(run.status == 0, "\(run.problems)")
    let generator = try #require(try result(folder)["generator"])
    #expect(generator["wantedPerSecond"] == .null && generator["connections"]?.int == 8)
    #expect((0..<2).map { generator["phases"]?[$0]?["pace"]?.string } == phases)
    // Users that wait 20 ms each time.
    let calls = (0..<2).compactMap { generator["phases"]?[$0]?["calls"]?.int }
    #expect(calls.count == 2 && calls.allSatisfy { (1...8 * 26).contains($0) })

    let file = try CommandLineRun.folder().appendingPathComponent("load.yaml").path
    let written = try CommandLineRun(asked + ["--write", file])
    #expect(written.status == 0, "\(written.problems)")
    let again = try CommandLineRun(
      "load", "--from", file, "--output", folder.path + "-again")
    #expect(again.status == 0 && again.output.contains(phases[0]), "\(again.problems)")
  }

  @Test func `says how often it had to send again`() throws {
    let server = try FaultyProcess()
    let (run, folder) = try load(
      server.url("drops-second"), "--rate", "50/s", "--connections", "1")
    #expect(run.status == 0, "\(run.problems)")
    let repeated = try #require(try result(folder)["generator"]?["repeated"]?.int)
    #expect((1..<50).contains(repeated) && run.output.contains("sent again"))
  }

  @Test func `finds no capacity where nothing holds, and tells of each step`() throws {
    let server = try FaultyProcess()
    let (run, folder) = try load(
      server.url("fixed/30"), "--capacity", "--rate", "20/s", "--objective", "mean < 10ms")
    #expect(run.status == 99, "\(run.output) \(run.problems)")
    #expect(run.output.contains("  20/s ") && run.output.contains("Capacity for mean < 10ms: none"))
    let text = try String(
      contentsOf: folder.appendingPathComponent("capacity.json"), encoding: .utf8)
    let document = try #require(JSON(parsing: Array(text.utf8)))
    #expect(document["steps"]?[0]?["outcome"] == "broke" && document["exitCode"]?.int == 99)
    let sent = try #require(document["calls"]?["sent"]?.int)
    #expect("\(sent)" == server.ask("requests") && run.output.contains("Requests sent: \(sent)"))
  }

  @Test func `ends its search for a capacity where the server went away, with what it has`() throws
  {
    let server = try FaultyProcess()
    let (run, folder) = try load(
      server.url("exits-at-second"), "--capacity", "--rate", "20/s", "--objective", "p50 < 1s")
    #expect(run.status == 69, "\(run.output) \(run.problems)")
    #expect(run.output.contains("The server went away"))
    let text = try String(
      contentsOf: folder.appendingPathComponent("capacity.json"), encoding: .utf8)
    let document = try #require(JSON(parsing: Array(text.utf8)))
    #expect(document["exitCode"]?.int == 69 && document["calls"]?["sent"]?.int ?? 0 >= 2)
  }

  @Test func `is recorded as runs are`() throws {
    let server = try FaultyProcess()
    let folder = try CommandLineRun.folder()
    let run = try CommandLineRun(
      ["load", server.url("ok"), "--for", "500ms", "--rate", "100/s"] + Self.easy, in: folder)
    #expect(run.status == 0, "\(run.problems)")
    let listed = try CommandLineRun(["runs", "list"], in: folder)
    #expect(listed.output.contains("load-127.0.0.1"), "\(listed.output) \(listed.problems)")
  }

  @Test func `is compared by duels, never one run with one`() throws {
    let server = try FaultyProcess()
    let (one, two) = (try load(server.url("ok")), try load(server.url("ok")))
    let compared = try CommandLineRun("compare", two.folder.path, one.folder.path)
    #expect(compared.status == 65 && compared.output.isEmpty, "\(compared.output)")
    #expect(compared.problems.contains("rehearse duel LOAD.yaml --baseline-url"))
    let closed = try load(server.url("ok"), "--users", "2")
    let other = try CommandLineRun("compare", closed.folder.path, one.folder.path)
    #expect(other.status == 65 && other.problems.contains("different loads, '2 users'"))
    let accepted = try CommandLineRun("baseline", "accept", one.folder.path)
    #expect(accepted.status == 65 && accepted.problems.contains("no baseline"))
  }

  @Test func `that rests for a while is decided, or says what would help`() throws {
    let server = try FaultyProcess()
    func run(_ phases: String...) throws -> CommandLineRun {
      try CommandLineRun(
        ["load", server.url("ok"), "--objective", "p50 < 1s"]
          + phases.flatMap { ["--phase", $0] } + Self.easy)
    }
    let resting = try run("400ms at 0/s", "1600ms at 100/s")
    #expect(resting.status == 0, "\(resting.output)")
    let idle = try run("1900ms at 0/s", "100ms at 100/s")
    #expect(idle.status == 98 && idle.output.contains("leave out the phases"), "\(idle.output)")
    #expect(!idle.output.contains("Load longer"))
    let short = try load(server.url("ok"), "--objective", "p95 < 1s", "--rate", "20/s").run
    #expect(short.status == 98 && short.output.contains("--for 4s"), "\(short.output)")
  }

  @Test func `ends with what became of it`() throws {
    let server = try FaultyProcess()
    #expect(
      try load(server.url("fixed/50"), "--objective", "mean < 10ms", "--rate", "100").run.status
        == 99)
    #expect(
      try load(server.url("ok"), "--objective", "p99.9 < 10s", "--rate", "20").run.status == 98)
    #expect(try load(server.url("status/503"), "--rate", "50").run.status == 98)
    // Reached, and of no use.
    for path in ["never", "resets"] {
      let slow = ["--rate", "20", "--timeout", "300ms"] + Self.easy
      let silent = try CommandLineRun(["load", server.url(path), "--for", "200ms"] + slow)
      #expect(silent.status == 98, "\(path): \(silent.problems)")
      let wanted = ["--objective", "errors < 50%"]
      let failed = try CommandLineRun(["load", server.url(path), "--for", "1s"] + slow + wanted)
      #expect(failed.status == 99, "\(path): \(failed.problems)")
    }
    server.end()
    let gone = try load(server.url("ok"))
    #expect(gone.run.status == 69 && gone.run.problems.contains("connection refused"))
    #expect(try load("http://no-such-host.invalid/").run.status == 69)
  }

  @Test(arguments: [
    ["http://127.0.0.1/", "--rate", "0"], ["http://127.0.0.1/", "--proxy", "http://127.0.0.1/"],
    ["http://127.0.0.1/", "--rate", "1000000000/s"],
    ["http://127.0.0.1/", "--for", "0s"], ["http://127.0.0.1/", "--for", "10"], ["nonsense"],
    ["ftp://127.0.0.1/"], [], ["http://127.0.0.1/", "--connections", "0"],
    ["http://127.0.0.1/", "--users", "0"], ["http://127.0.0.1/", "--weight", "1", "--weight", "2"],
    ["http://127.0.0.1/", "--header", "nocolon"], ["http://127.0.0.1/", "--expect", "7"],
    ["http://127.0.0.1/", "--objective", "p99 of /nowhere < 1s"],
    ["http://127.0.0.1/", "--objective", "fast"],
    ["http://127.0.0.1/", "--ca-file", "/nowhere.pem"],
    ["http://127.0.0.1/", "--warmup", "1min"], ["http://127.0.0.1/", "--key", "x"],
    ["http://127.0.0.1/", "--method", "HEAD", "--body", "x"],
    ["http://127.0.0.1/", "--insecure"], ["http://127.0.0.1/", "--cert", "/nowhere.pem"],
    ["http://127.0.0.1/", "--phase", "10s"], ["http://127.0.0.1/", "--phase", "10s at -1/s"],
    ["http://127.0.0.1/", "--phase", "0s at 5/s"], ["http://127.0.0.1/", "--phase", "1s at 0/s"],
    ["http://127.0.0.1/", "--phase", "1s at 5/s", "--rate", "5"],
    ["http://127.0.0.1/", "--phase", "1s at 5/s", "--for", "5s"],
    ["http://127.0.0.1/", "--phase", "1s of 5 users", "--phase", "1s at 5/s"],
    ["http://127.0.0.1/", "--phase", "1s of 0 users"], ["http://127.0.0.1/", "--phase", "1s of"],
    ["http://127.0.0.1/", "--phase", "1s of -1 users"],
    ["http://127.0.0.1/", "--phase", "1s of 1.5 users"],
    ["http://127.0.0.1/", "--phase", "1s of 5 to 10001 users"],
    ["http://127.0.0.1/", "--phase", "1s of 5/s users"],
    ["http://127.0.0.1/", "--phase", "1s at 5 users"],
    ["http://127.0.0.1/", "--phase", "1s of 5 users", "--pace", "poisson"],
    ["http://127.0.0.1/", "--users", "5", "--rate", "5"],
    ["http://127.0.0.1/", "--capacity"],
    ["http://127.0.0.1/", "--capacity", "--users", "3", "--objective", "p99 < 1s"],
    ["http://127.0.0.1/", "--body", "@/nowhere"], ["http://127.0.0.1/", "--method", "GE T"],
  ])
  func `refuses what makes no load`(arguments: [String]) throws {
    let run = try CommandLineRun(["load"] + arguments)
    #expect(run.status == 64 && run.output.isEmpty, "\(run.status) \(run.problems)")
    #expect(!run.problems.contains("internal error"))
  }

  @Test(arguments: [
    "http://[::g]/", "http://[]/", "http://127.0.0.1:65536/", "http://127.0.0.1:-1/",
    "http://127.0.0.1:abc/", "http://127.0.0.1/a b", " http://127.0.0.1/", "http://127.0.0.1\n/",
    "http://127.0.0.1/\r\nX: y", "http://127.0.0.1/\u{1B}[31m", "http:127.0.0.1", "//127.0.0.1/",
    "127.0.0.1:80", "http://", "http:///", "http://?", "ws://x/", "javascript:alert(1)", "",
    "http://127.0.0.1:80:80/", "http://127.0.0.1:8 0/",
  ])
  func `refuses what is no URL`(url: String) throws {
    let run = try CommandLineRun("load", url)
    #expect(run.status == 64 && !run.problems.contains("\u{1B}"), "\(run.status) \(run.problems)")
  }

  @Test(arguments: [
    (
      "--rate", ["", "-5/s", "nan", "inf", "1e400", "5/", "5/y", "5/s/s", "0x10", "1_000", "1,000"]
    ),
    ("--for", ["", "0", "-1s", "1ns", "99ms", "8d", "1e9s", "9999999999999999999s"]),
    ("--header", ["", "x", ": y", "X y: z", "X\r\nY: z", "X: y\r\nZ: w", "X: \u{1}"]),
    ("--body", ["@", "@/", "@/dev/zero"]), ("--method", ["", "GET ", "G\nET", "GET /x HTTP/1.1"]),
    ("--connections", ["", "0", "-1", "10001", "1e3", "99999999999999999999"]),
    ("--expect", ["", "0", "99", "199", "600", "999", "1000", "200-", "300-200", "200,,300"]),
    ("--drain", ["", "-1s", "2d", "5"]),
    ("--objective", ["", "p99", "p101 < 1s", "count > 5", "p99 from 12:00 to 13:00 < 1s"]),
    ("--follow", ["", "0", "-1", "51", "x", "1.5"]),
    ("--weight", ["", "-1", "nan", "0", "1e7"]), ("--seed", ["", "-1", "18446744073709551616"]),
  ])
  func `refuses values that an option cannot have`(option: String, values: [String]) throws {
    for value in values {
      let run = try CommandLineRun("load", "http://127.0.0.1/", "\(option)=\(value)")
      #expect(run.status == 64 && run.output.isEmpty, "\(value): \(run.status) \(run.problems)")
      #expect(!run.problems.contains("internal error"))
    }
  }

  @Test(arguments: [
    ("--for", "1m", "write 1min"), ("--for", "1h30m", "write 1.5h"),
    ("--for", "1m30s", "write 1.5min"), ("--phase", "5m at 100/s", "write 5min"),
    ("--rate", "1/10s", "write 6/min"), ("--rate", "5/m", "write 5/min"),
    ("--rate", "3/100ms", "write 30/s"), ("--phase", "1s at 1/10s", "write 6/min"),
  ])
  func `says how it writes what other tools write otherwise`(
    option: String, text: String, remedy: String
  ) throws {
    let run = try CommandLineRun("load", "http://127.0.0.1/", option, text)
    #expect(run.status == 64 && run.problems.contains(remedy), "\(run.problems)")
  }

  @Test func `keeps secrets out of everything that it prints and writes`() throws {
    let server = try FaultyProcess()
    let url = server.url("status/500?key=hunter2").replacing(
      "http://", with: "http://anna:hunter2@")
    let (run, folder) = try load(
      url, "-H", "Authorization: Bearer hunter2", "--body", "hunter2", "--rate", "50")
    #expect(!(run.output + run.problems).contains("hunter2"))
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    for case let name as String in files {
      let text = try? String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
      #expect(text?.contains("hunter2") != true, "\(name)")
    }
  }

  @Test func `is written as a file that loads the same`() throws {
    let server = try FaultyProcess()
    let file = try CommandLineRun.folder().appendingPathComponent("load.yaml").path
    let written = try CommandLineRun(
      [
        "load", server.url("ok"), "--rate", "100/s", "--for", "1s", "-H", "Cookie: hunter2",
        "-H", "Accept: */*", "--objective", "errors < 50%", "--no-keepalive", "--follow", "2",
        "--drain", "2s",
        "--write", file,
      ] + Self.easy)
    #expect(written.status == 0, "\(written.problems)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      text.contains("Accept: */*") && text.contains("follow: \"2\"")
        && text.contains("drain: \"2s\"") && !text.contains("hunter2")
        && text.contains("${HEADER_COOKIE}")
    )
    try text.replacing("  no-keepalive: \"true\"\n", with: "").write(
      toFile: file, atomically: true, encoding: .utf8)
    let folder = try CommandLineRun.folder().appendingPathComponent("out")
    let run = try CommandLineRun(
      ["load", "--from", file, "--output", folder.path, "--rate", "50/s"],
      environment: ["HEADER_COOKIE": "x"])
    #expect(run.status == 0, "\(run.problems)")
    #expect(try result(folder)["requests"]?.int == 50)
    let wrong = try CommandLineRun.file(
      "rehearsal: 1\nload:\n  urls: [x]\n  rat: 5\n", named: "l.yaml")
    let refused = try CommandLineRun("load", "--from", wrong)
    #expect(
      refused.status == 65 && refused.problems.contains("l.yaml:4:3")
        && refused.problems.contains("'rate'"))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `stops at the first interruption with a report of every request`(signal: Int32) throws {
    let server = try FaultyProcess()
    let (process, folder) = try begin(server, for: "10min")
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let result = try result(folder)
    #expect(result["interrupted"] == true)
    let sent = try #require(result["generator"]?["calls"]?["sent"]?.int)
    #expect("\(sent)" == server.ask("requests"))
  }

  @Test func `is not valid when the generator itself stood still`() throws {
    let server = try FaultyProcess()
    let (process, folder) = try begin(server, for: "3s")
    kill(process.processIdentifier, SIGSTOP)
    usleep(300_000)
    kill(process.processIdentifier, SIGCONT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 96)
    #expect(try result(folder)["exitCode"]?.int == 96)
    let text = try String(contentsOf: folder.appendingPathComponent("result.json"), encoding: .utf8)
    #expect(text.contains("stood still"))
  }

  /// A load under way: it has begun to call when the server has heard of it.
  private func begin(_ server: FaultyProcess, for time: String) throws -> (Process, URL) {
    let folder = try CommandLineRun.folder().appendingPathComponent("out")
    let process = Process()
    process.executableURL = CommandLineRun.executable
    process.arguments = [
      "load", server.url("ok"), "--rate", "100/s", "--for", time, "--output", folder.path,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while !server.wasAsked() { usleep(20_000) }
    return (process, folder)
  }
}
