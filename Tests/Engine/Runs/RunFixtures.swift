import Runs
import Timekeeping
import Verdicts

/// Runs made up for comparing: the noise of a replication is a function of its seed, as in virtual time.
enum MadeUp {
  static func run(
    seeds: Range<UInt64> = 0..<20, digest: String = "same", factors: [String: Double] = [:],
    operations: [String] = ["enroll", "sync", "list"], requests: Int = 2_000, own: Double = 0,
    losses: [String: Double] = [:],
    limits: [RunFigures.Limit] = [.init(id: "L-1", verdict: .pass)]
  ) -> RunFigures {
    let latencies = seeds.map { seed in
      operations.map { operation in
        var shared = RandomStream(seed: seed, owner: stableHash(operation), purpose: 0)
        var alone = RandomStream(seed: seed, owner: stableHash(operation + digest), purpose: 1)
        let noise = 1 + 0.05 * shared.normal() + own * alone.normal()
        let base = noise * (factors[operation] ?? 1)
        let lost = losses[operation].map { Int($0 * Double(requests) * noise) } ?? 0
        return ReplicationLatency(
          name: .init(world: "world", operation: operation, basis: .modelled),
          figures: LatencyFigures(
            count: requests - lost, mean: 0.1 * base, p50: 0.08 * base, p95: 0.3 * base,
            p99: 0.5 * base, unanswered: lost))
      }
    }
    return RunFigures(
      scenario: .init(name: "saturday", title: "Saturday", digest: "text"), seed: 1,
      digest: digest, verdict: .pass, interrupted: false,
      replications: seeds.map { .init(seed: $0, digest: "\(digest) \($0)") },
      series: LatencySeries.collect(latencies), limits: limits, version: "0.1.0", commit: "abc")
  }
}
