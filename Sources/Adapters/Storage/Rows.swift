import Foundation
import GRDB
import Runs
import Verdicts

/// Runs and measurements as rows of the tables.
enum Rows {
  static let columns = """
    id, scenario, title, scenario_digest, recorded_at, seed, digest, verdict, exit_code, interrupted, \
    replications, requests, persons, wall_seconds, version, source_commit, folder
    """

  static func insert(_ record: RunRecord, result: [UInt8], into db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO run (scenario, title, scenario_digest, recorded_at, seed, digest, verdict,
          exit_code, interrupted, replications, requests, persons, wall_seconds, version,
          source_commit, folder, result)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        record.scenario.name, record.scenario.title, record.scenario.digest, record.recordedAt,
        String(record.seed), record.digest, record.verdict.rawValue, record.exitCode,
        record.interrupted, record.replications, record.requests, record.persons,
        record.wallSeconds, record.version, record.commit, record.folder, Data(result),
      ])
  }

  static func insert(_ measurements: [RunMeasurement], of id: Int64, into db: Database) throws {
    let statement = try db.makeStatement(
      sql: """
        INSERT INTO measurement (run, world, operation, basis, measure, seconds)
        VALUES (?, ?, ?, ?, ?, ?)
        """)
    for measurement in measurements {
      let series = measurement.name.series
      try statement.execute(arguments: [
        id, series.world, series.operation, series.basis.rawValue,
        measurement.name.measure.rawValue, measurement.seconds,
      ])
    }
  }

  /// A verdict that this version does not know is one that it cannot judge.
  static func run(_ row: Row) -> StoredRun {
    StoredRun(
      id: row["id"],
      record: RunRecord(
        scenario: .init(
          name: row["scenario"], title: row["title"], digest: row["scenario_digest"]),
        recordedAt: row["recorded_at"], seed: UInt64(row["seed"] as String) ?? 0,
        digest: row["digest"], verdict: Verdict(rawValue: row["verdict"]) ?? .inconclusive,
        exitCode: row["exit_code"], interrupted: row["interrupted"],
        replications: row["replications"], requests: row["requests"], persons: row["persons"],
        wallSeconds: row["wall_seconds"], version: row["version"], commit: row["source_commit"],
        folder: row["folder"]))
  }

  static func measurements(of id: Int64, in db: Database) throws -> [RunMeasurement] {
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT world, operation, basis, measure, seconds FROM measurement WHERE run = ?",
      arguments: [id])
    var found: [RunMeasurement] = []
    while let row = try rows.next() {
      guard let basis = Basis(rawValue: row["basis"]),
        let measure = Measure(rawValue: row["measure"])
      else { continue }
      found.append(
        RunMeasurement(
          name: .init(
            series: .init(world: row["world"], operation: row["operation"], basis: basis),
            measure: measure), seconds: row["seconds"]))
    }
    return found.sorted { $0.name < $1.name }
  }
}
