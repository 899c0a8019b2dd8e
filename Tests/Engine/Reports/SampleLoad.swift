import Foundation
import Runs
import Scenarios
import Timekeeping
import Verdicts

/// A load against a server made up by hand: a climb from 100 to 400 calls a second for a minute, and a minute at 400, in which the server
/// falls behind and fails some.
enum SampleLoad {
  static let climbing: Run = {
    var run = SampleRun.empty
    run.verdict = .fail
    run.exitCode = 99
    run.digest = SampleRun.digest(of: SampleRun.failing.replications)
    run.replications = SampleRun.failing.replications
    run.scenario.title = "GET 127.0.0.1:8080/orders"
    run.scenario.file = ""
    run.scenario.lasts = .minutes(2)
    run.virtualSeconds = 120
    run.requests = wanted.reduce(0) { $0 + Int($1.rounded()) }
    run.load = [series]
    var latency = SampleRun.failing.latencies[0]
    latency.world = "http"
    latency.operation = "/orders"
    latency.title = "GET /orders"
    latency.basis = .overHTTP
    latency.count = run.requests
    latency.unanswered = lost.reduce(0, +)
    latency.parts = []
    run.latencies = [latency]
    run.unknowns = [
      Tally(world: "http", operation: "/orders", code: "status503", count: 2_110),
      Tally(world: "http", operation: "/orders", code: "timeout", count: 290),
    ]
    run.objectives = [
      ObjectiveResult(
        text: "p99 < 500ms", verdict: .fail, reason: "the whole interval lies above the bound",
        estimate: 0.81, interval: Bounds(low: 0.7, high: 0.95), bound: 0.5, unit: .seconds)
    ]
    run.generator = generator
    return run
  }()

  private static let slices = 120
  static let wanted: [Double] = (0..<slices).map { slice in
    slice < 60 ? 102.5 + 5 * Double(slice) : 400
  }
  private static let lost = (0..<slices).map { $0 < 80 ? 0 : 60 }

  private static let series: LoadSeries = {
    let requests = wanted.map { Int($0.rounded()) }
    let classes = 12
    let edges = (0...classes).map { SampleRun.rounded(0.002 * pow(2, Double($0) / 2)) }
    let times = requests.indices.map { slice -> [Int] in
      let middle = slice < 70 ? 3 : min(9, 3 + (slice - 70) / 6)
      let all = requests[slice] - lost[slice]
      var counts = Array(repeating: 0, count: classes)
      for (offset, part) in [(0, 0.6), (1, 0.25), (2, 0.1)] {
        counts[middle + offset] = Int(Double(all) * part)
      }
      counts[middle] += all - counts.reduce(0, +)
      return counts
    }
    let half = times.map { counts in
      edges[counts.firstIndex { $0 > 0 } ?? 0] * 1.2
    }.map(SampleRun.rounded)
    return LoadSeries(
      world: "http", slice: .seconds(1), requests: requests,
      refused: requests.map { _ in 0 }, lost: lost, p50: half,
      p95: half.map { SampleRun.rounded($0 * 1.6) }, p99: half.map { SampleRun.rounded($0 * 2) },
      pace: LoadPace(
        wanted: wanted,
        answered: zip(requests, lost).enumerated().map { slice, pair in
          slice < 70 ? pair.0 - pair.1 : pair.0 - pair.1 - (slice - 70) % 20
        }, edges: edges, times: times))
  }()

  private static let generator = GeneratorResult(
    command: "rehearse load 127.0.0.1:8080/orders", pace: "100/s to 400/s, evenly",
    wantedPerSecond: 326, reachedPerSecond: 301, connections: 64, bytes: 1_204_000,
    lateness: [
      CurvePoint(share: 0.5, seconds: 0.000_02), CurvePoint(share: 0.99, seconds: 0.0013),
    ], latenessLimit: 0.01,
    facts: [
      .init(name: "Longest lateness", seconds: 0.004),
      .init(name: "Longest pause of the generator", seconds: 0.021, limitSeconds: 0.1),
      .init(name: "The machine slept for", seconds: 0, limitSeconds: 0.1),
    ], threadShare: 0.22, threadShareLimit: 0.9, missed: 0,
    service: [
      .init(operation: "/orders", quantiles: [CurvePoint(share: 0.5, seconds: 0.006)])
    ], breaches: [], calls: .init(counted: 39_150),
    phases: [
      .init(
        pace: "1min at 100/s to 400/s", calls: 15_150, failed: 0,
        quantiles: [
          CurvePoint(share: 0.5, seconds: 0.0068), CurvePoint(share: 0.9, seconds: 0.011),
          CurvePoint(share: 0.99, seconds: 0.0136),
        ], lastsSeconds: 60),
      .init(
        pace: "1min at 400/s", calls: 24_000, failed: 2_400,
        quantiles: [CurvePoint(share: 0.5, seconds: 0.043)], lastsSeconds: 60),
    ])
}
