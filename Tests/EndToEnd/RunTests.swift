import Foundation
import Testing

@Suite(.serialized) struct `The command line` {
  /// A small Saturday, so that a debug build lives through it in seconds.
  static let small = """
    rehearsal: 1
    name: small
    title: "A small <script>alert(1)</script> Saturday"
    starts: 2026-03-21T08:00 Europe/Amsterdam
    lasts: 3h
    replications: 2
    worlds:
      - domain: kantine-koning
        regions: 2
        population: {clubs: 2}
        adversaries: 2%
    exchange: 1h
    """

  private func result(_ folder: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/result.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `runs a scenario to its files, with one digest on one, two and seven workers`() throws
  {
    let scenario = try CommandLineRun.file(Self.small, named: "small.yaml")
    var results: [[String: Any]] = []
    for workers in ["1", "2", "7"] {
      let folder = try CommandLineRun.folder().appendingPathComponent("run").path
      let run = try CommandLineRun(
        "run", scenario, "--workers", workers, "--output", folder, "--quiet")
      #expect(run.output.isEmpty)
      var found = try result(folder)
      #expect(run.status == Int32(try #require(found["exitCode"] as? Int)))
      for name in ["index.html", "summary.md", "junit.xml"] {
        let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        #expect(!text.contains("<script>alert"), "\(name) lets a title act")
      }
      found["machine"] = nil
      results.append(found)
    }
    #expect(results[0]["digest"] as? String == results[1]["digest"] as? String)
    #expect(NSDictionary(dictionary: results[0]) == NSDictionary(dictionary: results[1]))
    #expect(NSDictionary(dictionary: results[0]) == NSDictionary(dictionary: results[2]))
    #expect((results[0]["requests"] as? Int ?? 0) > 100)
  }

  @Test func `another seed gives another digest`() throws {
    let scenario = try CommandLineRun.file(Self.small, named: "small.yaml")
    let digests = try ["5", "6"].map { seed in
      let folder = try CommandLineRun.folder().appendingPathComponent("run").path
      _ = try CommandLineRun(
        "run", scenario, "--seed", seed, "--replications", "1", "--output", folder, "--quiet")
      return try result(folder)["digest"] as? String
    }
    #expect(digests[0] != nil && digests[0] != digests[1])
  }

  @Test func `writes every record as a line of JSON without a whole token`() throws {
    let scenario = try CommandLineRun.file(Self.small, named: "small.yaml")
    let folder = try CommandLineRun.folder()
    let events = folder.appendingPathComponent("events.jsonl").path
    _ = try CommandLineRun(
      "run", scenario, "--replications", "1", "--output", folder.appendingPathComponent("run").path,
      "--events", events, "--quiet")
    let text = try String(contentsOfFile: events, encoding: .utf8)
    let lines = text.split(separator: "\n")
    #expect(lines.count > 100)
    for line in lines {
      let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(record?["replication"] as? Int == 0)
      #expect(record?["kind"] is String)
    }
    // Three parts and more than 40 characters: a whole signed token (KK-43).
    #expect(!text.contains(#/eyJ[\w-]{20,}\.[\w-]{10,}\.[\w-]{10,}/#))
  }

  @Test func `traces one person and says when nobody has that name`() throws {
    let scenario = try CommandLineRun.file(Self.small, named: "small.yaml")
    let everybody = try CommandLineRun("trace", scenario, "--format", "json")
    let line = try #require(everybody.output.split(separator: "\n").first { $0.contains("phone-") })
    let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let name = try #require(record?["person"] as? String)
    let one = try CommandLineRun("trace", scenario, "--person", name)
    #expect(one.status == 0 && !one.output.isEmpty)
    #expect(try CommandLineRun("trace", scenario, "--person", "nobody").status == 65)
  }

  @Test func `the command of a violation shows it again`() throws {
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let run = try CommandLineRun(
      "run", "scenarios/negative/names-too-long.yaml", "--replications", "4", "--output", folder)
    #expect(run.status == 99)
    let limits = try #require(try result(folder)["limits"] as? [[String: Any]])
    let evidence = limits.flatMap { $0["evidence"] as? [[String: Any]] ?? [] }
    for item in [evidence.first, evidence.last].compactMap(\.self) {
      let index = try #require(item["replication"] as? Int)
      let text = try #require(item["command"] as? String)
      #expect(text.contains(" --replication \(index + 1) "), "\(text)")
      let command = text.split(separator: " ").map(String.init)
      let trace = try CommandLineRun(Array(command.dropFirst()))
      #expect(trace.status == 0 && trace.output.contains("KK-58"), "\(command) \(trace.problems)")
    }
  }

  @Test(arguments: [("names-too-long", "KK-58"), ("foreign-teams", "KK-48")])
  func `a negative scenario ends red for the rule that it names, and for no other`(
    name: String, rule: String
  ) throws {
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let run = try CommandLineRun(
      "run", "scenarios/negative/\(name).yaml", "--replications", "1", "--output", folder)
    #expect(run.status == 99)
    let limits = try #require(try result(folder)["limits"] as? [[String: Any]])
    let failed = limits.filter { $0["verdict"] as? String == "fail" }
    #expect(failed.map { $0["id"] as? String } == [rule])
    #expect(run.output.contains(rule))
  }

  @Test func `stops early with one digest on any workers, and says so`() throws {
    var digests: [String?] = []
    for workers in ["1", "3"] {
      let folder = try CommandLineRun.folder().appendingPathComponent("run").path
      let run = try CommandLineRun(
        "run", "scenarios/negative/names-too-long.yaml", "--replications", "3", "--stop-early",
        "--workers", workers, "--output", folder, "--quiet")
      #expect(run.status == 99)
      let found = try result(folder)
      let looks = try #require(found["looks"] as? [String: Any])
      #expect(looks["ended"] as? String == "cannotPass")
      #expect((found["replications"] as? [Any])?.count == 1)
      digests.append(found["digest"] as? String)
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
  }

  @Test func `makes more replications while an objective is open, on any workers alike`() throws {
    let scenario = try CommandLineRun.file(
      Self.small.replacingOccurrences(of: "replications: 2", with: "replications: 10")
        .replacingOccurrences(of: "lasts: 3h", with: "lasts: 30min")
        + "\nmaximumReplications: 20\nobjectives: [\"count of kantine-koning >= 0.001\"]"
        + "\nprecision: 2% at 95%\n", named: "open.yaml")
    var digests: [String?] = []
    for workers in ["1", "3"] {
      let folder = try CommandLineRun.folder().appendingPathComponent("run").path
      let run = try CommandLineRun(
        "run", scenario, "--workers", workers, "--output", folder, "--quiet")
      #expect(run.status == 98, "\(run.problems)")
      let found = try result(folder)
      let looks = try #require(found["looks"] as? [String: Any])
      #expect(looks["replications"] as? [Int] == [10, 20] && looks["planned"] as? Int == 2)
      #expect(looks["ended"] as? String == "maximum")
      let objectives = try #require(found["objectives"] as? [[String: Any]])
      #expect((objectives.last?["moreReplications"] as? Int ?? 0) > 100)
      digests.append(found["digest"] as? String)
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
  }

  @Test func `a backend that refuses every connection meets no objective about its times`() throws {
    let refusing =
      Self.small.replacingOccurrences(of: "replications: 2", with: "replications: 20")
      .replacingOccurrences(of: "lasts: 3h", with: "lasts: 30min")
      .replacingOccurrences(of: "exchange: 1h", with: "exchange: 30min")
      + "\nfaults: [{from: \"08:00\", to: \"08:30\", on: kantine-koning, kind: connectionRefused, share: 100%}]\n"
    let cases = [
      ("p95 of kantine-koning < 58s", "fail", 99),
      ("p90 of kantine-koning.leaderboard-freshness < 1h", "inconclusive", 98),
    ]
    for (objective, verdict, code) in cases {
      let scenario = try CommandLineRun.file(
        refusing + "objectives: [\"\(objective)\"]\n", named: "refusing.yaml")
      let folder = try CommandLineRun.folder().appendingPathComponent("run").path
      let run = try CommandLineRun("run", scenario, "--output", folder)
      #expect(run.status == Int32(code), "\(objective): \(run.output)\(run.problems)")
      #expect(!run.output.contains("HELD"))
      let found = try result(folder)
      let objectives = try #require(found["objectives"] as? [[String: Any]])
      #expect(objectives[0]["verdict"] as? String == verdict)
      #expect(objectives[0]["estimate"] is NSNull)
      let unsent = try #require(found["unsent"] as? [[String: Any]])
      #expect(unsent.contains { $0["code"] as? String == "connectionRefused" })
      for latency in try #require(found["latencies"] as? [[String: Any]]) {
        #expect(latency["withoutAnswer"] as? Double == 1)
        let quantiles = try #require(latency["quantiles"] as? [[String: Any]])
        #expect(quantiles.allSatisfy { $0["seconds"] is NSNull })
      }
    }
  }

  @Test func `stops at an interrupt with a partial report and code 130`() throws {
    let scenario = try CommandLineRun.file(
      Self.small.replacingOccurrences(of: "lasts: 3h", with: "lasts: 60d")
        .replacingOccurrences(of: "exchange: 1h", with: "exchange: 15min"), named: "long.yaml")
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let process = Process()
    process.executableURL = CommandLineRun.executable
    process.arguments = ["run", scenario, "--output", folder, "--quiet", "--workers", "1"]
    process.currentDirectoryURL = CommandLineRun.root
    try process.run()
    try CommandLineRun.wait(for: process, toHear: SIGINT)
    usleep(3_000_000)
    #expect(!FileManager.default.fileExists(atPath: folder), "a killed run would leave it")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let found = try result(folder)
    #expect(found["exitCode"] as? Int == 130)
  }

  @Test(arguments: [
    (["rnu"], 64), (["run"], 64), (["run", "scenarios/saturday.yaml", "--workers", "0"], 64),
    (["run", "scenarios/saturday.yaml", "--replications", "0"], 64),
    (["run", "/nowhere.yaml"], 65), (["check", "/nowhere.yaml"], 65), (["check"], 64),
    (["run", "scenarios/saturday.yaml", "--maximum-replications", "0"], 64),
    (["duel", "scenarios/saturday.yaml"], 64),
    (["duel", "scenarios/saturday.yaml", "--baseline-binary", "x", "--pairs", "9"], 64),
    (["duel", "scenarios/saturday.yaml", "--baseline-binary", "/nowhere"], 65),
    (["duel", "scenarios/saturday.yaml", "--baseline-binary", "scenarios"], 65),
    (["duel", "scenarios/saturday.yaml", "--baseline-binary", "README.md"], 65),
    (["duel", "scenarios/saturday.yaml", "--baseline-binary", "/bin/true"], 65),
    (["duel", "/nowhere.yaml", "--baseline-binary", "/bin/true"], 65),
    (["compare", "/nowhere", "/nowhere"], 65), (["compare", "README.md", "README.md"], 65),
    (["baseline", "accept", "/nowhere"], 65), (["baseline", "show", "nobody"], 65),
    (["history", "nobody", "--store", "/nowhere.sqlite"], 65),
    (["limits", "--domain", "nobody"], 64), (["replay", "nobody", "-"], 64),
    (["replay", "kantine-koning", "/nowhere"], 65), (["commands", "nobody"], 64),
    (["run", "scenarios/saturday.yaml", "--output", "/proc/nowhere/x"], 73),
  ])
  func `wrong usage and wrong input have their codes and say what is wrong`(
    arguments: [String], code: Int
  ) throws {
    let run = try CommandLineRun(arguments)
    #expect(run.status == Int32(code))
    #expect(!run.problems.isEmpty)
    #expect(!run.problems.contains("Fatal error"))
  }

  @Test func `refuses an output folder with foreign files and leaves them alone`() throws {
    let folder = try CommandLineRun.folder()
    try "keep".write(
      to: folder.appendingPathComponent("mine.txt"), atomically: true, encoding: .utf8)
    let run = try CommandLineRun("run", "scenarios/saturday.yaml", "--output", folder.path)
    #expect(run.status != 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["mine.txt"])
  }

  @Test func `refuses a population that needs more memory than there is`() throws {
    let scenario = try CommandLineRun.file(
      Self.small.replacingOccurrences(of: "clubs: 2", with: "clubs: 1000000")
        .replacingOccurrences(of: "regions: 2", with: "regions: 1"), named: "huge.yaml")
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let run = try CommandLineRun("run", scenario, "--output", folder)
    #expect(run.status == 65)
    #expect(run.problems.contains("memory") || run.problems.contains("clubs"))
  }

  @Test func `lists limits, commands and exit codes`() throws {
    let limits = try CommandLineRun("limits", "--format", "json")
    let list = try JSONSerialization.jsonObject(with: Data(limits.output.utf8)) as? [[String: Any]]
    #expect((list?.count ?? 0) >= 140)
    #expect(try CommandLineRun("commands", "kantine-koning").output.contains("setEnrollmentOpen"))
    #expect(try CommandLineRun("exit-codes").output.contains("130"))
    #expect(try CommandLineRun("--version").output.hasPrefix("rehearse "))
  }

  @Test func `replays lines from standard input`() throws {
    let run = try CommandLineRun(
      "replay", "kantine-koning", "-",
      input: """
        {"at":"+1s","method":"GET","path":"/api/mobile/v1/tenants"}
        {"at":"+1s","method":"GET","path":"/nowhere"}
        """)
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains("\"status\":401") && lines[0].contains("unauthorized"))
    #expect(lines[1].contains("\"status\":404"))
  }
}
