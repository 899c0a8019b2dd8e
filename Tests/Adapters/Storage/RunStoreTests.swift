import Foundation
import Runs
import Storage
import Testing

@Suite struct `The store of runs` {
  /// A folder that goes with the test.
  final class Place {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("rehearsal-store-\(UUID().uuidString)")
    var path: String { folder.appendingPathComponent("deep/runs.sqlite").path }

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  static func record(_ scenario: String, turn: Int = 0, seed: UInt64 = .max) -> RunRecord {
    RunRecord(
      scenario: .init(name: scenario, title: "Title of \(scenario)", digest: "d"),
      recordedAt: "2026-03-21T05:00:00Z", seed: seed, digest: "digest \(turn)", verdict: .fail,
      exitCode: 99, interrupted: false, replications: 20, requests: 10, persons: 3,
      wallSeconds: 1.5, version: "0.1.0", commit: "abc", folder: "reports/\(scenario)")
  }

  static let measurements = [
    RunMeasurement(
      name: .init(
        series: .init(world: "w", operation: "sync", basis: .modelled), measure: .p99),
      seconds: 0.25)
  ]

  @Test func `gives back what was recorded, in order, and by scenario`() throws {
    let place = try Place()
    let store = try RunStore(place.path, creating: true)
    let first = try store.record(
      Self.record("saturday"), measurements: Self.measurements, result: [0, 255, 1])
    let second = try store.record(Self.record("sunday"), measurements: [], result: [])
    let third = try store.record(Self.record("saturday", turn: 2), measurements: [], result: [7])

    #expect(try store.runs() == [first, second, third])
    #expect(try store.runs(of: "saturday") == [first, third])
    #expect(try store.runs(last: 1) == [third])
    #expect(try store.run(first.id) == first && first.record.seed == .max)
    #expect(try store.result(of: first.id) == [0, 255, 1])
    #expect(try store.measurements(of: first.id) == Self.measurements)
    #expect(try store.measurements(of: second.id) == [])
  }

  @Test func `deletes all the runs named or none, and uses no number twice`() throws {
    let place = try Place()
    let store = try RunStore(place.path, creating: true)
    let first = try store.record(
      Self.record("a"), measurements: Self.measurements, result: []
    ).id
    let last = try store.record(Self.record("a"), measurements: [], result: []).id

    #expect(throws: RunStoreError.noSuchRun(id: 99, path: place.path)) {
      try store.delete([first, 99])
    }
    #expect(try store.runs().count == 2)
    try store.delete([first, last])
    #expect(try store.runs().isEmpty && store.measurements(of: first).isEmpty)
    #expect(try store.record(Self.record("a"), measurements: [], result: []).id > last)
    #expect(throws: RunStoreError.noSuchRun(id: first, path: place.path)) { try store.run(first) }
  }

  @Test func `is created only when something is recorded`() throws {
    let place = try Place()
    #expect(throws: RunStoreError.missing(path: place.path)) {
      try RunStore(place.path, creating: false)
    }
    #expect(!FileManager.default.fileExists(atPath: place.path))
  }

  @Test func `of a newer version is left alone`() throws {
    let place = try Place()
    try { _ = try RunStore(place.path, creating: true) }()
    // SQLite's file format, section 1.3: the user version is the big-endian word at byte 60.
    try Self.write([0, 0, 0, 9], at: 60, of: place.path)
    let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
    #expect(throws: RunStoreError.newer(path: place.path, version: 9, known: 1)) {
      try RunStore(place.path, creating: true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
  }

  @Test func `is told from other files and from other programs' databases`() throws {
    let place = try Place()
    try { _ = try RunStore(place.path, creating: true) }()
    // The application's id is the word at byte 68.
    try Self.write([1, 2, 3, 4], at: 68, of: place.path)
    #expect(throws: RunStoreError.foreign(path: place.path)) {
      try RunStore(place.path, creating: true)
    }
    try Data("no database at all, but long enough to be looked at".utf8)
      .write(to: URL(fileURLWithPath: place.path))
    #expect(throws: RunStoreError.foreign(path: place.path)) {
      try RunStore(place.path, creating: true)
    }
    let folder = place.folder.path
    #expect(throws: RunStoreError.isFolder(path: folder)) {
      try RunStore(folder, creating: true)
    }
    let fifo = folder + "/fifo"
    mkfifo(fifo, 0o600)
    #expect(throws: RunStoreError.foreign(path: fifo)) { try RunStore(fifo, creating: true) }
  }

  @Test func `takes many writers at once, from the very first moment`() async throws {
    let place = try Place()
    let path = place.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          let store = try RunStore(path, creating: true)
          for turn in 0..<10 {
            try store.record(
              Self.record("writer \(writer)", turn: turn), measurements: Self.measurements,
              result: [])
          }
        }
      }
      try await group.waitForAll()
    }
    let runs = try RunStore(path, creating: false).runs()
    #expect(runs.count == 80)
    #expect(Set(runs.map(\.id)).count == 80)
    for writer in 0..<8 {
      #expect(
        runs.filter { $0.record.scenario.name == "writer \(writer)" }.map(\.record.digest)
          == (0..<10).map { "digest \($0)" })
    }
  }

  private static func write(_ bytes: [UInt8], at offset: UInt64, of path: String) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }
}
