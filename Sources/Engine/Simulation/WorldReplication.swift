import Backends
import Contracts
import Observations
import Scenarios
import Timekeeping

/// One world of one replication, whatever its domain: closures made where the domain's types are known, so that
/// what they call is specialised.
struct WorldReplicating: @unchecked Sendable {
  let regionCount: Int
  /// Populates one region. Regions are numbered from 0 here.
  let build: (_ region: Int, WireServer?) -> Void
  /// Makes the server of this world ready, step by step.
  let prepare: (Preparation, WireServer, WallClock) throws(TargetProblem) -> Void
  /// Whether another generator has made the server ready.
  let isReady: (WireServer, WallClock) throws(TargetProblem) -> Bool
  /// Lets this world's time begin: with its server's clock where it has one, else with an instant.
  ///
  /// - Returns: When that is.
  let begin: (Instant, WireServer?, WallClock) throws(TargetProblem) -> Instant
  /// How far the clock of a served twin is from this world's; `nil` where no server says.
  let clockOff: (WireServer, WallClock) -> Span?
  /// The time of this world; `nil` in virtual time.
  let time: WallTime?
  let run: (_ region: Int, _ until: Instant) -> Void
  /// When something happens in a region by itself next.
  let nextDue: (_ region: Int) -> Instant?
  /// Shows every region what all regions published, in region order, and looks at every cell.
  let synchronise: (_ at: Instant) -> Void
  /// Whether a region waits for nothing that it asked its server on its own behalf.
  let isResolved: (_ region: Int) -> Bool
  let finish: (_ region: Int, _ at: Instant) -> Void
  /// Requests made so far by all regions that live; asked only while none is being driven.
  let requestsSoFar: () -> Int
  /// What was seen so far in a region; asked by whoever drives it.
  let live: (_ region: Int) -> LiveFigures
  /// Whether a rule has been violated in any region that lives; asked only while none is being driven.
  let isViolated: (LimitID) -> Bool
  /// The regions' lines for `--events` since they were last asked for, in region order; asked only while none is being driven.
  let lines: () -> [LineSpool]
  /// The regions' tallies merged in region order.
  let result: () -> WorldTally
}

/// What is done to a server before the run: with all servers of a run one step after the other, so that their clocks, which a reset sets
/// back, show nearly the same.
enum Preparation {
  /// - Parameter startsIn: How long its clock then stands still.
  case reset(startsIn: Span)
  case load
}

/// One world of one replication. Different regions may be driven by different threads at the same time; each array
/// element belongs to the thread that drives its region, and the coordinator's lock orders the rest.
final class WorldReplication<Domain: Backend> {
  private let backend: Domain
  private let plans: [RegionPlan]
  private let scenario: Scenario
  private let stopwatch: Stopwatch?
  private let recording: Recording
  private let time: WallTime?
  /// What the server says of its commands once another generator has made it ready.
  private var expected: String?
  private let regions: UnsafeMutableBufferPointer<Region<Domain>?>
  private let results: UnsafeMutableBufferPointer<Result?>

  /// What came of a region: a class, since tallies are large.
  private final class Result {
    var tally: WorldTally
    var lines: LineSpool
    init(_ result: (tally: WorldTally, lines: LineSpool)) {
      (tally, lines) = (result.tally, result.lines)
    }
  }

  init(
    _ backend: Domain, plans: [RegionPlan], scenario: Scenario, stopwatch: Stopwatch?,
    recording: Recording, time: WallTime?
  ) {
    self.backend = backend
    self.plans = plans
    self.scenario = scenario
    self.stopwatch = stopwatch
    self.recording = recording
    self.time = time
    regions = .allocate(capacity: plans.count)
    regions.initialize(repeating: nil)
    results = .allocate(capacity: plans.count)
    results.initialize(repeating: nil)
  }

  deinit {
    regions.deinitialize()
    regions.deallocate()
    results.deinitialize()
    results.deallocate()
  }

  /// The same without the domain's types.
  var erased: WorldReplicating {
    WorldReplicating(
      regionCount: plans.count, build: { self.build(region: $0, $1) },
      prepare: { (step, server, clock) throws(TargetProblem) in
        try self.prepare(step, server, clock)
      },
      isReady: { (server, clock) throws(TargetProblem) in try self.isReady(server, clock) },
      begin: { (starts, server, clock) throws(TargetProblem) in
        try self.begin(starts, server, clock)
      }, clockOff: { self.clockOff(of: $0, $1) }, time: time,
      run: { self.run(region: $0, until: $1) }, nextDue: { self.regions[$0]!.nextDue },
      synchronise: { self.synchronise(at: $0) },
      isResolved: { self.regions[$0]!.transport.isResolved() },
      finish: { self.finish(region: $0, at: $1) }, requestsSoFar: { self.requestsSoFar },
      live: { self.regions[$0]!.live },
      isViolated: { limit in self.regions.contains { $0!.isViolated(limit) } },
      lines: { self.lines() }, result: { self.result() })
  }

  var requestsSoFar: Int { regions.reduce(0) { $0 + ($1?.requests ?? 0) } }

  private func prepare(
    _ step: Preparation, _ server: WireServer, _ clock: WallClock
  ) throws(TargetProblem) {
    let control = control(of: server, clock)
    switch (step, server.kind) {
    case (.reset, .twin) where !server.isOperator: try control.checkDomain()
    case (.load, .twin) where !server.isOperator: break
    case (.reset(let pause), .twin): try control.reset(startsIn: pause)
    case (.load, .twin):
      try control.switchOff(rulesOff)
      for region in regions {
        try region!.prepare(control.obey)
        region!.transport.hearAfter(try control.lastSignal())
      }
    case (.reset, .foreign): try control.greet()
    case (.load, .foreign(let isPrepared, let twinServices)):
      guard isPrepared || !twinServices.isEmpty else { return }
      for region in regions { region!.takeAsPrepared(isLoaded: isPrepared) }
    }
  }

  /// Those that the served twin keeps.
  private var rulesOff: [LimitID] {
    let kept = Set(backend.declaration.limits.filter { $0.keeper == .twin }.map(\.id))
    return plans[0].rulesOff.intersection(kept).sorted()
  }

  private func isReady(
    _ server: WireServer, _ clock: WallClock
  ) throws(TargetProblem) -> Bool {
    guard server.isTwin, !server.isOperator else { return true }
    let control = control(of: server, clock)
    let commands =
      expected ?? control.digest(switchingOff: rulesOff, regions.flatMap { $0!.loads })
    expected = commands
    guard try control.isReady(commands) else { return false }
    for region in regions {
      region!.skipPreparations()
      region!.transport.hearAfter(try control.lastSignal())
    }
    return true
  }

  private func control(of server: WireServer, _ clock: WallClock) -> ServerControl<Domain.Contract>
  {
    ServerControl(server.client, clock, tokens: plans[0].tokens)
  }

  private func begin(
    _ starts: Instant, _ server: WireServer?, _ clock: WallClock
  ) throws(TargetProblem) -> Instant {
    guard let server, server.isTwin else {
      time?.begin(at: starts, when: clock.nanoseconds())
      return starts
    }
    let (now, nanoseconds) = try control(of: server, clock).clockReading()
    guard server.share == .whole || now < scenario.starts else {
      throw .unsuitable(
        "the server's clock shows \(now), and all generators begin at \(scenario.starts): loading took longer than there was until --start-at; give a later moment"
      )
    }
    guard server.share != .whole || now >= scenario.starts,
      now < scenario.starts + WireTargets.longestLoading
    else {
      throw .unsuitable(
        "the server's clock shows \(now), and the run begins at \(scenario.starts): start it with --scenario and this scenario, and a real clock"
      )
    }
    time?.begin(at: now, when: nanoseconds)
    return now
  }

  private func clockOff(of server: WireServer, _ clock: WallClock) -> Span? {
    guard server.isTwin, let time else { return nil }
    do throws(TargetProblem) {
      let (shown, nanoseconds) = try control(of: server, clock).clockReading()
      let off = shown - time.instant(at: nanoseconds)
      return off < .zero ? -off : off
    } catch {
      // What is gone has refused calls already.
      return nil
    }
  }

  func build(region: Int, _ server: WireServer?) {
    regions[region] = Region(
      backend, plan: plans[region], scenario: scenario, stopwatch: stopwatch,
      recording: recording, time: time, server: server)
  }

  func run(region: Int, until end: Instant) { regions[region]!.run(until: end) }

  func synchronise(at instant: Instant) {
    let publications = regions.flatMap { $0!.transport.publications(instant) }
    for region in regions {
      if !publications.isEmpty { region!.transport.read(publications) }
      region!.transport.inspect(region!)
    }
  }

  func finish(region: Int, at instant: Instant) {
    results[region] = Result(regions[region]!.finish(at: instant))
    regions[region] = nil
  }

  func lines() -> [LineSpool] {
    regions.indices.map { index in
      if let region = regions[index] { return region.takeLines() }
      defer { results[index]?.lines = LineSpool() }
      return results[index]!.lines
    }
  }

  func result() -> WorldTally {
    var tally = results[0]!.tally
    // The first region is folded into a fresh digest too, so that one region and several are treated alike.
    var digest = Digest()
    digest.mix(tally.digest)
    tally.digest = digest
    for other in results.dropFirst() { tally.merge(other!.tally) }
    return tally
  }
}
