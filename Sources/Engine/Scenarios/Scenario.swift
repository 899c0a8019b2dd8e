import Contracts
import Timekeeping

/// A scenario as a validated value: nothing in it needs checking again.
package struct Scenario: Hashable, Sendable {
  /// The folder name below `reports/`: letters, digits, `.`, `_`, `-`.
  package var name: String
  package var title: String
  package var starts: Instant
  package var zone: CivilZone
  package var lasts: Span
  package var seed: UInt64
  package var replications: Int
  package var worlds: [World]
  package var network: Network
  package var service: Service
  /// How far apart regions exchange what they publish.
  package var exchange: Span
  /// What the statistics leave out at the beginning.
  package var warmup: Span
  package var events: [ScheduledEvent]
  package var faults: [Fault]
  package var objectives: [Objective]
  /// Whether a documented limit that was not exercised counts as failed.
  package var documented: Documented
  package var inconclusive: Inconclusive
  /// The SHA-less fingerprint of the file's text, so that results name what they ran.
  package var digest: String

  package enum Documented: String, Hashable, Sendable, CaseIterable { case judged, all }
  package enum Inconclusive: String, Hashable, Sendable, CaseIterable { case fail, warn }

  package var ends: Instant { starts + lasts }

  package init(
    name: String, title: String, starts: Instant, zone: CivilZone, lasts: Span, seed: UInt64 = 1,
    replications: Int = 1, worlds: [World], network: Network = Network(),
    service: Service = Service(), exchange: Span = .minutes(15), warmup: Span = .zero,
    events: [ScheduledEvent] = [], faults: [Fault] = [], objectives: [Objective] = [],
    documented: Documented = .judged, inconclusive: Inconclusive = .fail, digest: String = ""
  ) {
    self.name = name
    self.title = title
    self.starts = starts
    self.zone = zone
    self.lasts = lasts
    self.seed = seed
    self.replications = replications
    self.worlds = worlds
    self.network = network
    self.service = service
    self.exchange = exchange
    self.warmup = warmup
    self.events = events
    self.faults = faults
    self.objectives = objectives
    self.documented = documented
    self.inconclusive = inconclusive
    self.digest = digest
  }

  /// The seed of one replication: derived from (seed, index), so that replications can be added without moving others.
  package func seed(ofReplication index: Int) -> UInt64 {
    avalanche(seed ^ avalanche(UInt64(index) &+ 0x5265_6865_6172_7361))
  }
}

/// One backend domain with its population, inside a run.
package struct World: Hashable, Sendable {
  package var domain: String
  package var regions: Int
  package var population: Settings
  package var parameters: Settings
  package var profile: String
  /// The quirks of the simulated client that are on.
  package var quirks: Set<String>
  /// The share of persons, in 0...1, who break rules on purpose.
  package var adversaries: Double
  /// Rules that are switched off, to see their checks turn red.
  package var rulesOff: Set<LimitID>
  /// Settings that differ from their defaults, for the report: name, value, default.
  package var differing: [Difference]

  package struct Difference: Hashable, Sendable {
    package let name: String
    package let value: String
    package let standard: String

    package init(name: String, value: String, standard: String) {
      self.name = name
      self.value = value
      self.standard = standard
    }
  }

  package init(
    domain: String, regions: Int, population: Settings, parameters: Settings,
    profile: String = "documented", quirks: Set<String> = [], adversaries: Double = 0,
    rulesOff: Set<LimitID> = [], differing: [Difference] = []
  ) {
    self.domain = domain
    self.regions = regions
    self.population = population
    self.parameters = parameters
    self.profile = profile
    self.quirks = quirks
    self.adversaries = adversaries
    self.rulesOff = rulesOff
    self.differing = differing
  }
}

/// The way between a device and the backend.
package struct Network: Hashable, Sendable {
  /// The round trip without the backend's own time; half of it each way.
  package var latency: Distribution
  /// Replaces every operation's own time-out when given.
  package var timeout: Span?

  package init(
    latency: Distribution = .lognormal(median: .milliseconds(60), p95: .milliseconds(250)),
    timeout: Span? = nil
  ) {
    self.latency = latency
    self.timeout = timeout
  }
}

/// Turns the work that a twin reports into virtual time: a first-come-first-served queue before so many servers in
/// each region, with a price for each kind of work.
package struct Service: Hashable, Sendable {
  package var servers: Int
  package var perRequest: Span
  package var perRowRead: Span
  package var perRowWritten: Span
  package var perMessage: Span
  package var perSignature: Span

  package init(
    servers: Int = 8, perRequest: Span = .microseconds(400), perRowRead: Span = .microseconds(4),
    perRowWritten: Span = .microseconds(120), perMessage: Span = .microseconds(300),
    perSignature: Span = .microseconds(700)
  ) {
    self.servers = servers
    self.perRequest = perRequest
    self.perRowRead = perRowRead
    self.perRowWritten = perRowWritten
    self.perMessage = perMessage
    self.perSignature = perSignature
  }

  /// How long one server is busy with a request.
  package func time(for work: Work) -> Span {
    perRequest + perRowRead * Int64(work.rowsRead) + perRowWritten * Int64(work.rowsWritten)
      + perMessage * Int64(work.messagesSent) + perSignature * Int64(work.signatures)
  }
}

/// A control command at an instant.
package struct ScheduledEvent: Hashable, Sendable {
  package var at: Instant
  package var domain: String
  package var command: String
  package var parameters: JSON
  /// The line of the scenario, for messages.
  package var line: Int

  package init(at: Instant, domain: String, command: String, parameters: JSON, line: Int) {
    self.at = at
    self.domain = domain
    self.command = command
    self.parameters = parameters
    self.line = line
  }
}

/// Something that goes wrong between people and a backend for a while.
package struct Fault: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The request never arrives; the client times out.
    case requestLost
    /// The backend acts, its answer never arrives; the client times out.
    case answerLost
    /// The backend's front answers 5xx without acting; the client cannot know that.
    case serverError
    /// Nobody listens: the request certainly does not happen.
    case connectionRefused
    /// The way takes this much longer.
    case delay(Span)
  }

  package var from: Instant
  package var to: Instant
  package var domain: String
  package var kind: Kind
  /// The share of requests that it meets, in 0...1.
  package var share: Double

  package init(from: Instant, to: Instant, domain: String, kind: Kind, share: Double) {
    self.from = from
    self.to = to
    self.domain = domain
    self.kind = kind
    self.share = share
  }
}

/// What a scenario demands on top of the documented limits.
package struct Objective: Hashable, Sendable {
  package enum Measure: Hashable, Sendable {
    /// A quantile in 0..<1 of an operation's response times or of a business latency.
    case quantile(Double)
    case mean
    /// The share of requests that were not answered, or answered with a server error.
    case errors
  }

  package enum Comparison: String, Hashable, Sendable {
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="

    package var isUpperBound: Bool { self == .less || self == .atMost }
  }

  package var text: String
  package var measure: Measure
  /// `nil` means every world.
  package var domain: String?
  /// An operation's or business latency's name; `nil` means all operations.
  package var subject: String?
  package var comparison: Comparison
  /// Seconds for times, 0...1 for shares.
  package var bound: Double
  package var line: Int

  package init(
    text: String, measure: Measure, domain: String?, subject: String?, comparison: Comparison,
    bound: Double, line: Int
  ) {
    self.text = text
    self.measure = measure
    self.domain = domain
    self.subject = subject
    self.comparison = comparison
    self.bound = bound
    self.line = line
  }
}
