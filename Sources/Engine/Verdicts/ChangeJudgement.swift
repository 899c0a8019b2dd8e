import Statistics

/// Whether figures grew or shrank between two runs, judged all together.
///
/// A figure is a regression when it surely grew by more than the margin, improved when it surely shrank by more, equivalent when its
/// 95 % interval lies within the margin, and inconclusive otherwise. "Surely" takes two tests, each by Holm's procedure over all figures:
/// that it changed at all, at 1 %, and that it changed by more than the margin, at 5 %. So two runs that do not differ give any
/// regression or improvement with at most 1 % probability, however many figures there are, and runs that differ by just the margin
/// with at most 5 %.
public struct ChangeJudgement: Hashable, Sendable {
  public let verdict: ChangeVerdict
  public let reason: String?
  /// After over before: 1.1 is 10 % more; `nil` with too few values.
  public let ratio: Double?
  /// Of the ratio, at 95 %, for this figure alone.
  public let interval: Interval?
  /// The smallest growth that this comparison would have called a regression with a probability of 90 %: 0.08 is 8 %. With fewer
  /// than fourteen independent runs a side and dozens of figures it is 80 %: a single stray run then hides a growth of any size, and nothing
  /// that was seen tells how often there will be one.
  public let smallestVisible: Double?
  /// The chance of a change as large where there is none, adjusted for the number of figures and both directions.
  public let chance: Double?

  /// Probability of any regression or improvement in a whole comparison of runs that do not differ.
  public static let falseAlarms = 0.01
  /// The same where figures differ, but by no more than the margin.
  public static let marginErrors = 0.05
  public static let confidence = 0.95
  /// Probability with which the smallest visible change is seen.
  public static let power = 0.9
  /// Fewer values on a side decide nothing.
  public static let fewest = 5
  public static let standardMargin = 0.05

  /// The values of one figure on both sides, one for each replication, positive.
  public struct Sample: Hashable, Sendable {
    public let before: [Double]
    public let after: [Double]
    /// Whether values at one place share their random numbers.
    public let isPaired: Bool

    public init(before: [Double], after: [Double], isPaired: Bool) {
      self.before = before
      self.after = after
      self.isPaired = isPaired
    }

    /// What the ratio is one of: the geometric mean of paired values, which share their outliers, and the median of others.
    public func middle(_ side: KeyPath<Sample, [Double]>) -> Double {
      let values = self[keyPath: side]
      guard isPaired else { return OrderStatistics.median(of: values) }
      let sum = values.map(Ratio.logarithm).reduce(0, +)
      return Ratio.exponential(sum / Double(values.count))
    }
  }

  /// - Parameters:
  ///   - margin: The growth that is tolerated: 0.05 is 5 %. Shrinking by its inverse is the same on the scale of ratios.
  ///   - resolution: The relative width of the classes that values were counted in.
  ///   - noun: What a value comes from, as reasons call it.
  /// - Returns: One judgement for each sample, in their order.
  public static func judge(
    _ samples: [Sample], margin: Double = standardMargin, resolution: Double = 0,
    noun: String = "replication"
  ) -> [ChangeJudgement] {
    precondition(margin >= 0 && margin.isFinite, "a margin is not negative")
    let reach = Ratio.logarithm(1 + margin)
    var tables: [Sizes: MannWhitney] = [:]
    let measured = samples.map { sample -> Result<LogRatio, TooFew> in
      let have = min(sample.before.count, sample.after.count)
      guard have >= fewest else { return .failure(TooFew(have: have, need: fewest)) }
      if sample.isPaired {
        return LogRatio.paired(
          before: sample.before, after: sample.after, margin: reach, confidence: confidence,
          resolution: resolution)
      }
      let sizes = Sizes(before: sample.before.count, after: sample.after.count)
      let table = tables[sizes] ?? MannWhitney(before: sizes.before, after: sizes.after)
      tables[sizes] = table
      return table.logRatio(
        before: sample.before, after: sample.after, margin: reach, confidence: confidence)
    }
    let any = adjusted(measured) { min(1, 2 * $0.chance.smaller) }
    let beyond = adjusted(measured) { $0.chanceWithinMargin.smaller }
    let count = measured.count { if case .success = $0 { true } else { false } }
    return measured.indices.map { place in
      switch measured[place] {
      case .failure(let tooFew): ChangeJudgement(tooFew, noun)
      case .success(let found):
        ChangeJudgement(
          found, any: any[place], beyond: beyond[place], among: count, margin: reach, noun: noun,
          visible: smallestVisible(
            found, samples[place], tables, among: count, margin: reach))
      }
    }
  }

  /// Holm's adjustment over those that were measured; 1 for the others.
  private static func adjusted(
    _ measured: [Result<LogRatio, TooFew>], _ chance: (LogRatio) -> Double
  ) -> [Double] {
    let known = measured.map { result -> Double? in
      if case .success(let found) = result { chance(found) } else { nil }
    }
    var adjusted = Comparison.holm(known.compactMap(\.self))[...]
    return known.map { $0 == nil ? 1 : adjusted.removeFirst() }
  }

  private struct Sizes: Hashable {
    let before: Int
    let after: Int
  }

  private init(_ few: TooFew, _ noun: String) {
    reason = "too few \(noun)s in common: \(few.have), and a comparison needs \(few.need)"
    (verdict, ratio, interval, smallestVisible, chance) = (.inconclusive, nil, nil, nil, nil)
  }

  private init(
    _ found: LogRatio, any: Double, beyond: Double, among count: Int, margin: Double, noun: String,
    visible: Double?
  ) {
    chance = any
    ratio = Ratio.exponential(found.estimate)
    interval = Interval(
      low: Ratio.exponential(found.interval.low), high: Ratio.exponential(found.interval.high),
      confidence: found.interval.confidence)
    smallestVisible = visible
    let single = 2 * found.chance.smaller <= Self.falseAlarms
    if any <= Self.falseAlarms, beyond <= Self.marginErrors {
      verdict = found.estimate > 0 ? .regression : .improved
      reason = nil
    } else if -margin <= found.interval.low, found.interval.high <= margin {
      (verdict, reason) = (.equivalent, nil)
    } else {
      verdict = .inconclusive
      reason =
        single && found.chanceWithinMargin.smaller <= Self.marginErrors
        ? "by itself it would count as changed; among \(count) figures it can be chance"
        : "the interval reaches beyond the margin; more \(noun)s would tell"
    }
  }

  /// What another comparison of this kind takes to pass both tests, each as the strictest of Holm's steps, with the power.
  ///
  /// A test asks for c standard errors, of its own run; what is seen here is another run's. So a change of K of these has to leave room
  /// for the noise of the estimate and for that of both standard errors, each of which varies by 1/√(2·degrees) of itself:
  /// (K − c)/√(1 + (K² + c²)/(2·degrees)) is the normal quantile of the power. (The noise of the estimate alone, as before, promised
  /// 90 % and found 77 %.)
  private static func smallestVisible(
    _ found: LogRatio, _ sample: Sample, _ tables: [Sizes: MannWhitney], among count: Int,
    margin: Double
  ) -> Double? {
    func reach(_ level: Double) -> Double? {
      guard !sample.isPaired else {
        return Quantiles.studentT(1 - level, degrees: found.degrees) * found.standardError
      }
      let sizes = Sizes(before: sample.before.count, after: sample.after.count)
      return tables[sizes]?.reach(from: sample.before, to: sample.after, level: level)
    }
    func visible(_ reach: Double) -> Double {
      guard found.standardError > 0 else { return reach }
      let c = reach / found.standardError
      let z = Quantiles.normal(power)
      let rest = 1 - z * z / (2 * found.degrees)
      let root = (c * c * (1 - rest * rest) + rest * z * z).squareRoot()
      return (c + root) / rest * found.standardError
    }
    guard let change = reach(falseAlarms / 2 / Double(count)),
      let more = reach(marginErrors / Double(count))
    else { return nil }
    return Ratio.exponential(max(visible(change), margin + visible(more))) - 1
  }
}
