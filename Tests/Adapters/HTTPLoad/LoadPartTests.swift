import Dispatch
import Foundation
import LoadTargets
import Observations
import Synchronization
import Testing
import Timekeeping

@testable import HTTPLoad

/// One load that four generators make together.
@Suite struct `A load in parts` {
  private static func plan(_ server: FaultyProcess, pace: LoadPlan.Pace) throws -> LoadPlan {
    LoadPlan(
      routes: try ["ok", "status/200"].map { try HTTPRoute(server.url($0)) }, weights: [3, 1],
      pace: pace, lasts: .seconds(1), slots: 6, seed: 7)
  }

  private final class Outcomes: Sendable {
    let all = Mutex<[Int: LoadRun.Outcome]>([:])
  }

  private static func outcomes(_ plan: LoadPlan, parts: Int) throws -> [LoadRun.Outcome] {
    let loads = try (1...parts).map { number in
      var own = plan
      own.share = Share(number, of: parts)
      return try LoadRun(own, options: HTTPOptions(timeOut: .seconds(20)))
    }
    let outcomes = Outcomes()
    let ended = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let lent = loads
    // Threads of their own: queues give no more than there are processors.
    for index in 0..<parts {
      Thread {
        let outcome = lent[index].run(isStopped: { false })
        outcomes.all.withLock { $0[index] = outcome }
        ended.signal()
      }.start()
    }
    for _ in 0..<parts { ended.wait() }
    return outcomes.all.withLock { all in (0..<parts).map { all[$0]! } }
  }

  private static func empty(_ plan: LoadPlan) -> CallTally {
    CallTally(
      CallTally.operations(plan), starts: Instant(nanoseconds: 0), lasts: plan.lasts,
      warmUp: plan.warmUp, phases: plan.phases, rate: plan.rate, expected: plan.expected)
  }

  @Test(arguments: [LoadPlan.Pace.constant(perSecond: 200), .poisson(perSecond: 200)])
  func `asks for what one generator would, and the server counts the calls that are told of`(
    pace: LoadPlan.Pace
  ) throws {
    let server = try FaultyProcess()
    let plan = try Self.plan(server, pace: pace)
    let whole = try Self.outcomes(plan, parts: 1)[0]
    let before = Int(server.ask("requests")) ?? 0
    let parts = try Self.outcomes(plan, parts: 4)
    #expect(before == whole.tally.begun)
    var sum = Self.empty(plan)
    for part in parts {
      // As a file keeps it.
      var read = Self.empty(plan)
      try read.unpack(part.tally.packed)
      #expect(read.packed == part.tally.packed)
      sum.merge(read)
    }
    #expect(sum.begun == whole.tally.begun)
    #expect((Int(server.ask("requests")) ?? 0) - before == sum.begun)
    for (own, other) in zip(whole.tally.worlds, sum.worlds) {
      #expect(own.requests == other.requests)
      #expect(own.operations.map(\.requests) == other.operations.map(\.requests))
    }
    // Bucket by bucket what the parts have together.
    for route in 0..<2 {
      var counts: [Span: UInt64] = [:]
      for part in parts {
        for bucket in part.tally.service[route].buckets {
          counts[bucket.value, default: 0] += bucket.count
        }
      }
      let merged = sum.service[route].buckets
      #expect(merged.map(\.value) == counts.keys.sorted())
      #expect(merged.allSatisfy { counts[$0.value] == $0.count })
    }
    #expect(parts.allSatisfy { $0.watch.lateness.count == UInt64($0.tally.begun) })
  }

  @Test(arguments: [
    LoadPlan.Pace.constant(perSecond: 200), .poisson(perSecond: 200),
    .varying(ArrivalRate.constant(50, lasting: .seconds(5)), isPoisson: true),
  ])
  func `asks when one generator would, and for the same at each moment`(pace: LoadPlan.Pace) throws
  {
    let routes = try ["a", "b"].map { try HTTPRoute("http://127.0.0.1:9/\($0)") }
    var plan = LoadPlan(
      routes: routes, weights: [3, 1], pace: pace, lasts: .seconds(5), slots: 6, seed: 7)
    func calls(_ share: Share) throws -> [(moment: Instant, route: Int)] {
      plan.share = share
      var schedule = try #require(plan.schedule(from: Instant(nanoseconds: 0)))
      return Array(sequence(state: ()) { _ in schedule.next() })
    }
    let whole = try calls(.whole)
    let parts = try (1...4).map { try calls(Share($0, of: 4)) }
    let together = parts.joined().sorted { $0.moment < $1.moment }
    #expect(together.elementsEqual(whole) { $0 == $1 } && whole.count > 150)
    #expect(parts.allSatisfy { abs($0.count * 4 - whole.count) < 4 })
  }

  @Test func `deals its users, so that there are as many as of one generator`() throws {
    let server = try FaultyProcess()
    let plan = try Self.plan(server, pace: .closed(.constant(6, lasting: .seconds(1))))
    let parts = try Self.outcomes(plan, parts: 4)
    #expect(parts.allSatisfy { $0.tally.answered > 0 })
    #expect(server.ask("connections") == "7")
  }

  @Test func `begins where all begin, by the clock that people set`() throws {
    let server = try FaultyProcess()
    var plan = try Self.plan(server, pace: .constant(perSecond: 50))
    func now() -> Instant { Instant(unixMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
    let starts = now() + .milliseconds(400)
    plan.startsAt = starts
    let load = try LoadRun(plan, options: HTTPOptions())
    let outcome = load.run(isStopped: { false })
    #expect(outcome.tally.begun == 50 && now() >= starts + plan.lasts - .milliseconds(1))
    // What went before is none of the generator's time.
    #expect(outcome.watch.lasted < now() - starts + .milliseconds(100))
  }

  @Test func `does not count where one generator could not keep up, which is named`() {
    var late = GeneratorWatch()
    for _ in 0..<99 { late.lateness.record(.microseconds(100)) }
    for _ in 0..<2 { late.lateness.record(.milliseconds(900)) }
    late.lasted = .seconds(1)
    var punctual = late
    punctual.lateness = LatencyHistogram()
    for _ in 0..<10_000 { punctual.lateness.record(.microseconds(100)) }
    let breaches = GeneratorLimits().breaches(of: [
      (Share(1, of: 3), punctual), (Share(2, of: 3), late), (Share(3, of: 3), punctual),
    ])
    #expect(breaches.count == 1 && breaches[0].hasPrefix("generator 2/3: "))
    // Together they would have been punctual enough.
    var all = punctual
    all.merge(late)
    all.merge(punctual)
    #expect(GeneratorLimits().breaches(of: all) == [])
    #expect(all.lateness.count == 20_101 && all.lasted == .seconds(1))
  }
}
