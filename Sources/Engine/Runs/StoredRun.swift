import Verdicts

/// What a store keeps of a run beside its whole result.
public struct RunRecord: Hashable, Sendable {
  public var scenario: RunFigures.Scenario
  /// `2026-03-21T05:00:00Z`, in UTC.
  public var recordedAt: String
  public var seed: UInt64
  public var digest: String
  public var verdict: Verdict
  public var exitCode: Int
  public var interrupted: Bool
  public var replications: Int
  public var requests: Int
  public var persons: Int
  public var wallSeconds: Double
  public var version: String
  public var commit: String
  /// The folder that received the files, as it was named.
  public var folder: String

  public init(
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

  /// Loads have no people. What they asked for, nothing but the digest of their words says, while a scenario keeps its name through changes.
  var isLoad: Bool { persons == 0 }

  public init(_ run: Run, recordedAt: String, folder: String) {
    let figures = run.figures
    self.init(
      scenario: figures.scenario, recordedAt: recordedAt, seed: run.seed, digest: run.digest,
      verdict: run.verdict, exitCode: run.exitCode, interrupted: run.interrupted,
      replications: figures.replications.count, requests: run.requests, persons: run.persons,
      wallSeconds: run.machine.wallSeconds, version: run.machine.version,
      commit: run.machine.commit, folder: folder)
  }
}

/// A run in a store.
public struct StoredRun: Hashable, Sendable, Identifiable {
  /// Never given to another run, not even when this one is deleted.
  public var id: Int64
  public var record: RunRecord

  public init(id: Int64, record: RunRecord) {
    self.id = id
    self.record = record
  }
}

/// One figure of one run, for following it over time.
public struct RunMeasurement: Hashable, Sendable {
  public struct Name: Hashable, Sendable, Comparable {
    public var series: LatencySeries.Name
    public var measure: Measure

    public init(series: LatencySeries.Name, measure: Measure) {
      self.series = series
      self.measure = measure
    }

    public static func < (a: Name, b: Name) -> Bool {
      (a.series, a.measure.rawValue) < (b.series, b.measure.rawValue)
    }
  }

  public var name: Name
  /// The mean over replications.
  public var seconds: Double

  public init(name: Name, seconds: Double) {
    self.name = name
    self.seconds = seconds
  }
}

extension RunFigures {
  /// Every time that has enough requests in at least one replication.
  public var measurements: [RunMeasurement] {
    series.flatMap { series in
      Measure.times.compactMap { measure in
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
