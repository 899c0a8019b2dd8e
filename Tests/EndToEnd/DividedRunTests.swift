import Contracts
import Foundation
import Testing

/// `run --part --target` and `merge` as several users run them at once, against one server.
@Suite struct `A run against a server that several generators live` {
  private static func scenario(members: Int = 120, rate: Int = 30) throws -> String {
    try CommandLineRun.file(
      """
      rehearsal: 1
      name: workshop-load
      starts: 2026-03-21T08:00 Europe/Berlin
      lasts: 3s
      seed: 1
      worlds:
        - domain: toy
          population: {workshops: 1, members: \(members), tools: 25}
      load: {lateness: 1min}
      phases:
        - {name: steady, lasts: 3s, rate: \(rate)/s}
      """, named: "workshop.yaml")
  }

  private static func inSeconds(_ seconds: Double) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: seconds + 1))
  }

  private func served(_ file: String) throws -> ServerProcess {
    try ServerProcess(
      "rehearse-serve", ["--port", "0", "--control", "--domain", "toy", "--scenario", file])
  }

  /// Some generators at once. - Returns: Their exit codes.
  private func live(
    _ file: String, _ address: String, _ shares: [String], in folder: String, startsIn: Double
  ) throws -> [Int32] {
    let starts = Self.inSeconds(startsIn)
    let processes = try shares.map { share in
      let process = Process()
      process.executableURL = CommandLineRun.executable
      process.arguments = [
        "run", file, "--target", "toy=\(address)", "--part", share, "--start-at", starts,
        "--output", folder, "--quiet", "--workers", "1",
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
    return processes.map {
      $0.waitUntilExit()
      return $0.terminationStatus
    }
  }

  private func result(_ folder: String) throws -> JSON {
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/result.json"))
    return try #require(JSON(parsing: Array(data)))
  }

  @Test func `is the same arrivals and people together, and judges what one of them can see`()
    async throws
  {
    let file = try Self.scenario()
    let server = try served(file)
    let address = await server.address()
    let folder = try CommandLineRun.folder().path
    let whole = try CommandLineRun(
      "run", file, "--target", "toy=\(address)", "--output", folder + "/whole", "--quiet")
    #expect(whole.status == 0, "\(whole.problems)")
    let parts = folder + "/parts"
    #expect(
      try live(file, address, ["1/3", "2/3", "3/3"], in: parts, startsIn: 4) == [0, 0, 0])
    let merge = try CommandLineRun("merge", parts, "--output", folder + "/out", "--quiet")
    #expect(merge.status == 0, "\(merge.problems)")
    let (one, all) = (try result(folder + "/whole"), try result(folder + "/out"))
    #expect(all["persons"] == one["persons"])
    let (told, expected) = (all["machine"]?["punctuality"], one["machine"]?["punctuality"])
    #expect(told?["arrivals"] == expected?["arrivals"] && (told?["arrivals"]?.int ?? 0) > 30)
    #expect(all["latencies"]?.array?.first?["basis"] == "overHTTP")
    let method = (all["method"]?.array ?? []).compactMap(\.string).joined()
    #expect(method.contains("3 generators made it") && !method.contains("1 generator"))
    let limits = all["limits"]?.array ?? []
    #expect(limits.contains { $0["verdict"] == "pass" })
    func isLeftOut(_ limit: JSON) -> Bool {
      limit["reason"]?.string?.contains("they live in 3 generators") == true
    }
    #expect(limits.contains { $0["verdict"] == "notExercised" && isLeftOut($0) })
    // Each person's repeats are seen by the generator that lives them.
    #expect(limits.contains { $0["id"] == "TY-10" && !isLeftOut($0) })
    let missing = try CommandLineRun(
      "merge", parts + "/1-of-3.part", parts + "/3-of-3.part", "--output", folder + "/some")
    #expect(missing.status == 65 && missing.problems.contains("part 2/3 is missing"))
    let some = try CommandLineRun(
      "merge", parts + "/1-of-3.part", parts + "/3-of-3.part", "--output", folder + "/some",
      "--allow-missing")
    #expect(some.status == 98 && some.output.contains("2/3"), "\(some.problems)")
    #expect(await server.end(by: SIGTERM) == 0)
  }

  @Test func `names the generator that was short of people, and does not count`() async throws {
    // The load asks for more than its few people can do.
    let file = try Self.scenario(members: 9, rate: 200)
    let server = try served(file)
    let folder = try CommandLineRun.folder().path
    _ = try live(file, await server.address(), ["1/2", "2/2"], in: folder, startsIn: 4)
    let merge = try CommandLineRun("merge", folder, "--output", folder + "/out")
    #expect(merge.status == 96, "\(merge.problems)")
    #expect(merge.output.contains("generator 1/2: ") && merge.output.contains("found nobody free"))
    _ = try CommandLineRun("report", folder + "/out", "--output", folder + "/again")
    let summary = try String(contentsOfFile: folder + "/again/summary.md", encoding: .utf8)
    #expect(summary.contains("generator 2/2: "))
    #expect(await server.end(by: SIGTERM) == 0)
  }

  @Test func `does not begin on a server that the first one has not made ready`() async throws {
    let file = try Self.scenario()
    let server = try served(file)
    let folder = try CommandLineRun.folder().path
    let run = try CommandLineRun(
      "run", file, "--target", "toy=\(await server.address())", "--part", "2/2", "--start-at",
      Self.inSeconds(1), "--output", folder)
    #expect(run.status == 65 && run.problems.contains("was not made ready"), "\(run.problems)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    #expect(await server.end(by: SIGTERM) == 0)
  }

  @Test(arguments: [
    (["--part", "1/2"], "needs --start-at"),
    (
      ["--part", "1/2", "--start-at", "2020-01-01T00:00:00Z", "--replications", "2"],
      "in one replication"
    ),
    (["--start-at", "2020-01-01T00:00:00Z"], "goes with --part"),
  ])
  func `says what a part of it needs`(options: [String], words: String) throws {
    let run = try CommandLineRun(
      ["run", try Self.scenario(), "--target", "toy=http://127.0.0.1:9"] + options)
    #expect(run.status == 64 && run.problems.contains(words), "\(run.problems)")
  }

  @Test func `begins at a moment that is still to come`() throws {
    let run = try CommandLineRun(
      "run", try Self.scenario(), "--target", "toy=http://127.0.0.1:9", "--part", "1/2",
      "--start-at", "2020-01-01T00:00:00Z", "--output", try CommandLineRun.folder().path)
    #expect(run.status == 65 && run.problems.contains("has passed"), "\(run.problems)")
  }
}
