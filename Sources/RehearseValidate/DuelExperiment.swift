import Runs
import Timekeeping
import Verdicts

/// How often duels of two builds raise a false alarm, and how often they find one slower operation of twenty, on machines that others use, too.
///
/// A run's pace is log-normal and shared by all its operations; in one run of ten a neighbour takes another 30 %. Operations have noise of their
/// own, 2 % on medians and 6 % on 99th percentiles, and one figure of fifty is disturbed by itself.
public struct DuelExperiment: Sendable {
  public let repetitions: Int
  public var operations = 20

  public init(repetitions: Int) { self.repetitions = repetitions }

  /// - Parameters:
  ///   - slowdown: Of the first `slower` operations: 0.1 is 10 %.
  ///   - unrest: Standard deviation of the pace of runs: 0.05 is 5 %.
  public func measure(
    slowdown: Double, slower: Int = 1, unrest: Double, pairs: Int = Duel.standardPairs
  ) -> CompareExperiment.Rates {
    var stream = RandomStream(
      seed: 4, owner: stableHash("duel \(slowdown) \(slower) \(unrest)"), purpose: UInt32(pairs))
    var rates = CompareExperiment.Rates()
    let weight = 1 / Double(repetitions)
    for _ in 0..<repetitions {
      let before = (0..<pairs).map { _ in bout(slowdown: 0, of: 0, unrest, &stream) }
      let after = (0..<pairs).map { _ in bout(slowdown: slowdown, of: slower, unrest, &stream) }
      let duel = Duel(baseline: before, challenger: after)
      if duel.verdict == .regression { rates.regression += weight }
      if duel.metrics.contains(where: { $0.change.verdict == .improved }) {
        rates.improved += weight
      }
      if duel.verdict == .equivalent { rates.equivalent += weight }
      let isWrong = duel.metrics.contains { metric in
        metric.change.verdict == .regression
          && !(0..<slower).contains { metric.name.hasPrefix(Self.name($0)) }
          && !Self.whole.contains(metric.name)
      }
      if isWrong { rates.wrong += weight }
    }
    return rates
  }

  private static let whole = [Duel.wallTime, Duel.typicalCall]

  private static func name(_ operation: Int) -> String { "operation\(operation)." }

  private func bout(
    slowdown: Double, of slower: Int, _ unrest: Double, _ stream: inout RandomStream
  ) -> Duel.Bout {
    let pace = Elementary.exp(unrest * stream.normal()) * (stream.chance(0.1) ? 1.3 : 1)
    func figure(_ noise: Double) -> Double {
      pace * Elementary.exp(noise * stream.normal()) * (stream.chance(0.02) ? 1.3 : 1)
    }
    var (medians, tails): ([String: Double], [String: Double]) = ([:], [:])
    for operation in 0..<operations {
      let factor = operation < slower ? 1 + slowdown : 1
      medians[Self.name(operation)] = 2e-6 * factor * figure(0.02)
      tails[Self.name(operation)] = 8e-6 * factor * figure(0.06)
    }
    let share = slowdown * Double(slower) / Double(operations)
    return Duel.Bout(
      digest: "equal", wall: (1 + share) * figure(0.01), medians: medians, tails: tails)
  }

  func section() -> String {
    var table = Table(
      "Duels of two builds",
      "\(operations) operations with two figures each (p50, p99), \(Duel.standardPairs) runs a side, margin 5 %, \(repetitions) repetitions, on machines whose pace varies from run to run: how many whole duels show at least one regression, at least one improvement, nothing but equivalence, and a regression of an operation that did not change. Nominal for all false alarms together: 1 %.",
      columns: [
        "duel", "pace varies by", "regression", "improvement", "all equivalent", "wrong operation",
      ])
    func add(_ name: String, slowdown: Double, slower: Int = 1) {
      for unrest in [0.01, 0.05, 0.1] {
        let rates = measure(slowdown: slowdown, slower: slower, unrest: unrest)
        table.add(
          name, Table.percent(unrest), Table.percent(rates.regression),
          Table.percent(rates.improved), Table.percent(rates.equivalent),
          Table.percent(rates.wrong))
      }
    }
    add("A/A", slowdown: 0)
    add("one of 20 is 7.5 % slower", slowdown: 0.075)
    add("one of 20 is 10 % slower", slowdown: 0.1)
    for pairs in [10, 20] {
      let rates = measure(slowdown: 0.1, unrest: 0.05, pairs: pairs)
      table.add(
        "one of 20 is 10 % slower, \(pairs) runs a side", Table.percent(0.05),
        Table.percent(rates.regression), Table.percent(rates.improved),
        Table.percent(rates.equivalent), Table.percent(rates.wrong))
    }
    add("8 of 20 are 10 % slower", slowdown: 0.1, slower: 8)
    add("all are 10 % slower", slowdown: 0.1, slower: 20)
    return table.text
  }
}
