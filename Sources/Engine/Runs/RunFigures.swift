import Verdicts

/// What comparing runs and following them over time needs of a run, wherever it comes from.
public struct RunFigures: Hashable, Sendable {
  public var scenario: Scenario
  public var seed: UInt64
  public var digest: String
  public var verdict: Verdict
  public var interrupted: Bool
  public var replications: [Replication]
  public var series: [LatencySeries]
  public var limits: [Limit]
  /// Of the program that ran it.
  public var version: String
  public var commit: String
  /// How the calls of a load became due, `500/s, evenly` or `20 users`; `nil` of a run of a scenario.
  public var pace: String?

  public struct Scenario: Hashable, Sendable {
    public var name: String
    public var title: String
    /// Of the scenario's text.
    public var digest: String
    /// Whether a comparison that cannot tell stops, as the scenario's `inconclusive` says.
    public var doubtStops: Bool

    public init(name: String, title: String, digest: String, doubtStops: Bool = true) {
      self.name = name
      self.title = title
      self.digest = digest
      self.doubtStops = doubtStops
    }
  }

  public struct Replication: Hashable, Sendable {
    public var seed: UInt64
    public var digest: String

    public init(seed: UInt64, digest: String) {
      self.seed = seed
      self.digest = digest
    }
  }

  public struct Limit: Hashable, Sendable {
    public var id: String
    public var verdict: Verdict

    public init(id: String, verdict: Verdict) {
      self.id = id
      self.verdict = verdict
    }
  }

  public init(
    scenario: Scenario, seed: UInt64, digest: String, verdict: Verdict, interrupted: Bool,
    replications: [Replication], series: [LatencySeries], limits: [Limit], version: String,
    commit: String, pace: String? = nil
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
    self.pace = pace
  }
}

/// One figure of an operation that runs are compared by.
public enum Measure: String, CaseIterable, Hashable, Sendable {
  /// Of the answered: how fast answers are.
  case mean, p50, p95, p99
  /// The share of requests without a usable answer.
  case withoutAnswer

  /// Those in seconds.
  public static let times: [Measure] = [.mean, .p50, .p95, .p99]

  /// Fewer requests in a replication say little about the figure: ten beyond the quantile make one.
  public var fewestRequests: Int {
    switch self {
    case .mean, .p50: 5
    case .p95: 200
    case .p99, .withoutAnswer: 1_000
    }
  }
}

/// An operation's response times, replication by replication.
public struct LatencySeries: Hashable, Sendable {
  public struct Name: Hashable, Sendable, Comparable {
    public var world: String
    public var operation: String
    public var basis: Basis

    public init(world: String, operation: String, basis: Basis) {
      self.world = world
      self.operation = operation
      self.basis = basis
    }

    public static func < (a: Name, b: Name) -> Bool {
      (a.world, a.operation, a.basis.rawValue) < (b.world, b.operation, b.basis.rawValue)
    }
  }

  public var name: Name
  /// One for each replication of the run; `nil` where it had no such request.
  public var figures: [LatencyFigures?]

  public init(name: Name, figures: [LatencyFigures?]) {
    self.name = name
    self.figures = figures
  }
}

/// What one replication measured of an operation.
public struct LatencyFigures: Hashable, Sendable {
  /// Requests that were answered.
  public var count: Int
  /// In seconds, of the answered; `nil` where they are too few to tell.
  public var mean: Double?
  public var p50: Double?
  public var p95: Double?
  public var p99: Double?
  /// Requests without a usable answer; `nil` where an older version did not write them down.
  public var unanswered: Int?

  /// Their share, in 0...1.
  public var withoutAnswer: Double? {
    guard let unanswered, count + unanswered > 0 else { return nil }
    return Double(unanswered) / Double(count + unanswered)
  }

  public init(
    count: Int, mean: Double?, p50: Double?, p95: Double?, p99: Double?, unanswered: Int? = nil
  ) {
    self.count = count
    self.mean = mean
    self.p50 = p50
    self.p95 = p95
    self.p99 = p99
    self.unanswered = unanswered
  }

  public subscript(measure: Measure) -> Double? {
    switch measure {
    case .mean: mean
    case .p50: p50
    case .p95: p95
    case .p99: p99
    case .withoutAnswer: withoutAnswer
    }
  }
}

/// One replication's figures of one operation, as `result.json` lists them.
public struct ReplicationLatency: Hashable, Sendable {
  public var name: LatencySeries.Name
  public var figures: LatencyFigures

  public init(name: LatencySeries.Name, figures: LatencyFigures) {
    self.name = name
    self.figures = figures
  }
}

extension LatencySeries {
  /// Turns lists of figures, one a replication, into one series for each operation, sorted by name.
  public static func collect(_ replications: [[ReplicationLatency]]) -> [LatencySeries] {
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
  /// A load counts as one replication.
  public var figures: RunFigures {
    let isLoad = generator != nil
    return RunFigures(
      scenario: .init(
        name: scenario.name, title: scenario.title, digest: scenario.digest,
        doubtStops: scenario.inconclusive == .fail),
      seed: seed, digest: digest, verdict: verdict, interrupted: interrupted,
      replications: isLoad
        ? [.init(seed: seed, digest: digest)]
        : replications.map { .init(seed: $0.seed, digest: $0.digest) },
      series: LatencySeries.collect(isLoad ? [wholeLoad] : replications.map(\.latencies)),
      limits: limits.map { .init(id: $0.id, verdict: $0.verdict) },
      version: machine.version, commit: machine.commit, pace: generator?.pace)
  }
}
