import Contracts
import Timekeeping

/// A scenario as a validated value: nothing in it needs checking again.
public struct Scenario: Hashable, Sendable {
  /// The folder name below `reports/`: letters, digits, `.`, `_`, `-`.
  public var name: String
  public var title: String
  public var starts: Instant
  public var zone: CivilZone
  public var lasts: Span
  public var seed: UInt64
  public var replications: Int
  /// How many replications an open question may cost; `nil` leaves it at `replications`, unless a precision is wanted.
  public var maximumReplications: Int?
  /// How well the figures of the objectives have to be known.
  public var precision: Precision?
  /// Whether a run ends as soon as it cannot pass any more.
  public var stopEarly: Bool
  public var worlds: [World]
  public var network: Network
  public var service: Service
  /// How far apart regions exchange what they publish.
  public var barrierInterval: Span
  /// What the statistics leave out at the beginning.
  public var warmup: Span
  /// Whether that is chosen when the run is over, from how long requests took in its course; `warmup` is zero then.
  public var isWarmUpAutomatic: Bool
  /// Where time comes from.
  public var timeline: Timeline
  /// How people come, where it is not their own habits that decide.
  public var workload: Workload?
  /// Servers that were not started for the run, in place of twins.
  public var servers: [ForeignServer]
  /// Whether requests before a server wait for each other, so that how late they leave is not the generator's doing.
  public var isOneAtATime = false
  public var events: [ScheduledEvent]
  public var faults: [Fault]
  public var objectives: [Objective]
  /// Whether a documented limit that was not exercised counts as failed.
  public var documented: Documented
  public var inconclusive: Inconclusive
  /// The SHA-less fingerprint of the file's text, so that results name what they ran.
  public var digest: String

  public enum Documented: String, Hashable, Sendable, CaseIterable { case judged, all }
  public enum Inconclusive: String, Hashable, Sendable, CaseIterable { case fail, warn }

  public var ends: Instant { starts + lasts }

  public init(
    name: String, title: String, starts: Instant, zone: CivilZone, lasts: Span, seed: UInt64 = 1,
    replications: Int = 1, maximumReplications: Int? = nil, precision: Precision? = nil,
    stopEarly: Bool = false, worlds: [World], network: Network = Network(),
    service: Service = Service(), barrierInterval: Span = .minutes(15), warmup: Span = .zero,
    events: [ScheduledEvent] = [], faults: [Fault] = [], objectives: [Objective] = [],
    documented: Documented = .judged, inconclusive: Inconclusive = .fail, digest: String = "",
    isWarmUpAutomatic: Bool = false, timeline: Timeline = .virtual, workload: Workload? = nil,
    servers: [ForeignServer] = []
  ) {
    precondition(!isWarmUpAutomatic || warmup == .zero, "a warm-up is stated or chosen")
    self.name = name
    self.title = title
    self.starts = starts
    self.zone = zone
    self.lasts = lasts
    self.seed = seed
    self.replications = replications
    self.maximumReplications = maximumReplications
    self.precision = precision
    self.stopEarly = stopEarly
    self.worlds = worlds
    self.network = network
    self.service = service
    self.barrierInterval = barrierInterval
    self.warmup = warmup
    self.isWarmUpAutomatic = isWarmUpAutomatic
    self.timeline = timeline
    self.workload = workload
    self.servers = servers
    self.events = events
    self.faults = faults
    self.objectives = objectives
    self.documented = documented
    self.inconclusive = inconclusive
    self.digest = digest
  }

  /// The replications after which nothing more is asked: the stated maximum; without one, where a precision is wanted, eight
  /// times as many as the run begins with and at least 160.
  public var mostReplications: Int {
    if let maximumReplications { return max(replications, maximumReplications) }
    guard precision != nil else { return replications }
    return min(Reading.replicationRange.upperBound, max(8 * replications, Self.leastMaximum))
  }

  private static let leastMaximum = 160

  /// The seed of one replication: derived from (seed, index), so that replications can be added without moving others.
  public func seed(ofReplication index: Int) -> UInt64 {
    avalanche(seed ^ avalanche(UInt64(index) &+ 0x5265_6865_6172_7361))
  }
}

/// One backend domain with its population, inside a run.
public struct World: Hashable, Sendable {
  public var domain: String
  public var regions: Int
  public var population: Settings
  public var parameters: Settings
  public var profile: String
  /// The quirks of the simulated client that are on.
  public var quirks: Set<String>
  /// The share of persons, in 0...1, who break rules on purpose.
  public var adversaries: Double
  /// How many times faster people think and pause than documented.
  public var haste: Int
  /// Rules that are switched off, to see their checks turn red.
  public var rulesOff: Set<LimitID>
  /// Settings that differ from their defaults, for the report: name, value, default.
  public var differing: [Difference]
  /// Where the scenario begins to speak of it, for messages; 1 where it does not say.
  public var line: Int

  public struct Difference: Hashable, Sendable {
    public let name: String
    public let value: String
    public let standard: String

    public init(name: String, value: String, standard: String) {
      self.name = name
      self.value = value
      self.standard = standard
    }
  }

  public init(
    domain: String, regions: Int, population: Settings, parameters: Settings,
    profile: String = "documented", quirks: Set<String> = [], adversaries: Double = 0,
    haste: Int = 1, rulesOff: Set<LimitID> = [], differing: [Difference] = [], line: Int = 1
  ) {
    self.domain = domain
    self.regions = regions
    self.population = population
    self.parameters = parameters
    self.profile = profile
    self.quirks = quirks
    self.adversaries = adversaries
    self.haste = haste
    self.rulesOff = rulesOff
    self.differing = differing
    self.line = line
  }
}

/// The way between a device and the backend.
public struct Network: Hashable, Sendable {
  /// The round trip without the backend's own time; half of it each way.
  public var latency: Distribution
  /// Replaces every operation's own time-out when given.
  public var timeout: Span?

  public init(
    latency: Distribution = .lognormal(median: .milliseconds(60), p95: .milliseconds(250)),
    timeout: Span? = nil
  ) {
    self.latency = latency
    self.timeout = timeout
  }
}

/// Turns the work that a twin reports into virtual time: a queue before so many servers in each region, with a price for each kind of
/// work. First come, first served, unless some operations go before others; the twin itself acts when a request arrives.
public struct Service: Hashable, Sendable {
  /// Who is served before whom; nobody's service is interrupted.
  public enum Priority: String, Hashable, Sendable, CaseIterable { case first, usual, last }

  /// How long each server works on average before it fails, and how long its repair takes: both exponential.
  public struct Failures: Hashable, Sendable {
    public var up: Span
    public var down: Span

    public init(up: Span, down: Span) {
      self.up = up
      self.down = down
    }
  }

  public var servers: Int
  /// The most requests of a region that wait or are served at once. One more is turned away with a server error, before the backend has seen
  /// it; `nil`: there is room for all.
  public var capacity: Int?
  public var failures: Failures?
  /// Those that are not usual, as DOMAIN.OPERATION.
  public var priorities: [String: Priority]
  public var perRequest: Span
  public var perRowRead: Span
  public var perRowWritten: Span
  public var perMessage: Span
  public var perSignature: Span

  public init(
    servers: Int = 8, perRequest: Span = .microseconds(400), perRowRead: Span = .microseconds(4),
    perRowWritten: Span = .microseconds(120), perMessage: Span = .microseconds(300),
    perSignature: Span = .microseconds(700), capacity: Int? = nil, failures: Failures? = nil,
    priorities: [String: Priority] = [:]
  ) {
    self.servers = servers
    self.capacity = capacity
    self.failures = failures
    self.priorities = priorities
    self.perRequest = perRequest
    self.perRowRead = perRowRead
    self.perRowWritten = perRowWritten
    self.perMessage = perMessage
    self.perSignature = perSignature
  }

  /// Of each operation of a domain, in their order; `nil` where all are usual.
  public func priorities(ofOperations names: [String], of domain: String) -> [Priority]? {
    guard !priorities.isEmpty else { return nil }
    return names.map { priorities["\(domain).\($0)"] ?? .usual }
  }

  /// How long one server is busy with a request.
  public func time(for work: Work) -> Span {
    perRequest + perRowRead * Int64(work.rowsRead) + perRowWritten * Int64(work.rowsWritten)
      + perMessage * Int64(work.messagesSent) + perSignature * Int64(work.signatures)
  }
}

/// A control command at an instant.
public struct ScheduledEvent: Hashable, Sendable {
  public var at: Instant
  public var domain: String
  public var command: String
  public var parameters: JSON
  /// What it is to people, in place of the command's own name in reports.
  public var note: String?
  /// Where the scenario says so, for messages.
  public var line: Int
  public var column: Int

  public init(
    at: Instant, domain: String, command: String, parameters: JSON, note: String? = nil,
    line: Int, column: Int = 1
  ) {
    self.at = at
    self.domain = domain
    self.command = command
    self.parameters = parameters
    self.note = note
    self.line = line
    self.column = column
  }

  /// What a domain has against the event, as a problem of the scenario's.
  public func problem(_ problem: ControlProblem, in file: String) -> ScenarioProblem {
    // A domain's words may begin with the command that they are about; the place names it already.
    var words = problem.description
    if words.hasPrefix(command + ": ") { words.removeFirst(command.count + 2) }
    let parts = words.split(separator: "; ", maxSplits: 1).map(String.init)
    return ScenarioProblem(
      file: file, at: SourceLocation(line: line, column: column),
      "\(domain).\(command): \(parts.first ?? "")",
      parts.count > 1
        ? parts[1] : "'rehearse domains \(domain) events \(command)' shows what it takes")
  }
}

/// Something that goes wrong between people and a backend for a while.
public struct Fault: Hashable, Sendable {
  public typealias Kind = FaultKind

  public var from: Instant
  public var to: Instant
  public var domain: String
  public var kind: Kind
  /// The share of requests that it meets, in 0...1.
  public var share: Double
  /// The name of the operation that it meets; `nil`: every one.
  public var operation: String?
  /// How many requests it meets at most, in all regions together; `nil`: any number.
  public var count: Int?

  public init(
    from: Instant, to: Instant, domain: String, kind: Kind, share: Double,
    operation: String? = nil, count: Int? = nil
  ) {
    self.from = from
    self.to = to
    self.domain = domain
    self.kind = kind
    self.share = share
    self.operation = operation
    self.count = count
  }
}

extension Scenario {
  /// The parts of the run that objectives about a domain ask for, each once, in the order of the objectives; then the phases in which a
  /// capacity is searched for.
  public func windows(of domain: String) -> [Objective.Window] {
    var windows: [Objective.Window] = []
    for objective in objectives where objective.domain == nil || objective.domain == domain {
      if let window = objective.window, !windows.contains(window) { windows.append(window) }
    }
    if let workload, let sought = workload.capacity?.objective,
      sought.domain == nil || sought.domain == domain
    {
      for (_, window) in workload.measured(from: starts) where !windows.contains(window) {
        windows.append(window)
      }
    }
    return windows
  }
}
