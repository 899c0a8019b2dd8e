import Contracts
import Dispatch
import Foundation
import Observations
import Scenarios
import Synchronization
import Timekeeping

/// A scenario in real time: its replications one after the other, each with its regions on all workers.
///
/// A region stays with one worker, so that its cells need no lock. What happens depends on scenario, seed and machine.
public struct WallRun: TimelineRun {
  private let scenario: Scenario
  private let domains: [AnyDomain]
  private let tokens: any TokenCodec
  private let clock: WallClock
  private let speed: Double
  private let transcribing: Transcribing
  private let events: EventStream?
  private let targets: WireTargets?
  private let onProblem: @Sendable (TargetProblem) -> Void

  /// - Parameters:
  ///   - domains: The domains of the scenario's worlds, one for each world in its order.
  ///   - speed: Seconds of the scenario in a second of the clock.
  ///   - transcribing: Whose records are kept as lines.
  ///   - events: Where the lines go as they happen.
  ///   - targets: Servers that answer in place of the twins of their domains.
  ///   - onProblem: Told why the run ended because a server cannot be its target.
  public init(
    _ scenario: Scenario, domains: [AnyDomain], tokens: any TokenCodec, clock: WallClock,
    speed: Double = 1, transcribing: Transcribing = .nobody, events: EventStream? = nil,
    targets: WireTargets? = nil, onProblem: @escaping @Sendable (TargetProblem) -> Void = { _ in }
  ) {
    precondition(domains.count == scenario.worlds.count, "one domain for each world")
    self.scenario = scenario
    self.domains = domains
    self.tokens = tokens
    self.clock = clock
    self.speed = speed
    self.transcribing = transcribing
    self.events = events
    self.targets = targets
    self.onProblem = onProblem
  }

  public func run(
    replications: [Int]? = nil, workers: Int, stopsEarly: Bool = false,
    progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) -> [ReplicationResult] {
    precondition(workers > 0, "somebody has to do the work")
    let wanted = replications ?? Array(0..<scenario.replications)
    var results: [ReplicationResult] = []
    for index in wanted where !isStopped() {
      guard
        let result = replication(
          index, workers: workers,
          progress: { until, live in
            progress(self.progress(results, until, live, of: wanted.count))
          }, isStopped: isStopped)
      else { break }
      results.append(result)
      events?.end(index, last: .max)
      if stopsEarly, result.isViolated { break }
    }
    return results
  }

  private func progress(
    _ results: [ReplicationResult], _ until: Instant, _ live: LiveFigures, of count: Int
  ) -> RunProgress {
    let lived =
      Double(results.count) + (until - scenario.starts).seconds / scenario.lasts.seconds
    return RunProgress(
      replicationsDone: results.count, replications: count, share: lived / Double(count),
      virtualTime: until,
      requests: results.reduce(live.ended) { $0 + $1.worlds.reduce(0) { $0 + $1.requests } },
      live: live)
  }

  private func replication(
    _ index: Int, workers: Int, progress: @escaping (Instant, LiveFigures) -> Void,
    isStopped: @escaping @Sendable () -> Bool
  ) -> ReplicationResult? {
    let seed = scenario.seed(ofReplication: index)
    let recording = Recording(whose: transcribing, replication: index, stream: events)
    let worlds = zip(scenario.worlds, domains).map { world, domain in
      let plans = VirtualRun.plans(of: world, in: scenario, seed: seed, tokens: tokens)
      return domain.replicate(plans, scenario, nil, recording, WallTime(clock, speed: speed))
    }
    let crew: WallCrew
    do throws(TargetProblem) {
      crew = try WallCrew(
        worlds, of: scenario, clock: clock, workers: workers, targets: targets, isStopped: isStopped
      )
      crew.build()
      try crew.begin(scenario.starts)
    } catch {
      onProblem(error)
      return nil
    }
    var lines: [String] = []
    var until = scenario.starts
    while until < scenario.ends, !isStopped() {
      let next = min(scenario.ends, until + scenario.barrierInterval)
      until = crew.live(until: next, report: progress)
      for world in worlds { world.synchronise(until) }
      take(worlds, of: index, &lines)
    }
    crew.settle()
    crew.finish(at: until)
    let traffic = crew.end(looksAtClocks: !isStopped())
    take(worlds, of: index, &lines)
    let tallies = worlds.map { $0.result() }
    var digest = Digest()
    for tally in tallies { digest.mix(tally.digest) }
    return ReplicationResult(
      index: index, seed: seed, worlds: tallies, lines: lines, ended: until, digest: digest,
      traffic: traffic)
  }

  private func take(_ worlds: [WorldReplicating], of index: Int, _ lines: inout [String]) {
    let spools = worlds.flatMap { $0.lines() }
    if let events {
      events.add(spools, of: index)
    } else {
      for spool in spools { lines += spool.lines }
    }
  }
}

/// The workers of one replication in real time, each with regions of its own.
private final class WallCrew: @unchecked Sendable {
  private let worlds: [WorldReplicating]
  private let clock: WallClock
  private let isStopped: @Sendable () -> Bool
  private let scenario: Scenario
  private let targets: WireTargets?
  /// By worker, where there are servers.
  private let clients: [any WireClient]
  /// Made the servers ready; `nil` without one.
  private let preparing: (any WireClient)?
  /// By worker: (world, region), in order.
  private let shifts: [[(world: Int, region: Int)]]
  /// By worker: what its regions have seen, as it said last, and when that was.
  private let seen: Mutex<[(at: UInt64, figures: LiveFigures)]>

  init(
    _ worlds: [WorldReplicating], of scenario: Scenario, clock: WallClock, workers: Int,
    targets: WireTargets?, isStopped: @escaping @Sendable () -> Bool
  ) throws(TargetProblem) {
    self.scenario = scenario
    self.targets = targets
    self.worlds = worlds
    self.clock = clock
    self.isStopped = isStopped
    let units = worlds.indices.flatMap { world in
      (0..<worlds[world].regionCount).map { (world: world, region: $0) }
    }
    let count = min(workers, units.count)
    seen = Mutex(Array(repeating: (0, LiveFigures()), count: count))
    shifts = (0..<count).map { worker in
      stride(from: worker, to: units.count, by: count).map { units[$0] }
    }
    var clients: [any WireClient] = []
    if let targets { for _ in 0..<count { clients.append(try targets.connect()) } }
    preparing = try targets?.connect()
    self.clients = clients
  }

  func build() {
    each {
      self.worlds[$0].build(
        $1, self.clients.isEmpty ? nil : self.server(ofWorld: $0, self.clients[$2]))
    }
  }

  /// The server of a world; `nil` where its twins answer.
  private func server(ofWorld world: Int, _ client: any WireClient) -> WireServer? {
    targets?.server(of: scenario.worlds[world].domain, scenario.starts, client)
  }

  func finish(at instant: Instant) {
    each { world, region, _ in self.worlds[world].finish(region, instant) }
  }

  private func each(_ work: @Sendable (_ world: Int, _ region: Int, _ worker: Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: shifts.count) { worker in
      for unit in shifts[worker] { work(unit.world, unit.region, worker) }
    }
  }

  /// Makes the servers ready and lets time begin: where there is a server with its clock, which goes on while it is loaded.
  func begin(_ starts: Instant) throws(TargetProblem) {
    var begins = starts
    var servers: [Int: WireServer] = [:]
    if let targets, let client = preparing {
      for world in worlds.indices { servers[world] = server(ofWorld: world, client) }
      for step in [Preparation.reset(startsIn: .zero), .load] {
        for world in worlds.indices {
          guard let server = servers[world] else { continue }
          try worlds[world].prepare(targets.divided(step), server, clock)
        }
      }
      try meet(targets, servers)
      for world in worlds.indices where servers[world]?.isTwin == true {
        begins = max(begins, try worlds[world].begin(starts, servers[world], clock))
      }
      for world in worlds.indices where servers[world]?.isTwin == true {
        wait(starts - worlds[world].time!.now)
      }
      if let division = targets.division, servers.values.contains(where: { !$0.isTwin }) {
        wait(division.starts - targets.realTime())
      }
      if servers.values.contains(where: { !$0.isTwin && $0.isTimely }) {
        begins = max(begins, targets.realTime())
      }
      guard begins - starts < scenario.lasts / 2 || servers.values.contains(where: \.isTwin) else {
        throw .unsuitable(
          "the scenario lasts \(scenario.lasts) and begins at \(starts), which is \(begins - starts) ago: give as 'starts' the moment at which it is run, to the second"
        )
      }
    }
    for world in worlds.indices where servers[world]?.isTwin != true {
      _ = try worlds[world].begin(begins, servers[world], clock)
    }
  }

  /// Waits until all generators of a run can begin: the first one has made the servers ready, and their clocks stand still until then.
  private func meet(
    _ targets: WireTargets, _ servers: [Int: WireServer]
  ) throws(TargetProblem) {
    guard let division = targets.division else { return }
    for world in worlds.indices {
      guard let server = servers[world] else { continue }
      while try !worlds[world].isReady(server, clock), !isStopped() {
        guard targets.realTime() < division.starts else {
          throw .unsuitable(
            "the server of \(scenario.worlds[world].domain) was not made ready with the population of this scenario and seed by \(division.starts): start part 1 with the others, and give a later moment if loading takes longer"
          )
        }
        wait(.milliseconds(200))
      }
    }
  }

  private func wait(_ span: Span) {
    let end = clock.nanoseconds() + UInt64(max(0, span.nanoseconds))
    while clock.nanoseconds() < end, !isStopped() {
      clock.wait(until: end, atMost: Self.longestRest, nil)
    }
  }

  /// Waits for what the regions asked their servers on their own behalf, which nobody else waits for.
  func settle() {
    guard !clients.isEmpty else { return }
    let end = clock.nanoseconds() + UInt64(Self.longestSettling.nanoseconds)
    DispatchQueue.concurrentPerform(iterations: shifts.count) { worker in
      let units = shifts[worker]
      while clock.nanoseconds() < end,
        !units.allSatisfy({ worlds[$0.world].isResolved($0.region) })
      {
        clock.wait(until: end, atMost: Self.longestRest, clients[worker])
      }
    }
  }

  /// Gives up what is under way, and looks whether the served twins are still those that were made ready.
  ///
  /// - Returns: What was exchanged with the servers; `nil` without one.
  func end(looksAtClocks: Bool) -> WireTraffic? {
    guard let preparing else { return nil }
    var traffic = WireTraffic()
    if looksAtClocks {
      for world in worlds.indices {
        guard let server = server(ofWorld: world, preparing) else { continue }
        traffic.clockOff = [traffic.clockOff, worlds[world].clockOff(server, clock)]
          .compactMap(\.self).max()
      }
    }
    for client in [preparing] + clients { traffic.merge(client.end()) }
    return traffic
  }

  private static let longestSettling = Span.seconds(5)

  /// Drives every region up to an instant, as the clock goes.
  ///
  /// - Parameter report: Told now and then how far the first worker is, and what all have seen.
  /// - Returns: That instant, or an earlier one if the run was stopped before.
  func live(until end: Instant, report: (Instant, LiveFigures) -> Void) -> Instant {
    let reached = Mutex(Instant.distantPast)
    withoutActuallyEscaping(report) { report in
      let report = Shared(report)
      DispatchQueue.concurrentPerform(iterations: shifts.count) { worker in
        let until = drive(worker, until: end, report: worker == 0 ? report.value : { _, _ in })
        reached.withLock { $0 = max($0, until) }
      }
    }
    return reached.withLock(\.self)
  }

  /// Longer than that nobody waits without asking whether the run was stopped.
  private static let longestRest = Span.milliseconds(50)

  /// How often workers say what they have seen: it takes them some hundred microseconds.
  private static let telling = Span.milliseconds(200)

  /// Says what a worker's regions have seen, if it is time again.
  ///
  /// - Returns: What all have seen; `nil` where it is too early.
  private func tell(_ worker: Int) -> LiveFigures? {
    let now = clock.nanoseconds()
    let isDue = seen.withLock { now - $0[worker].at >= UInt64(Self.telling.nanoseconds) }
    guard isDue else { return nil }
    var figures = LiveFigures()
    for unit in shifts[worker] { figures.merge(worlds[unit.world].live(unit.region)) }
    return seen.withLock { all in
      all[worker] = (now, figures)
      return all.reduce(into: LiveFigures()) { $0.merge($1.figures) }
    }
  }

  private func drive(
    _ worker: Int, until end: Instant, report: (Instant, LiveFigures) -> Void
  ) -> Instant {
    let units = shifts[worker]
    while true {
      var earliest = end
      for unit in units {
        let reading = min(worlds[unit.world].time!.now, end)
        earliest = min(earliest, reading)
        worlds[unit.world].run(unit.region, reading)
      }
      if earliest == end || isStopped() { return earliest }
      if let seen = tell(worker) { report(earliest, seen) }
      let due = units.map { unit in
        let world = worlds[unit.world]
        return world.time!.nanoseconds(at: min(world.nextDue(unit.region) ?? end, end))
      }.min()
      clock.wait(
        until: due!, atMost: Self.longestRest, clients.isEmpty ? nil : clients[worker])
    }
  }
}

/// Lent to the threads of one parallel loop, of which one uses it.
private struct Shared<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
