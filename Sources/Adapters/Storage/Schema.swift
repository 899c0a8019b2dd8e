import GRDB

/// The tables of the store, built step by step: a store of any older version is brought up to date when it is opened.
enum Schema {
  /// "Rehr": SQLite files have a place for whose they are.
  private static let owner = 0x5265_6872

  private static let steps: [@Sendable (Database) throws -> Void] = [begin]

  /// The version is the number of steps taken.
  static var version: Int { steps.count }

  /// - Returns: The version that the file is at; 0 for a new one.
  static func check(_ db: Database, path: String) throws -> Int {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let owner = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    if owner != Self.owner {
      let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
      guard owner == 0, version == 0, tables == 0 else { throw RunStoreError.foreign(path: path) }
    }
    guard version <= Self.version else {
      throw RunStoreError.newer(path: path, version: version, known: Self.version)
    }
    return version
  }

  /// Looks again inside the transaction: another process may have been faster.
  static func migrate(_ db: Database, path: String) throws {
    for step in steps[(try check(db, path: path))...] { try step(db) }
    try db.execute(sql: "PRAGMA application_id = \(owner)")
    try db.execute(sql: "PRAGMA user_version = \(version)")
  }

  @Sendable private static func begin(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE run (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          scenario TEXT NOT NULL, title TEXT NOT NULL, scenario_digest TEXT NOT NULL,
          recorded_at TEXT NOT NULL, seed TEXT NOT NULL, digest TEXT NOT NULL,
          verdict TEXT NOT NULL, exit_code INTEGER NOT NULL, interrupted INTEGER NOT NULL,
          replications INTEGER NOT NULL, requests INTEGER NOT NULL, persons INTEGER NOT NULL,
          wall_seconds REAL NOT NULL, version TEXT NOT NULL, source_commit TEXT NOT NULL,
          folder TEXT NOT NULL, result BLOB NOT NULL
        );
        CREATE INDEX run_by_scenario ON run (scenario, id);
        CREATE TABLE measurement (
          run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
          world TEXT NOT NULL, operation TEXT NOT NULL, basis TEXT NOT NULL,
          measure TEXT NOT NULL, seconds REAL NOT NULL,
          PRIMARY KEY (run, world, operation, basis, measure)
        ) WITHOUT ROWID;
        """)
  }
}
