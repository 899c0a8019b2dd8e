import Statistics

/// Whether figures grew or shrank between two runs, judged all together.
///
/// A figure is a regression when it surely grew by more than the margin, improved when it surely shrank by more, equivalent when its
/// 95 % interval lies within the margin, and inconclusive otherwise. "Surely" is Holm's procedure over all figures, in both directions:
/// two runs that do not differ give any regression or improvement at all with at most 1 % probability, however many figures there are.
package struct ChangeJudgement: Hashable, Sendable {
  package let verdict: ChangeVerdict
  package let reason: String?
  /// After over before: 1.1 is 10 % more; `nil` with too few values.
  package let ratio: Double?
  /// Of the ratio, at 95 %, for this figure alone.
  package let interval: Interval?
  /// The smallest growth that this comparison would have called a regression with a probability of 90 %: 0.08 is 8 %.
  package let smallestVisible: Double?
  /// The chance of a regression or an improvement where there is none, adjusted for the number of figures.
  package let chance: Double?

  /// Probability of any false alarm in a whole comparison.
  package static let falseAlarms = 0.01
  package static let confidence = 0.95
  /// Probability with which the smallest visible change is seen.
  package static let power = 0.9
  /// Fewer values on a side decide nothing.
  package static let fewest = 5
  package static let standardMargin = 0.05

  /// The values of one figure on both sides, one for each replication, positive.
  package struct Sample: Hashable, Sendable {
    package let before: [Double]
    package let after: [Double]
    /// Whether values at one place share their random numbers.
    package let isPaired: Bool

    package init(before: [Double], after: [Double], isPaired: Bool) {
      self.before = before
      self.after = after
      self.isPaired = isPaired
    }
  }

  /// - Parameters:
  ///   - margin: The growth that nobody minds: 0.05 is 5 %. Shrinking by its inverse is the same on the scale of ratios.
  ///   - resolution: The relative width of the classes that values were counted in.
  /// - Returns: One judgement for each sample, in their order.
  package static func judge(
    _ samples: [Sample], margin: Double = standardMargin, resolution: Double = 0
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
    let chances = measured.map { result -> Double? in
      guard case .success(let found) = result else { return nil }
      // Both directions are looked at.
      return min(1, 2 * min(found.chanceOfMore, found.chanceOfLess))
    }
    var adjusted = Comparison.holm(chances.compactMap(\.self))[...]
    let known = chances.count { $0 != nil }
    return zip(measured, chances).map { result, chance in
      ChangeJudgement(
        result, chance: chance, adjusted: chance.flatMap { _ in adjusted.popFirst() },
        among: known, margin: reach)
    }
  }

  private struct Sizes: Hashable {
    let before: Int
    let after: Int
  }

  private init(
    _ result: Result<LogRatio, TooFew>, chance single: Double?, adjusted: Double?,
    among count: Int, margin: Double
  ) {
    chance = adjusted
    guard case .success(let found) = result, let single, let adjusted else {
      if case .failure(let few) = result {
        reason = "too few replications in common: \(few.have), and a comparison needs \(few.need)"
      } else {
        reason = nil
      }
      (verdict, ratio, interval, smallestVisible) = (.inconclusive, nil, nil, nil)
      return
    }
    ratio = Ratio.exponential(found.estimate)
    interval = Interval(
      low: Ratio.exponential(found.interval.low), high: Ratio.exponential(found.interval.high),
      confidence: found.interval.confidence)
    let certainty = 1 - Self.falseAlarms / 2 / Double(count)
    let needed =
      Quantiles.studentT(certainty, degrees: found.degrees)
      + Quantiles.studentT(Self.power, degrees: found.degrees)
    smallestVisible = Ratio.exponential(margin + needed * found.standardError) - 1
    if adjusted <= Self.falseAlarms {
      verdict = found.chanceOfMore < found.chanceOfLess ? .regression : .improved
      reason = nil
    } else if -margin <= found.interval.low, found.interval.high <= margin {
      (verdict, reason) = (.equivalent, nil)
    } else {
      verdict = .inconclusive
      reason =
        single <= Self.falseAlarms
        ? "by itself it would count as changed; among \(count) figures it can be chance"
        : "the interval reaches beyond the margin; more replications would tell"
    }
  }
}
