import Runs
import Timekeeping
import Verdicts

/// How often duels of two servers under load raise a false alarm, and how often they find 20 % more time, where runs are disturbed as on
/// machines that others use.
///
/// Runs follow each other by turns (ABBA). All figures of a run share its weather, whose logarithm goes on from run to run
/// (autoregressive); one run of ten meets a burst with a tail of infinite variance. Tails suffer more of both, and have more noise of
/// their own. What is a side's own goes on within that side: two processes of one program may differ for as long as they live.
public struct LoadDuelExperiment: Sendable {
  public struct Noise: Sendable {
    public let name: String
    /// Standard deviation of the logarithm, and correlation from one run to the next: of the weather, and of what is each side's own.
    public let weather: (deviation: Double, correlation: Double)
    public let own: (deviation: Double, correlation: Double)

    public init(
      _ name: String, weather: (Double, Double), own: (Double, Double) = (0, 0)
    ) {
      self.name = name
      self.weather = weather
      self.own = own
    }

    public static let all = [
      Noise("quiet", weather: (0.02, 0)),
      Noise("10 % from run to run", weather: (0.1, 0)),
      Noise("20 %, slowly", weather: (0.2, 0.95)),
      Noise("30 %, and 15 % in each run", weather: (0.3, 0.8), own: (0.15, 0)),
      Noise("10 %, and 5 % of each side's own, slowly", weather: (0.1, 0.8), own: (0.05, 0.9)),
      Noise("10 %, and 10 % of each side's own, throughout", weather: (0.1, 0.8), own: (0.1, 1)),
    ]
  }

  public let repetitions: Int

  public init(repetitions: Int) { self.repetitions = repetitions }

  /// - Parameter slowdown: Of every answer of the second side: 0.2 is 20 %.
  public func measure(
    _ noise: Noise, slowdown: Double, pairs: Int = Duel.standardPairs
  ) -> CompareExperiment.Rates {
    var stream = RandomStream(
      seed: 5, owner: stableHash("load duel \(noise.name) \(slowdown)"), purpose: UInt32(pairs))
    var rates = CompareExperiment.Rates()
    let weight = 1 / Double(repetitions)
    for _ in 0..<repetitions {
      let comparison = duel(noise, slowdown, pairs, &stream)
      switch comparison.verdict {
      case .regression: rates.regression += weight
      case .equivalent: rates.equivalent += weight
      case .identical, .inconclusive, .improved: break
      }
      if comparison.metrics.contains(where: { $0.change.verdict == .improved }) {
        rates.improved += weight
      }
    }
    return rates
  }

  private func duel(
    _ noise: Noise, _ slowdown: Double, _ pairs: Int, _ stream: inout RandomStream
  ) -> RunComparison {
    var weather = Course(noise.weather, &stream)
    var own = [Course(noise.own, &stream), Course(noise.own, &stream)]
    var sides: [[LatencyFigures]] = [[], []]
    for run in 0..<2 * pairs {
      let side = [0, 1, 1, 0][run % 4]
      let burst = stream.chance(0.1) ? 0.15 / stream.unit().squareRoot() : 0
      let pace = weather.next(&stream) + burst + own[side].next(&stream)
      func figure(_ base: Double, suffers: Double, noise: Double) -> Double {
        base * (side == 1 ? 1 + slowdown : 1)
          * Elementary.exp(min(20, suffers * pace) + noise * stream.normal())
      }
      // On average one call in two hundred of a thousand fails.
      let lost = (0..<1_000).count { _ in stream.chance(0.005) }
      sides[side].append(
        LatencyFigures(
          count: 1_000 - lost, mean: figure(0.005, suffers: 1, noise: 0.02),
          p50: figure(0.004, suffers: 0.6, noise: 0.015),
          p95: figure(0.015, suffers: 1.6, noise: 0.04),
          p99: figure(0.025, suffers: 2.2, noise: 0.08), unanswered: lost))
    }
    return RunComparison(of: figures(sides[1]), with: figures(sides[0]))
  }

  private func figures(_ runs: [LatencyFigures]) -> RunFigures {
    RunFigures(
      scenario: .init(name: "load", title: "load", digest: ""), seed: 1, digest: "",
      verdict: .notExercised, interrupted: false,
      replications: runs.map { _ in .init(seed: 1, digest: "") },
      series: [
        LatencySeries(
          name: .init(world: "http", operation: "/", basis: .overHTTP), figures: runs)
      ], limits: [], version: "", commit: "", pace: "200/s, evenly")
  }

  /// What goes on from one run to the next.
  private struct Course {
    let deviation: Double
    let correlation: Double
    var value: Double

    init(_ noise: (deviation: Double, correlation: Double), _ stream: inout RandomStream) {
      (deviation, correlation) = noise
      value = deviation * stream.normal()
    }

    mutating func next(_ stream: inout RandomStream) -> Double {
      value =
        correlation * value
        + (1 - correlation * correlation).squareRoot() * deviation * stream.normal()
      return value
    }
  }

  func section() -> String {
    var table = Table(
      "Duels of two servers",
      "One route with five figures (mean, p50, p95, p99, share without an answer), \(Duel.standardPairs) runs a side by turns, margin 5 %, \(repetitions) repetitions: how many whole duels show at least one regression or improvement of an unchanged server, and how many find all answers 20 % slower. Nominal for all false alarms together: 1 %. What is a side's own and lasts is no noise to any test: it is a difference between these two processes, which only starting them for each run ('--command') averages out.",
      columns: ["disturbance", "false regression", "false improvement", "20 % slower is found"])
    for noise in Noise.all {
      let same = measure(noise, slowdown: 0)
      table.add(
        noise.name, Table.percent(same.regression), Table.percent(same.improved),
        Table.percent(measure(noise, slowdown: 0.2).regression))
    }
    return table.text
  }
}
