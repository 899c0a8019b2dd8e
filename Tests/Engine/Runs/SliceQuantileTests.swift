import Contracts
import Observations
import Runs
import Scenarios
import Testing
import Timekeeping

@Suite struct `Response times over a run's clock` {
  private static let begins = Instant("2026-03-21T05:00:00Z")!

  /// One world whose requests all fall into the first slice of the hour, with the response times of each replication.
  private func series(
    _ replications: Int, times: (_ replication: Int) -> [Span], lost: Int = 0
  ) throws -> LoadSeries {
    let results = (0..<replications).map { index in
      var load = LoadTally(starts: Self.begins, lasts: .hours(1))
      for time in times(index) {
        load.count(
          sent: Self.begins, refused: false, lost: false, wait: .ended(time), took: time)
      }
      for _ in 0..<lost {
        load.count(sent: Self.begins, refused: false, lost: true, wait: .endless)
      }
      return ReplicationResult(
        index: index, seed: UInt64(index),
        worlds: [WorldTally(domain: "shop", operations: [], business: [], limits: [], load: load)],
        lines: [], ended: Self.begins + .hours(1), digest: Digest())
    }
    let scenario = Scenario(
      name: "made-up", title: "Made up", starts: Self.begins, zone: .utc, lasts: .hours(1),
      replications: replications,
      worlds: [
        World(domain: "shop", regions: 1, population: Settings([]), parameters: Settings([]))
      ], objectives: [])
    let declaration = WorldDeclaration(
      domain: "shop", title: "Shop", population: [], parameters: [], quirks: [], profiles: [],
      operations: [], business: [], limits: [], controls: [])
    let run = RunAssembly(
      scenario, file: "made-up.yaml", declarations: [declaration], replications: results,
      interrupted: false
    ).run(on: .unknown)
    return try #require(run.load.first)
  }

  /// From 50 to 250 ms and a few up to 2.4 s, different in each replication.
  private func varied(_ replication: Int) -> [Span] {
    (0..<200).map { place in
      let isSlow = place >= 198 - replication * 7 % 8
      let time = isSlow ? 300 * ((replication * 5 + place * 3) % 8 + 1) : 50 + place
      return .milliseconds(Int64(time + 3 * (replication % 5)))
    }
  }

  @Test func `each slice has a median and a 95th percentile within their intervals`() throws {
    let series = try series(20, times: varied)
    for (values, intervals) in [
      (series.p50, series.p50Intervals), (series.p95, series.p95Intervals),
    ] {
      let (value, interval) = (try #require(values[0]), try #require(intervals[0]))
      #expect(interval.low < value && value < interval.high)
      #expect(interval.high < value * 4)
      #expect(values.dropFirst().allSatisfy { $0 == nil })
      #expect(intervals.dropFirst().allSatisfy { $0 == nil })
    }
    let (half, tail) = (try #require(series.p50[0]), try #require(series.p95[0]))
    #expect(abs(half / 0.156 - 1) < 0.13 && abs(tail / 0.246 - 1) < 0.13)
  }

  @Test func `below ten replications there is no interval`() throws {
    let series = try series(9, times: varied)
    #expect(series.p50[0] != nil && series.p50Intervals.allSatisfy { $0 == nil })
  }

  @Test func `replications that differ make the interval wider`() throws {
    let alike = try #require(try series(20, times: varied).p50Intervals[0])
    let apart = try #require(
      try series(20) { replication in
        (0..<200).map { .milliseconds(Int64((50 + $0) * (1 + replication % 4))) }
      }.p50Intervals[0])
    #expect(apart.high / apart.low > 1.3 * alike.high / alike.low)
  }

  @Test func `beyond what was answered there is neither quantile nor interval`() throws {
    let series = try series(20, times: varied, lost: 20)
    #expect(series.p50[0] != nil && series.p50Intervals[0] != nil)
    #expect(series.p95[0] == nil && series.p95Intervals[0] == nil)
  }
}
