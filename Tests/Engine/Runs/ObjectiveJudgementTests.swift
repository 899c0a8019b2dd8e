import Contracts
import Observations
import Runs
import Scenarios
import Testing
import Timekeeping
import Verdicts

/// Replications made up from response times, for judging objectives without a simulation.
private struct MadeUpWorld {
  var replications = 20
  var objectives: [Objective] = []
  var precision: Precision?
  var looks: Looks?
  /// Response times in milliseconds of a replication.
  var times: (_ replication: Int) -> [Int] = { _ in Array(repeating: 100, count: 50) }
  var unknowns: (_ replication: Int) -> Int = { _ in 0 }
  var refusedConnections: (_ replication: Int) -> Int = { _ in 0 }
  /// What was under way at the end, by how many milliseconds it had waited.
  var cutOff: (_ replication: Int) -> [Int] = { _ in [] }
  var tries = LimitTally("S-1", Judge()) { _ in "" }
  var finished: (_ replication: Int) -> [Int] = { _ in [] }
  var unfinished: (_ replication: Int) -> Int = { _ in 0 }

  static let operation = Operation("sync", "Reconcile", source: "1")
  /// Ten minutes of the hour.
  static let window = Instant("2026-03-21T05:00:00Z").map {
    Objective.Window(from: $0, to: $0 + .minutes(10))
  }

  var run: Run {
    let begins = Instant("2026-03-21T05:00:00Z")!
    let results = (0..<replications).map { index in
      var operation = OperationTally(Self.operation)
      for time in times(index) { operation.latencies.record(.milliseconds(Int64(time))) }
      operation.replied = times(index).count
      operation.unknowns["timedOut"] = unknowns(index)
      operation.unsents["connectionRefused"] = refusedConnections(index)
      operation.unanswered = UInt64(unknowns(index) + refusedConnections(index))
      for time in cutOff(index) {
        operation.cutOff.record(.milliseconds(Int64(time)))
        operation.unknowns["runEnded", default: 0] += 1
      }
      var business = BusinessTally(
        name: "order-assigned", title: "Assigned", bound: nil, limit: nil)
      for (place, time) in finished(index).enumerated() {
        business.begin("\(place)", at: begins)
        business.end("\(place)", at: begins + .milliseconds(Int64(time)))
      }
      for place in 0..<unfinished(index) { business.begin("open \(place)", at: begins) }
      business.close(at: begins + .hours(1))
      var tally = WorldTally(
        domain: "shop", operations: [operation], business: [business], limits: [tries],
        windows: Self.window.map { window in
          // The part holds a tenth of the whole's requests, each half as long.
          var part = OperationTally(Self.operation)
          for time in times(index).prefix(times(index).count / 10) {
            part.latencies.record(.milliseconds(Int64(time / 2)))
            part.replied += 1
          }
          return [
            WindowTally(
              from: window.from, to: window.to, operations: [part], business: [business])
          ]
        } ?? [],
        load: LoadTally(starts: begins, lasts: .hours(1)))
      tally.requests = times(index).count
      return ReplicationResult(
        index: index, seed: UInt64(index), worlds: [tally], lines: [], ended: begins + .hours(1),
        digest: Digest())
    }
    let none = Settings([])
    let scenario = Scenario(
      name: "made-up", title: "Made up", starts: begins, zone: .utc, lasts: .hours(1),
      replications: replications, precision: precision,
      worlds: [World(domain: "shop", regions: 1, population: none, parameters: none)],
      objectives: objectives)
    let declaration = WorldDeclaration(
      domain: "shop", title: "Shop", population: [], parameters: [], quirks: [], profiles: [],
      operations: [Self.operation], business: ["order-assigned"],
      limits: [Limit("S-1", Stated("a rule", source: "1"))], controls: [])
    return RunAssembly(
      scenario, file: "made-up.yaml", declarations: [declaration], replications: results,
      interrupted: false, looks: looks
    ).run(on: .unknown)
  }

  func judged(
    _ measure: Objective.Measure, of subject: String? = "sync",
    in window: Objective.Window? = nil, _ comparison: Objective.Comparison, _ bound: Double
  ) throws -> ObjectiveResult {
    var world = self
    world.objectives = [
      Objective(
        text: "it of it \(comparison.rawValue) \(bound)", measure: measure, domain: "shop",
        subject: subject, window: window, comparison: comparison, bound: bound, line: 1)
    ]
    return try #require(world.run.objectives.first)
  }
}

@Suite struct `Judging objectives` {
  /// From 50 ms on, a twentieth of them above 240 ms, a little different in each replication.
  private let varied = MadeUpWorld(times: { replication in
    (0..<200).map { $0 < 10 + replication % 3 ? 250 + $0 : 50 + $0 }
  })

  @Test func `a rate counts requests in a second of virtual time`() throws {
    let enough = try varied.judged(.rate, .atLeast, 0.05)
    #expect(enough.verdict == .pass && enough.unit == .perSecond)
    #expect(enough.estimate == 200.0 / 3_600)
    #expect(try varied.judged(.rate, .atLeast, 0.06).verdict == .fail)
    #expect(try varied.judged(.rate, of: "order-assigned", .greater, 0).verdict == .fail)
  }

  @Test func `a part of the run is judged by what happened in it alone`() throws {
    let window = try #require(MadeUpWorld.window)
    let rate = try varied.judged(.rate, in: window, .atLeast, 0.02)
    #expect(rate.estimate == 20.0 / 600)
    let part = try varied.judged(.mean, in: window, .less, 0.1)
    let whole = try varied.judged(.mean, .less, 0.1)
    #expect(part.verdict == .pass && whole.verdict == .fail)
  }

  @Test func `a count is that of one replication`() throws {
    var world = varied
    world.finished = { replication in Array(repeating: 5, count: 90 + replication) }
    let found = try world.judged(.count, of: "order-assigned", .atLeast, 95)
    #expect(found.verdict == .pass && found.estimate == 99.5 && found.unit == .count)
    let open = try world.judged(.count, of: "order-assigned", .atLeast, 99)
    #expect(open.verdict == .inconclusive && (open.moreReplications ?? 0) > 100)
  }

  @Test func `a share over a time is judged as the quantile with that bound is`() throws {
    for allowed in [0.02, 0.05, 0.054, 0.056, 0.06, 0.2] {
      let share = try varied.judged(.share(over: .milliseconds(240)), .less, allowed)
      let quantile = try varied.judged(.quantile(1 - allowed), .less, 0.24)
      #expect(share.verdict == quantile.verdict, "\(allowed)")
      #expect(share.unit == .share)
    }
    #expect(try varied.judged(.share(over: .milliseconds(240)), .less, 0.2).verdict == .pass)
    #expect(try varied.judged(.share(over: .milliseconds(240)), .less, 0.02).verdict == .fail)
    #expect(try varied.judged(.share(over: .milliseconds(240)), .greater, 0.02).verdict == .pass)
  }

  @Test func `what never finished is late once it was open for longer than the time`() throws {
    var world = varied
    world.finished = { _ in Array(repeating: 1_000, count: 95) }
    world.unfinished = { 4 + $0 % 3 }
    let late = Objective.Measure.share(over: .minutes(10))
    #expect(try world.judged(late, of: "order-assigned", .less, 0.1).verdict == .pass)
    #expect(try world.judged(late, of: "order-assigned", .less, 0.02).verdict == .fail)
    let mean = try world.judged(.mean, of: "order-assigned", .less, 600)
    #expect(mean.verdict == .inconclusive)
    #expect(mean.reason?.contains("had not finished") == true)
  }

  @Test func `a quantile of a business latency counts what never finished as infinitely late`()
    throws
  {
    var world = varied
    // 1, 2, … 80 seconds and twenty that never end: the median of the hundred is the 50th of them.
    world.finished = { _ in (1...80).map { $0 * 1_000 } }
    world.unfinished = { _ in 20 }
    let result = world.run.business[0]
    let seconds = result.quantiles.map { $0.seconds.map { ($0 * 100).rounded() / 100 } }
    #expect(result.quantiles.map(\.q) == [0.5, 0.9, 0.95, 0.99])
    #expect(abs(try #require(seconds[0]) - 50) < 0.05)
    #expect(seconds[1...].allSatisfy { $0 == nil })
    #expect(abs(try #require(result.minimumSeconds) - 1) < 0.001)
    #expect(result.meanSeconds == nil && result.maximumSeconds == nil)
    let median = try world.judged(.quantile(0.5), of: "order-assigned", .less, 60)
    #expect(abs(try #require(median.estimate) - 50) < 0.05)
    let late = try world.judged(.quantile(0.9), of: "order-assigned", .less, 3_000)
    #expect(late.estimate == nil && late.verdict == .fail)
  }

  @Test func `a business latency that always ends has a mean and a maximum`() throws {
    var world = varied
    world.finished = { _ in [1_000, 2_000, 6_000] }
    let result = world.run.business[0]
    #expect(abs(try #require(result.meanSeconds) - 3) < 0.01)
    #expect(abs(try #require(result.maximumSeconds) - 6) < 0.01)
    // Sixty do not tell a 99th percentile.
    #expect(result.quantiles.filter { $0.q < 0.99 }.allSatisfy { $0.seconds != nil })
  }

  @Test func `what never finished stands behind all that did, in every quantile`() throws {
    var world = MadeUpWorld(replications: 1)
    world.finished = { _ in (1...30).map { $0 * 1_000 } }
    for (open, ranks) in [
      (0, [15, 27, 29, nil]), (1, [16, 28, 30, nil]), (3, [17, 30, nil, nil]),
      (4, [17, nil, nil, nil]), (30, [30, nil, nil, nil]), (31, [nil, nil, nil, nil]),
    ] as [(Int, [Double?])] {
      world.unfinished = { _ in open }
      let business = try #require(world.run.business.first)
      #expect(business.quantiles.map { $0.seconds?.rounded() } == ranks, "\(open) open")
      #expect(business.minimumSeconds?.rounded() == 1)
      #expect(business.meanSeconds?.rounded(.down) == (open == 0 ? 15 : nil))
      #expect(business.maximumSeconds?.rounded() == (open == 0 ? 30 : nil))
      let objective = try world.judged(.quantile(0.9), of: "order-assigned", .less, 60)
      #expect(objective.estimate?.rounded() == ranks[1], "\(open) open")
    }
  }

  @Test func `who got no answer is later than every bound, however early that was known`() throws {
    var world = varied
    world.times = { replication in (0..<924).map { 100 + $0 % 7 + replication % 3 } }
    #expect(try world.judged(.quantile(0.95), .less, 58).verdict == .pass)
    world.unknowns = { 75 + $0 % 3 }
    let timedOut = try world.judged(.quantile(0.95), .less, 58)
    #expect(timedOut.verdict == .fail && timedOut.estimate == nil)
    #expect(abs(try #require(timedOut.longerThan) - 0.108) < 0.001)
    #expect(timedOut.reason?.contains("got no usable answer or took longer") == true)
    #expect(try world.judged(.share(over: .seconds(58)), .less, 0.05).verdict == .fail)
    #expect(try world.judged(.quantile(0.5), .less, 58).verdict == .pass)
    let mean = try world.judged(.mean, .less, 58)
    #expect(mean.verdict == .inconclusive && mean.reason?.contains("usable answer") == true)

    var refused = varied
    refused.times = { _ in [] }
    refused.refusedConnections = { _ in 50 }
    let fast = try refused.judged(.quantile(0.95), .less, 58)
    #expect(fast.verdict == .fail && fast.longerThan == nil)
  }

  @Test func `what the end cut off is late for a pass and in time for a fail`() throws {
    var world = varied
    world.times = { replication in (0..<190).map { 100 + ($0 + replication) % 5 } }
    world.cutOff = { _ in Array(repeating: 40, count: 30) }
    let open = try world.judged(.quantile(0.9), .less, 0.2)
    #expect(open.verdict == .inconclusive)
    world.cutOff = { _ in Array(repeating: 500, count: 30) }
    #expect(try world.judged(.quantile(0.9), .less, 0.2).verdict == .fail)
    world.cutOff = { $0 % 2 == 0 ? [40] : [] }
    #expect(try world.judged(.quantile(0.9), .less, 0.2).verdict == .pass)
  }

  @Test func `what nothing measured is inconclusive and says so`() throws {
    var world = varied
    world.times = { _ in [] }
    for measure in [Objective.Measure.quantile(0.95), .mean, .errors, .share(over: .seconds(1))] {
      let found = try world.judged(measure, .less, 0.5)
      #expect(found.verdict == .inconclusive && !found.isMeasured, "\(measure)")
      #expect(found.reason?.hasPrefix("notMeasured") == true && found.moreReplications == nil)
    }
    #expect(try varied.judged(.quantile(0.95), .less, 1).isMeasured)
    world.objectives = [
      Objective(
        text: "p95 of shop.sync < 1s", measure: .quantile(0.95), domain: "shop", subject: "sync",
        comparison: .less, bound: 1, line: 1)
    ]
    let run = world.run
    #expect(run.exitCode == 98 && run.verdict == .inconclusive)
  }

  @Test func `quantiles are over all, and those of the answered stand beside them`() throws {
    var world = MadeUpWorld(replications: 2, times: { _ in (1...90).map { $0 * 10 } })
    world.unknowns = { _ in 9 }
    world.cutOff = { _ in [30] }
    let result = world.run.latencies[0]
    #expect(result.count == 200 && result.unanswered == 18 && result.cutOff == 2)
    #expect(result.answered == 180 && abs(result.withoutAnswer - 18.0 / 198) < 1e-12)
    func milliseconds(_ quantiles: [Quantile]) -> [Double?] {
      quantiles.map { $0.seconds.map { ($0 * 1_000).rounded() } }
    }
    // The median of all is the 50th of a hundred, that of the answered the 45th of ninety.
    #expect(milliseconds(result.quantiles) == [500, 900, nil, nil, nil])
    #expect(milliseconds(result.answeredQuantiles) == [450, 810, 860, 900, nil])
    #expect(result.quantiles[2].longerThan.map { ($0 * 1_000).rounded() } == 900)
    #expect(result.quantiles[4].longerThan == nil, "too few")
    #expect(result.curve.allSatisfy { $0.share <= 0.9 })
    let figures = world.run.replications[0].latencies[0].figures
    #expect(figures.count == 90 && figures.unanswered == 9 && figures.p99 == nil)
    #expect(figures.p95 != nil)
    #expect(abs(try #require(figures.withoutAnswer) - 9.0 / 99) < 1e-12)
  }

  @Test func `a rule that held shows what its tries leave possible`() throws {
    func bound(_ tries: Int, violations: Int = 0, undecided: Int = 0) throws -> Double? {
      var judge = Judge()
      for _ in 0..<tries { judge.held() }
      for _ in 0..<violations { judge.violated("x") }
      for _ in 0..<undecided { judge.undecided("y") }
      var world = MadeUpWorld(replications: 1)
      world.tries = LimitTally("S-1", judge) { _ in "" }
      return try #require(world.run.limits.first).upperBound
    }
    let once = try #require(try bound(1))
    let beside = try #require(try bound(1, undecided: 5))
    #expect(abs(once - 0.95) < 1e-9 && abs(beside - 0.95) < 1e-9)
    #expect(try #require(try bound(58)) > 0.05)
    #expect(try #require(try bound(59)) < 0.05)
    #expect(try bound(0) == nil && bound(5, violations: 1) == nil)
  }

  @Test func `no error among few requests is no proof of a small share`() throws {
    #expect(try varied.judged(.errors, .less, 0.01).verdict == .pass)
    var few = MadeUpWorld(times: { replication in [100 + replication, 105, 110 - replication] })
    let open = try few.judged(.errors, .less, 0.001)
    #expect(open.verdict == .inconclusive && open.moreReplications != nil)
    #expect(try few.judged(.errors, .atMost, 0).verdict == .pass)
    few.unknowns = { $0 == 7 ? 1 : 0 }
    #expect(try few.judged(.errors, .atMost, 0).verdict == .fail)
  }

  @Test func `too few replications say how many are missing`() throws {
    var world = varied
    world.replications = 1
    let alone = try world.judged(.quantile(0.95), .less, 1)
    #expect(alone.verdict == .inconclusive && alone.moreReplications == 19)
    #expect(alone.reason?.contains("too few replications: 1") == true)
    #expect(try world.judged(.mean, .less, 1).moreReplications == 9)
    #expect(world.run.latencies[0].quantiles.allSatisfy { $0.interval == nil })
  }

  @Test func `an interval of a quantile never contradicts its verdict`() throws {
    for bound in stride(from: 0.2, through: 0.3, by: 0.004) {
      let found = try varied.judged(.quantile(0.95), .less, bound)
      let interval = try #require(found.interval)
      if found.verdict == .pass { #expect(interval.low <= bound) }
      if found.verdict == .fail { #expect(interval.high >= bound) }
    }
  }

  @Test func `more looks need more evidence`() throws {
    var world = MadeUpWorld(times: { replication in
      (0..<200).map { $0 < 9 + replication % 2 ? 250 : 50 }
    })
    // 4.75 % of 4,000 requests against 5.6 %: 2.3 standard errors of so many, where one look asks for 2.1 and five for 2.9.
    let allowed = 0.056
    let share = Objective.Measure.share(over: .milliseconds(200))
    #expect(try world.judged(share, .less, allowed).verdict == .pass)
    world.looks = Looks(made: [20], planned: 5, ended: .maximum)
    #expect(try world.judged(share, .less, allowed).verdict == .inconclusive)
  }

  @Test func `a precision is reached or says what it lacks`() throws {
    var world = MadeUpWorld(times: { replication in
      (0..<50).map { 100 + $0 + 10 * (replication % 5) }
    })
    world.precision = Precision(halfWidth: 0.2, confidence: 0.95)
    let reached = try #require(world.run.objectives.last)
    #expect(reached.verdict == .pass && reached.text == "precision 20% at 95%")
    world.precision = Precision(halfWidth: 0.01, confidence: 0.95)
    let missed = try #require(world.run.objectives.last)
    #expect(missed.verdict == .inconclusive && (missed.moreReplications ?? 0) > 50)
    #expect(missed.reason?.contains("mean of shop") == true)
    #expect(Sufficiency(world.run) == .more)
  }
}

@Suite struct `When a run is judged` {
  private func plan(
    _ replications: Int, most: Int? = nil, precision: Precision? = nil, stopEarly: Bool = false,
    objective: Objective.Measure? = .quantile(0.99)
  ) -> [Int] {
    let objectives = objective.map {
      [
        Objective(
          text: "", measure: $0, domain: nil, subject: nil, comparison: .less, bound: 1, line: 1)
      ]
    }
    let scenario = Scenario(
      name: "s", title: "S", starts: epoch, zone: .utc, lasts: .hours(1),
      replications: replications, maximumReplications: most, precision: precision,
      stopEarly: stopEarly, worlds: [], objectives: objectives ?? [])
    return ReplicationPlan(scenario).looks
  }

  @Test func `once, where nothing else is asked for`() {
    #expect(plan(20) == [20])
    #expect(plan(20, most: 160, objective: nil) == [20])
    #expect(plan(3) == [3])
  }

  @Test func `again after doubling, up to the maximum`() {
    #expect(plan(20, most: 160) == [20, 40, 80, 160])
    #expect(plan(20, most: 100) == [20, 40, 80, 100])
    #expect(plan(1, most: 100) == [20, 40, 80, 100])
    #expect(plan(1, most: 12) == [12])
    #expect(plan(1, most: 30, objective: .mean) == [10, 20, 30])
    let precision = Precision(halfWidth: 0.05, confidence: 0.95)
    #expect(plan(20, precision: precision, objective: nil) == [20, 40, 80, 160])
  }

  @Test func `and before, where it is to stop early`() {
    #expect(plan(100, stopEarly: true) == [20, 40, 80, 100])
    #expect(plan(100, most: 300, stopEarly: true) == [20, 40, 80, 100, 200, 300])
    #expect(plan(10, stopEarly: true) == [10])
  }
}
