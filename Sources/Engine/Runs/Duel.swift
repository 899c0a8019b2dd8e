import Statistics
import Verdicts

/// Two builds on one machine, run by turns: what is measured in real time, judged as two independent samples.
///
/// The runs of a pair follow each other, the order changes from pair to pair (ABBA), so that a machine that warms up or slows down meets
/// both sides alike.
///
/// What slows a whole run down for some seconds slows all its operations alike. So operations are held against their run's pace (`DuelPace`),
/// which finds a slower one in half the noise. The pace is a figure of its own, "typical call": where the builds differ in that, everything
/// became slower or faster, and operations are compared as they were measured.
public struct Duel: Hashable, Sendable {
  /// What one run measured in real time, in seconds.
  public struct Bout: Hashable, Sendable {
    public let digest: String
    public let wall: Double
    /// By operation the median of the times that the twin's calls took.
    public let medians: [String: Double]
    /// The same for their 99th percentile, of operations with calls enough.
    public let tails: [String: Double]

    public init(
      digest: String, wall: Double, medians: [String: Double] = [:], tails: [String: Double] = [:]
    ) {
      self.digest = digest
      self.wall = wall
      self.medians = medians
      self.tails = tails
    }
  }

  public struct Metric: Hashable, Sendable {
    public let name: String
    /// Medians of both sides, in seconds; in a paced duel those of operations at the middling pace.
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
  /// Whether operations were held against their run's pace.
  public let isPaced: Bool

  public static let wallTime = "wall time"
  public static let typicalCall = "typical call"

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
    let figures = Figures(baseline: baseline, challenger: challenger)
    let together = Self.judge(figures.whole + figures.paced, margin: margin)
    let pace = together.first { $0.name == Self.typicalCall }?.change.verdict
    let isOthersPace = pace == .regression || pace == .improved
    isPaced = pace != nil && !isOthersPace
    metrics = (isOthersPace ? Self.judge(figures.whole + figures.raw, margin: margin) : together)
      .sorted(by: Self.isMoreUrgent)
    verdict = ChangeVerdict.overall(metrics.map(\.change.verdict))
  }

  private static func judge(_ figures: [Figure], margin: Double) -> [Metric] {
    let judged = ChangeJudgement.judge(
      figures.map {
        ChangeJudgement.Sample(before: $0.before, after: $0.after, isPaired: false)
      }, margin: margin, noun: "run")
    return zip(figures, judged).map { figure, change in
      Metric(
        name: figure.name, before: OrderStatistics.median(of: figure.before),
        after: OrderStatistics.median(of: figure.after), change: change)
    }
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
