import Contracts
import Foundation
import Testing

/// What somebody at a terminal, or a CI job without one, meets.
@Suite(.serialized) struct `At the terminal` {
  private static let evening = """
    rehearsal: 1
    name: evening
    starts: 2026-03-20T18:00 Europe/Amsterdam
    lasts: 4h
    replications: ${REPLICATIONS:-20}
    worlds:
      - domain: kantine-koning          # canteen shifts of sports clubs
        population: {clubs: 4}
        adversaries: 2%                 # a rule that nobody tries to break has not been checked
    objectives: ["p95 of kantine-koning.diensten < 600ms"]
    """

  private static func scenario() throws -> String {
    try CommandLineRun.file(evening, named: "evening.yaml")
  }

  // MARK: - Names and traces

  @Test func `the README's example names somebody who lives there`() throws {
    let readme = try String(
      contentsOf: CommandLineRun.root.appendingPathComponent("README.md"), encoding: .utf8)
    let command = try #require(
      readme.split(separator: "\n").first { $0.hasPrefix("rehearse trace evening.yaml --person ") })
    let person = try #require(command.split(separator: " ").dropFirst(4).first)
    let example = try #require(
      readme.firstMatch(of: /```yaml\n(rehearsal: 1\nname: evening\n[^`]*)```/))
    let file = try CommandLineRun.file(String(example.output.1), named: "evening.yaml")
    let run = try CommandLineRun("trace", file, "--person", String(person))
    #expect(run.status == 0 && run.output.hasPrefix(person), "\(run.output)\(run.problems)")
    #expect(run.output.contains("times of Europe/Amsterdam"))
    #expect(run.output.contains(#/ diensten  replied  \d/#))
  }

  @Test func `persons are listed and searched, and a wrong name is answered with one that exists`()
    throws
  {
    let file = try Self.scenario()
    let found = try CommandLineRun("persons", file, "--like", "CLUB-2-PHONE-1")
    let names = found.output.split(separator: "\n").map(String.init)
    #expect(!names.isEmpty && names.allSatisfy { $0.hasPrefix("kantine-koning/1/club-2-phone-1") })
    let few = try CommandLineRun("persons", file)
    #expect(few.output.split(separator: "\n").count == 20)
    #expect(few.problems.contains("--all shows every one"))
    #expect(try CommandLineRun("persons", file, "--like", "nobody").status == 65)

    let wrong = try CommandLineRun("trace", file, "--person", "kantine-koning/1/phone-0007")
    #expect(wrong.status == 65)
    let hint = try #require(wrong.problems.firstMatch(of: /did you mean '([^']+)'/)?.output.1)
    #expect(try CommandLineRun("persons", file, "--like", String(hint)).status == 0)
  }

  @Test func `a trace is cut around a line, a moment or a violation`() throws {
    let file = "scenarios/negative/names-too-long.yaml"
    let run = try CommandLineRun("trace", file, "--violation", "kk-58", "--context", "1")
    #expect(run.status == 0, "\(run.problems)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("✗ ") && $0.contains("addVolunteer  replied") })
    #expect(lines.contains { $0.contains("KK-58: a name of 16 characters") })
    let person = try #require(lines.first)
    let line = try CommandLineRun(
      "trace", file, "--person", String(person), "--around", "2", "--context", "0")
    #expect(line.output.split(separator: "\n").contains { $0.contains(#/^. *2  \d\d:/#) })
    #expect(
      try CommandLineRun("trace", file, "--person", String(person), "--around", "soon").status == 64
    )
    #expect(try CommandLineRun("trace", file, "--violation", "KK-999").status == 64)
  }

  // MARK: - Options and inputs

  @Test(arguments: [
    (["run", "x.yaml", "--seed", "-1"], "a seed is not negative"),
    (["run", "x.yaml", "--seed", "x"], "'x' is not a seed"),
    (
      ["run", "x.yaml", "--workers", "-1"],
      "--workers must be a number of threads from 1 to 1024, not -1"
    ),
    (["run", "x.yaml", "--replications", "-1"], "not -1"),
    (["runs", "list", "--last", "-1"], "not -1"),
    (["reports", "clean", "--keep", "-1"], "but is -1"),
    (
      ["new", "x", "--domain", "kantine-koning", "--domain", "mimi-supply"],
      "a new scenario is about one domain, not 2"
    ),
    (["domains", "kantine-koning", "operations", "snyc"], "did you mean 'sync'?"),
    (["domains", "kantine"], "did you mean 'kantine-koning'?"),
  ])
  func `a wrong option is answered with what would be right`(arguments: [String], message: String)
    throws
  {
    let run = try CommandLineRun(arguments)
    #expect(run.status == 64 && run.problems.contains(message), "\(run.problems)")
  }

  @Test func `a scenario may come from standard input, with values from the environment`() throws {
    let fine = try CommandLineRun(
      ["check", "-"], input: Self.evening, environment: ["REPLICATIONS": "21"])
    #expect(fine.status == 0 && fine.output.contains("-: valid"))
    #expect(fine.output.contains("21 replications"))
    let bare = Self.evening.replacingOccurrences(of: ":-20", with: "")
    let unset = try CommandLineRun(["check", "-"], input: bare)
    #expect(unset.status == 65)
    #expect(unset.problems.contains("-:5:15: the environment variable 'REPLICATIONS' is not set"))
    let explained = try CommandLineRun(["explain", "-", "--no-probe"], input: Self.evening)
    #expect(
      explained.status == 0 && explained.output.contains(#/replications +20 +scenario, line 5/#))
  }

  @Test func `domains are shown, each topic by itself, and shells complete them`() throws {
    let domains = try CommandLineRun("domains").output
    #expect(domains.contains("kantine-koning    Kantine Koning"))
    for topic in ["operations", "latencies", "faults", "population", "parameters", "events"] {
      let run = try CommandLineRun("domains", "mimi-supply", topic)
      #expect(run.status == 0 && run.output.contains("As a scenario writes it:"), "\(topic)")
    }
    let script = try CommandLineRun("--generate-completion-script", "bash").output
    #expect(script.contains("kantine-koning") && script.contains("latencies"))
  }

  @Test func `every example that a domain gives is a scenario's`() throws {
    for domain in try CommandLineRun.domains() {
      let all = try #require(
        JSON(parsing: try CommandLineRun("domains", domain, "--format", "json").output))
      func examples(_ topic: String) throws -> [String] {
        try #require(all[topic]?.array).compactMap { $0["example"]?.string }
      }
      let objectives = try examples("operations") + examples("latencies")
      let population = try examples("population").map {
        $0.dropFirst("population: {".count).dropLast()
      }
      let parameters = try examples("parameters").map {
        $0.dropFirst("parameters: {".count).dropLast()
      }
      let faults = try examples("faults").map { $0.dropFirst("faults: [".count).dropLast() }
      let text = """
        rehearsal: 1
        name: all
        starts: 2026-03-20T06:00 Europe/Amsterdam
        lasts: 10h
        replications: 20
        worlds:
          - domain: \(domain)
            population: {\(population.joined(separator: ", "))}
            parameters: {\(parameters.joined(separator: ", "))}
        faults: [\(faults.joined(separator: ", "))]
        objectives:
        \(objectives.map { "  - \($0)" }.joined(separator: "\n"))
        """
      let run = try CommandLineRun(["check", "-"], input: text)
      #expect(run.status == 0, "\(run.problems)")
    }
  }

  // MARK: - Verdicts

  @Test func `a quiet run that is not green says why on standard error`() throws {
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let run = try CommandLineRun(
      "run", "scenarios/negative/names-too-long.yaml", "--replications", "1", "--output", folder,
      "--quiet")
    #expect(run.status == 99 && run.output.isEmpty)
    #expect(run.problems.hasPrefix("✗ FAILED") && run.problems.contains("KK-58"))
  }

  @Test func `a comparison that cannot tell ends with 98, unless the scenario says that it may`()
    throws
  {
    for (mode, code) in [("fail", 98 as Int32), ("warn", 0)] {
      let text = """
        rehearsal: 1
        name: twice
        starts: 2026-03-20T18:00 Europe/Amsterdam
        lasts: 1h
        replications: 2
        inconclusive: \(mode)
        worlds: [{domain: kantine-koning, population: {clubs: 2}}]
        """
      let file = try CommandLineRun.file(text, named: "twice.yaml")
      let folder = try CommandLineRun.folder()
      let (old, new) = (
        folder.appendingPathComponent("a").path, folder.appendingPathComponent("b").path
      )
      #expect(
        try CommandLineRun("run", file, "--seed", "1", "--output", old, "--quiet").status == 0)
      let run = try CommandLineRun("run", file, "--seed", "2", "--output", new, "--baseline", old)
      #expect(run.status == code, "\(run.output)\(run.problems)")
      #expect(run.output.hasPrefix(mode == "fail" ? "? CANNOT TELL" : "✓ HELD"))
      let junit = try String(contentsOfFile: new + "/junit.xml", encoding: .utf8)
      #expect(junit.contains("<failure type=\"inconclusive\"") == (mode == "fail"))
      let compared = try CommandLineRun("compare", new, old, "--quiet")
      #expect(compared.status == code && compared.output.isEmpty)
      #expect(compared.problems.isEmpty == (mode == "warn"))
    }
  }

  @Test func `a result whose digests were changed is not compared`() throws {
    let golden = CommandLineRun.root.appendingPathComponent(
      "Tests/Engine/Reports/Golden/result.json")
    let text = try String(contentsOf: golden, encoding: .utf8)
    let digest = try #require(text.firstMatch(of: /\n  "digest": "([0-9a-f]{32})"/)?.output.1)
    let changed = try CommandLineRun.file(
      text.replacingOccurrences(of: digest, with: String(repeating: "0", count: 32)),
      named: "changed.json")
    let run = try CommandLineRun("compare", changed, golden.path)
    #expect(run.status == 65 && run.problems.contains("does not follow from the digests"))
  }

  // MARK: - Progress

  /// A run whose standard error is a terminal of so many columns.
  private func progress(columns: UInt16, terminal: String) throws -> String {
    let text = Self.evening.replacingOccurrences(of: "lasts: 4h", with: "lasts: 20d")
    let file = try CommandLineRun.file(text, named: "long.yaml")
    return try progress(
      columns: columns, terminal: terminal,
      of: ["run", file, "--replications", "40", "--workers", "1"])
  }

  private func progress(
    columns: UInt16, terminal: String, of arguments: [String]
  ) throws -> String {
    // Linux's own way to a pseudo-terminal; POSIX's functions are hidden from Swift.
    let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (isLocked, index): (Int32, UInt32) = (0, 0)
    #expect(main >= 0 && ioctl(main, unlock, &isLocked) == 0 && ioctl(main, number, &index) == 0)
    let name = "/dev/pts/\(index)"
    let side = open(name, O_RDWR | O_NOCTTY)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(side, UInt(TIOCSWINSZ), &size) == 0)
    let process = Process()
    process.executableURL = CommandLineRun.executable
    process.currentDirectoryURL = CommandLineRun.root
    process.arguments =
      arguments + ["--output", try CommandLineRun.folder().appendingPathComponent("run").path]
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": terminal]) { $1 }
    process.standardError = FileHandle(fileDescriptor: side, closeOnDealloc: true)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var seen = Data()
    let deadline = Date() + 20
    // What a terminal gets in its first lines: enough to see how they are written.
    while Date() < deadline, String(decoding: seen, as: UTF8.self).ranges(of: "left").count < 2 {
      var ready = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 500) > 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = read(main, &buffer, buffer.count)
      guard count > 0 else { break }
      seen.append(contentsOf: buffer[..<count])
    }
    process.terminate()
    process.waitUntilExit()
    close(main)
    return String(decoding: seen, as: UTF8.self)
  }

  @Test(arguments: [80, 20] as [UInt16])
  func `progress stays in one line of the terminal`(columns: UInt16) throws {
    let text = try progress(columns: columns, terminal: "xterm")
    let lines = text.split(separator: "\r\u{1B}[2K").dropFirst(0)
    #expect(lines.count >= 2, "\(text)")
    for line in lines where line.contains("%") {
      #expect(line.count < Int(columns) && !line.contains("\n"), "\(line)")
    }
  }

  @Test func `a run in real time shows load, waits, errors and broken rules in place`() throws {
    let text = try progress(
      columns: 80, terminal: "xterm",
      of: ["run", "scenarios/load/lodge-smoke.yaml", "--timeline", "wall", "--speed", "2"])
    #expect(text.contains("In real time this takes 7.5 s"))
    // Before the first line of the view stands what was said beforehand.
    let lines = text.split(separator: "\u{1B}[K").map { piece in
      (piece.split(whereSeparator: \.isNewline).last ?? "").drop {
        "\r\u{1B}[0123456789A".contains($0)
      }
    }
    #expect(lines.contains { $0.contains("One lodge, looked at") }, "\(text)")
    #expect(lines.contains { $0.hasPrefix("wanted ") && $0.contains(" people  answered ") })
    #expect(lines.contains { $0.hasPrefix("errors 0") })
    #expect(lines.contains { $0.contains("rules broken 0") }, "\(text)")
    // Without what paints them.
    for line in lines {
      #expect(line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "").count < 80, "\(line)")
    }
  }

  @Test func `a dumb terminal gets a line now and then, and no control sequence`() throws {
    let text = try progress(columns: 40, terminal: "dumb")
    #expect(text.contains("%") && !text.contains("\u{1B}"), "\(text)")
    for line in text.split(whereSeparator: \.isNewline) { #expect(line.count < 40, "\(line)") }
  }
}
