import Foundation
import Testing

/// The digests of the stock scenarios (`digests.json`), with seed 1 and one replication: they change with what a run does, and with
/// nothing else. `make digests` compares all of them, on one worker and on seven.
@Suite struct `The digests of the stock scenarios` {
  private struct Known: Decodable {
    let digest: String
    let requests: Int
  }

  private static func known() throws -> [String: Known] {
    let file = CommandLineRun.root.appendingPathComponent("Tests/EndToEnd/digests.json")
    return try JSONDecoder().decode([String: Known].self, from: Data(contentsOf: file))
  }

  @Test func `are known of each scenario in virtual time`() throws {
    let folder = CommandLineRun.root.appendingPathComponent("scenarios")
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
    let virtual = try paths.compactMap { $0 as? String }.filter {
      guard $0.hasSuffix(".yaml") else { return false }
      let text = try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
      return !text.contains("\ntimeline: wall")
    }
    #expect(try Set(virtual.map { "scenarios/\($0)" }) == Set(Self.known().keys))
  }

  /// Of the small ones, in a debug build.
  @Test func `are what they were`() throws {
    for (name, known) in try Self.known().sorted(by: { $0.key < $1.key })
    where known.requests < 6_000 {
      let folder = try CommandLineRun.folder().appendingPathComponent("run")
      _ = try CommandLineRun(
        "run", name, "--seed", "1", "--replications", "1", "--quiet", "--output", folder.path)
      let result = try JSONDecoder().decode(
        Known.self, from: Data(contentsOf: folder.appendingPathComponent("result.json")))
      #expect(result.digest == known.digest, "\(name)")
    }
  }
}
