import Verdicts

/// What comparing runs and following them over time needs of a run, wherever it comes from.
package struct RunFigures: Hashable, Sendable {
  package var scenario: Scenario
  package var seed: UInt64
  package var digest: String
  package var verdict: Verdict
  package var interrupted: Bool
  package var replications: [Replication]
  package var series: [LatencySeries]
  package var limits: [Limit]
  /// Of the program that ran it.
  package var version: String
  package var commit: String

  package struct Scenario: Hashable, Sendable {
    package var name: String
    package var title: String
    /// Of the scenario's text.
    package var digest: String

    package init(name: String, title: String, digest: String) {
      self.name = name
      self.title = title
      self.digest = digest
    }
  }

  package struct Replication: Hashable, Sendable {
    package var seed: UInt64
    package var digest: String

    package init(seed: UInt64, digest: String) {
      self.seed = seed
      self.digest = digest
    }
  }

  package struct Limit: Hashable, Sendable {
    package var id: String
    package var verdict: Verdict

    package init(id: String, verdict: Verdict) {
      self.id = id
      self.verdict = verdict
    }
  }

  package init(
    scenario: Scenario, seed: UInt64, digest: String, verdict: Verdict, interrupted: Bool,
    replications: [Replication], series: [LatencySeries], limits: [Limit], version: String,
    commit: String
  ) {
    self.scenario = scenario
    self.seed = seed
    self.digest = digest
    self.verdict = verdict
    self.interrupted = interrupted
    self.replications = replications
    self.series = series
    self.limits = limits
    self.version = version
    self.commit = commit
  }
}

/// One figure of a sample of response times.
package enum Measure: String, CaseIterable, Hashable, Sendable {
  case mean, p50, p95, p99

  /// Fewer requests in a replication say little about the figure: ten beyond the quantile make one.
  package var fewestRequests: Int {
    switch self {
    case .mean, .p50: 5
    case .p95: 200
    case .p99: 1_000
    }
  }
}

/// An operation's response times, replication by replication.
package struct LatencySeries: Hashable, Sendable {
  package struct Name: Hashable, Sendable, Comparable {
    package var world: String
    package var operation: String
    package var basis: Basis

    package init(world: String, operation: String, basis: Basis) {
      self.world = world
      self.operation = operation
      self.basis = basis
    }

    package static func < (a: Name, b: Name) -> Bool {
      (a.world, a.operation, a.basis.rawValue) < (b.world, b.operation, b.basis.rawValue)
    }
  }

  package var name: Name
  /// One for each replication of the run; `nil` where it had no such request.
  package var figures: [LatencyFigures?]

  package init(name: Name, figures: [LatencyFigures?]) {
    self.name = name
    self.figures = figures
  }
}

/// What one replication measured of an operation, in seconds.
package struct LatencyFigures: Hashable, Sendable {
  package var count: Int
  package var mean: Double
  package var p50: Double
  package var p95: Double
  package var p99: Double

  package init(count: Int, mean: Double, p50: Double, p95: Double, p99: Double) {
    self.count = count
    self.mean = mean
    self.p50 = p50
    self.p95 = p95
    self.p99 = p99
  }

  package subscript(measure: Measure) -> Double {
    switch measure {
    case .mean: mean
    case .p50: p50
    case .p95: p95
    case .p99: p99
    }
  }
}

/// One replication's figures of one operation, as `result.json` lists them.
package struct ReplicationLatency: Hashable, Sendable {
  package var name: LatencySeries.Name
  package var figures: LatencyFigures

  package init(name: LatencySeries.Name, figures: LatencyFigures) {
    self.name = name
    self.figures = figures
  }
}

extension LatencySeries {
  /// Turns lists of figures, one a replication, into one series for each operation, sorted by name.
  package static func collect(_ replications: [[ReplicationLatency]]) -> [LatencySeries] {
    var found: [Name: [LatencyFigures?]] = [:]
    for (index, latencies) in replications.enumerated() {
      for latency in latencies {
        found[latency.name, default: Array(repeating: nil, count: replications.count)][index] =
          latency.figures
      }
    }
    return found.sorted { $0.key < $1.key }.map { LatencySeries(name: $0.key, figures: $0.value) }
  }
}

extension Run {
  package var figures: RunFigures {
    RunFigures(
      scenario: .init(name: scenario.name, title: scenario.title, digest: scenario.digest),
      seed: seed, digest: digest, verdict: verdict, interrupted: interrupted,
      replications: replications.map { .init(seed: $0.seed, digest: $0.digest) },
      series: LatencySeries.collect(replications.map(\.latencies)),
      limits: limits.map { .init(id: $0.id, verdict: $0.verdict) },
      version: machine.version, commit: machine.commit)
  }
}
