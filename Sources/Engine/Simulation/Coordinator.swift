import Contracts
import Dispatch
import Foundation
import Observations
import Timekeeping

/// Hands units of work (replication, region, window) to workers, who claim them as they come free.
///
/// All regions of a replication finish a window before any begins the next; replications are independent. At most as
/// many live at once as there are workers, oldest first, so that memory stays bounded.
final class Coordinator: @unchecked Sendable {
  private let replications: [Int]
  private let starts: Instant
  private let ends: Instant
  private let barrierInterval: Span
  private let stopsEarly: Bool
  private let lastsUntilViolated: LimitID?
  private let events: EventStream?
  private let progress: @Sendable (RunProgress) -> Void
  private let isStopped: @Sendable () -> Bool
  private let begin: @Sendable (Int) -> [WorldReplicating]
  private let seed: @Sendable (Int) -> UInt64

  private let condition = NSCondition()
  private var living: [Living] = []
  /// Which of them begins next.
  private var next = 0
  private var requestsDone = 0
  private var finished: [ReplicationResult] = []
  /// The lowest number of a replication with a violated limit, where that ends the run: later ones do not count.
  private var last = Int.max

  private enum Step { case build, window, finish }

  private final class Living {
    let index: Int
    let worlds: [WorldReplicating]
    /// (world, region), in order.
    let units: [(world: Int, region: Int)]
    var step = Step.build
    /// Where the present window ends; during `finish`, when the replication ended.
    var until: Instant
    var claimed = 0
    var done = 0
    var requests = 0
    /// Where no stream takes them.
    var lines: [String] = []

    init(index: Int, worlds: [WorldReplicating], starts: Instant) {
      self.index = index
      self.worlds = worlds
      units = worlds.indices.flatMap { world in
        (0..<worlds[world].regionCount).map { (world, $0) }
      }
      until = starts
    }
  }

  init(
    replications: [Int], starts: Instant, ends: Instant, barrierInterval: Span,
    stopsEarly: Bool, lastsUntilViolated: LimitID?, events: EventStream?,
    progress: @escaping @Sendable (RunProgress) -> Void,
    isStopped: @escaping @Sendable () -> Bool,
    begin: @escaping @Sendable (Int) -> [WorldReplicating],
    seed: @escaping @Sendable (Int) -> UInt64
  ) {
    self.replications = replications
    self.starts = starts
    self.ends = ends
    self.barrierInterval = barrierInterval
    self.stopsEarly = stopsEarly
    self.lastsUntilViolated = lastsUntilViolated
    self.events = events
    self.progress = progress
    self.isStopped = isStopped
    self.begin = begin
    self.seed = seed
  }

  func run(workers: Int) -> [ReplicationResult] {
    precondition(workers > 0, "somebody has to do the work")
    DispatchQueue.concurrentPerform(iterations: workers) { _ in work(workers: workers) }
    return finished.filter { $0.index <= last }.sorted { $0.index < $1.index }
  }

  private func work(workers: Int) {
    condition.lock()
    defer { condition.unlock() }
    while let (replication, unit) = claim(workers: workers) {
      let (step, until) = (replication.step, replication.until)
      condition.unlock()
      let world = replication.worlds[unit.world]
      switch step {
      case .build: world.build(unit.region, nil)
      case .window: world.run(unit.region, until)
      case .finish: world.finish(unit.region, until)
      }
      condition.lock()
      replication.done += 1
      guard replication.done == replication.units.count else { continue }
      // Nobody can claim a unit of this replication now, so neither the barrier nor the lines need a lock.
      condition.unlock()
      if step == .window { for world in replication.worlds { world.synchronise(until) } }
      if step != .build { takeLines(of: replication) }
      condition.lock()
      endStep(of: replication)
      if step == .finish, let events {
        let last = last
        condition.unlock()
        events.end(replication.index, last: last)
        condition.lock()
      }
    }
    condition.broadcast()
  }

  private func takeLines(of replication: Living) {
    let spools = replication.worlds.flatMap { $0.lines() }
    if let events {
      events.add(spools, of: replication.index)
    } else {
      for spool in spools { replication.lines += spool.lines }
    }
  }

  /// The next unit of the oldest replication that has one, a new replication when there is room, or `nil` when
  /// nothing is left. Called with the lock held.
  private func claim(workers: Int) -> (Living, (world: Int, region: Int))? {
    while true {
      if let replication = living.first(where: { $0.claimed < $0.units.count }) {
        defer { replication.claimed += 1 }
        return (replication, replication.units[replication.claimed])
      }
      if living.count < workers, next < replications.count, replications[next] <= last,
        !isStopped()
      {
        let index = replications[next]
        next += 1
        living.append(Living(index: index, worlds: begin(index), starts: starts))
        continue
      }
      if living.isEmpty { return nil }
      condition.wait()
    }
  }

  /// All regions have done the step's work. Called with the lock held.
  private func endStep(of replication: Living) {
    switch replication.step {
    case .build:
      replication.step = .window
      replication.until = nextBarrier(after: starts)
    case .window:
      if replication.until >= ends || replication.index > last || isStopped()
        || isDecided(replication)
      {
        replication.step = .finish
      } else {
        replication.until = nextBarrier(after: replication.until)
      }
    case .finish:
      finish(replication)
      return
    }
    replication.claimed = 0
    replication.done = 0
    replication.requests = replication.worlds.reduce(0) { $0 + $1.requestsSoFar() }
    report()
    condition.broadcast()
  }

  private func isDecided(_ replication: Living) -> Bool {
    guard let limit = lastsUntilViolated else { return false }
    return replication.worlds.contains { $0.isViolated(limit) }
  }

  private func nextBarrier(after instant: Instant) -> Instant {
    min(ends, instant + barrierInterval)
  }

  private func finish(_ replication: Living) {
    var digest = Digest()
    var tallies: [WorldTally] = []
    for world in replication.worlds {
      let tally = world.result()
      digest.mix(tally.digest)
      tallies.append(tally)
    }
    let result = ReplicationResult(
      index: replication.index, seed: seed(replication.index), worlds: tallies,
      lines: replication.lines, ended: replication.until, digest: digest)
    finished.append(result)
    if stopsEarly, replication.until >= ends, result.isViolated {
      last = min(last, replication.index)
    }
    requestsDone += tallies.reduce(0) { $0 + $1.requests }
    living.removeAll { $0 === replication }
    report()
    condition.broadcast()
  }

  private func report() {
    let whole = (ends - starts).seconds
    let lived = living.reduce(Double(finished.count)) {
      $0 + ($1.step == .build ? 0 : ($1.until - starts).seconds / whole)
    }
    progress(
      RunProgress(
        replicationsDone: finished.count, replications: replications.count,
        share: min(1, lived / Double(replications.count)),
        virtualTime: living.first?.until ?? ends,
        requests: living.reduce(requestsDone) { $0 + $1.requests }))
  }
}
