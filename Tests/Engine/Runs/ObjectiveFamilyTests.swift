import Contracts
import Observations
import Runs
import Scenarios
import Testing
import Timekeeping
import Verdicts

/// Runs of one operation whose replications differ in size, with objectives of one family.
private struct ManySizes {
  var replications = 20
  /// Response times in milliseconds of a replication.
  var times: (_ replication: Int) -> [Int]

  func judged(_ objectives: [(Objective.Measure, Objective.Comparison, Double)])
    -> [ObjectiveResult]
  {
    let begins = Instant("2026-03-21T05:00:00Z")!
    let operation = Operation("sync", "Reconcile", source: "1")
    let results = (0..<replications).map { index in
      var tally = OperationTally(operation)
      for time in times(index) { tally.latencies.record(.milliseconds(Int64(time))) }
      tally.replied = times(index).count
      let world = WorldTally(
        domain: "shop", operations: [tally], business: [], limits: [],
        load: LoadTally(starts: begins, lasts: .hours(1)))
      return ReplicationResult(
        index: index, seed: UInt64(index), worlds: [world], lines: [], ended: begins + .hours(1),
        digest: Digest())
    }
    let none = Settings([])
    let scenario = Scenario(
      name: "made-up", title: "Made up", starts: begins, zone: .utc, lasts: .hours(1),
      replications: replications,
      worlds: [World(domain: "shop", regions: 1, population: none, parameters: none)],
      objectives: objectives.map {
        Objective(
          text: "it \($0.1.rawValue) \($0.2)", measure: $0.0, domain: "shop", subject: "sync",
          window: nil, comparison: $0.1, bound: $0.2, line: 1)
      })
    let declaration = WorldDeclaration(
      domain: "shop", title: "Shop", population: [], parameters: [], quirks: [], profiles: [],
      operations: [operation], business: [], limits: [], controls: [])
    return RunAssembly(
      scenario, file: "made-up.yaml", declarations: [declaration], replications: results,
      interrupted: false
    ).run(on: .unknown).objectives
  }
}

@Suite struct `Objectives of one run` {
  /// 5.2 to 5.6 % above 240 ms, and five times as many requests in every other replication.
  private let unequal = ManySizes { replication in
    let requests = replication % 2 == 0 ? 200 : 1_000
    let late = requests * (52 + replication % 5) / 1_000
    return (0..<requests).map { $0 < late ? 300 + $0 % 7 : 100 + $0 % 11 }
  }

  @Test func `judge all requests, not the mean of the replications' shares`() throws {
    // The busy replications are late, the quiet ones are not: 3.7 % of all requests, 2.4 % of the mean replication's.
    let world = ManySizes { replication in
      let isBusy = replication % 2 == 1
      let requests = isBusy ? 1_000 : 200
      let late = isBusy ? 42 + replication % 5 : replication % 3
      return (0..<requests).map { $0 < late ? 300 : 100 + $0 % 11 }
    }
    let found = world.judged([(.share(over: .milliseconds(200)), .less, 0.025)])
    let estimate = try #require(found[0].estimate)
    #expect(abs(estimate - 0.0367) < 0.002 && found[0].verdict == .fail)
    #expect(try #require(found[0].interval).low > 0.025)
    let mean = world.judged([(.mean, .less, 0.2)])[0]
    #expect(abs(try #require(mean.estimate) - 0.1123) < 0.001)
    #expect(mean.verdict == .pass)
  }

  @Test func `are never green beside an interval across the bound`() {
    for bound in stride(from: 0.09, through: 0.32, by: 0.021) {
      let demanded = [Objective.Measure.quantile(0.95), .quantile(0.5), .mean].flatMap {
        [($0, Objective.Comparison.less, bound), ($0, .greater, bound)]
      }
      for result in unequal.judged(demanded) {
        guard result.verdict != .inconclusive, let interval = result.interval else { continue }
        let across = interval.low < bound && bound < interval.high
        #expect(!across, "\(result.text): \(result.verdict) beside \(interval)")
      }
    }
  }

  @Test func `pass with the frequency of bad replications that so few could miss`() throws {
    let few = unequal.judged([(.quantile(0.9), .less, 0.2)])[0]
    #expect(few.verdict == .pass)
    // Ten of 1,000 and ten of 200 requests weigh as 13.8 of equal size: 1 − 0.05^(1/13.8) = 0.195.
    #expect(
      few.reason == "with 20 replications, up to 1 replication in 5 could still miss it")
    var many = unequal
    many.replications = 100
    #expect(many.judged([(.quantile(0.9), .less, 0.2)])[0].reason == nil)
  }

  @Test func `fail only where all of them together allow it`() throws {
    // 5.2 to 5.6 % against 5 %: by itself a fail with a chance of about 1 %, which is too much among twelve.
    let measure = Objective.Measure.share(over: .milliseconds(200))
    let world = ManySizes { replication in
      let late = [4, 18, 9, 14, 7, 16, 13][replication % 7]
      return (0..<200).map { $0 < late ? 300 : 100 + $0 % 11 }
    }
    let alone = world.judged([(measure, .less, 0.044)])[0]
    #expect(alone.verdict == .fail)
    let passing = (measure, Objective.Comparison.less, 0.4)
    let together = world.judged(
      [(measure, .less, 0.044)] + Array(repeating: passing, count: 11))
    #expect(together[0].verdict == .inconclusive)
    #expect(together[0].interval == alone.interval)
    let reason = try #require(together[0].reason)
    #expect(reason.hasPrefix("by itself it would fail; among 12 objectives that can be chance"))
    #expect((together[0].moreReplications ?? 0) > 0)
    #expect(together.dropFirst().allSatisfy { $0.verdict == .pass })
    // What is far beyond its bound fails among any number.
    let clear = world.judged([(measure, .less, 0.02)] + Array(repeating: passing, count: 11))
    #expect(clear[0].verdict == .fail)
  }
}
