import Backends
import Contracts
import Observations
import Scenarios
import Timekeeping

/// A scenario on the virtual timeline: its replications, as parallel as the machine allows, with a result that
/// depends on scenario and seed alone.
public struct VirtualRun: TimelineRun {
  private let scenario: Scenario
  private let domains: [AnyDomain]
  private let tokens: any TokenCodec
  private let stopwatch: Stopwatch?
  private let lastsUntilViolated: LimitID?
  private let transcribing: Transcribing
  private let events: EventStream?

  /// - Parameters:
  ///   - domains: The domains of the scenario's worlds, one for each world in its order.
  ///   - stopwatch: Measures what calls of a twin take; without it nothing is measured in process.
  ///   - lastsUntilViolated: A rule whose first violation ends its replication at the next barrier.
  ///   - transcribing: Whose records are kept as lines, for `--events` and `trace`.
  ///   - events: Where the lines go as they happen, replications from 0 on; without it they stay with the results.
  public init(
    _ scenario: Scenario, domains: [AnyDomain], tokens: any TokenCodec,
    stopwatch: Stopwatch? = nil, lastsUntilViolated: LimitID? = nil,
    transcribing: Transcribing = .nobody, events: EventStream? = nil
  ) {
    precondition(domains.count == scenario.worlds.count, "one domain for each world")
    self.scenario = scenario
    self.domains = domains
    self.tokens = tokens
    self.stopwatch = stopwatch
    self.lastsUntilViolated = lastsUntilViolated
    self.transcribing = transcribing
    self.events = events
  }

  /// Runs replications.
  ///
  /// - Parameters:
  ///   - replications: By their numbers from 0, ascending; all of the scenario when left out.
  ///   - stopsEarly: Whether no replication after the first with a violated limit is kept or begun.
  ///   - workers: Threads; at most that many replications live at once.
  ///   - progress: Called now and then, by any worker, never by two at once.
  ///   - isStopped: Asked between units of work; once true, living replications end at their next barrier
  ///     and no other begins.
  /// - Returns: The replications that ran, in the order of their numbers.
  public func run(
    replications: [Int]? = nil, workers: Int, stopsEarly: Bool = false,
    progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) -> [ReplicationResult] {
    Coordinator(
      replications: replications ?? Array(0..<scenario.replications), starts: scenario.starts,
      ends: scenario.ends,
      barrierInterval: scenario.barrierInterval, stopsEarly: stopsEarly,
      lastsUntilViolated: lastsUntilViolated, events: events, progress: progress,
      isStopped: isStopped,
      begin: { index in worlds(ofReplication: index) }, seed: scenario.seed(ofReplication:)
    ).run(workers: workers)
  }

  private func worlds(ofReplication index: Int) -> [WorldReplicating] {
    let seed = scenario.seed(ofReplication: index)
    let recording = Recording(whose: transcribing, replication: index, stream: events)
    return zip(scenario.worlds, domains).map { world, domain in
      let plans = Self.plans(of: world, in: scenario, seed: seed, tokens: tokens)
      return domain.replicate(plans, scenario, stopwatch, recording, nil)
    }
  }

  /// What each region of a world is populated from.
  public static func plans(
    of world: World, in scenario: Scenario, seed: UInt64, tokens: any TokenCodec
  ) -> [RegionPlan] {
    (1...world.regions).map { region in
      RegionPlan(
        seed: seed, region: region, regions: world.regions, population: world.population,
        parameters: world.parameters, quirks: world.quirks, adversaries: world.adversaries,
        rulesOff: world.rulesOff, starts: scenario.starts, ends: scenario.ends,
        path: "\(world.domain)/\(region)", tokens: tokens, haste: world.haste)
    }
  }
}

/// How far a run has come.
public struct RunProgress: Sendable {
  public let replicationsDone: Int
  public let replications: Int
  /// The share of all virtual time that has been lived, in 0...1.
  public let share: Double
  /// The furthest virtual instant of the oldest living replication.
  public let virtualTime: Instant
  /// Requests made so far, in all replications.
  public let requests: Int
  /// What the replication that lives has seen; `nil` in virtual time.
  public var live: LiveFigures?
}

/// Whose records a run keeps as lines.
public enum Transcribing: Hashable, Sendable {
  case nobody
  case everybody
  /// One person, by its path.
  case person(String)
}
