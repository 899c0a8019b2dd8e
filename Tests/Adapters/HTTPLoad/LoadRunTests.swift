import Foundation
import HTTPLoad
import LoadTargets
import Observations
import Testing
import Timekeeping

/// Loads of a second or two. What a busy machine can change is held against what was measured, never against a clock alone.
@Suite struct `A load` {
  let server: FaultyProcess

  init() throws { server = try FaultyProcess() }

  private func plan(
    _ paths: [String], pace: LoadPlan.Pace, lasts: Span = .seconds(1), weights: [Double]? = nil,
    slots: Int = 64, patience: Span = .seconds(10), warmUp: Span = .zero
  ) throws -> LoadPlan {
    LoadPlan(
      routes: try paths.map { try HTTPRoute(server.url($0)) },
      weights: weights ?? paths.map { _ in 1 },
      pace: pace, lasts: lasts, warmUp: warmUp, patience: patience, slots: slots, seed: 7)
  }

  private func run(
    _ plan: LoadPlan, timeOut: Span = .seconds(20),
    progress: (LoadRun.Progress) -> Void = { _ in }, isStopped: () -> Bool = { false }
  ) throws -> LoadRun.Outcome {
    try LoadRun(plan, options: HTTPOptions(timeOut: timeOut))
      .run(isStopped: isStopped, every: .milliseconds(50), progress: progress)
  }

  private func held() throws -> [Double] {
    var body: [UInt8] = []
    let client = try HTTPClient(slots: 1, options: HTTPOptions(keptBytes: 10_000_000)) {
      body = $1.body
    }
    client.send(try HTTPRoute(server.url("held")), tag: 0)
    while body.isEmpty { client.turn(until: client.clock + .milliseconds(10)) }
    return String(decoding: body, as: UTF8.self).split(separator: "\n")
      .compactMap { Double($0).map { $0 / 1e9 } }.sorted()
  }

  @Test func `at a constant pace makes every call, evenly and no other`() throws {
    let outcome = try run(plan(["ok"], pace: .constant(perSecond: 200)))
    #expect(outcome.tally.begun == 200 && outcome.tally.answered == 200)
    #expect(outcome.tally.worlds.map(\.requests) == Array(repeating: 10, count: 20))
    #expect(outcome.watch.lateness.count == 200 && outcome.watch.missed == 0)
    #expect(outcome.ending == .complete)
  }

  @Test func `says for each slice what was wanted after the warm-up and how many answers came`()
    throws
  {
    let outcome = try run(
      plan(
        ["ok"], pace: .constant(perSecond: 100), lasts: .seconds(3), warmUp: .milliseconds(1_500)))
    let tally = outcome.tally
    #expect(tally.wanted.map { Int($0.rounded()) } == [0, 50, 100])
    #expect(tally.answersInSlices.count == 3 && tally.answersInSlices[0] == 0)
    let counted = tally.worlds.flatMap(\.operations).map(\.replied).reduce(0, +)
    // What comes after the end belongs to no slice.
    #expect((1...counted).contains(tally.answersInSlices.reduce(0, +)) && counted == 150)
    let late = try run(plan(["fixed/700"], pace: .constant(perSecond: 10)))
    let inTime = late.tally.answersInSlices.reduce(0, +)
    #expect(late.tally.answered == 10 && inTime < 10)
    let closed = try run(plan(["ok"], pace: .closed(.constant(2, lasting: .seconds(1)))))
    #expect(closed.tally.wanted.isEmpty && closed.tally.answersInSlices.reduce(0, +) > 0)
  }

  @Test func `with Poisson arrivals makes as many as its seed says`() throws {
    let (first, second) = (
      try run(plan(["ok"], pace: .poisson(perSecond: 200))),
      try run(plan(["ok"], pace: .poisson(perSecond: 200)))
    )
    #expect(first.tally.begun == second.tally.begun)
    #expect(first.tally.worlds.map(\.requests) == second.tally.worlds.map(\.requests))
    // Four deviations of a Poisson count.
    #expect((144...256).contains(first.tally.begun))
  }

  @Test func `takes routes by their weights`() throws {
    let outcome = try run(
      plan(["ok", "status/200"], pace: .constant(perSecond: 400), weights: [3, 1]))
    let counts = outcome.tally.worlds.reduce(into: [0, 0]) { sums, world in
      for route in 0..<2 { sums[route] += world.operations[route].replied }
    }
    #expect(counts[0] + counts[1] == 400 && (250...350).contains(counts[0]))
  }

  @Test func `of users makes no call before the last was answered`() throws {
    var most = 0
    let three = UserCount.constant(3, lasting: .seconds(1))
    let outcome = try run(plan(["fixed/20"], pace: .closed(three))) {
      most = max(most, $0.inFlight)
    }
    #expect(most <= 3)
    #expect(outcome.tally.answered == outcome.tally.begun)
    // Three users that wait 20 ms each time.
    #expect(outcome.tally.answered <= 3 * 51)
  }

  @Test func `of users who come and go never has more calls under way than users`() throws {
    let half = Span.milliseconds(500)
    let users = UserCount([
      .init(lasts: half, from: 0, to: 8), .init(lasts: half, from: 8, to: 2),
    ])
    var seen: [(users: Int, inFlight: Int)] = []
    let outcome = try run(plan(["fixed/1"], pace: .closed(users))) {
      if let users = $0.users { seen.append((users, $0.inFlight)) }
    }
    // Who is still there when users become fewer waits for an answer, and the loop looks after answers first.
    #expect(seen.allSatisfy { $0.inFlight <= $0.users + 1 }, "\(seen)")
    #expect(seen.map(\.users).max() ?? 0 > seen.last?.users ?? 0)
    #expect(outcome.tally.answered == outcome.tally.begun && outcome.tally.failed == 0)
  }

  @Test func `has users by the whole numbers next to a line, those of its ends among them`() {
    let second = Span.seconds(1)
    let users = UserCount([
      .init(lasts: second, from: 0, to: 4), .init(lasts: second, from: 4, to: 4),
      .init(lasts: second, from: 2, to: 0),
    ])
    let times: [Int64] = [
      0, 124, 125, 375, 874, 875, 1_000, 1_999, 2_000, 2_250, 2_251, 2_750, 2_751, 3_000,
    ]
    #expect(
      times.map { users.users(at: .milliseconds($0)) }
        == [0, 0, 1, 2, 3, 4, 4, 4, 2, 2, 1, 1, 0, 0])
    #expect(users.most == 4)
    let few = UserCount([.init(lasts: second, from: 1, to: 2)])
    #expect([0, 499, 500, 999].map { few.users(at: .milliseconds($0)) } == [1, 1, 2, 2])
  }

  @Test func `counts nothing of its warm-up`() throws {
    let outcome = try run(
      plan(["ok"], pace: .constant(perSecond: 200), warmUp: .milliseconds(500)))
    #expect(outcome.tally.begun == 200)
    #expect(outcome.tally.worlds.reduce(0) { $0 + $1.requests } == 100)
  }

  @Test(arguments: ["fixed/20", "bimodal/5/60", "exponential/10"])
  func `finds the quantiles of a known delay, later by no more than lateness and the wire`(
    path: String
  ) throws {
    let outcome = try run(plan([path], pace: .constant(perSecond: 150), lasts: .seconds(2)))
    let held = try held()
    #expect(held.count == 300 && outcome.tally.answered == 300)
    let late = outcome.watch.lateness.maximum?.seconds ?? 0
    for q in [0.5, 0.75, 0.9, 0.99] {
      let truth = held[Int((q * 300).rounded(.up)) - 1]
      let seen = try #require(outcome.tally.whole.quantile(q)).seconds
      // The histogram keeps times to a thousandth.
      #expect(seen >= truth * 0.999, "p\(q * 100)")
      let service = outcome.tally.service[0]
      let wire = (service.maximum?.seconds ?? 0) - truth
      #expect(seen <= truth + late + max(0.05, wire), "p\(q * 100)")
    }
  }

  /// Calls due while the server stands still wait until it goes on: with a stop of S seconds in a run of T, a share S/T waits evenly
  /// between nothing and S. A closed workload sees one slow call for each user.
  @Test func `shows a stop of the server to all who would have come meanwhile`() throws {
    let (lasts, perSecond) = (6.0, 200.0)
    var stopped = (from: Instant.distantFuture, to: Instant.distantFuture)
    let outcome = try run(
      plan(["ok"], pace: .constant(perSecond: perSecond), lasts: .seconds(Int64(lasts)))
    ) { now in
      if stopped.from == .distantFuture, now.elapsed > .seconds(2) {
        server.signal(SIGSTOP)
        stopped.from = MonotonicClock.now
      } else if stopped.to == .distantFuture, stopped.from != .distantFuture,
        MonotonicClock.now - stopped.from >= .seconds(2)
      {
        server.signal(SIGCONT)
        stopped.to = MonotonicClock.now
      }
    }
    let stop = (stopped.to - stopped.from).seconds
    #expect(outcome.tally.answered == Int(lasts * perSecond))
    for q in [0.75, 0.9, 0.99] {
      let expected = stop - (1 - q) * lasts
      let seen = try #require(outcome.tally.whole.quantile(q)).seconds
      #expect(seen >= expected * 0.95 - 0.01, "p\(q * 100)")
    }
    // Far more calls were slow than there are connections.
    let slow = outcome.tally.whole.ended.count(above: .milliseconds(500))
    #expect(Double(slow) > (stop - 0.6) * perSecond)
  }

  @Test func `waits for a connection in its response times, not in its lateness`() throws {
    let outcome = try run(
      plan(["fixed/50"], pace: .constant(perSecond: 100), slots: 2, patience: .seconds(20)))
    #expect(outcome.tally.answered == 100)
    // Two connections make forty calls a second: the last ones waited for more than a second.
    let whole = try #require(outcome.tally.whole.quantile(0.99)).seconds
    #expect(whole > 1.2)
    let late = try #require(outcome.watch.lateness.quantile(0.5)).seconds
    #expect(late < whole / 4)
  }

  @Test func `gives up those that its end left open, and counts them`() throws {
    let outcome = try run(
      plan(["never"], pace: .constant(perSecond: 100), slots: 4, patience: .milliseconds(200)))
    #expect(outcome.tally.answered == 0 && outcome.tally.whole.cutOff.count == 100)
    // As many were sent as there are connections.
    #expect(outcome.tally.abandoned == 4 && outcome.tally.unsent == 96)
    #expect(outcome.tally.worlds.reduce(0) { $0 + $1.operations[0].cutOffInAll } == 100)
  }

  @Test func `ends at once where nobody is, and only before the first answer`() throws {
    let plan = try plan(["ok"], pace: .constant(perSecond: 200), lasts: .seconds(30))
    let starts = MonotonicClock.now
    let outcome = try run(
      plan, progress: { if $0.elapsed > .milliseconds(200) { server.signal(SIGKILL) } },
      isStopped: { MonotonicClock.now - starts > .seconds(2) })
    #expect(outcome.ending == .stopped && outcome.tally.answered > 0)
    #expect(outcome.failures.keys.contains(.refused))
    let second = try run(plan)
    guard case .unreachable(.refused, route: 0, _) = second.ending else {
      Issue.record("\(second.ending)")
      return
    }
    #expect(second.watch.lasted < .seconds(20))
  }

  @Test func `lasts until its planned end, though its last call was due before`() throws {
    let rate = ArrivalRate.steps([50, 0, 0, 0, 0], each: .milliseconds(200))
    let outcome = try run(plan(["ok"], pace: .varying(rate, isPoisson: false)))
    #expect(outcome.tally.answered == 10 && outcome.watch.lasted >= .seconds(1))
    #expect(outcome.took >= .seconds(1))
  }

  @Test func `of users counts the first call of each`() throws {
    let users = UserCount.constant(5, lasting: .milliseconds(300))
    let outcome = try run(
      plan(["fixed/300"], pace: .closed(users), lasts: .milliseconds(300)))
    #expect(outcome.tally.counted == 5 && outcome.tally.answered == 5)
    #expect(outcome.tally.worlds.map(\.requests) == [5] + Array(repeating: 0, count: 19))
  }

  @Test func `waits at its end until calls under way run into their own time-outs`() throws {
    let plan = try plan(
      ["never"], pace: .constant(perSecond: 50), lasts: .milliseconds(200),
      patience: .seconds(20))
    let outcome = try run(plan, timeOut: .milliseconds(300))
    #expect(outcome.failures == [.responseTimeOut: 10] && outcome.tally.abandoned == 0)
    // A server that took connections was reached.
    #expect(outcome.ending == .complete && outcome.watch.lasted < .seconds(20))
  }

  @Test(arguments: ["resets", "closes", "never", "no-http"])
  func `has reached a server that takes connections, whatever it makes of them`(
    path: String
  ) throws {
    let plan = try plan(
      [path], pace: .constant(perSecond: 50), lasts: .milliseconds(200), patience: .zero)
    #expect(try run(plan, timeOut: .milliseconds(300)).ending == .complete)
  }

  @Test func `has reached a server that took one connection and then was gone`() throws {
    let outcome = try run(
      plan(
        ["exits"], pace: .constant(perSecond: 50), lasts: .milliseconds(400), patience: .zero))
    #expect(outcome.ending == .complete && outcome.failures[.refused] ?? 0 > 0)
  }

  @Test func `has reached a server that answered once and then was gone`() throws {
    let outcome = try run(
      plan(
        ["exits-after-answer"], pace: .constant(perSecond: 10), lasts: .milliseconds(500),
        patience: .zero))
    #expect(outcome.ending == .complete && outcome.tally.answered == 1)
  }

  @Test func `has reached a server that took a call which its end cut off`() throws {
    let nobody = try Listener()
    let routes = [
      try HTTPRoute(server.url("never")), try HTTPRoute("http://127.0.0.1:\(nobody.port)/"),
    ]
    let users = UserCount.constant(8, lasting: .milliseconds(300))
    let outcome = try run(
      LoadPlan(
        routes: routes, weights: [1, 1], pace: .closed(users), lasts: .milliseconds(300),
        patience: .zero))
    #expect(outcome.failures[.refused] ?? 0 > 0 && outcome.tally.abandoned > 0)
    #expect(outcome.watch.lasted >= .milliseconds(300))
    #expect(outcome.ending == .complete)
  }

  @Test func `of users does not hammer a server that refuses at once`() throws {
    let nobody = try Listener()
    let users = UserCount.constant(5, lasting: .seconds(1))
    let plan = LoadPlan(
      routes: [try HTTPRoute("http://127.0.0.1:\(nobody.port)/")], weights: [1],
      pace: .closed(users), lasts: .seconds(1))
    let outcome = try LoadRun(plan, options: HTTPOptions(), isKnown: true)
      .run(isStopped: { false })
    // Each fails, and waits for 100 ms.
    #expect((5...5 * 10).contains(outcome.tally.begun))
    #expect(outcome.pauses == outcome.tally.begun && outcome.failures[.refused] == outcome.pauses)
  }

  @Test(arguments: [("status/503", false), ("resets", true), ("no-http", true)])
  func `of users waits only where a call got no answer`(path: String, pauses: Bool) throws {
    let users = UserCount.constant(2, lasting: .milliseconds(500))
    let outcome = try run(plan([path], pace: .closed(users), lasts: .milliseconds(500)))
    #expect(outcome.pauses == (pauses ? outcome.tally.failed : 0) && outcome.tally.failed > 0)
  }

  @Test func `tells when a server that had answered took no calls`() throws {
    let starts = MonotonicClock.now
    let outcome = try run(
      plan(["ok"], pace: .constant(perSecond: 200), lasts: .seconds(30)),
      progress: {
        if $0.tally.answered > 20 { server.signal(SIGKILL) }
      }, isStopped: { MonotonicClock.now - starts > .seconds(1) })
    #expect(outcome.outages.refused == outcome.failures[.refused])
    let (from, to) = (try #require(outcome.outages.from), try #require(outcome.outages.to))
    #expect(from > .milliseconds(100) && from <= to && to < outcome.took + .seconds(1))
    let odd = try FaultyProcess()
    let ends = try LoadRun(
      LoadPlan(
        routes: [try HTTPRoute(odd.url("resets-after-twenty"))], weights: [1],
        pace: .constant(perSecond: 100), lasts: .seconds(1)), options: HTTPOptions()
    ).run(isStopped: { false })
    #expect(ends.outages.ended == ends.failures[.reset] && ends.outages.ended >= 10)
    let steady = try LoadRun(
      LoadPlan(
        routes: [try HTTPRoute(odd.url("resets-each-tenth"))], weights: [1],
        pace: .constant(perSecond: 200), lasts: .seconds(1)), options: HTTPOptions()
    ).run(isStopped: { false })
    #expect(steady.failures[.reset] == 20 && steady.outages.from == nil)
  }

  @Test func `goes on against a server that was reached before and is gone`() throws {
    server.end()
    let plan = try plan(["ok"], pace: .constant(perSecond: 50), lasts: .milliseconds(200))
    let outcome = try LoadRun(plan, options: HTTPOptions(), isKnown: true)
      .run(isStopped: { false })
    #expect(outcome.ending == .complete && outcome.failures == [.refused: 10])
    #expect(outcome.tally.unsent == 10 && outcome.tally.counted == 0)
  }

  /// Whatever is sent, whatever becomes of it and however the load ends.
  @Test(arguments: 1...16)
  func `tells of every request that the server saw, and of no other`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, owner: 24, purpose: 0)
    func pick<Item>(_ items: [Item]) -> Item { items[Int(stream.unit() * Double(items.count))] }
    let paths =
      [
        "ok", "fixed/5", "fixed/120", "redirects/302/2/ok", "redirects/307/1/status/503",
        "drops-second", "status/503", "resets", "closes-mid-body", "never",
      ].filter { _ in stream.unit() < 0.6 } + ["ok"]
    let half = Span.milliseconds(200)
    let most = pick([1, 3, 40])
    let pace: LoadPlan.Pace = pick([
      .constant(perSecond: pick([20, 300])), .poisson(perSecond: pick([20, 300])),
      .closed(.constant(most, lasting: half + half)),
      .closed(
        UserCount([
          .init(lasts: half, from: 0, to: most), .init(lasts: half, from: most, to: 1),
        ])),
    ])
    var load = try plan(
      paths, pace: pace, lasts: half + half, slots: pick([2, 64]),
      patience: pick([.zero, .milliseconds(50), .seconds(20)]),
      warmUp: pick([.zero, .zero, .milliseconds(150)]))
    load.phases = [half, half]
    var options = HTTPOptions(timeOut: .milliseconds(300))
    options.follows = 3
    let stops = pick([Span.milliseconds(100), .milliseconds(350), .longest, .longest])
    let began = MonotonicClock.now
    let outcome = try LoadRun(load, options: options)
      .run(isStopped: { MonotonicClock.now - began > stops })

    let tally = outcome.tally
    let sent =
      tally.counted + tally.ofWarmUp + tally.repeated + tally.redirected + tally.abandoned
    // What was abandoned may still be on its way.
    var seen = -1
    for _ in 0..<200 where seen < sent { seen = Int(server.ask("requests")) ?? -1 }
    #expect(seen == sent, "seed \(seed): \(paths) \(pace)")
    let told = tally.worlds.reduce(0) { $0 + $1.requests }
    let ended = tally.counted + tally.ofWarmUp + tally.abandoned + tally.unsent
    #expect(load.warmUp > .zero ? told <= ended : told == ended, "seed \(seed)")
    #expect(tally.phases.reduce(0) { $0 + Int($1.count) } == told, "seed \(seed)")
    #expect(tally.answered + tally.failed <= ended, "seed \(seed)")
  }

  @Test func `keeps calls by their status`() throws {
    let outcome = try run(plan(["status/503", "status/204"], pace: .constant(perSecond: 100)))
    let unknowns = outcome.tally.worlds.reduce(0) {
      $0 + ($1.operations[0].unknowns["status503"] ?? 0)
    }
    #expect(
      unknowns == outcome.tally.failed && outcome.failures == [.unexpectedStatus(503): unknowns])
    #expect(outcome.tally.answered + outcome.tally.failed == 100)
  }
}

@Suite struct `The watch on the generator` {
  @Test func `names nothing where all was well`() {
    var watch = GeneratorWatch()
    watch.lateness.record(.microseconds(80), times: 1_000)
    watch.lasted = .seconds(10)
    watch.threadTime = .seconds(2)
    #expect(GeneratorLimits().breaches(of: watch) == [])
  }

  @Test func `names the resource that was short`() {
    func breach(_ change: (inout GeneratorWatch) -> Void) -> String? {
      var watch = GeneratorWatch()
      watch.lasted = .seconds(10)
      change(&watch)
      let all = GeneratorLimits().breaches(of: watch)
      return all.count == 1 ? all[0].prefix { $0 != ":" }.description : nil
    }
    #expect(breach { $0.longestOversleep = .milliseconds(200) } == "scheduling")
    #expect(breach { $0.longestTurn = .milliseconds(200) } == "scheduling")
    #expect(
      breach {
        $0.longestOversleep = .milliseconds(200)
        $0.starved = .milliseconds(190)
      } == "processor, which other programs had")
    #expect(breach { $0.threadTime = .seconds(10) } == "processor")
    #expect(breach { $0.missed = 1 } == "memory")
    #expect(breach { $0.withoutPort = 1 } == "local ports")
    #expect(breach { $0.slept = .seconds(5) } == "machine")
    #expect(breach { $0.lateness.record(.milliseconds(20), times: 100) } == "scheduling")
  }

  @Test func `notes that the generator itself stood still`() throws {
    let server = try FaultyProcess()
    let route = try HTTPRoute(server.url("ok"))
    let plan = LoadPlan(
      routes: [route], weights: [1], pace: .constant(perSecond: 100), lasts: .seconds(1))
    var hasPaused = false
    let outcome = try LoadRun(plan, options: HTTPOptions()).run(
      isStopped: { false },
      progress: { _ in
        guard !hasPaused else { return }
        hasPaused = true
        usleep(250_000)
      })
    #expect(outcome.watch.longestStall >= .milliseconds(250))
    #expect(!GeneratorLimits().breaches(of: outcome.watch).isEmpty)
  }
}
