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

extension Quantile {
  /// Whether so many observations say anything about it: with fewer than a hundred the 99th percentile is no more than the
  /// largest of them.
  func isTold(by count: Int) -> Bool { Double(count) * (1 - q) > 1 - 1e-6 }
}

extension LatencyResult {
  /// What that quantile is made of, if that is known.
  func parts(forQuantile q: Double) -> LatencyParts? {
    parts.first { abs($0.q - q) < 1e-9 }?.parts
  }

  /// The quantile of that order, if it was estimated.
  func quantile(_ q: Double) -> Quantile? { quantiles.first { abs($0.q - q) < 1e-9 } }

  /// The 99th percentile, or the highest quantile below it that enough requests tell.
  var tailQuantile: Quantile? {
    quantiles.last { $0.q <= 0.99 + 1e-9 && $0.isTold(by: count) }
  }

  /// Seconds of the tail; less than any where nothing is told.
  var tail: Double { tailQuantile.map { $0.seconds ?? .infinity } ?? -1 }

  /// A quantile in words: a time, "never", "too few", or "–" for what was not estimated.
  func words(forQuantile q: Double) -> String {
    let texts = Texts.english
    guard let quantile = quantile(q) else { return texts.none }
    guard quantile.isTold(by: count) else { return texts.tooFew }
    return quantile.seconds.map(Figures.duration) ?? texts.never
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
  public var command: String { command(replications: replications.count) }

  /// The command that runs the same scenario from the same seed with so many replications.
  func command(replications: Int) -> String {
    let file = scenario.file.isEmpty ? scenario.name + ".yaml" : scenario.file
    return
      "rehearse run \(Escaping.shell(file)) --seed \(seed) --replications \(max(1, replications))"
  }
}
