import Foundation
import GRDB
import Runs
import Synchronization
import Verdicts

/// The runs of this project in one SQLite file, for many processes at once.
///
/// Each run is written in one transaction, so that a process that is killed leaves a whole run or none. Readers do not block writers
/// (WAL), and writers wait for one another.
public struct RunStore: Sendable {
  private let path: String
  private let database: DatabaseQueue

  private let patience: Patience

  /// Opens a store, and creates it, or brings it up to date, where needed.
  ///
  /// - Parameter creating: Whether a missing store is created, with the folder that it lies in.
  public init(_ path: String, creating: Bool) throws(RunStoreError) {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw .isFolder(path: path) }
      // SQLite would wait for ever for what a FIFO holds.
      guard status.st_mode & S_IFMT == S_IFREG else { throw .foreign(path: path) }
    } else {
      guard creating else { throw .missing(path: path) }
      try Self.createFolder(of: path)
    }
    var configuration = Configuration()
    let patience = Patience()
    self.patience = patience
    configuration.busyMode = .callback { _ in patience.lasts() }
    configuration.label = "runs"
    database = try Self.guarding(path) {
      try DatabaseQueue(path: path, configuration: configuration)
    }
    try prepare()
  }

  /// Nothing is written to a file before it is known to be a store that this version may write to.
  private func prepare() throws(RunStoreError) {
    try Self.guarding(path) {
      let version = try database.read { db in try Schema.check(db, path: path) }
      try switchToWAL()
      if version < Schema.version {
        try database.write { db in try Schema.migrate(db, path: path) }
      }
    }
  }

  /// Two processes that both turn a new file to WAL can meet in a way that SQLite does not wait for: who loses tries again.
  private func switchToWAL() throws {
    while true {
      do {
        let mode = try database.writeWithoutTransaction { db in
          try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        }
        if mode == "wal" { return }
        throw RunStoreError.failed(
          path: path, reason: "SQLite cannot keep a write-ahead log here; use a local disk")
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && patience.lasts()
      {}
    }
  }

  private static func createFolder(of path: String) throws(RunStoreError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
      throw isFull ? .full(path: path) : .notPermitted(path: path)
    }
  }

  // MARK: - Writing

  /// Records a run: all of it, or nothing.
  ///
  /// - Parameter result: The bytes of its `result.json`.
  @discardableResult
  public func record(
    _ record: RunRecord, measurements: [RunMeasurement], result: [UInt8]
  ) throws(RunStoreError) -> StoredRun {
    let id = try waiting {
      try database.write { db in
        try Rows.insert(record, result: result, into: db)
        let id = db.lastInsertedRowID
        try Rows.insert(measurements, of: id, into: db)
        return id
      }
    }
    return StoredRun(id: id, record: record)
  }

  /// - Throws: `noSuchRun` for the first that is not there; then none is deleted.
  public func delete(_ ids: [Int64]) throws(RunStoreError) {
    try waiting {
      try database.write { db in
        for id in ids {
          try db.execute(sql: "DELETE FROM run WHERE id = ?", arguments: [id])
          guard db.changesCount > 0 else { throw RunStoreError.noSuchRun(id: id, path: path) }
        }
      }
    }
  }

  // MARK: - Reading

  /// Runs in the order in which they were recorded.
  ///
  /// - Parameters:
  ///   - scenario: Only runs of the scenario of this name.
  ///   - last: At most this many of the latest.
  public func runs(
    of scenario: String? = nil, last: Int? = nil
  ) throws(RunStoreError) -> [StoredRun] {
    try waiting {
      try database.read { db in
        try Row.fetchAll(
          db,
          sql: """
            SELECT \(Rows.columns) FROM run WHERE ?1 IS NULL OR scenario = ?1
            ORDER BY id DESC LIMIT ?2
            """, arguments: [scenario, last ?? -1]
        ).reversed().map(Rows.run)
      }
    }
  }

  public func run(_ id: Int64) throws(RunStoreError) -> StoredRun {
    try waiting {
      try database.read { db in
        guard
          let row = try Row.fetchOne(
            db, sql: "SELECT \(Rows.columns) FROM run WHERE id = ?", arguments: [id])
        else { throw RunStoreError.noSuchRun(id: id, path: path) }
        return Rows.run(row)
      }
    }
  }

  /// The bytes of a run's `result.json`.
  public func result(of id: Int64) throws(RunStoreError) -> [UInt8] {
    try waiting {
      try database.read { db in
        guard
          let data = try Data.fetchOne(
            db, sql: "SELECT result FROM run WHERE id = ?", arguments: [id])
        else { throw RunStoreError.noSuchRun(id: id, path: path) }
        return Array(data)
      }
    }
  }

  /// The figures of one run, sorted by name.
  public func measurements(of id: Int64) throws(RunStoreError) -> [RunMeasurement] {
    try waiting {
      try database.read { db in try Rows.measurements(of: id, in: db) }
    }
  }

  // MARK: - Errors

  private func waiting<Value>(_ body: () throws -> Value) throws(RunStoreError) -> Value {
    patience.begin()
    return try Self.guarding(path, body)
  }

  private static func guarding<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws(RunStoreError) -> Value {
    do {
      return try body()
    } catch let error as RunStoreError {
      throw error
    } catch let error as DatabaseError {
      throw problem(error, path: path)
    } catch {
      throw .failed(path: path, reason: "\(error)")
    }
  }

  private static func problem(_ error: DatabaseError, path: String) -> RunStoreError {
    switch error.resultCode {
    case .SQLITE_NOTADB: .foreign(path: path)
    case .SQLITE_CORRUPT: .damaged(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
    case .SQLITE_FULL: .full(path: path)
    // Of a full disk, too, where SQLite meets it while it makes room.
    case .SQLITE_IOERR:
      .failed(
        path: path,
        reason:
          "it cannot be read or written (\(error.message ?? "")); free some space, or see to the disk"
      )
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: .notPermitted(path: path)
    default: .failed(path: path, reason: error.message ?? "SQLite says \(error.resultCode)")
    }
  }
}

/// How long opening a store, reading or writing waits for others, all in all.
private final class Patience: Sendable {
  private static let whole = Duration.seconds(1.8)
  private static let pause: UInt32 = 5_000

  private let ends = Mutex(ContinuousClock.now + Patience.whole)

  func begin() { ends.withLock { $0 = .now + Self.whole } }

  /// Waits a little, unless it is over.
  func lasts() -> Bool {
    guard ContinuousClock.now < ends.withLock(\.self) else { return false }
    usleep(Self.pause)
    return true
  }
}
