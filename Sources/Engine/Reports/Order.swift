import Observations
import Runs
import Scenarios
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

  /// Operations by their longest common tail, slowest first; what was never answered is slowest of all, and among equals what more
  /// often got no answer.
  var slowestFirst: [LatencyResult] {
    latencies.enumerated().sorted { a, b in
      let (x, y) = (a.element.slowness, b.element.slowness)
      return x == y ? a.offset < b.offset : x > y
    }.map(\.element)
  }

  private func stable<Item>(_ items: [Item], by urgency: (Item) -> Int) -> [Item] {
    items.enumerated().sorted { a, b in
      (urgency(a.element), a.offset) < (urgency(b.element), b.offset)
    }.map(\.element)
  }
}

extension LimitResult {
  /// What its tries leave possible, where they were so few that one in twenty may break it: with 59 that is excluded.
  var openShare: Double? { upperBound.flatMap { $0 > 0.05 ? $0 : nil } }
}

extension Quantile {
  /// Whether so many observations say anything about it.
  func isTold(by count: Int) -> Bool { LatencyHistogram.tells(q, of: UInt64(max(0, count))) }

  /// In words: a time, "longer than" one, "no answer", or "too few".
  ///
  /// - Parameter short: Whether room is scarce: `> 1 min` then.
  func words(of count: Int, short: Bool = false) -> String {
    let texts = Texts.english
    guard isTold(by: count) else { return texts.tooFew }
    if let seconds { return Figures.duration(seconds) }
    guard let longerThan else { return texts.noAnswer }
    return short
      ? "> " + Figures.duration(longerThan) : texts.longerThan(Figures.duration(longerThan))
  }
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

  /// What operations are ordered by.
  var slowness: (tail: Double, withoutAnswer: Double, ofAnswered: Double) {
    let ofAnswered = answeredQuantiles.last { $0.q <= 0.99 + 1e-9 && $0.isTold(by: answered) }
    return (tail, withoutAnswer, ofAnswered?.seconds ?? -1)
  }

  /// The quantile of the answered alone, where that of all lies beyond them.
  func wordsOfAnswered(forQuantile q: Double) -> String? {
    guard let whole = quantile(q), whole.seconds == nil, whole.isTold(by: count) else { return nil }
    return answeredQuantiles.first { abs($0.q - q) < 1e-9 }.flatMap { answered in
      answered.isTold(by: self.answered) ? answered.seconds.map(Figures.duration) : nil
    }
  }

  /// A quantile in words, "–" for what was not estimated.
  func words(forQuantile q: Double, short: Bool = false) -> String {
    quantile(q)?.words(of: count, short: short) ?? Texts.english.none
  }
}

/// What operations and business latencies are called, by world and name.
struct Titles: Sendable {
  private var titles: [String: String] = [:]

  init(_ run: Run) {
    for business in run.business { titles[business.world + "." + business.name] = business.title }
    for funnel in run.funnel {
      for step in funnel.steps { titles[funnel.world + "." + step.operation] = step.title }
    }
    for latency in run.latencies {
      titles[latency.world + "." + latency.operation] = latency.title
    }
  }

  subscript(world: String, name: String) -> String { titles[world + "." + name] ?? name }
}

extension String {
  /// A name of a program as words: `timedOut` is `timed out`.
  var inWords: String {
    var words = ""
    for character in self {
      let isNew = character.isUppercase || character.isNumber
      if isNew, words.last?.isLowercase == true { words += " " }
      words += words.last == " " ? character.lowercased() : String(character)
    }
    return words
  }
}

extension ObjectiveResult {
  /// Whether what lies above the bound is forbidden; the objective's text says which.
  var isUpperBound: Bool { !text.contains(">") }

  /// The estimate in words; `nil` without one.
  var estimateInWords: String? {
    estimate.map(figure) ?? longerThan.map { Texts.english.longerThan(figure($0)) }
  }

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
  public var command: String { generator?.command ?? command(replications: replications.count) }

  /// The command that runs the same scenario from the same seed with so many replications.
  func command(replications: Int) -> String {
    let file = scenario.file.isEmpty ? scenario.name + ".yaml" : scenario.file
    return
      "rehearse run \(Escaping.shell(file)) --seed \(seed) --replications \(max(1, replications))"
      + scenario.options
  }

  /// How many replications would probably decide what is inconclusive; `nil` where no number that a run may have would. From fewer than
  /// twenty nothing is foretold but that twenty tell more.
  var replicationsToDecide: Int? {
    let open = objectives.filter { $0.verdict == .inconclusive }
    guard let more = open.compactMap(\.moreReplications).max() else { return nil }
    let all = replications.count + more
    if replications.count < Self.tellingReplications {
      return min(all, Self.tellingReplications)
    }
    return all <= Self.mostReplications ? all : nil
  }

  private static let tellingReplications = 20
  private static let mostReplications = 10_000

  /// How often it was lived through: a load once, whatever parts its intervals come from.
  var repetitions: Int { generator == nil ? replications.count : 1 }
}
