import Foundation
import Runs
import Storage
import Testing

@Suite struct `A killed process` {
  /// Beside the bundle of the tests, where the build puts every executable.
  private static var writer: URL? {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return [folder, root.appendingPathComponent(".build/debug")]
      .map { $0.appendingPathComponent("store-writer") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  @Test(arguments: [1, 2, 3, 5, 8, 13])
  func `leaves whole runs in the store, and all that it reported`(reported: Int) throws {
    let place = try `The store of runs`.Place()
    let process = Process()
    let writer = try #require(Self.writer, "build the tests: store-writer is one of their products")
    process.executableURL = writer
    process.arguments = [place.path, "1000000"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var text = ""
    while text.count(where: { $0 == "\n" }) < reported {
      let part = pipe.fileHandleForReading.availableData
      try #require(!part.isEmpty, "the writer ended by itself")
      text += String(decoding: part, as: UTF8.self)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    text += String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let told = text.split(separator: "\n").compactMap { Int64($0) }

    let store = try RunStore(place.path, creating: false)
    let runs = try store.runs()
    #expect(Set(told).isSubset(of: Set(runs.map(\.id))))
    // The last one may have been written and not yet reported.
    #expect(runs.count == told.count || runs.count == told.count + 1)
    for run in runs {
      #expect(try store.measurements(of: run.id).count == 200)
      #expect(try store.result(of: run.id).count == 200_000)
    }
    try store.record(run(after: runs), measurements: [], result: [])
    #expect(try store.runs().count == runs.count + 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `that holds the store is waited for, but not for long`() throws {
    let place = try `The store of runs`.Place()
    try { _ = try RunStore(place.path, creating: true) }()
    let process = Process()
    let writer = try #require(Self.writer)
    process.executableURL = writer
    process.arguments = [place.path, "hold"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    #expect(throws: RunStoreError.busy(path: place.path)) {
      try RunStore(place.path, creating: false)
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(try RunStore(place.path, creating: false).runs().isEmpty)
  }

  private func run(after runs: [StoredRun]) -> RunRecord { runs[0].record }
}
