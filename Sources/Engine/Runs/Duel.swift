import Verdicts

/// Two builds on one machine, run by turns: what is measured in real time, judged as two independent samples.
///
/// The runs of a pair follow each other, the order changes from pair to pair (ABBA), so that a machine that warms up or slows down meets
/// both sides alike.
public struct Duel: Hashable, Sendable {
  /// What one run measured in real time.
  public struct Bout: Hashable, Sendable {
    public let digest: String
    /// In seconds, by name: the whole run's wall time, and per operation the quantiles of the twin's calls.
    public let figures: [String: Double]

    public init(digest: String, figures: [String: Double]) {
      self.digest = digest
      self.figures = figures
    }
  }

  public struct Metric: Hashable, Sendable {
    public let name: String
    /// Medians of both sides, in seconds.
    public let before: Double
    public let after: Double
    public let change: ChangeJudgement
  }

  public let baseline: [Bout]
  public let challenger: [Bout]
  public let margin: Double
  /// Regressions first, then by how much it grew.
  public let metrics: [Metric]
  public let verdict: ChangeVerdict

  /// Fewer runs a side find little; see `reports/validation.md`.
  public static let fewestPairs = 10
  /// With so many a growth of 10 % of one operation in twenty is found in nine of ten duels.
  public static let standardPairs = 16

  /// Whether both builds did the same, to the bit; else a change of speed may be one of behaviour.
  public var isSameWork: Bool {
    Set(baseline.map(\.digest)) == Set(challenger.map(\.digest))
      && Set(baseline.map(\.digest)).count == 1
  }

  /// - Parameters:
  ///   - baseline: Bouts of the build that the other is held against.
  ///   - margin: The growth that nobody minds: 0.05 is 5 %.
  public init(
    baseline: [Bout], challenger: [Bout], margin: Double = ChangeJudgement.standardMargin
  ) {
    self.baseline = baseline
    self.challenger = challenger
    self.margin = margin
    let names = Self.common(baseline + challenger)
    let samples = names.map { name in
      ChangeJudgement.Sample(
        before: baseline.compactMap { $0.figures[name] },
        after: challenger.compactMap { $0.figures[name] }, isPaired: false)
    }
    let judged = ChangeJudgement.judge(samples, margin: margin)
    metrics = zip(names, zip(samples, judged)).map { name, found in
      Metric(
        name: name, before: Self.median(found.0.before), after: Self.median(found.0.after),
        change: found.1)
    }.sorted(by: Self.isMoreUrgent)
    verdict = ChangeVerdict.overall(metrics.map(\.change.verdict))
  }

  /// Figures that every bout has, above zero.
  private static func common(_ bouts: [Bout]) -> [String] {
    guard let first = bouts.first else { return [] }
    return first.figures.keys.sorted().filter { name in
      bouts.allSatisfy { ($0.figures[name] ?? 0) > 0 }
    }
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  private static func isMoreUrgent(_ a: Metric, _ b: Metric) -> Bool {
    let order: [ChangeVerdict] = [.regression, .improved, .inconclusive, .equivalent, .identical]
    let (first, second) = (
      order.firstIndex(of: a.change.verdict) ?? 0, order.firstIndex(of: b.change.verdict) ?? 0
    )
    if first != second { return first < second }
    let (left, right) = (a.change.ratio ?? 1, b.change.ratio ?? 1)
    return left != right ? left > right : a.name < b.name
  }
}
