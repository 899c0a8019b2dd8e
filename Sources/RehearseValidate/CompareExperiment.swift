import Statistics
import Timekeeping
import Verdicts

/// How often whole comparisons of two runs raise a false alarm, and how often they find one slower operation of twenty.
///
/// An operation's response times are log-normal with weather: a first-order autoregressive factor that neighbours share, and one request in
/// a hundred takes ten times as long. Two builds on the same seeds share most of their randomness, but not all: outliers and a tenth
/// of the variance are their own. Measured in real time nothing is shared, each run has its own mood, and one run of twenty is disturbed.
public struct CompareExperiment: Sendable {
  public let repetitions: Int
  public var operations = 20
  public var requests = 200

  public init(repetitions: Int) { self.repetitions = repetitions }

  public struct Rates: Sendable {
    /// Comparisons with at least one regression.
    public var regression = 0.0
    /// Comparisons with at least one improvement.
    public var improved = 0.0
    /// Comparisons in which every figure is equivalent.
    public var equivalent = 0.0
    /// Comparisons with a regression of an operation that is not slower.
    public var wrong = 0.0
  }

  public enum Setting: Sendable { case virtual, real }

  /// - Parameters:
  ///   - slowdown: Of the first operation: 0.1 is 10 %.
  ///   - size: Replications, or runs a side.
  public func measure(
    _ setting: Setting, slowdown: Double, size: Int, margin: Double = 0.05
  ) -> Rates {
    var stream = RandomStream(
      seed: 3, owner: stableHash("compare \(setting) \(slowdown) \(margin)"), purpose: UInt32(size))
    var rates = Rates()
    let weight = 1 / Double(repetitions)
    for _ in 0..<repetitions {
      var samples: [ChangeJudgement.Sample] = []
      for operation in 0..<operations {
        samples += self.samples(
          setting, factor: operation == 0 ? 1 + slowdown : 1, size: size, &stream)
      }
      let verdicts = ChangeJudgement.judge(samples, margin: margin).map(\.verdict)
      let perOperation = samples.count / operations
      if verdicts.contains(.regression) { rates.regression += weight }
      if verdicts.contains(.improved) { rates.improved += weight }
      if verdicts.allSatisfy({ $0 == .equivalent }) { rates.equivalent += weight }
      if verdicts.dropFirst(perOperation).contains(.regression) { rates.wrong += weight }
    }
    return rates
  }

  /// How often a change of just the size that one comparison calls visible is found by another one.
  public func visible(
    _ setting: Setting, size: Int, margin: Double = 0.05
  ) -> (found: Double, typical: Double) {
    var stream = RandomStream(
      seed: 8, owner: stableHash("visible \(setting) \(margin)"), purpose: UInt32(size))
    var (found, tried): (Int, Int) = (0, 0)
    var sizes: [Double] = []
    for _ in 0..<repetitions {
      func samples(_ factor: Double) -> [ChangeJudgement.Sample] {
        (0..<operations).flatMap {
          self.samples(setting, factor: $0 == 0 ? factor : 1, size: size, &stream)
        }
      }
      let promised = ChangeJudgement.judge(samples(1), margin: margin).prefix(3)
      for (figure, promise) in promised.enumerated() {
        guard let change = promise.smallestVisible else { continue }
        sizes.append(change)
        tried += 1
        let judged = ChangeJudgement.judge(samples(1 + change), margin: margin)
        if judged[figure].verdict == .regression { found += 1 }
      }
    }
    return (
      Double(found) / Double(max(1, tried)), sizes.isEmpty ? 0 : OrderStatistics.median(of: sizes)
    )
  }

  func visibleSection() -> String {
    var table = Table(
      "The smallest change that a comparison could have seen",
      "\(operations) operations with three figures each, \(repetitions) repetitions: a comparison of two runs that do not differ says which growth of its first operation it would have found with 90 %; how often another comparison finds a growth of that size, and how large it typically is. With fewer than 14 runs a side a single stray run can hide a growth of any size.",
      columns: ["comparison", "found", "typical size"])
    for (setting, size, name) in [
      (Setting.virtual, 10, "10 paired replications"), (.virtual, 20, "20 paired replications"),
      (.virtual, 40, "40 paired replications"), (.real, 12, "12 runs a side"),
      (.real, 14, "14 runs a side"),
      (.real, 16, "16 runs a side"), (.real, 30, "30 runs a side"),
    ] {
      let seen = visible(setting, size: size)
      table.add(name, Table.percent(seen.found), Table.percent(seen.typical))
    }
    return table.text
  }

  /// Mean, p50 and p95 of one operation on both sides.
  private func samples(
    _ setting: Setting, factor: Double, size: Int, _ stream: inout RandomStream
  ) -> [ChangeJudgement.Sample] {
    var before = Array(repeating: [Double](), count: 3)
    var after = before
    for _ in 0..<size {
      var (old, new) =
        switch setting {
        case .virtual: pair(&stream)
        case .real: (alone(&stream), alone(&stream))
        }
      new = new.map { $0 * factor }
      for (place, value) in Self.figures(&old).enumerated() { before[place].append(value) }
      for (place, value) in Self.figures(&new).enumerated() { after[place].append(value) }
    }
    return zip(before, after).map {
      ChangeJudgement.Sample(before: $0, after: $1, isPaired: setting == .virtual)
    }
  }

  private static func figures(_ times: inout [Double]) -> [Double] {
    times.sort()
    return [
      times.reduce(0, +) / Double(times.count),
      OrderStatistics.quantile(0.5, ofSorted: times) ?? .nan,
      OrderStatistics.quantile(0.95, ofSorted: times) ?? .nan,
    ]
  }

  private func pair(_ stream: inout RandomStream) -> (old: [Double], new: [Double]) {
    var weather = stream.normal()
    var (old, new): ([Double], [Double]) = ([], [])
    for _ in 0..<requests {
      weather = 0.9 * weather + 0.436 * stream.normal()
      let shared = 0.95 * stream.normal() + 0.3 * weather
      old.append(Elementary.exp(0.5 * (shared + 0.32 * stream.normal())) * outlier(&stream))
      new.append(Elementary.exp(0.5 * (shared + 0.32 * stream.normal())) * outlier(&stream))
    }
    return (old, new)
  }

  private func alone(_ stream: inout RandomStream) -> [Double] {
    var weather = stream.normal()
    let mood =
      Elementary.exp(0.01 * stream.normal()) * (stream.chance(0.05) ? 1.3 : 1)
    return (0..<requests).map { _ in
      weather = 0.9 * weather + 0.436 * stream.normal()
      return mood * Elementary.exp(0.1 * stream.normal() + 0.03 * weather) * outlier(&stream)
    }
  }

  private func outlier(_ stream: inout RandomStream) -> Double { stream.chance(0.01) ? 10 : 1 }

  func section() -> String {
    var table = Table(
      "Comparing two runs",
      "\(operations) operations with three figures each (mean, p50, p95), \(repetitions) repetitions: how many whole comparisons show at least one regression, at least one improvement, nothing but equivalence, and a regression of an operation that did not change. Nominal for all false alarms together: 1 %.",
      columns: [
        "comparison", "regression", "improvement", "all equivalent", "wrong operation",
      ])
    func add(_ name: String, _ rates: Rates) {
      table.add(
        name, Table.percent(rates.regression), Table.percent(rates.improved),
        Table.percent(rates.equivalent), Table.percent(rates.wrong))
    }
    add("A/A, 20 paired replications, margin 5 %", measure(.virtual, slowdown: 0, size: 20))
    add(
      "A/A, 20 paired replications, margin 0 %",
      measure(.virtual, slowdown: 0, size: 20, margin: 0))
    add("A/A, 10 runs a side, margin 5 %", measure(.real, slowdown: 0, size: 10))
    add("A/A, 16 runs a side, margin 5 %", measure(.real, slowdown: 0, size: 16))
    add("A/A, 10 runs a side, margin 0 %", measure(.real, slowdown: 0, size: 10, margin: 0))
    add("one of 20 is 10 % slower, 20 paired", measure(.virtual, slowdown: 0.1, size: 20))
    for size in [10, 12, 14, 16, 20] {
      add(
        "one of 20 is 10 % slower, \(size) runs a side",
        measure(.real, slowdown: 0.1, size: size))
    }
    add("one of 20 is 7.5 % slower, 20 paired", measure(.virtual, slowdown: 0.075, size: 20))
    return table.text
  }
}
