import Runs
import Verdicts

extension Verdict {
  /// What a reader has to see first comes first.
  var urgency: Int {
    switch self {
    case .fail: 0
    case .inconclusive: 1
    case .pass: 2
    case .notExercised: 3
    }
  }
}

extension Run {
  /// Limits by urgency; equals keep their order.
  var orderedLimits: [LimitResult] { stable(limits) { $0.verdict.urgency } }
  var orderedObjectives: [ObjectiveResult] { stable(objectives) { $0.verdict.urgency } }

  /// Operations by their longest common tail, slowest first; what was never answered is slowest of all.
  var slowestFirst: [LatencyResult] {
    latencies.enumerated().sorted { a, b in
      let (x, y) = (a.element.tail, b.element.tail)
      return x == y ? a.offset < b.offset : x > y
    }.map(\.element)
  }

  private func stable<Item>(_ items: [Item], by urgency: (Item) -> Int) -> [Item] {
    items.enumerated().sorted { a, b in
      (urgency(a.element), a.offset) < (urgency(b.element), b.offset)
    }.map(\.element)
  }
}

extension LatencyResult {
  /// The quantile of that order, if it was estimated.
  func quantile(_ q: Double) -> Quantile? { quantiles.first { abs($0.q - q) < 1e-9 } }

  /// Seconds of the 99th percentile, or of the highest quantile below it that was estimated.
  var tail: Double {
    guard let quantile = quantiles.last(where: { $0.q <= 0.99 + 1e-9 }) else { return -1 }
    return quantile.seconds ?? .infinity
  }
}

extension ObjectiveResult {
  /// Whether what lies above the bound is forbidden; the objective's text says which.
  var isUpperBound: Bool { !text.contains(">") }

  func figure(_ value: Double) -> String {
    switch unit {
    case .share: Figures.share(value)
    case .seconds: Figures.duration(value)
    case .perSecond: Figures.number(value) + " /s"
    case .count: Figures.number(value)
    }
  }

  /// The interval as text, in the unit of the estimate.
  var range: String? {
    interval.map {
      switch unit {
      case .share: Figures.shares($0.low, $0.high)
      case .seconds: Figures.durations($0.low, $0.high)
      case .perSecond, .count: Figures.number($0.low) + " – " + figure($0.high)
      }
    }
  }
}

extension Run {
  /// The command that repeats the whole run.
  public var command: String {
    let file = scenario.file.isEmpty ? scenario.name + ".yaml" : scenario.file
    return
      "rehearse run \(Escaping.shell(file)) --seed \(seed) --replications \(max(1, replications.count))"
  }
}
