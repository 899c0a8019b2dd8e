import Observations

/// What made the load of a run against the clock, how hard that was, and why the run does not count if it does not.
public struct GeneratorResult: Sendable, Equatable {
  /// One figure of the generator's, for reports: what it is, its value and the limit that it has.
  public struct Fact: Sendable, Equatable {
    public var name: String
    public var seconds: Double
    public var limitSeconds: Double?

    public init(name: String, seconds: Double, limitSeconds: Double? = nil) {
      self.name = name
      self.seconds = seconds
      self.limitSeconds = limitSeconds
    }
  }

  /// The time that calls took once they had a connection: what a closed workload would have shown.
  public struct Service: Sendable, Equatable {
    public var operation: String
    /// Each a share in 0...1 and the seconds that it took at most.
    public var quantiles: [CurvePoint]

    public init(operation: String, quantiles: [CurvePoint]) {
      self.operation = operation
      self.quantiles = quantiles
    }
  }

  /// One phase of a load whose rate changes, and its response times.
  public struct Phase: Sendable, Equatable {
    /// `30s at 100/s to 1000/s`.
    public var pace: String
    public var calls: Int
    /// Calls without a usable answer.
    public var failed: Int
    /// Of all its calls; beyond those that were answered there is none.
    public var quantiles: [CurvePoint]
    /// How long it lasts; `nil` of results that do not tell.
    public var lastsSeconds: Double?

    public init(
      pace: String, calls: Int, failed: Int, quantiles: [CurvePoint], lastsSeconds: Double? = nil
    ) {
      self.pace = pace
      self.calls = calls
      self.failed = failed
      self.quantiles = quantiles
      self.lastsSeconds = lastsSeconds
    }
  }

  public typealias Calls = RequestTally

  /// How an outsider repeats the run, without secrets.
  public var command: String
  /// The same load for so long that it would probably decide; `nil` where its length is not what lacks.
  public var longerCommand: String?
  /// `500/s, evenly`, `64 users`.
  public var pace: String
  /// What the schedule wanted, calls a second; `nil` of a closed workload.
  public var wantedPerSecond: Double?
  /// Answers a second, from the first call to the last answer.
  public var reachedPerSecond: Double
  public var connections: Int
  /// Bytes of bodies that came.
  public var bytes: Int
  public var lateness: [CurvePoint]
  public var latenessLimit: Double
  public var facts: [Fact]
  /// The share of one core that the generator's thread took, in 0...1, and what it may take.
  public var threadShare: Double
  public var threadShareLimit: Double
  /// Calls that were due and never begun.
  public var missed: Int
  public var calls: Calls
  /// When the server took no calls for a while; `nil` where it never did.
  public var outage: Outage?
  /// How often a user waited before its next call because one had got no answer; 0 in an open workload.
  public var pauses: Int
  /// Empty where the pace stays.
  public var phases: [Phase]
  public var service: [Service]
  /// Why the run does not count, with the resource that was short; empty where the generator kept up.
  public var breaches: [String]

  public init(
    command: String, pace: String, wantedPerSecond: Double?, reachedPerSecond: Double,
    connections: Int, bytes: Int, lateness: [CurvePoint], latenessLimit: Double, facts: [Fact],
    threadShare: Double, threadShareLimit: Double, missed: Int, service: [Service],
    breaches: [String], calls: Calls = Calls(), outage: Outage? = nil, pauses: Int = 0,
    phases: [Phase] = []
  ) {
    self.command = command
    self.pace = pace
    self.wantedPerSecond = wantedPerSecond
    self.reachedPerSecond = reachedPerSecond
    self.connections = connections
    self.bytes = bytes
    self.lateness = lateness
    self.latenessLimit = latenessLimit
    self.facts = facts
    self.threadShare = threadShare
    self.threadShareLimit = threadShareLimit
    self.missed = missed
    self.calls = calls
    self.outage = outage
    self.pauses = pauses
    self.phases = phases
    self.service = service
    self.breaches = breaches
  }
}
