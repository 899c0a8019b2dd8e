import Statistics
import Timekeeping

/// How often the gate decides, and wrongly, where replications differ: in size, in their weather, and by rare bad ones among them.
public struct WeatherExperiment: Sendable {
  public let repetitions: Int

  public init(repetitions: Int) { self.repetitions = repetitions }

  /// What makes replications differ. In each the share of all requests that are late is the one asked for.
  public enum Weather: String, CaseIterable, Sendable {
    case equal = "200 requests each, independent"
    case sizes = "10 to 1,000 requests, independent"
    case clustered = "200 requests each, share log-normal with σ = 1"
    case correlated = "200 requests each, correlation 0.02 within"
    case sizesClustered = "10 to 1,000 requests, share log-normal with σ = 1"
    case sizesCorrelated = "10 to 1,000 requests, correlation 0.02 within"
    case load = "10 to 1,000 requests, share grows with the root of the size"
    case rareBad = "5 % of replications bad, the others without a late request"
    case rareBadAndSome = "5 % of replications bad, and a fifth of the late requests elsewhere"

    /// Shares that may be late. A bad replication cannot have more late requests than requests, and so is tried at 1 % alone.
    var allowed: [Double] {
      switch self {
      case .rareBad, .rareBadAndSome: [0.01]
      default: [0.05, 0.01]
      }
    }

    /// Rare bad ones take longer to tell.
    var replications: [Int] {
      switch self {
      case .rareBad, .rareBadAndSome: [20, 30, 60, 120, 240, 480, 960]
      default: [20, 30, 60, 120, 240, 480]
      }
    }

    var sizesDiffer: Bool {
      switch self {
      case .sizes, .sizesClustered, .sizesCorrelated, .load: true
      default: false
      }
    }
  }

  public struct Rates: Sendable {
    public var pass = 0.0
    public var fail = 0.0
    /// Repetitions whose interval holds the truth, of those with an interval.
    public var covered = 0.0
  }

  /// - Parameters:
  ///   - allowed: The share of requests that may be late.
  ///   - factor: The true share over the allowed one.
  public func measure(
    _ weather: Weather, replications: Int, allowed: Double, factor: Double
  ) -> Rates {
    var stream = RandomStream(
      seed: 6, owner: stableHash("weather \(weather.rawValue) \(allowed) \(factor)"),
      purpose: UInt32(replications))
    var rates = Rates()
    var intervals = 0
    for _ in 0..<repetitions {
      let counts = (0..<replications).map { _ in
        replication(weather, share: allowed * factor, &stream)
      }
      let judgement = ExceedanceGate.judge(counts, allowed: allowed)
      if judgement.decision == .pass { rates.pass += 1 / Double(repetitions) }
      if judgement.decision == .fail { rates.fail += 1 / Double(repetitions) }
      guard let interval = judgement.interval else { continue }
      intervals += 1
      if interval.contains(allowed * factor) { rates.covered += 1 }
    }
    rates.covered /= Double(max(1, intervals))
    return rates
  }

  private func replication(
    _ weather: Weather, share: Double, _ stream: inout RandomStream
  ) -> LateCount {
    // Log-uniform: a tenfold size is as frequent from 10 on as from 100 on.
    let requests =
      weather.sizesDiffer
      ? Int(Elementary.exp(Elementary.log(10) + Elementary.log(100) * stream.unit())) : 200
    let own =
      switch weather {
      case .equal, .sizes: share
      case .clustered, .sizesClustered: share * Elementary.exp(stream.normal() - 0.5)
      case .correlated, .sizesCorrelated: beta(mean: share, correlation: 0.02, &stream)
      case .load:
        // Σn·√n over Σn, for these sizes.
        share * Double(requests).squareRoot() / 21.28
      case .rareBad: stream.chance(0.05) ? share / 0.05 : 0
      case .rareBadAndSome:
        stream.chance(0.05) ? 0.8 * share / 0.05 + 0.2 * share : 0.2 * share
      }
    let late = (0..<requests).count { _ in stream.chance(min(1, own)) }
    return LateCount(late: UInt64(late), requests: UInt64(requests))
  }

  /// A beta-distributed share, so that counts are beta-binomial with this correlation between requests of one replication.
  ///
  /// - Source: G. Marsaglia, W. W. Tsang, ACM Transactions on Mathematical Software 26 (2000), 363–372 (gamma variates).
  private func beta(
    mean: Double, correlation: Double, _ stream: inout RandomStream
  ) -> Double {
    let total = 1 / correlation - 1
    let late = gamma(mean * total, &stream)
    return late / (late + gamma((1 - mean) * total, &stream))
  }

  private func gamma(_ shape: Double, _ stream: inout RandomStream) -> Double {
    if shape < 1 {
      return gamma(shape + 1, &stream) * Elementary.exp(Elementary.log(stream.unit()) / shape)
    }
    let d = shape - 1.0 / 3
    while true {
      let x = stream.normal()
      let v = 1 + x / (9 * d).squareRoot()
      guard v > 0 else { continue }
      let cube = v * v * v
      if Elementary.log(stream.unit()) < x * x / 2 + d - d * cube + d * Elementary.log(cube) {
        return d * cube
      }
    }
  }

  func section() -> String {
    var table = Table(
      "The gate where replications differ",
      "\(repetitions) repetitions, 1 % or 5 % of all requests allowed to be late. At the allowed share every decision is a wrong one, nominally 2.5 % a side: wrong pass / wrong fail, and how often the interval holds the truth. Then how often it passes where half as many are late, and fails where twice as many are. Where sizes differ, twenty replications weigh as fewer than ten of equal size in three runs of four, and nothing is decided. Bad replications that are one in twenty, where the others always have a few late requests, are missed by twenty replications in a third of all runs, which no test can mend: a pass on fewer than 60 says how frequent such ones could be.",
      columns: [
        "replications", "allowed", "number", "wrong pass / wrong fail", "interval holds the truth",
        "half: passes", "twice: fails",
      ])
    for weather in Weather.allCases {
      for allowed in weather.allowed {
        for replications in weather.replications {
          func rates(_ factor: Double) -> Rates {
            measure(weather, replications: replications, allowed: allowed, factor: factor)
          }
          let at = rates(1)
          table.add(
            weather.rawValue, Table.percent(allowed), "\(replications)",
            "\(Table.percent(at.pass)) / \(Table.percent(at.fail))", Table.percent(at.covered),
            Table.percent(rates(0.5).pass), Table.percent(rates(2).fail))
        }
      }
    }
    return table.text
  }

  /// How often a run of several objectives ends red although each truth lies at its bound.
  public func red(objectives: Int, replications: Int, shared: Double) -> (
    alone: Double, family: Double
  ) {
    var stream = RandomStream(
      seed: 7, owner: stableHash("family \(objectives) \(shared)"), purpose: UInt32(replications))
    let level = 1 - ExceedanceGate.confidence
    var (alone, family) = (0, 0)
    for _ in 0..<repetitions {
      var counts = Array(repeating: [LateCount](), count: objectives)
      for _ in 0..<replications {
        let common = stream.normal()
        for objective in 0..<objectives {
          let weather = shared.squareRoot() * common + (1 - shared).squareRoot() * stream.normal()
          let share = 0.05 * Elementary.exp(0.5 * weather - 0.125)
          let late = (0..<200).count { _ in stream.chance(min(1, share)) }
          counts[objective].append(LateCount(late: UInt64(late), requests: 200))
        }
      }
      let judgements = counts.map { ExceedanceGate.judge($0, allowed: 0.05) }
      let chances = Comparison.holm(judgements.map(\.chance.ofMore))
      let fails = judgements.indices.filter { judgements[$0].decision == .fail }
      if !fails.isEmpty { alone += 1 }
      if fails.contains(where: { chances[$0] <= level }) { family += 1 }
    }
    return (Double(alone) / Double(repetitions), Double(family) / Double(repetitions))
  }

  func familySection() -> String {
    var table = Table(
      "Several objectives at their bounds",
      "\(repetitions) runs, every objective's true share just the allowed 5 %, with weather of σ = 0.5 of which a part is shared by all objectives: how many runs end red, if each objective failed by itself and by Holm's procedure among all of them, nominally 2.5 %.",
      columns: ["objectives", "replications", "weather shared", "by themselves", "with Holm"])
    for objectives in [1, 3, 12] {
      for replications in [20, 80] {
        for shared in [0, 0.5, 0.9] {
          let found = red(objectives: objectives, replications: replications, shared: shared)
          table.add(
            "\(objectives)", "\(replications)", Table.percent(shared),
            Table.percent(found.alone), Table.percent(found.family))
        }
      }
    }
    return table.text
  }
}
