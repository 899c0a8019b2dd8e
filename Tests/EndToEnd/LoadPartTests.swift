import Contracts
import Foundation
import LoadTargets
import SchemaChecker
import Testing

/// `load --part` and `merge` as several users run them at once.
@Suite struct `Parts of a load that are merged` {
  private static func inSeconds(_ seconds: Double) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: seconds + 1))
  }

  /// Four generators at once.
  private func load(_ url: String, in folder: URL, _ more: [String]) throws -> [Int32] {
    let starts = Self.inSeconds(3)
    let processes = try (1...4).map { number in
      let process = Process()
      process.executableURL = CommandLineRun.executable
      process.arguments =
        [
          "load", url, "--rate", "200/s", "--for", "1s", "--part", "\(number)/4", "--start-at",
          starts, "--output", folder.path, "--quiet", "--max-lateness", "20s",
        ] + more
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

  @Test func `tell of every call that the server counted`() throws {
    let server = try FaultyProcess()
    let folder = try CommandLineRun.folder()
    let codes = try load(
      server.url("ok"), in: folder,
      ["--max-stall", "20s", "--objective", "p50 < 10s", "-H", "Authorization: secret"])
    #expect(codes == [0, 0, 0, 0])
    let out = folder.path + "/out"
    let merge = try CommandLineRun("merge", folder.path, "--output", out)
    #expect(merge.status == 0, "\(merge.problems)")
    let found = try result(out)
    #expect(found["requests"] == 200 && server.ask("requests") == "200")
    #expect(found["generator"]?["wantedPerSecond"]?.double == 200)
    let schema = try #require(
      JSON(parsing: Array(try CommandLineRun("schema", "result").output.utf8)))
    #expect(SchemaChecker(schema).problems(of: found) == [])
    let method = try String(contentsOfFile: out + "/result.json", encoding: .utf8)
    #expect(method.contains("in 4 parts, each from one thread") && !method.contains("secret"))

    let three = (1...3).map { folder.path + "/\($0)-of-4.part" }
    let missing = try CommandLineRun(["merge"] + three + ["--output", out + "-3"])
    #expect(missing.status == 65 && missing.problems.contains("part 4/4 is missing"))
    let some = try CommandLineRun(
      ["merge"] + three + ["--output", out + "-3", "--allow-missing"])
    #expect(some.status == 98, "\(some.problems)")
    #expect(try result(out + "-3")["requests"] == 150)
  }

  @Test func `begin at one moment, which all are told`() throws {
    let alone = try CommandLineRun("load", "http://127.0.0.1:9/", "--part", "1/4")
    #expect(alone.status == 64 && alone.problems.contains("--part and --start-at go together"))
    let past = try CommandLineRun(
      "load", "http://127.0.0.1:9/", "--part", "1/4", "--start-at", "2020-01-01T00:00:00Z",
      "--output", try CommandLineRun.folder().path)
    #expect(past.status == 65 && past.problems.contains("has passed"))
  }
}
