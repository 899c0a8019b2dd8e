import Contracts
import Foundation
import LoadTargets
import Testing

/// The same scenario in virtual time, in process in real time, and against a server: what rules were broken.
@Suite struct `A scenario in real time` {
  /// A busy workshop, for three seconds where nothing else is said.
  private static func scenario(
    rulesOff: String = "", target: String = "",
    starts: String = "2026-03-21T08:00 Europe/Berlin", lasts: String = "3s"
  ) throws -> String {
    try CommandLineRun.file(
      """
      rehearsal: 1
      name: workshop-load
      starts: \(starts)
      lasts: \(lasts)
      seed: 1
      worlds:
        - domain: toy
          population: {workshops: 1, members: 120, tools: 25}
          rulesOff: [\(rulesOff)]
      \(target)
      load: {lateness: 1min}
      phases:
        - {name: steady, lasts: \(lasts), rate: 30/s}
      """, named: "workshop.yaml")
  }

  /// The ids of the rules that a run found broken, its exit code, and on what its latencies rest.
  private func found(
    _ file: String, _ options: [String]
  ) throws -> (broken: [String], status: Int32, bases: Set<String>) {
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let run = try CommandLineRun(
      ["run", file, "--output", folder, "--no-store", "--quiet"] + options)
    guard let bytes = FileManager.default.contents(atPath: folder + "/result.json"),
      let result = JSON(parsing: bytes)
    else { return (["no result: \(run.problems)"], run.status, []) }
    let limits = result["limits"]?.array ?? []
    let measured = result["machine"]?["inProcess"]?.array?.filter { $0["title"] != nil } ?? []
    let latencies = (result["latencies"]?.array ?? []) + measured
    return (
      limits.filter { $0["verdict"] == "fail" }.compactMap { $0["id"]?.string }, run.status,
      Set(latencies.compactMap { $0["basis"]?.string })
    )
  }

  @Test(arguments: ["", "TY-01"])
  func `is found to break the same rules in virtual time, in process and over HTTP`(
    rule: String
  ) async throws {
    let file = try Self.scenario(rulesOff: rule)
    let broken = rule.isEmpty ? [] : [rule]
    let virtual = try found(file, ["--timeline", "virtual"])
    #expect(virtual.broken == broken && virtual.bases == ["modelled"])
    let process = try found(file, ["--timeline", "wall"])
    #expect(process.broken == broken && process.bases == ["inProcess"])

    let server = try ServerProcess(
      "rehearse-serve",
      ["--port", "0", "--control", "--domain", "toy", "--scenario", file])
    let address = await server.address()
    try #require(address.hasPrefix("http://127.0.0.1:"))
    // The scenario that is run knows nothing of what is wrong with the server.
    let overHTTP = try found(try Self.scenario(), ["--target", "toy=\(address)"])
    #expect(overHTTP.broken == broken && overHTTP.bases == ["overHTTP"])
    #expect(overHTTP.status == (rule.isEmpty ? 0 : 99))
    #expect(await server.end(by: SIGTERM) == 0)
  }

  /// The result of a run, and all that it wrote.
  private func lived(
    _ file: String, _ options: [String] = []
  ) throws -> (result: JSON, files: String, status: Int32) {
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let run = try CommandLineRun(
      ["run", file, "--output", folder, "--no-store", "--events", folder + "/events.jsonl"]
        + options)
    var files = run.output + run.problems
    for name in ["result.json", "index.html", "summary.md", "junit.xml", "events.jsonl"] {
      files += String(
        decoding: FileManager.default.contents(atPath: folder + "/" + name) ?? Data(), as: UTF8.self
      )
    }
    let bytes = FileManager.default.contents(atPath: folder + "/result.json") ?? Data()
    return (try #require(JSON(parsing: Array(bytes)), "\(run.problems)"), files, run.status)
  }

  private func limit(_ id: String, in result: JSON) -> JSON? {
    result["limits"]?.array?.first { $0["id"]?.string == id }
  }

  @Test func `names all that it was given in the command that repeats it`() throws {
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let options = ["--timeline", "wall", "--speed", "2", "--stop-early"]
    _ = try CommandLineRun(
      ["run", try Self.scenario(lasts: "1s"), "--output", folder, "--no-store", "--quiet"]
        + options)
    let summary = try String(contentsOfFile: folder + "/summary.md", encoding: .utf8)
    let command = "--replications 1 --timeline wall --speed 2 --stop-early"
    #expect(summary.contains(command), "\(summary)")
    let again = try CommandLineRun("report", folder, "--output", folder + "-again")
    #expect(again.status == 0, "\(again.problems)")
    let second = try String(contentsOfFile: folder + "-again/summary.md", encoding: .utf8)
    #expect(second.contains(command))
  }

  @Test func `a server that speaks another contract breaks it, and its values are nowhere`()
    async throws
  {
    let server = try ServerProcess(
      "rehearse-serve", ["--port", "0", "--domain", "kilwinning"])
    let address = await server.address()
    let file = try Self.scenario(target: "target: {toy: {url: \"\(address)\"}}")
    let (result, _, status) = try lived(file)
    #expect(status == 99)
    let contract = try #require(limit("CONTRACT", in: result))
    #expect(contract["verdict"] == "fail")
    let first = contract["evidence"]?.array?.first?["what"]?.string ?? ""
    #expect(first.hasPrefix("signIn answered 404 with {"), "\(first)")
    #expect(await server.end(by: SIGTERM) == 0)
  }

  @Test
  func `people are who a feeder says before a server of their own, and their secrets are nowhere`()
    async throws
  {
    let server = try ServerProcess(
      "rehearse-serve", ["--port", "0", "--control", "--domain", "toy"])
    let address = await server.address()
    let url = try #require(URL(string: address))
    for tool in 1...25 {
      #expect(try await post(url, "_rehearsal/toy/addTool", #"{"tool": \#(tool)}"#) == 200)
    }
    var rows = "login,code\n"
    for number in 1...120 {
      let (login, code) = ("somebody-\(number)", "s3c\(1_000 + number)")
      rows += "\(login),\(code)\n"
      let member = #"{"member": "\#(login)", "pin": "\#(code)"}"#
      #expect(try await post(url, "_rehearsal/toy/addMember", member) == 200)
    }
    let file = try Self.scenario(
      target:
        "target: {toy: {url: \"\(address)\", feeder: people.csv, members: {member: login, pin: code}, headers: {X-Who: \"${row.code}\"}}}"
    )
    let feeder = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent("people.csv")
    try rows.write(to: feeder, atomically: true, encoding: .utf8)
    let (result, files, status) = try lived(file)
    #expect(status == 0)
    #expect(limit("CONTRACT", in: result)?["verdict"] == "pass")
    // Whoever mistypes the PIN types the row's all the same.
    let refusals = result["refusals"]?.array ?? []
    #expect(!refusals.contains { $0["operation"] == "signIn" }, "\(refusals)")
    let why = limit("TY-01", in: result)?["reason"]?.string ?? ""
    #expect(why.contains("the run's clock is not the server's"), "\(why)")
    #expect(!files.contains("s3c1") && files.contains("signIn"))

    try "login,code\nann,s3c1\n".write(to: feeder, atomically: true, encoding: .utf8)
    for words in [["run", file, "--no-store"], ["check", file]] {
      let few = try CommandLineRun(words)
      #expect(few.status == 65, "\(words)")
      #expect(few.problems.contains("people.csv: it has 1 row, and 120 people"))
    }
    #expect(await server.end(by: SIGTERM) == 0)
  }

  @Test(arguments: ["run", "check"])
  func `files that say who people are have to be there, and to name each thing once`(
    command: String
  ) throws {
    func said(_ key: String, _ table: String?) throws -> String {
      let file = try Self.scenario(
        target: "target: {toy: {url: \"http://127.0.0.1:9\", \(key): t.csv}}")
      let path = URL(fileURLWithPath: file).deletingLastPathComponent()
        .appendingPathComponent("t.csv")
      try table?.write(to: path, atomically: true, encoding: .utf8)
      let run = try CommandLineRun(command, file)
      #expect(run.status == 65, "\(run.problems)")
      return run.problems
    }
    for key in ["feeder", "ids"] {
      #expect(try said(key, nil).contains("t.csv: there is no such file"))
    }
    #expect(
      try said("ids", "name,id\na,1\nb,2\na,3\n")
        .contains("t.csv:4:1: 'name' is the same as in line 2"))
  }

  @Test(arguments: [("url", "gate/token"), ("discovery", "gate")])
  func `tokens are fetched for a server of one's own, and again before they are over`(
    key: String, place: String
  ) throws {
    let gate = try FaultyProcess()
    let file = try Self.scenario(
      target:
        "target: {toy: {url: \"\(gate.url("gate"))\", population: prepared, headers: {X-Gate: \"Bearer ${token}\"}, signIn: {\(key): \"\(gate.url(place))\", grant: clientCredentials, client: load, secret: \"${env.GATE_SECRET}\", scope: tools}}}"
    )
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let run = try CommandLineRun(
      ["run", file, "--output", folder, "--no-store", "--events", folder + "/events.jsonl"],
      environment: ["GATE_SECRET": "s3cret"])
    // It speaks another contract behind its gate.
    #expect(run.status == 99, "\(run.problems)")
    let seen = try #require(JSON(parsing: Array(gate.ask("gate/seen").utf8)))
    // Three seconds, and a token lives for one.
    #expect((3...10).contains(seen["tokens"]?.int ?? 0), "\(seen)")
    #expect((seen["passed"]?.int ?? 0) > 60 && seen["refused"]?.int == 0, "\(seen)")
    var files = run.output + run.problems
    for case let name as String in try #require(FileManager.default.enumerator(atPath: folder)) {
      files += (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
    }
    #expect(!files.contains("s3cret") && !files.contains("t0ken"))

    let wrong = try CommandLineRun(
      ["run", file, "--no-store"], environment: ["GATE_SECRET": "wrong"])
    #expect(wrong.status == 69 && wrong.problems.contains("the token endpoint answers 401"))
    #expect(!wrong.problems.contains("wrong"))
    #expect(try CommandLineRun("run", file, "--no-store").status == 65)
  }

  @Test func `what was sent is told to the last request, as the server counts it`() throws {
    let gate = try FaultyProcess()
    let file = try Self.scenario(
      target:
        "target: {toy: {url: \"\(gate.url("gate"))\", population: prepared, headers: {X-Gate: \"Bearer ${token}\"}, signIn: {url: \"\(gate.url("gate/token"))\", grant: clientCredentials, client: load, secret: s3cret, scope: tools}}}\nwarmup: 1s"
    )
    let (result, files, _) = try lived(file)
    let calls = try #require(result["machine"]?["punctuality"]?["calls"])
    func count(_ name: String) -> Int { calls[name]?.int ?? -1 }
    #expect("\(count("sent"))" == gate.ask("requests"), "\(calls)")
    #expect(
      count("sent") == count("counted") + count("warmUp") + count("harness") + count("repeated")
        + count("redirected") + count("abandoned"))
    #expect(count("counted") + count("warmUp") + count("abandoned") == result["requests"]?.int)
    // A request for each token, and one that looks whether the server is there.
    #expect(count("warmUp") > 10 && count("counted") > 30 && (4...11).contains(count("harness")))
    #expect(files.contains("Requests sent: ") && files.contains("of the harness itself"))
  }

  /// A run under way against a served twin, when the twin's clock has gone on for two seconds.
  private func begin(
    _ server: URL, _ file: String, in folder: String
  ) async throws -> Process {
    let process = Process()
    process.executableURL = CommandLineRun.executable
    process.arguments = [
      "run", file, "--target", "toy=\(server.absoluteString)", "--output", folder, "--no-store",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The run's reset sets the clock back; then it goes on.
    var (last, wasReset) = ("", false)
    while process.isRunning, !wasReset || last < "2026-03-21T07:00:02" {
      let health = JSON(parsing: Array(try await text(server, "_rehearsal/health").utf8))
      let now = health?["now"]?.string ?? ""
      wasReset = wasReset || now < last
      last = now
    }
    return process
  }

  @Test(arguments: [true, false])
  func `a server that is reset or gone in the midst of it is a doubt that the report names`(
    isReset: Bool
  ) async throws {
    let file = try Self.scenario(lasts: "8s")
    let server = try ServerProcess(
      "rehearse-serve", ["--port", "0", "--control", "--domain", "toy", "--scenario", file])
    let url = try #require(URL(string: await server.address()))
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let process = try await begin(url, file, in: folder)
    if isReset {
      #expect(try await post(url, "_rehearsal/toy/reset", "{}") == 200)
    } else {
      _ = await server.end(by: SIGKILL)
    }
    process.waitUntilExit()
    let bytes = FileManager.default.contents(atPath: folder + "/result.json") ?? Data()
    let punctuality = try #require(JSON(parsing: Array(bytes))?["machine"]?["punctuality"])
    let summary = try String(contentsOfFile: folder + "/summary.md", encoding: .utf8)
    if isReset {
      #expect((punctuality["serverClockOffSeconds"]?.double ?? 0) > 1)
      #expect(summary.contains("was reset or started again during the run"), "\(summary)")
    } else {
      #expect((punctuality["outage"]?["refused"]?.int ?? 0) > 0, "\(punctuality)")
      #expect(summary.contains("may have been restarted"), "\(summary)")
    }
  }

  @Test
  func `a server that holds the population is judged by what the operator loaded`() async throws {
    let server = try ServerProcess(
      "rehearse-serve", ["--port", "0", "--control", "--domain", "toy"])
    let address = await server.address()
    let url = try #require(URL(string: address))
    let now = Date().formatted(.iso8601)
    let file = try Self.scenario(
      target: "target: {toy: {url: \"\(address)\", population: prepared}}", starts: now,
      lasts: Self.unhurried)
    let lines = try CommandLineRun("persons", file, "--population")
    #expect(lines.status == 0, "\(lines.problems)")
    for line in lines.output.split(separator: "\n") {
      let command = try #require(JSON(parsing: Array(line.utf8))?["control"]?.object?.members.first)
      #expect(
        try await post(url, "_rehearsal/toy/\(command.name)", command.value.description) == 200)
    }
    #expect(
      try await post(url, "_rehearsal/toy/setRule", #"{"id": "TY-01", "binds": false}"#) == 200)
    // The population took a while to load.
    let text = try String(contentsOfFile: file, encoding: .utf8)
    func starts(_ moment: Date) throws {
      try text.replacing(now, with: moment.formatted(.iso8601)).write(
        toFile: file, atomically: true, encoding: .utf8)
    }
    try starts(Date())
    let (result, _, status) = try lived(file)
    #expect(limit("TY-01", in: result)?["verdict"] == "fail" && status == 99)
    let others = result["limits"]?.array?.filter { $0["verdict"] == "fail" } ?? []
    #expect(others.count == 1, "\(others)")

    try starts(Date() - 30)
    let late = try CommandLineRun("run", file, "--no-store")
    #expect(late.status == 65 && late.problems.contains("to the second"), "\(late.problems)")
    #expect(await server.end(by: SIGTERM) == 0)
  }

  /// So long lasts what has to begin now: a run is refused that begins when half of it is over, and a program
  /// takes a second to begin where a machine is busy.
  private static let unhurried = "12s"

  /// A lodge in which somebody is loaded a second time, which is refused (KW-037).
  private static func lodge(
    starts: String, lasts: String = "2s", target: String = ""
  ) throws -> String {
    try CommandLineRun.file(
      """
      rehearsal: 1
      name: lodge
      starts: \(starts)
      lasts: \(lasts)
      worlds:
        - {domain: kilwinning, regions: 1, population: {lodges: 1}, adversaries: 20%}
      load: {lateness: 1min}
      phases: [{name: steady, lasts: \(lasts), rate: 5/s}]
      inconclusive: warn
      \(target)
      """, named: "lodge.yaml")
  }

  @Test func `of a prepared population those commands count as refused that a twin refuses`()
    async throws
  {
    let server = try ServerProcess(
      "rehearse-serve",
      [
        "--port", "0", "--control", "--domain", "kilwinning", "--scenario",
        try Self.lodge(starts: Date().formatted(.iso8601), lasts: Self.unhurried),
      ])
    let target = "target: {kilwinning: {url: \"\(await server.address())\", population: prepared}}"
    let (result, _, _) = try lived(
      try Self.lodge(
        starts: Date().formatted(.iso8601), lasts: Self.unhurried, target: target))
    #expect(limit("KW-037", in: result)?["verdict"] == "pass")
    #expect((limit("KW-037", in: result)?["exercised"]?.int ?? 0) > 0)
    #expect(await server.end(by: SIGTERM) == 0)
  }

  @Test func `a load that the backend's own rules refuse is refused by its server, too`()
    async throws
  {
    let file = try Self.lodge(starts: "2025-03-10T20:00 Europe/Rome")
    let server = try ServerProcess(
      "rehearse-serve", ["--port", "0", "--control", "--domain", "kilwinning", "--scenario", file])
    let (result, _, status) = try lived(file, ["--target", "kilwinning=\(await server.address())"])
    #expect(status == 0 && limit("KW-037", in: result)?["verdict"] == "pass")
    #expect(await server.end(by: SIGTERM) == 0)
  }

  @Test func `a server that is not there, or cannot be made ready, ends it before it begins`()
    async throws
  {
    let file = try Self.scenario()
    let nobody = try CommandLineRun(
      "run", file, "--no-store", "--target", "toy=http://127.0.0.1:9")
    #expect(nobody.status == 69 && nobody.problems.contains("connection refused"))

    let server = try ServerProcess("rehearse-serve", ["--port", "0", "--domain", "toy"])
    let address = await server.address()
    let closed = try CommandLineRun("run", file, "--no-store", "--target", "toy=\(address)")
    #expect(closed.status == 65 && closed.problems.contains("rehearse serve --control"))
    _ = await server.end(by: SIGTERM)
  }

  @Test(arguments: [
    (["--target", "toy=ftp://x"], "toy=ftp://x"),
    (["--target", "lodge=http://127.0.0.1:9"], "no world 'lodge'"),
    (["--target", "toy.mail=http://127.0.0.1:9"], "no service 'mail'"),
    (
      ["--target", "toy=http://127.0.0.1:9", "--target", "toy=http://127.0.0.1:10"], "given twice"
    ),
    (["--target", "toy=http://127.0.0.1:9", "--speed", "2"], "real time"),
    (["--target", "toy=http://127.0.0.1:9", "--timeline", "virtual"], "real time"),
    (["--speed", "2"], "--speed is for the wall timeline"),
  ])
  func `is refused where the command line contradicts itself`(
    options: [String], words: String
  ) throws {
    let run = try CommandLineRun(["run", try Self.scenario(), "--no-store"] + options)
    #expect(run.status == 64 && run.problems.contains(words), "\(run.problems)")
  }
}
