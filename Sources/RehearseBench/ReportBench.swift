import BenchWork
import Contracts
import Reports
import Runs
import Scenarios
import Timekeeping
import Verdicts

/// What a reader waits for once a run is over: its files, reading them back, and holding it against another.
enum ReportBench {
  private static let replications = 200
  private static let operations = 60

  static func figure() -> String {
    let (run, baseline) = (made(slower: 1.03), made(slower: 1))
    var bytes = 0
    var result: [UInt8] = []
    let times = Measurement.interleaved([
      {
        Measurement.seconds { bytes = Rendering.files(for: run).reduce(0) { $0 + $1.bytes.count } }
      },
      { Measurement.seconds { result = ResultDocument.bytes(for: run) } },
      {
        Measurement.seconds {
          do { _ = try RunReading.run(of: result, file: "result.json") } catch {
            programFault("what was written cannot be read: \(error)")
          }
        }
      },
      {
        Measurement.seconds {
          let comparison = RunComparison(of: run.figures, with: baseline.figures)
          precondition(comparison.metrics.count == operations * Measure.times.count)
        }
      },
    ])
    let page = Page.bytes(for: run).count
    return """
      report: \(replications) replications × \(operations) operations
        every file        \(times[0].text("s")), \(bytes >> 10) kB (goal: 2 s)
        result.json alone \(times[1].text("s")), \(result.count >> 10) kB; the page \(page >> 10) kB
        reading it back   \(times[2].text("s"))
        comparing two     \(times[3].text("s")) (goal: 1 s)
      """
  }

  /// A run made up, its noise a function of the seed.
  private static func made(slower factor: Double) -> Run {
    let names = (1...operations).map { "operation\($0)" }
    let digests = (0..<replications).map { digest("\($0) \(factor)") }
    return Run(
      scenario: ScenarioSummary(
        name: "bench", title: "Bench", digest: digest("bench").hexadecimal, file: "bench.yaml",
        starts: Instant(unixSeconds: 0),
        zone: .utc, lasts: .hours(18), worlds: [], events: [], faults: []), seed: 1,
      digest: Digest(folding: digests).hexadecimal, verdict: .pass, exitCode: 0, method: [],
      interrupted: false,
      persons: 1, requests: 1, virtualSeconds: 64_800,
      replications: digests.enumerated().map { replication($0, $1, names, factor) },
      limits: (1...140).map {
        LimitResult(
          id: "B-\($0)", domain: "bench", statement: "A rule of the bench that is kept.",
          source: "§\($0)", exercised: 1_000, violations: 0, verdict: .pass, reason: nil,
          evidence: [])
      }, objectives: [], latencies: names.map { latency($0, factor) }, business: [], refusals: [],
      unknowns: [], journeys: JourneyCounts(begun: 1, completed: 1, ended: 0),
      load: [
        LoadSeries(
          world: "bench", slice: .minutes(10), requests: Array(repeating: 900, count: 108),
          refused: Array(repeating: 9, count: 108), lost: Array(repeating: 2, count: 108),
          p50: Array(repeating: 0.08, count: 108), p99: Array(repeating: 0.5, count: 108))
      ],
      machine: Machine(
        wallSeconds: 1, workers: 2, cpu: "bench", version: "0", commit: "0", inProcess: []))
  }

  private static func replication(
    _ index: Int, _ digest: Digest, _ names: [String], _ factor: Double
  ) -> Replication {
    let latencies = names.map { name in
      var noise = RandomStream(seed: UInt64(index), owner: stableHash(name), purpose: 0)
      var own = RandomStream(
        seed: UInt64(index), owner: stableHash("\(name) \(factor)"), purpose: 1)
      let base = factor * (1 + 0.05 * noise.normal() + 0.01 * own.normal())
      return ReplicationLatency(
        name: .init(world: "bench", operation: name, basis: .modelled),
        figures: LatencyFigures(
          count: 2_000, mean: 0.1 * base, p50: 0.08 * base, p95: 0.3 * base, p99: 0.5 * base))
    }
    return Replication(
      index: index, seed: UInt64(index), digest: digest.hexadecimal, requests: 100_000,
      persons: 1_000, latencies: latencies)
  }

  private static func digest(_ text: String) -> Digest {
    var digest = Digest()
    digest.mix(text)
    return digest
  }

  private static func latency(_ name: String, _ factor: Double) -> LatencyResult {
    LatencyResult(
      world: "bench", operation: name, title: "An operation of the bench", basis: .modelled,
      count: 400_000,
      quantiles: [0.5, 0.9, 0.95, 0.99, 0.999].map { q in
        let seconds = 0.08 * factor / (1.001 - q)
        return Quantile(
          q: q, seconds: seconds, interval: Bounds(low: seconds * 0.98, high: seconds * 1.02))
      },
      curve: (0..<40).map(point),
      // As long as that of a real operation of this size.
      hgrm: String(
        repeating: "      12.345 0.123456789012       1234           1.23\n", count: 2_000))
  }

  private static func point(_ index: Int) -> CurvePoint {
    let rest = 1 / Double(2 << (index / 2))
    return CurvePoint(share: 1 - rest, seconds: 0.01 * Double(index + 1))
  }
}
