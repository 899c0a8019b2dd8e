import Statistics
import Verdicts

/// A run against a baseline: what changed, what did not, and what cannot be told.
public struct RunComparison: Hashable, Sendable {
  public let run: RunFigures
  public let baseline: RunFigures
  /// The growth that nobody minds: 0.05 is 5 %.
  public let margin: Double
  public let method: Method
  public let verdict: ChangeVerdict
  /// Every figure that was compared, regressions first, then by how much it grew.
  public let metrics: [Metric]
  public let leftOut: [LeftOut]
  public let limits: [LimitChange]

  public enum Method: Hashable, Sendable {
    /// Equal digests in all of so many replications that share their seeds: the runs are the same to the bit.
    case identical(Int)
    /// So many replications share their seeds.
    case paired(Int)
    /// No seeds in common: two independent samples.
    case independent(Int, Int)
  }

  public struct Metric: Hashable, Sendable {
    public let name: LatencySeries.Name
    public let measure: Measure
    /// Over the replications compared. Of times in seconds, what the ratio is one of: geometric means of paired ones and medians of
    /// others. Of shares their means, or medians.
    public let before: Double
    public let after: Double
    /// Of a share, the ratios stand for differences: see `difference`.
    public let change: ChangeJudgement
    /// How much a share grew, and between what it plausibly did, in 0...1; `nil` for times.
    public let difference: Double?
    public let differenceInterval: Bounds?
    /// The smallest growth of a share that would have been seen.
    public let smallestDifference: Double?
  }

  public struct LeftOut: Hashable, Sendable {
    public let name: LatencySeries.Name
    /// `nil` for all of them.
    public let measure: Measure?
    public let reason: String
  }

  public struct LimitChange: Hashable, Sendable {
    public let id: String
    public let before: Verdict
    public let after: Verdict

    /// What held, or was open, is broken now.
    public var isRegression: Bool { after == .fail }
  }

  /// - Precondition: The margin is not negative.
  public init(
    of run: RunFigures, with baseline: RunFigures,
    margin: Double = ChangeJudgement.standardMargin
  ) {
    self.run = run
    self.baseline = baseline
    self.margin = margin
    let pairing = Pairing(run, baseline)
    method = pairing.method
    limits = Self.limitChanges(run, baseline)
    if case .identical = method {
      (metrics, leftOut, verdict) = ([], [], .identical)
      return
    }
    let shares = ShareScale(margin: margin)
    var found = MetricSelection(run, baseline, pairing, shares)
    found.select()
    let judged = ChangeJudgement.judge(
      found.selected.map(\.sample), margin: margin, resolution: Self.resolution,
      noun: run.repetitionInWords)
    let told = zip(found.selected, judged).filter { candidate, change in
      if candidate.isThin, change.verdict == .inconclusive {
        found.leave(candidate)
        return false
      }
      return true
    }
    let measured = told.map { candidate, change in Metric(candidate, change, shares) }
    metrics = measured.sorted(by: Self.isMoreUrgent)
    leftOut = found.leftOut
    let broken = limits.contains(where: \.isRegression) ? [ChangeVerdict.regression] : []
    verdict = ChangeVerdict.overall(metrics.map(\.change.verdict) + broken)
  }

  /// How much of the margin a share without an answer may grow by: 0.5 percentage points of a margin of 5 %.
  public static let sharePartOfMargin = 0.1

  /// The relative width of a class of `LatencyHistogram`.
  private static let resolution = 1.0 / 1_024

  private static func isMoreUrgent(_ a: Metric, _ b: Metric) -> Bool {
    let order: [ChangeVerdict] = [.regression, .improved, .inconclusive, .equivalent, .identical]
    let (first, second) = (
      order.firstIndex(of: a.change.verdict)!, order.firstIndex(of: b.change.verdict)!
    )
    if first != second { return first < second }
    let (left, right) = (a.change.ratio ?? 1, b.change.ratio ?? 1)
    if left != right { return a.change.verdict == .improved ? left < right : left > right }
    return (a.name, a.measure.rawValue) < (b.name, b.measure.rawValue)
  }

  private static func limitChanges(
    _ run: RunFigures, _ baseline: RunFigures
  ) -> [LimitChange] {
    let before = Dictionary(
      baseline.limits.map { ($0.id, $0.verdict) }, uniquingKeysWith: { first, _ in first })
    return run.limits.compactMap { limit in
      guard let old = before[limit.id], old != limit.verdict else { return nil }
      return LimitChange(id: limit.id, before: old, after: limit.verdict)
    }
  }

  /// Whether the gate stops because nobody can tell: what the judged run's scenario says about doubt counts here too.
  public var isDoubtThatStops: Bool { verdict == .inconclusive && run.scenario.doubtStops }

  /// The largest change that could have gone unseen in any time, and in which; `nil` without times.
  public var leastVisible: Metric? {
    metrics.filter { $0.measure != .withoutAnswer }.max {
      ($0.change.smallestVisible ?? 0) < ($1.change.smallestVisible ?? 0)
    }
  }
}

/// Shares without an answer on a scale of ratios, so that they are judged together with times.
///
/// A share is mostly 0, and 1 % is not "twice" 0.5 % to anybody: what counts is how much it grew. A tenth of the margin, 0.5 percentage
/// points at 5 %, is the growth that nobody minds. On this scale it is a growth by the margin, and every growth is the same ratio
/// wherever it begins.
struct ShareScale {
  private let steepness: Double
  init(margin: Double) {
    // Towards a margin of zero the logarithm becomes the margin itself.
    let reach = margin > 1e-9 ? Ratio.logarithm(1 + margin) / margin : 1
    steepness = reach / RunComparison.sharePartOfMargin
  }

  func scaled(_ share: Double) -> Double { Ratio.exponential(share * steepness) }
  func difference(of ratio: Double) -> Double { Ratio.logarithm(ratio) / steepness }
}

extension RunComparison.Metric {
  fileprivate init(
    _ candidate: MetricSelection.Candidate, _ change: ChangeJudgement, _ shares: ShareScale
  ) {
    let (old, new) = (candidate.sample.middle(\.before), candidate.sample.middle(\.after))
    guard candidate.measure == .withoutAnswer else {
      self.init(
        name: candidate.name, measure: candidate.measure, before: old, after: new, change: change,
        difference: nil, differenceInterval: nil, smallestDifference: nil)
      return
    }
    self.init(
      name: candidate.name, measure: candidate.measure, before: max(0, shares.difference(of: old)),
      after: max(0, shares.difference(of: new)), change: change,
      difference: change.ratio.map(shares.difference),
      differenceInterval: change.interval.map {
        Bounds(low: shares.difference(of: $0.low), high: shares.difference(of: $0.high))
      }, smallestDifference: change.smallestVisible.map { shares.difference(of: 1 + $0) })
  }
}

/// Which replication of a run belongs to which of the baseline.
struct Pairing {
  let method: RunComparison.Method
  /// Places in the baseline and in the run, side by side where seeds are shared.
  let before: [Int]
  let after: [Int]
  var isPaired: Bool { if case .paired = method { true } else { false } }

  init(_ run: RunFigures, _ baseline: RunFigures) {
    let old = baseline.replications
    let new = run.replications
    let places = Dictionary(
      old.enumerated().map { ($0.element.seed, $0.offset) }, uniquingKeysWith: { first, _ in first }
    )
    // Loads share their seeds and nothing else: what happens is the server's.
    let common = (run.pace == nil ? new.indices : 0..<0).compactMap { place in
      places[new[place].seed].map { (before: $0, after: place) }
    }
    if !common.isEmpty,
      common.allSatisfy({ old[$0.before].digest == new[$0.after].digest })
    {
      method = .identical(common.count)
      (before, after) = ([], [])
    } else if common.isEmpty {
      method = .independent(old.count, new.count)
      (before, after) = (Array(old.indices), Array(new.indices))
    } else {
      method = .paired(common.count)
      (before, after) = (common.map(\.before), common.map(\.after))
    }
  }
}

/// Picks the figures that two runs can be compared by.
struct MetricSelection {
  struct Candidate {
    let name: LatencySeries.Name
    let measure: Measure
    let sample: ChangeJudgement.Sample
    /// Whether so few requests tell sure changes only: that nothing sure comes of them is no open question.
    var isThin = false
  }

  private(set) var selected: [Candidate] = []
  private(set) var leftOut: [RunComparison.LeftOut] = []
  private let run: [LatencySeries.Name: LatencySeries]
  private let baseline: [LatencySeries.Name: LatencySeries]
  private let pairing: Pairing
  private let shares: ShareScale
  private let noun: String

  init(
    _ run: RunFigures, _ baseline: RunFigures, _ pairing: Pairing, _ shares: ShareScale
  ) {
    func byName(_ series: [LatencySeries]) -> [LatencySeries.Name: LatencySeries] {
      Dictionary(series.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    self.run = byName(run.series)
    self.baseline = byName(baseline.series)
    self.pairing = pairing
    self.shares = shares
    noun = run.repetitionInWords
  }

  mutating func select() {
    for name in Set(run.keys).union(baseline.keys).sorted() {
      guard let new = run[name] else {
        leave(name, nil, "only the baseline has it")
        continue
      }
      guard let old = baseline[name] else {
        leave(name, nil, "only the run has it")
        continue
      }
      for measure in Measure.times { select(measure, of: name, old, new) }
      selectShare(of: name, old, new)
    }
  }

  private mutating func select(
    _ measure: Measure, of name: LatencySeries.Name, _ old: LatencySeries, _ new: LatencySeries
  ) {
    func value(_ series: LatencySeries, _ place: Int) -> Double? {
      guard let figures = series.figures[place], figures.count >= measure.fewestRequests,
        let value = figures[measure], value > 0
      else { return nil }
      return value
    }
    var before = pairing.before.map { value(old, $0) }
    var after = pairing.after.map { value(new, $0) }
    if pairing.isPaired {
      let whole = before.indices.filter { before[$0] != nil && after[$0] != nil }
      (before, after) = (whole.map { before[$0] }, whole.map { after[$0] })
    }
    let sample = ChangeJudgement.Sample(
      before: before.compactMap(\.self), after: after.compactMap(\.self),
      isPaired: pairing.isPaired)
    let most = min(pairing.before.count, pairing.after.count)
    let usable = min(sample.before.count, sample.after.count)
    // With few replications everything stays open, and says so; with enough of them it is this figure that lacks requests.
    guard usable >= ChangeJudgement.fewest || (usable == most && usable > 0) else {
      leave(
        name, measure,
        "fewer than \(measure.fewestRequests) requests in all but \(usable) of \(most) \(noun)s"
      )
      return
    }
    selected.append(Candidate(name: name, measure: measure, sample: sample))
  }

  /// Shares without an answer; left out without a word where nobody on either side lacked one.
  private mutating func selectShare(
    of name: LatencySeries.Name, _ old: LatencySeries, _ new: LatencySeries
  ) {
    let before = pairing.before.map { old.figures[$0]?.withoutAnswer }
    let after = pairing.after.map { new.figures[$0]?.withoutAnswer }
    guard (before + after).contains(where: { $0 ?? 0 > 0 }) else { return }
    guard before.contains(where: { $0 != nil }), after.contains(where: { $0 != nil }) else {
      leave(name, .withoutAnswer, "only one side has it")
      return
    }
    func isThin(_ series: LatencySeries, _ places: [Int]) -> Bool {
      places.contains {
        (series.figures[$0].map { $0.count + ($0.unanswered ?? 0) } ?? 0)
          < Measure.withoutAnswer.fewestRequests
      }
    }
    var pairs = (before, after)
    if pairing.isPaired {
      let whole = before.indices.filter { before[$0] != nil && after[$0] != nil }
      pairs = (whole.map { before[$0] }, whole.map { after[$0] })
    }
    selected.append(
      Candidate(
        name: name, measure: .withoutAnswer,
        sample: ChangeJudgement.Sample(
          before: pairs.0.compactMap(\.self).map(shares.scaled),
          after: pairs.1.compactMap(\.self).map(shares.scaled), isPaired: pairing.isPaired),
        isThin: isThin(old, pairing.before) || isThin(new, pairing.after)))
  }

  /// What was judged and tells nothing.
  mutating func leave(_ candidate: Candidate) {
    leave(
      candidate.name, candidate.measure,
      "fewer than \(candidate.measure.fewestRequests) requests in a \(noun), and no sure change"
    )
  }

  private mutating func leave(_ name: LatencySeries.Name, _ measure: Measure?, _ reason: String) {
    leftOut.append(.init(name: name, measure: measure, reason: reason))
  }
}
