import Foundation
import LoadTargets
import Testing

/// What becomes of files and of standard output, whatever they are.
@Suite(.serialized) struct `Output` {
  /// Some thousand records in a second or two of a debug build.
  private static let small = """
    rehearsal: 1
    name: small
    starts: 2026-03-21T08:00 Europe/Amsterdam
    lasts: 1h
    replications: 3
    worlds:
      - domain: kantine-koning
        regions: 2
        population: {clubs: 2}
    exchange: 20min
    """

  private func small() throws -> String {
    try CommandLineRun.file(Self.small, named: "small.yaml")
  }

  /// A line of the shell in a folder of its own, with the program as `$R`.
  private func shell(
    _ line: String, in folder: URL? = nil
  ) throws -> (status: Int32, output: String, problems: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = try folder ?? CommandLineRun.folder()
    process.environment = ProcessInfo.processInfo.environment
      .merging(["R": CommandLineRun.executable.path, "NO_COLOR": "1"]) { $1 }
    let kept = try CommandLineRun.folder()
    let files = ["out", "err"].map { kept.appendingPathComponent($0) }
    for file in files { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
    // The shell says 128 and the signal for what a signal ended.
    return (process.terminationStatus, texts[0], texts[1])
  }

  private func list(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func text(_ folder: URL, _ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  // MARK: - Standard output

  @Test(arguments: [
    "limits", "--help", "--version", "schema", "exit-codes", "check scenarios/saturday.yaml",
    "commands kantine-koning --handbook", "new evening --output -", "runs --help",
  ])
  func `that is full or closed ends a command with 73 and a message, that nobody reads quietly`(
    command: String
  ) throws {
    let root = CommandLineRun.root
    for output in [">/dev/full", ">&-"] {
      let run = try shell("$R \(command) \(output)", in: root)
      #expect(run.status == 73, "\(output): \(run.problems)")
      #expect(run.problems.hasSuffix("\n") && run.problems.contains("standard output cannot be"))
    }
    let gone = try shell("$R \(command) | true; exit ${PIPESTATUS[0]}", in: root)
    #expect([0, 141].contains(gone.status) && gone.problems.isEmpty, "\(gone.problems)")
    let blocked = try shell(
      "trap '' PIPE; { sleep 0.5; $R \(command); echo $? >&2; } | true", in: root)
    #expect(blocked.problems == "141\n")
  }

  @Test func `of a run leaves its verdict as it is, unless it had nothing worse to say`() throws {
    let folder = try CommandLineRun.folder()
    let run = "$R run \(try small()) --replications 1 --output out"
    #expect(try shell(run + " >/dev/full", in: folder).status == 73)
    let red = CommandLineRun.root.appendingPathComponent("scenarios/negative/names-too-long.yaml")
    let line = "$R run \(red.path) --replications 1 --output red"
    #expect(try shell(line + " >/dev/full", in: folder).status == 99)
    #expect(try shell(run + " | true; exit ${PIPESTATUS[0]}", in: folder).status == 0)
    #expect(try shell(run + " --quiet >&-", in: folder).status == 0)
    #expect(try list(folder) == ["out", "red"])
  }

  // MARK: - Events

  @Test func `of events comes in one order on any workers, into files, links, FIFOs and streams`()
    throws
  {
    let folder = try CommandLineRun.folder()
    let run = "$R run \(try small()) --output out --quiet --events"
    let all = try shell(
      """
      set -e
      \(run) one.jsonl --workers 1
      \(run) three.jsonl --workers 3
      ln -s target.jsonl link
      \(run) link
      mkfifo fifo
      cat fifo > read.jsonl & \(run) fifo
      wait
      \(run) /dev/stdout > redirected.jsonl
      \(run) /dev/stdout | cat > piped.jsonl
      \(run) >(cat > substituted.jsonl)
      \(run) out/inside.jsonl
      """, in: folder)
    #expect(all.status == 0, "\(all.problems)")
    let one = try text(folder, "one.jsonl")
    #expect(one.split(separator: "\n").count > 2_000)
    for name in [
      "three.jsonl", "target.jsonl", "read.jsonl", "redirected.jsonl", "piped.jsonl",
      "out/inside.jsonl", "substituted.jsonl",
    ] {
      #expect(try text(folder, name) == one, "\(name)")
    }
    for (name, kind) in [
      ("fifo", FileAttributeType.typeUnknown), ("link", .typeSymbolicLink),
      ("one.jsonl", .typeRegular),
    ] {
      let path = folder.appendingPathComponent(name).path
      #expect(
        try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == kind)
    }
    #expect(try list(folder).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func `of events whose reader goes away is no problem, that is full ends with 73`() throws {
    let folder = try CommandLineRun.folder()
    let run = "$R run \(try small()) --replications 1 --output out --quiet --events"
    let gone = try shell("mkfifo fifo; head -c 10 fifo >/dev/null & \(run) fifo", in: folder)
    #expect(gone.status == 0)
    #expect(["", "Waiting for a reader of fifo.\n"].contains(gone.problems))
    let full = try shell("\(run) /dev/full", in: folder)
    #expect(full.status == 73 && full.problems.contains("/dev/full: cannot be written: no space"))
    let limited = try shell("ulimit -f 256; \(run) events.jsonl", in: folder)
    #expect(limited.status == 73 && limited.problems.contains("a file may not be as large"))
    #expect(try list(folder) == ["fifo", "out"], "nothing half-written is left")
    let result = try text(folder, "out/result.json")
    #expect(result.contains("\"exitCode\": 73"), "the report is there all the same")
    #expect(!FileManager.default.fileExists(atPath: "/dev/full") || isDevice("/dev/full"))
  }

  private func isDevice(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }

  @Test func `never goes into what is read`() throws {
    let folder = try CommandLineRun.folder()
    try Self.small.write(
      to: folder.appendingPathComponent("s.yaml"), atomically: true, encoding: .utf8)
    let first = try shell("ln s.yaml hard; $R run s.yaml --output base --quiet", in: folder)
    #expect(first.status == 0)
    for line in [
      "run s.yaml --output out --events s.yaml", "run s.yaml --output out --events ./hard",
      "run s.yaml --output out --baseline base --events base/result.json",
      "run s.yaml --baseline base/result.json --output base",
      "baseline accept base --output base/result.json",
    ] {
      let run = try shell("$R " + line, in: folder)
      #expect(run.status == 64 && run.problems.contains("read"), "\(line): \(run.problems)")
    }
    #expect(try text(folder, "s.yaml") == Self.small)
    #expect(try list(folder) == ["base", "hard", "s.yaml"])
  }

  @Test func `of events never takes the place of the run's own`() throws {
    let folder = try CommandLineRun.folder()
    for events in ["out", "out/result.json", "./out/latency"] {
      let run = try shell(
        "$R run \(try small()) --output out --quiet --events \(events)", in: folder)
      #expect(run.status == 64 && run.problems.contains("--events"), "\(run.problems)")
    }
    #expect(try list(folder) == [])
  }

  @Test func `of wrong usage names the command as it is called`() throws {
    let said = try CommandLineRun(["run", "scenarios/toy.yaml", "--events", "x", "--output", "x"])
    #expect(said.problems.contains("Usage: rehearse run "))
    #expect(said.problems.contains("See 'rehearse run --help'"))
  }

  @Test func `of problems shows names without what moves the cursor or hides`() throws {
    let folder = try CommandLineRun.folder()
    for line in [
      "baseline list X", "reports list none --reports X", "merge X", "replay toy X", "check X",
    ] {
      let run = try shell(
        "mkdir -p $'\\e[31m'; $R " + line.replacing("X", with: "$'\\e[31m'"), in: folder)
      #expect(run.problems.contains("\\u{1B}[31m"), "\(line): \(run.problems)")
      #expect(!run.problems.contains("\u{1B}"))
    }
  }

  // MARK: - Files

  @Test func `goes into files of one letter as into any other`() throws {
    let folder = try CommandLineRun.folder()
    let run = try shell(
      """
      $R run \(try small()) --replications 1 --quiet --output z --events e \
        && $R baseline accept z --output b && cp z/result.json 1 && $R report 1 --only csv
      """, in: folder)
    #expect(run.status == 0, "\(run.problems)")
    #expect(try list(folder) == ["1", "b", "e", "z"])
  }

  @Test func `that has no place ends with 73, and half a file is none`() throws {
    let folder = try CommandLineRun.folder()
    for line in [
      "run \(try small()) --output /proc/nowhere/x", "run \(try small()) --events /proc/nowhere",
      "run \(try small()) --output out --events no/such/folder",
      "new evening --output /proc/e.yaml",
      "duel --help >/dev/full",
    ] {
      #expect(try shell("$R " + line, in: folder).status == 73, "\(line)")
    }
    let new = try shell("ulimit -f 4; $R new evening; echo $? >&2", in: folder)
    #expect(new.problems.hasSuffix("73\n") && new.problems.contains("evening.yaml"))
    #expect(try list(folder) == [])
  }

  @Test func `of a run that the disk does not take costs files, never figures and verdict`() throws
  {
    let folder = try CommandLineRun.folder()
    // A page is larger than what may be written, a table is not.
    let run = try shell(
      "ulimit -f 24; $R run \(try small()) --replications 1 --output out", in: folder)
    #expect(run.status == 73, "\(run.problems)")
    #expect(run.output.contains("HELD") && run.output.contains("Digest"), "\(run.output)")
    #expect(!run.output.contains("index.html"), "no page is promised that is not there")
    #expect(run.problems.contains("a file may not be as large; raise the limit"))
    #expect(run.problems.contains("Missing: ") && run.problems.contains("index.html"))
    let there = try list(folder.appendingPathComponent("out"))
    #expect(there.contains("latencies.csv") && !there.contains("index.html"), "\(there)")
    #expect(there.allSatisfy { !$0.hasPrefix(".") })
    let none = try shell(
      "ulimit -f 0; $R run \(try small()) --replications 1 --output none >/dev/null", in: folder)
    #expect(none.status == 73)
    let quiet = try shell(
      "ulimit -f 24; $R run \(try small()) --replications 1 --output quiet --quiet", in: folder)
    #expect(quiet.status == 73 && quiet.output.isEmpty && quiet.problems.contains("Missing: "))
    let red = CommandLineRun.root.appendingPathComponent("scenarios/negative/names-too-long.yaml")
    let failed = try shell(
      "ulimit -f 24; $R run \(red.path) --replications 1 --output red", in: folder)
    #expect(failed.status == 99 && failed.problems.contains("Missing: "))
    #expect(failed.output.contains("FAILED"))
  }

  @Test func `of a run that the store does not take ends with 73 and the figures`() throws {
    let folder = try CommandLineRun.folder()
    let foreign = try shell(
      "mkdir reports && ln -s /dev/full reports/runs.sqlite; $R run \(try small()) --replications 1",
      in: folder)
    // Where there is no store, but something else, nothing is lost: a warning.
    #expect(foreign.status == 0 && foreign.output.contains("HELD"), "\(foreign.problems)")
    #expect(foreign.problems.contains("warning: the run is not recorded"))
    let full = try shell(
      "rm -r reports; ulimit -f 40; $R run \(try small()) --replications 1", in: folder)
    #expect(full.status == 73 && full.output.contains("HELD"), "\(full.problems)")
    #expect(full.problems.contains("\nthe run is not recorded: reports/runs.sqlite: "))
  }

  @Test func `of a load that the disk does not take costs files, never the figures`() throws {
    let server = try FaultyProcess()
    let folder = try CommandLineRun.folder()
    let load =
      "$R load \(server.url("ok")) --for 500ms --rate 100/s --max-lateness 20s --max-stall 20s"
    let run = try shell("ulimit -f 24; \(load) --output out", in: folder)
    #expect(run.status == 73 && run.output.contains("Response time"), "\(run.problems)")
    #expect(run.problems.contains("Missing: ") && run.problems.contains("index.html"))
    let search = try shell(
      "ulimit -f 24; \(load) --capacity --objective 'p50 < 1ns' --output capacity", in: folder)
    #expect(search.status == 73 || search.status == 99, "\(search.problems)")
    #expect(search.output.contains("Capacity for p50 < 1ns"))
  }

  @Test func `of a run that is killed, hung up on or stopped`() throws {
    let folder = try CommandLineRun.folder()
    // From one exchange point to the next it takes far longer than the second signal.
    let long = Self.small.replacing("lasts: 1h", with: "lasts: 60d")
      .replacing("clubs: 2", with: "clubs: 60").replacing("exchange: 20min", with: "exchange: 1h")
    try long.write(
      to: folder.appendingPathComponent("long.yaml"), atomically: true, encoding: .utf8)
    func run(_ signals: String, _ options: String = "") throws -> Int32 {
      try shell(
        """
        $R run long.yaml --quiet --no-store --workers 1 \(options) & run=$!
        # The second bit from below is SIGINT's: a process that catches it has taken it into its own hands.
        until grep -qE 'SigCgt:.*[2367abef]$|^State:.*Z' /proc/$run/status; do sleep 0.1; done
        sleep 3
        for signal in \(signals); do kill -$signal $run; sleep 0.1; done
        wait $run
        """, in: folder
      ).status
    }
    #expect(try run("KILL") == 137)
    #expect(try list(folder) == ["long.yaml"], "no empty folder is left")
    #expect(try run("INT INT", "--events events.jsonl") == 130)
    #expect(try list(folder) == ["long.yaml"], "and no half of a file")
    for signal in ["HUP", "TERM"] {
      #expect(try run(signal, "--output \(signal) --events \(signal).jsonl") == 130)
      #expect(try text(folder, "\(signal)/result.json").contains("\"exitCode\": 130"))
      #expect(try !text(folder, "\(signal).jsonl").isEmpty, "what happened until then is kept")
    }
  }

  // MARK: - What is read

  @Test(.timeLimit(.minutes(1)))
  func `is asked for at once of what can never be read`() throws {
    let folder = try CommandLineRun.folder()
    let run = try shell("mkfifo fifo; $R run fifo; echo $? >&2; $R check fifo", in: folder)
    #expect(
      run.status == 65 && run.problems.contains("it is a FIFO") && run.problems.contains("65"))
    let store = try shell("$R runs list --store .", in: folder)
    #expect(store.status == 65 && store.problems.contains("this is a folder"))
    #expect(try shell("$R compare fifo fifo", in: folder).status == 65)
  }

  @Test func `of a history names the page that it wrote`() throws {
    let folder = try CommandLineRun.folder()
    let run = try shell(
      "$R run \(try small()) --replications 1 --quiet; $R history small --page 'my page.html'",
      in: folder)
    #expect(run.status == 0 && run.output.hasSuffix("\nPage: my page.html\n"), "\(run.problems)")
    let page = folder.appendingPathComponent("my page.html")
    #expect(try String(contentsOf: page, encoding: .utf8).contains("1 run is too few"))
  }

  @Test func `says the commit that was built, wherever the program is called from`() throws {
    let root = CommandLineRun.root.path
    let folder = try CommandLineRun.folder()
    let built = try shell("$R --version", in: folder)
    let other = try shell(
      """
      git init -q . && git -c user.name=x -c user.email=x@y commit -q --allow-empty -m other
      mkdir a && ln -s $R a/rehearse && PATH=$PWD/a:$PATH rehearse --version
      """, in: folder)
    #expect(other.output == built.output)
    let commit = try shell("git -C '\(root)' rev-parse --short=12 HEAD || echo unknown", in: folder)
    // The day of the build stands behind it.
    #expect(built.output.contains("(\(commit.output.dropLast()), "))
  }

  @Test func `of a scenario that contradicts itself is no trap`() throws {
    func check(_ parameters: String) throws -> (status: Int32, problems: String) {
      let text = Self.small.replacing("kantine-koning", with: "mimi-supply")
        .replacing("population: {clubs: 2}", with: "parameters: {\(parameters)}")
      let run = try CommandLineRun("check", CommandLineRun.file(text, named: "c.yaml"))
      return (run.status, run.problems)
    }
    for (parameters, what) in [
      ("stars1: 0, stars2: 0, stars3: 0, stars4: 0, stars5: 0", "ratings"),
      ("payingByWallet: 0, payingByCard: 0, payingByPayPal: 0, payingCash: 0", "payments"),
      (
        "ridingBicycle: 0, ridingScooter: 0, ridingMotorcycle: 0, ridingCar: 0, ridingVan: 0",
        "vehicles"
      ), ("stockSmallest: 60", "'stockLargest' is 50 by default"),
      ("radiusSmallest: 9, radiusLargest: 8", "'radiusLargest' (9:"),
      ("tipNone: 80%, tipOfSubtotal: 30%", "make 110%"),
    ] {
      let run = try check(parameters)
      #expect(run.status == 65 && run.problems.contains(what), "\(run.problems)")
    }
    #expect(try check("stars1: 0, stars2: 0, stars3: 0, stars4: 0").status == 0)
  }

  // MARK: - The fuzzer of scenarios

  @Test func `of odd scenarios is a refusal or a report, never a trap`() throws {
    let fuzz = CommandLineRun.executable.deletingLastPathComponent().path + "/rehearse-fuzz"
    let run = try shell("\(fuzz) scenarios --seed 1 --count 60 --quiet")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("60 scenarios: "))
    let lived = run.output.firstMatch(of: #/([0-9]+) lived/#).flatMap { Int($0.1) } ?? 0
    #expect(lived > 10, "\(run.output)")
    let planted = try shell("\(fuzz) scenarios --seed 1 --count 5 --trap-at 3 --quiet")
    #expect(planted.status == 99 && planted.output.contains("--seed 1 --only 3"))
  }
}
