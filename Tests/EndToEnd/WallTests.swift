import Contracts
import Foundation
import Testing

/// The same scenario in virtual time, in process in real time, and against a server: what rules were broken.
@Suite struct `A scenario in real time` {
  /// Three seconds at a busy workshop.
  private static func scenario(rulesOff: String = "") throws -> String {
    try CommandLineRun.file(
      """
      rehearsal: 1
      name: workshop-load
      starts: 2026-03-21T08:00 Europe/Berlin
      lasts: 3s
      worlds:
        - domain: toy
          population: {workshops: 1, members: 120, tools: 25}
          rulesOff: [\(rulesOff)]
      load: {lateness: 1min}
      phases:
        - {name: steady, lasts: 3s, rate: 30/s}
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
