import Verdicts

/// What a store keeps of a run beside its whole result.
package struct RunRecord: Hashable, Sendable {
  package var scenario: RunFigures.Scenario
  /// `2026-03-21T05:00:00Z`, in UTC.
  package var recordedAt: String
  package var seed: UInt64
  package var digest: String
  package var verdict: Verdict
  package var exitCode: Int
  package var interrupted: Bool
  package var replications: Int
  package var requests: Int
  package var persons: Int
  package var wallSeconds: Double
  package var version: String
  package var commit: String
  /// The folder that received the files, as it was named.
  package var folder: String

  package init(
    scenario: RunFigures.Scenario, recordedAt: String, seed: UInt64, digest: String,
    verdict: Verdict, exitCode: Int, interrupted: Bool, replications: Int, requests: Int,
    persons: Int, wallSeconds: Double, version: String, commit: String, folder: String
  ) {
    self.scenario = scenario
    self.recordedAt = recordedAt
    self.seed = seed
    self.digest = digest
    self.verdict = verdict
    self.exitCode = exitCode
    self.interrupted = interrupted
    self.replications = replications
    self.requests = requests
    self.persons = persons
    self.wallSeconds = wallSeconds
    self.version = version
    self.commit = commit
    self.folder = folder
  }

  package init(_ run: Run, recordedAt: String, folder: String) {
    let figures = run.figures
    self.init(
      scenario: figures.scenario, recordedAt: recordedAt, seed: run.seed, digest: run.digest,
      verdict: run.verdict, exitCode: run.exitCode, interrupted: run.interrupted,
      replications: run.replications.count, requests: run.requests, persons: run.persons,
      wallSeconds: run.machine.wallSeconds, version: run.machine.version,
      commit: run.machine.commit, folder: folder)
  }
}

/// A run in a store.
package struct StoredRun: Hashable, Sendable, Identifiable {
  /// Never given to another run, not even when this one is deleted.
  package var id: Int64
  package var record: RunRecord

  package init(id: Int64, record: RunRecord) {
    self.id = id
    self.record = record
  }
}

/// One figure of one run, for following it over time.
package struct RunMeasurement: Hashable, Sendable {
  package struct Name: Hashable, Sendable, Comparable {
    package var series: LatencySeries.Name
    package var measure: Measure

    package init(series: LatencySeries.Name, measure: Measure) {
      self.series = series
      self.measure = measure
    }

    package static func < (a: Name, b: Name) -> Bool {
      (a.series, a.measure.rawValue) < (b.series, b.measure.rawValue)
    }
  }

  package var name: Name
  /// The mean over replications.
  package var seconds: Double

  package init(name: Name, seconds: Double) {
    self.name = name
    self.seconds = seconds
  }
}

extension RunFigures {
  /// Every figure that has enough requests in at least one replication.
  package var measurements: [RunMeasurement] {
    series.flatMap { series in
      Measure.allCases.compactMap { measure in
        let values = series.figures.compactMap { figures -> Double? in
          guard let figures, figures.count >= measure.fewestRequests else { return nil }
          return figures[measure]
        }
        guard !values.isEmpty else { return nil }
        return RunMeasurement(
          name: .init(series: series.name, measure: measure),
          seconds: values.reduce(0, +) / Double(values.count))
      }
    }
  }
}
