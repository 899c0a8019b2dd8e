import Scenarios
import Timekeeping
import Verdicts

/// One execution with its result: everything that files and reports show.
package struct Run: Sendable {
  package var scenario: ScenarioSummary
  package var seed: UInt64
  package var digest: String
  package var verdict: Verdict
  package var exitCode: Int
  /// How the figures came about, in sentences.
  package var method: [String]
  package var interrupted: Bool
  /// Sums over replications.
  package var persons: Int
  package var requests: Int
  /// Of one replication.
  package var virtualSeconds: Double
  package var replications: [Replication]
  package var limits: [LimitResult]
  package var objectives: [ObjectiveResult]
  package var latencies: [LatencyResult]
  package var business: [BusinessResult]
  package var refusals: [Tally]
  package var unknowns: [Tally]
  package var journeys: JourneyCounts
  /// Requests over time, one series per world.
  package var load: [LoadSeries]
  package var machine: Machine
  /// Against an accepted baseline, where one was given.
  package var comparison: RunComparison?

  package init(
    scenario: ScenarioSummary, seed: UInt64, digest: String, verdict: Verdict, exitCode: Int,
    method: [String], interrupted: Bool, persons: Int, requests: Int, virtualSeconds: Double,
    replications: [Replication], limits: [LimitResult], objectives: [ObjectiveResult],
    latencies: [LatencyResult], business: [BusinessResult], refusals: [Tally], unknowns: [Tally],
    journeys: JourneyCounts, load: [LoadSeries], machine: Machine,
    comparison: RunComparison? = nil
  ) {
    self.scenario = scenario
    self.seed = seed
    self.digest = digest
    self.verdict = verdict
    self.exitCode = exitCode
    self.method = method
    self.interrupted = interrupted
    self.persons = persons
    self.requests = requests
    self.virtualSeconds = virtualSeconds
    self.replications = replications
    self.limits = limits
    self.objectives = objectives
    self.latencies = latencies
    self.business = business
    self.refusals = refusals
    self.unknowns = unknowns
    self.journeys = journeys
    self.load = load
    self.machine = machine
    self.comparison = comparison
  }
}

package struct ScenarioSummary: Sendable {
  package var name: String
  package var title: String
  package var digest: String
  /// The file as the user named it, for the command that repeats the run.
  package var file: String
  package var starts: Instant
  package var zone: CivilZone
  package var lasts: Span
  package var worlds: [World]
  package var events: [ScheduledEvent]
  package var faults: [Fault]
  /// What a limit that nobody exercised, and a result that cannot be told, count as.
  package var documented: Scenario.Documented
  package var inconclusive: Scenario.Inconclusive

  package init(
    name: String, title: String, digest: String, file: String, starts: Instant, zone: CivilZone,
    lasts: Span, worlds: [World], events: [ScheduledEvent], faults: [Fault],
    documented: Scenario.Documented = .judged, inconclusive: Scenario.Inconclusive = .fail
  ) {
    self.name = name
    self.title = title
    self.digest = digest
    self.file = file
    self.starts = starts
    self.zone = zone
    self.lasts = lasts
    self.worlds = worlds
    self.events = events
    self.faults = faults
    self.documented = documented
    self.inconclusive = inconclusive
  }
}

package struct Replication: Sendable {
  /// From 0.
  package var index: Int
  package var seed: UInt64
  package var digest: String
  package var requests: Int
  package var persons: Int
  /// What it measured, for comparing runs seed by seed.
  package var latencies: [ReplicationLatency]

  package init(
    index: Int, seed: UInt64, digest: String, requests: Int, persons: Int,
    latencies: [ReplicationLatency] = []
  ) {
    self.index = index
    self.seed = seed
    self.digest = digest
    self.requests = requests
    self.persons = persons
    self.latencies = latencies
  }
}

package struct LimitResult: Sendable {
  package var id: String
  package var domain: String
  package var statement: String
  package var source: String
  /// How often the rule was tried, over all replications.
  package var exercised: Int
  package var violations: Int
  package var verdict: Verdict
  package var reason: String?
  package var evidence: [Evidence]

  package struct Evidence: Sendable {
    package var what: String
    package var replication: Int
    package var seed: UInt64
    package var time: Instant
    /// The path of who saw it, or of the cell.
    package var who: String
    /// The command that shows it again.
    package var command: String

    package init(
      what: String, replication: Int, seed: UInt64, time: Instant, who: String, command: String
    ) {
      self.what = what
      self.replication = replication
      self.seed = seed
      self.time = time
      self.who = who
      self.command = command
    }
  }

  package init(
    id: String, domain: String, statement: String, source: String, exercised: Int,
    violations: Int, verdict: Verdict, reason: String?, evidence: [Evidence]
  ) {
    self.id = id
    self.domain = domain
    self.statement = statement
    self.source = source
    self.exercised = exercised
    self.violations = violations
    self.verdict = verdict
    self.reason = reason
    self.evidence = evidence
  }
}

/// An interval with its ends in the unit of what it is about.
package struct Bounds: Hashable, Sendable {
  package var low: Double
  package var high: Double

  package init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }
}

package struct ObjectiveResult: Sendable {
  package var text: String
  package var verdict: Verdict
  package var reason: String?
  /// Seconds or a share; `nil` without data.
  package var estimate: Double?
  package var interval: Bounds?
  package var bound: Double
  package var isShare: Bool

  package init(
    text: String, verdict: Verdict, reason: String?, estimate: Double?, interval: Bounds?,
    bound: Double, isShare: Bool
  ) {
    self.text = text
    self.verdict = verdict
    self.reason = reason
    self.estimate = estimate
    self.interval = interval
    self.bound = bound
    self.isShare = isShare
  }
}

/// What a latency is a statement about; histograms of different bases never merge.
package enum Basis: String, Hashable, Sendable {
  /// The service model's time for the work that the twin reported.
  case modelled
  /// What a call of the twin really took on this machine.
  case inProcess
  /// What a client saw of a server.
  case overHTTP
}

package struct Quantile: Sendable {
  /// In 0..<1.
  package var q: Double
  /// The median over replications of each replication's quantile; `nil` when it lies among requests never answered.
  package var seconds: Double?
  /// Between replications, by Student's t; `nil` with fewer than two.
  package var interval: Bounds?

  package init(q: Double, seconds: Double?, interval: Bounds?) {
    self.q = q
    self.seconds = seconds
    self.interval = interval
  }
}

/// One point of a cumulative curve: this share took at most so many seconds.
package struct CurvePoint: Hashable, Sendable {
  package var share: Double
  package var seconds: Double

  package init(share: Double, seconds: Double) {
    self.share = share
    self.seconds = seconds
  }
}

package struct LatencyResult: Sendable {
  package var world: String
  package var operation: String
  package var title: String
  package var basis: Basis
  package var count: Int
  package var quantiles: [Quantile]
  /// The pooled percentile curve, for drawing only.
  package var curve: [CurvePoint]
  /// The pooled histogram in HdrHistogram's percentile text format.
  package var hgrm: String

  package init(
    world: String, operation: String, title: String, basis: Basis, count: Int,
    quantiles: [Quantile], curve: [CurvePoint], hgrm: String
  ) {
    self.world = world
    self.operation = operation
    self.title = title
    self.basis = basis
    self.count = count
    self.quantiles = quantiles
    self.curve = curve
    self.hgrm = hgrm
  }
}

package struct BusinessResult: Sendable {
  package var world: String
  package var name: String
  package var title: String
  package var count: Int
  /// Begun and not ended when the run ended.
  package var unfinished: Int
  /// Can no longer end, and that is no failure of the backend.
  package var abandoned: Int
  package var quantiles: [Quantile]
  /// Share still open after so many seconds (Kaplan–Meier), for drawing.
  package var survival: [CurvePoint]
  /// The documented bound in seconds and the limit that states it.
  package var boundSeconds: Double?
  package var limit: String?
  package var verdict: Verdict?

  package init(
    world: String, name: String, title: String, count: Int, unfinished: Int, abandoned: Int,
    quantiles: [Quantile], survival: [CurvePoint], boundSeconds: Double?, limit: String?,
    verdict: Verdict?
  ) {
    self.world = world
    self.name = name
    self.title = title
    self.count = count
    self.unfinished = unfinished
    self.abandoned = abandoned
    self.quantiles = quantiles
    self.survival = survival
    self.boundSeconds = boundSeconds
    self.limit = limit
    self.verdict = verdict
  }
}

/// How often something happened to an operation.
package struct Tally: Sendable {
  package var world: String
  package var operation: String
  /// A refusal's code or an unknown outcome's cause.
  package var code: String
  package var count: Int

  package init(world: String, operation: String, code: String, count: Int) {
    self.world = world
    self.operation = operation
    self.code = code
    self.count = count
  }
}

package struct JourneyCounts: Sendable {
  /// Episodes begun.
  package var begun: Int
  package var completed: Int
  /// Ended by the engine: the run ended or the app was killed.
  package var ended: Int

  package init(begun: Int, completed: Int, ended: Int) {
    self.begun = begun
    self.completed = completed
    self.ended = ended
  }
}

/// Requests in equal slices of virtual time, summed over replications.
package struct LoadSeries: Sendable {
  package var world: String
  package var slice: Span
  package var requests: [Int]
  /// Those that ended refused, and those whose outcome stayed unknown or that never left.
  package var refused: [Int]
  package var lost: [Int]

  package init(world: String, slice: Span, requests: [Int], refused: [Int], lost: [Int]) {
    self.world = world
    self.slice = slice
    self.requests = requests
    self.refused = refused
    self.lost = lost
  }
}

/// What depends on the machine and on nothing else in the result.
package struct Machine: Sendable {
  package var wallSeconds: Double
  package var workers: Int
  package var cpu: String
  package var version: String
  package var commit: String
  package var inProcess: [InProcessLatency]

  package init(
    wallSeconds: Double, workers: Int, cpu: String, version: String, commit: String,
    inProcess: [InProcessLatency]
  ) {
    self.wallSeconds = wallSeconds
    self.workers = workers
    self.cpu = cpu
    self.version = version
    self.commit = commit
    self.inProcess = inProcess
  }
}

/// What calls of the twin took, sampled.
package struct InProcessLatency: Sendable {
  package var world: String
  package var operation: String
  package var count: Int
  package var quantiles: [(q: Double, seconds: Double)]

  package init(
    world: String, operation: String, count: Int, quantiles: [(q: Double, seconds: Double)]
  ) {
    self.world = world
    self.operation = operation
    self.count = count
    self.quantiles = quantiles
  }
}
