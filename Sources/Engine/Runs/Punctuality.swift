import Observations
import Scenarios
import Timekeeping

/// How punctual a run in real time was: whether what it shows is the backend's doing or its own.
public struct Punctuality: Sendable, Equatable {
  /// The time that answered requests of an operation took once they had left: what somebody sees who forgets how late they left.
  public struct Service: Sendable, Equatable {
    public var world: String
    public var operation: String
    public var quantiles: [CurvePoint]

    public init(world: String, operation: String, quantiles: [CurvePoint]) {
      self.world = world
      self.operation = operation
      self.quantiles = quantiles
    }
  }

  /// Seconds of the scenario in one.
  public var speed: Double
  /// Sessions that the scenario's load asked for, and those of them for which nobody was free.
  public var arrivals: Int
  public var missed: Int
  /// How late requests left after the warm-up, in real seconds: the median, the 99 % quantile and the most, as far as their number tells them.
  public var lateness: [CurvePoint]
  public var latenessLimit: Double
  public var service: [Service]
  /// Over HTTP, of all replications: what became of every request.
  public var calls: RequestTally?
  /// When a server took no calls for a while, in the time of its replication; `nil` where none did.
  public var outage: Outage?
  /// Seconds by which a served twin's clock was off the run's at the end: it was reset or started again meanwhile. `nil` where it was not.
  public var serverClockOff: Double?
  /// What several generators were found short of, by name; it takes the place of what all of them come to together.
  public var breachesOfGenerators: [String]?

  public init(
    speed: Double, arrivals: Int, missed: Int, lateness: [CurvePoint], latenessLimit: Double,
    service: [Service], calls: RequestTally? = nil, outage: Outage? = nil,
    serverClockOff: Double? = nil
  ) {
    self.speed = speed
    self.arrivals = arrivals
    self.missed = missed
    self.lateness = lateness
    self.latenessLimit = latenessLimit
    self.service = service
    self.calls = calls
    self.outage = outage
    self.serverClockOff = serverClockOff
  }

  /// The share of requests by which lateness is judged.
  static let judged = 0.99

  /// Why the run does not count, with what was short; empty where everybody came and left in time.
  public var breaches: [String] {
    if let breachesOfGenerators { return breachesOfGenerators }
    var breaches: [String] = []
    if missed > 0 {
      breaches.append(
        "\(missed) of \(arrivals) arrivals found nobody free: the population is too small for the load, or its sessions last longer than the load allows"
      )
    }
    if let late = lateness.first(where: { $0.share == Self.judged }), late.seconds > latenessLimit {
      breaches.append(
        "one request in a hundred left more than \(Span(seconds: late.seconds)) late, and \(Span(seconds: latenessLimit)) are allowed: the machine did not keep up"
      )
    }
    return breaches
  }
}

extension Punctuality {
  /// More than a clock that goes on is off by what was measured on the way.
  static let clockTolerance = Span.seconds(1)

  /// - Parameter traffic: Of each replication against servers.
  init(_ tallies: [Merged], _ scenario: Scenario, speed: Double, traffic: [WireTraffic]) {
    if !traffic.isEmpty {
      let whole = traffic.reduce(into: WireTraffic()) { $0.merge($1) }
      calls = whole.requests
      outage = Outage(whole.outages)
      serverClockOff = whole.clockOff.flatMap { $0 > Self.clockTolerance ? $0.seconds : nil }
    }
    self.speed = speed
    arrivals = tallies.reduce(0) { $0 + $1.whole.arrivals.due }
    missed = tallies.reduce(0) { $0 + $1.whole.arrivals.missed }
    latenessLimit = (scenario.workload?.lateness ?? Workload.standardLateness).seconds
    var late = LatencyHistogram(unit: PunctualityTally.latenessUnit)
    for operation in tallies.flatMap(\.whole.operations) {
      if let punctuality = operation.punctuality { late.merge(punctuality.lateness) }
    }
    // Who waits in line leaves late by intention.
    lateness =
      scenario.isOneAtATime ? [] : Self.points(late, [0.5, Self.judged, 1], per: speed)
    service = tallies.flatMap { tally in
      tally.whole.operations.compactMap { operation in
        guard let took = operation.punctuality?.service, took.count > 0 else { return nil }
        return Service(
          world: tally.declaration.domain, operation: operation.name,
          quantiles: Self.points(took, [0.5, 0.99], per: 1))
      }
    }
  }

  private static func points(
    _ histogram: LatencyHistogram, _ shares: [Double], per speed: Double
  ) -> [CurvePoint] {
    shares.compactMap { share in
      guard share == 1 || LatencyHistogram.tells(share, of: histogram.count),
        let value = histogram.quantile(share)
      else { return nil }
      return CurvePoint(share: share, seconds: value.seconds / speed)
    }
  }
}
