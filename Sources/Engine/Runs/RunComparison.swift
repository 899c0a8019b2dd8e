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
    /// In seconds, over the replications compared: what the ratio is one of, geometric means of paired ones and medians of others.
    public let before: Double
    public let after: Double
    public let change: ChangeJudgement
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
    var found = MetricSelection(run, baseline, pairing)
    found.select()
    let judged = ChangeJudgement.judge(
      found.selected.map(\.sample), margin: margin, resolution: Self.resolution)
    let measured = zip(found.selected, judged).map { candidate, change in
      Metric(
        name: candidate.name, measure: candidate.measure,
        before: candidate.sample.middle(\.before), after: candidate.sample.middle(\.after),
        change: change)
    }
    metrics = measured.sorted(by: Self.isMoreUrgent)
    leftOut = found.leftOut
    let broken = limits.contains(where: \.isRegression) ? [ChangeVerdict.regression] : []
    verdict = ChangeVerdict.overall(metrics.map(\.change.verdict) + broken)
  }

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

  /// The largest change that could have gone unseen in any figure, and in which; `nil` without figures.
  public var leastVisible: Metric? {
    metrics.max { ($0.change.smallestVisible ?? 0) < ($1.change.smallestVisible ?? 0) }
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
    let common = new.indices.compactMap { place in
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
  }

  private(set) var selected: [Candidate] = []
  private(set) var leftOut: [RunComparison.LeftOut] = []
  private let run: [LatencySeries.Name: LatencySeries]
  private let baseline: [LatencySeries.Name: LatencySeries]
  private let pairing: Pairing

  init(_ run: RunFigures, _ baseline: RunFigures, _ pairing: Pairing) {
    func byName(_ series: [LatencySeries]) -> [LatencySeries.Name: LatencySeries] {
      Dictionary(series.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    self.run = byName(run.series)
    self.baseline = byName(baseline.series)
    self.pairing = pairing
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
      for measure in Measure.allCases { select(measure, of: name, old, new) }
    }
  }

  private mutating func select(
    _ measure: Measure, of name: LatencySeries.Name, _ old: LatencySeries, _ new: LatencySeries
  ) {
    func value(_ series: LatencySeries, _ place: Int) -> Double? {
      guard let figures = series.figures[place], figures.count >= measure.fewestRequests,
        figures[measure] > 0
      else { return nil }
      return figures[measure]
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
        "fewer than \(measure.fewestRequests) requests in all but \(usable) of \(most) replications"
      )
      return
    }
    selected.append(Candidate(name: name, measure: measure, sample: sample))
  }

  private mutating func leave(_ name: LatencySeries.Name, _ measure: Measure?, _ reason: String) {
    leftOut.append(.init(name: name, measure: measure, reason: reason))
  }
}
