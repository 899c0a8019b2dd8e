import Observations
import Scenarios
import Timekeeping
import Verdicts

/// One execution with its result: everything that files and reports show.
public struct Run: Sendable {
  public var scenario: ScenarioSummary
  public var seed: UInt64
  public var digest: String
  public var verdict: Verdict
  public var exitCode: Int
  /// How the figures came about, in sentences.
  public var method: [String]
  public var interrupted: Bool
  /// Sums over replications.
  public var persons: Int
  public var requests: Int
  /// Of one replication.
  public var virtualSeconds: Double
  public var replications: [Replication]
  public var limits: [LimitResult]
  public var objectives: [ObjectiveResult]
  public var latencies: [LatencyResult]
  public var business: [BusinessResult]
  public var refusals: [Tally]
  public var unknowns: [Tally]
  /// Requests that never left: the device was offline, or the backend refused the connection.
  public var unsents: [Tally]
  public var journeys: JourneyCounts
  /// How far the things came that backends are used for, one a world that declares it.
  public var flows: [FlowResult]
  /// How requests were answered against the tables of rights that domains declare, a column after the other.
  public var access: [AccessResult]
  /// Requests over time, one series per world.
  public var load: [LoadSeries]
  public var machine: Machine
  /// Against an accepted baseline, where one was given.
  public var comparison: RunComparison?
  /// After how many replications it was judged.
  public var looks: Looks?
  /// How far people got, role by role.
  public var funnel: [FunnelResult]
  /// What backends searched for inside their calls.
  public var searches: [SearchResult]
  /// How it settled; `nil` of results that do not tell.
  public var settling: Settling?
  /// What made the load and whether it kept up, of a run against the clock; `nil` in virtual time.
  public var generator: GeneratorResult?
  /// Where its files lie, as the user would name it, for commands about this run; empty where nobody knows. In no file but those for
  /// people.
  public var folder = ""

  public init(
    scenario: ScenarioSummary, seed: UInt64, digest: String, verdict: Verdict, exitCode: Int,
    method: [String], interrupted: Bool, persons: Int, requests: Int, virtualSeconds: Double,
    replications: [Replication], limits: [LimitResult], objectives: [ObjectiveResult],
    latencies: [LatencyResult], business: [BusinessResult], refusals: [Tally], unknowns: [Tally],
    journeys: JourneyCounts, load: [LoadSeries], machine: Machine,
    comparison: RunComparison? = nil, looks: Looks? = nil, funnel: [FunnelResult] = [],
    searches: [SearchResult] = [], unsents: [Tally] = [], settling: Settling? = nil,
    generator: GeneratorResult? = nil, flows: [FlowResult] = [],
    access: [AccessResult] = []
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
    self.unsents = unsents
    self.journeys = journeys
    self.load = load
    self.machine = machine
    self.comparison = comparison
    self.looks = looks
    self.funnel = funnel
    self.searches = searches
    self.settling = settling
    self.generator = generator
    self.flows = flows
    self.access = access
  }
}

public struct ScenarioSummary: Sendable {
  public var name: String
  public var title: String
  public var digest: String
  /// The file as the user named it, for the command that repeats the run.
  public var file: String
  /// What the command line said beside it, seed and replications, with a blank before each word.
  public var options: String
  public var starts: Instant
  public var zone: CivilZone
  public var lasts: Span
  public var worlds: [World]
  public var events: [ScheduledEvent]
  public var faults: [Fault]
  /// What a limit that nobody exercised, and a result that cannot be told, count as.
  public var documented: Scenario.Documented
  public var inconclusive: Scenario.Inconclusive

  public init(
    name: String, title: String, digest: String, file: String, options: String = "",
    starts: Instant, zone: CivilZone, lasts: Span, worlds: [World], events: [ScheduledEvent],
    faults: [Fault],
    documented: Scenario.Documented = .judged, inconclusive: Scenario.Inconclusive = .fail
  ) {
    self.name = name
    self.title = title
    self.digest = digest
    self.file = file
    self.options = options
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

public struct Replication: Sendable {
  /// From 0.
  public var index: Int
  public var seed: UInt64
  public var digest: String
  public var requests: Int
  public var persons: Int
  /// What it measured, for comparing runs seed by seed.
  public var latencies: [ReplicationLatency]

  public init(
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

public struct LimitResult: Sendable {
  public var id: String
  public var domain: String
  /// What it belongs to with others; empty where nobody says.
  public var theme: String
  public var statement: String
  public var source: String
  /// How often the rule was tried, over all replications.
  public var exercised: Int
  /// How many of these tries could not be decided either way.
  public var undecided: Int
  public var violations: Int
  public var verdict: Verdict
  public var reason: String?
  /// Of a rule that held: the share of tries in 0...1 that could break it without these tries having shown it, one-sided at 95 %.
  public var upperBound: Double?
  public var evidence: [Evidence]

  public struct Evidence: Sendable {
    public var what: String
    public var replication: Int
    public var seed: UInt64
    public var time: Instant
    /// The path of who saw it, or of the cell.
    public var who: String
    /// The command that shows it again.
    public var command: String

    public init(
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

  public init(
    id: String, domain: String, statement: String, source: String, exercised: Int,
    undecided: Int = 0, violations: Int, verdict: Verdict, reason: String?, theme: String = "",
    evidence: [Evidence], upperBound: Double? = nil
  ) {
    self.id = id
    self.domain = domain
    self.theme = theme
    self.statement = statement
    self.source = source
    self.exercised = exercised
    self.undecided = undecided
    self.violations = violations
    self.verdict = verdict
    self.reason = reason
    self.evidence = evidence
    self.upperBound = upperBound
  }
}

/// An interval with its ends in the unit of what it is about.
public struct Bounds: Hashable, Sendable {
  public var low: Double
  public var high: Double

  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }
}

public struct ObjectiveResult: Sendable {
  public var text: String
  public var verdict: Verdict
  public var reason: String?
  /// In `unit`; `nil` without data, and where it is no number.
  public var estimate: Double?
  /// Of a quantile beyond what was answered: what it exceeds for certain.
  public var longerThan: Double?
  public var interval: Bounds?
  public var bound: Double
  public var unit: Objective.Unit
  /// About how many more would decide what is inconclusive; `nil` where none would, or nothing is known.
  public var moreReplications: Int?
  /// What the estimate is made of, where it is a quantile of modelled response times.
  public var parts: LatencyParts?

  public init(
    text: String, verdict: Verdict, reason: String?, estimate: Double?, interval: Bounds?,
    bound: Double, unit: Objective.Unit, moreReplications: Int? = nil, longerThan: Double? = nil,
    parts: LatencyParts? = nil
  ) {
    self.text = text
    self.verdict = verdict
    self.reason = reason
    self.estimate = estimate
    self.longerThan = longerThan
    self.interval = interval
    self.bound = bound
    self.unit = unit
    self.moreReplications = moreReplications
    self.parts = parts
  }

  /// How the reason begins where the run holds nothing that the objective is about.
  public static let notMeasured = "notMeasured"
  public var isMeasured: Bool { reason?.hasPrefix(Self.notMeasured) != true }
}

/// What a latency is a statement about; histograms of different bases never merge.
public enum Basis: String, Hashable, Sendable {
  /// The service model's time for the work that the twin reported.
  case modelled
  /// What a call of the twin really took on this machine.
  case inProcess
  /// What a client saw of a server.
  case overHTTP
}

public struct Quantile: Sendable {
  /// In 0..<1.
  public var q: Double
  /// Over the requests of all replications, those without an answer being the slowest; `nil` where it lies among those, and where
  /// so few requests do not tell it.
  public var seconds: Double?
  /// Between replications; `nil` where they are too few.
  public var interval: Bounds?
  /// Where it lies beyond what was answered: the longest time that it exceeds for certain; `nil` where nobody waited.
  public var longerThan: Double?

  public init(q: Double, seconds: Double?, interval: Bounds?, longerThan: Double? = nil) {
    self.q = q
    self.seconds = seconds
    self.interval = interval
    self.longerThan = longerThan
  }
}

/// One point of a cumulative curve: this share took at most so many seconds.
public struct CurvePoint: Hashable, Sendable {
  public var share: Double
  public var seconds: Double

  public init(share: Double, seconds: Double) {
    self.share = share
    self.seconds = seconds
  }
}

public struct LatencyResult: Sendable {
  public var world: String
  public var operation: String
  public var title: String
  public var basis: Basis
  /// Requests after the warm-up that were sent: what the quantiles are over.
  public var count: Int
  /// Those without a usable answer, and those that were under way when the run ended.
  public var unanswered: Int
  public var cutOff: Int
  public var quantiles: [Quantile]
  /// What modelled quantiles are made of; none of what was measured.
  public var parts: [QuantileParts]
  /// Quantiles of the answered alone. They say how fast answers are, not how long people wait.
  public var answeredQuantiles: [Quantile]
  /// The pooled percentile curve over all, as far as it was answered; for drawing only.
  public var curve: [CurvePoint]
  /// The pooled histogram of the answered in HdrHistogram's percentile text format.
  public var hgrm: String

  public var answered: Int { count - unanswered - cutOff }
  /// The share without a usable answer, of those of which it is known whether they got one, in 0...1.
  public var withoutAnswer: Double {
    count == cutOff ? 0 : Double(unanswered) / Double(count - cutOff)
  }

  /// - Parameter answeredQuantiles: Those of all where left out, as they are when all were answered.
  public init(
    world: String, operation: String, title: String, basis: Basis, count: Int,
    unanswered: Int = 0, cutOff: Int = 0, quantiles: [Quantile],
    answeredQuantiles: [Quantile]? = nil, parts: [QuantileParts] = [], curve: [CurvePoint],
    hgrm: String
  ) {
    self.world = world
    self.operation = operation
    self.title = title
    self.basis = basis
    self.count = count
    self.unanswered = unanswered
    self.cutOff = cutOff
    self.quantiles = quantiles
    self.parts = parts
    self.answeredQuantiles = answeredQuantiles ?? quantiles
    self.curve = curve
    self.hgrm = hgrm
  }
}

/// So many that had been open for about so long when the run ended.
public struct OpenSince: Hashable, Sendable {
  public var seconds: Double
  public var count: Int

  public init(seconds: Double, count: Int) {
    self.seconds = seconds
    self.count = count
  }
}

public struct BusinessResult: Sendable {
  public var world: String
  public var name: String
  public var title: String
  public var count: Int
  /// Begun and not ended when the run ended.
  public var unfinished: Int
  /// Can no longer end, and that is no failure of the backend.
  public var abandoned: Int
  /// `nil` when nothing finished.
  public var minimumSeconds: Double?
  /// `nil` when something never finished, which makes both infinite.
  public var meanSeconds: Double?
  public var maximumSeconds: Double?
  /// Over all that began and were not abandoned: what never finished is infinitely late.
  public var quantiles: [Quantile]
  /// Share still open after so many seconds (Kaplan–Meier), for drawing.
  public var survival: [CurvePoint]
  /// How long the unfinished had been open when the run ended, shortest first, for drawing.
  public var openSince: [OpenSince]
  /// The documented bound in seconds and the limit that states it.
  public var boundSeconds: Double?
  public var limit: String?
  public var verdict: Verdict?
  /// How many took longer than the bound for certain; `nil` without a bound.
  public var late: Int?
  /// What readers have to know besides.
  public var notes: BusinessNotes

  public init(
    world: String, name: String, title: String, count: Int, unfinished: Int, abandoned: Int,
    minimumSeconds: Double?, meanSeconds: Double?, maximumSeconds: Double?, quantiles: [Quantile],
    survival: [CurvePoint], boundSeconds: Double?, limit: String?,
    verdict: Verdict?, late: Int? = nil, notes: BusinessNotes = BusinessNotes(),
    openSince: [OpenSince] = []
  ) {
    self.world = world
    self.name = name
    self.title = title
    self.count = count
    self.unfinished = unfinished
    self.abandoned = abandoned
    self.minimumSeconds = minimumSeconds
    self.meanSeconds = meanSeconds
    self.maximumSeconds = maximumSeconds
    self.quantiles = quantiles
    self.survival = survival
    self.openSince = openSince
    self.boundSeconds = boundSeconds
    self.limit = limit
    self.verdict = verdict
    self.late = late
    self.notes = notes
  }
}

/// How often something happened to an operation.
public struct Tally: Sendable {
  public var world: String
  public var operation: String
  /// A refusal's code, or the cause of an unknown outcome or of a request that never left.
  public var code: String
  public var count: Int

  public init(world: String, operation: String, code: String, count: Int) {
    self.world = world
    self.operation = operation
    self.code = code
    self.count = count
  }
}

public struct JourneyCounts: Sendable {
  /// Sessions begun.
  public var begun: Int
  public var completed: Int
  /// Ended by the engine: the run ended or the app was killed.
  public var ended: Int

  public init(begun: Int, completed: Int, ended: Int) {
    self.begun = begun
    self.completed = completed
    self.ended = ended
  }
}

/// Requests in equal slices of virtual time, summed over replications.
public struct LoadSeries: Sendable {
  public var world: String
  public var slice: Span
  public var requests: [Int]
  /// Those that ended refused, and those whose outcome stayed unknown or that never left.
  public var refused: [Int]
  public var lost: [Int]
  /// Response times of each slice, in seconds, to about a tenth; `nil` where too few requests tell it, and beyond what was answered.
  public var p50: [Double?]
  public var p95: [Double?]
  public var p99: [Double?]
  /// Between replications; `nil` where they are too few.
  public var p50Intervals: [Bounds?]
  public var p95Intervals: [Bounds?]
  /// Of a load against a server; `nil` of scenarios, whose response times are a model's.
  public var pace: LoadPace?

  public init(
    world: String, slice: Span, requests: [Int], refused: [Int], lost: [Int], p50: [Double?] = [],
    p95: [Double?] = [], p99: [Double?] = [], p50Intervals: [Bounds?] = [],
    p95Intervals: [Bounds?] = [], pace: LoadPace? = nil
  ) {
    self.world = world
    self.slice = slice
    self.requests = requests
    self.refused = refused
    self.lost = lost
    self.p50 = p50
    self.p95 = p95
    self.p99 = p99
    self.p50Intervals = p50Intervals
    self.p95Intervals = p95Intervals
    self.pace = pace
  }
}

/// What depends on the machine and on nothing else in the result.
public struct Machine: Sendable {
  public var wallSeconds: Double
  public var workers: Int
  public var cpu: String
  public var version: String
  public var commit: String
  public var inProcess: [InProcessLatency]
  /// Of a run in real time.
  public var punctuality: Punctuality?

  public init(
    wallSeconds: Double, workers: Int, cpu: String, version: String, commit: String,
    inProcess: [InProcessLatency], punctuality: Punctuality? = nil
  ) {
    self.wallSeconds = wallSeconds
    self.workers = workers
    self.cpu = cpu
    self.version = version
    self.commit = commit
    self.inProcess = inProcess
    self.punctuality = punctuality
  }
}

extension Machine {
  /// Where a run is judged only to see whether it goes on.
  public static let unknown = Machine(
    wallSeconds: 0, workers: 0, cpu: "", version: "", commit: "", inProcess: [])
}

/// What calls of the twin took, sampled.
public struct InProcessLatency: Sendable {
  public var world: String
  public var operation: String
  public var count: Int
  public var quantiles: [(q: Double, seconds: Double)]

  public init(
    world: String, operation: String, count: Int, quantiles: [(q: Double, seconds: Double)]
  ) {
    self.world = world
    self.operation = operation
    self.count = count
    self.quantiles = quantiles
  }
}
