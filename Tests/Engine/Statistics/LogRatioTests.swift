import Statistics
import Testing
import Timekeeping

@Suite struct `Ratios of two sides` {
  /// - Source: SciPy 1.17.1, `stats.ttest_1samp` of the logarithms of the ratios.
  @Test func `pairs give the t interval of their log-ratios`() throws {
    let ratio = try LogRatio.paired(
      before: [10, 11, 10, 12, 10.5], after: [11, 12.5, 9.8, 13, 12], margin: 0
    ).get()
    #expect(abs(ratio.estimate - 0.083_302_988_858_949_9) < 1e-14)
    #expect(abs(ratio.interval.low - 0.006_324_63) < 1e-7)
    #expect(abs(ratio.interval.high - 0.160_281_35) < 1e-7)
    #expect(abs(ratio.chance.ofMore - 0.019_881_397_120_289) < 1e-12)
    #expect(ratio.degrees == 4)
    #expect(abs(ratio.chance.ofMore + ratio.chance.ofLess - 1) < 1e-12)
  }

  /// A margin of exactly the mean log-ratio leaves even chances.
  @Test func `a margin is subtracted before chances are worked out`() throws {
    let pairs = (before: [1.0, 1, 1, 1], after: [1.1, 1.2, 1.15, 1.05])
    let plain = try LogRatio.paired(before: pairs.before, after: pairs.after, margin: 0).get()
    let shifted = try LogRatio.paired(
      before: pairs.before, after: pairs.after, margin: plain.estimate
    ).get()
    #expect(abs(shifted.chanceWithinMargin.ofMore - 0.5) < 1e-12)
    #expect(shifted.chanceWithinMargin.ofLess > 0.99 && plain.chance.ofMore < 0.02)
  }

  @Test func `equal ratios prove no more than the classes they were counted in`() throws {
    let same = (before: [1.0, 2, 3], after: [1.1, 2.2, 3.3])
    let exact = try LogRatio.paired(before: same.before, after: same.after, margin: 0).get()
    #expect(exact.chance.ofMore < 1e-20)
    let counted = try LogRatio.paired(
      before: [1, 1], after: [1.001, 1.001], margin: 0, resolution: 1.0 / 1_024
    ).get()
    #expect(counted.chance.ofMore > 0.05 && counted.interval.contains(0))
    #expect(
      LogRatio.paired(before: [1], after: [2], margin: 0) == .failure(TooFew(have: 1, need: 2)))
  }

  /// - Source: the smallest chance of 4 against 4 is 1/70, of 5 against 5 1/252.
  @Test func `independent samples have exact chances`() throws {
    let table = MannWhitney(before: 5, after: 5)
    let apart = try table.logRatio(
      before: [1, 2, 3, 4, 5], after: [60, 70, 80, 90, 100], margin: 0
    ).get()
    #expect(abs(apart.chance.ofMore - 1.0 / 252) < 1e-15)
    #expect(apart.chance.ofLess == 1)
    let four = try MannWhitney(before: 4, after: 4).logRatio(
      before: [5, 6, 7, 8], after: [1, 2, 3, 4], margin: 0
    ).get()
    #expect(abs(four.chance.ofLess - 1.0 / 70) < 1e-15)
  }

  @Test func `ties count against a difference`() throws {
    let table = MannWhitney(before: 5, after: 5)
    let equal = try table.logRatio(
      before: [1, 1, 1, 1, 1], after: [1, 1, 1, 1, 1], margin: 0
    ).get()
    #expect(equal.chance.ofMore == 1 && equal.chance.ofLess == 1 && equal.estimate == 0)
  }

  @Test func `the estimate is the median ratio of all pairs`() throws {
    let before = [1.0, 2, 4, 8, 16]
    let ratio = try MannWhitney(before: 5, after: 5).logRatio(
      before: before, after: before.map { $0 * 1.5 }, margin: 0
    ).get()
    #expect(abs(ratio.estimate - Elementary.log(1.5)) < 1e-12)
  }

  @Test func `tables stay exact for two hundred a side`() throws {
    // Symmetric, and the smallest chance is 1 over the number of arrangements, 400 over 200.
    let table = MannWhitney(before: 200, after: 200)
    let low = (0..<200).map { 1 + Double($0) }
    let high = (0..<200).map { 1_000 + Double($0) }
    let apart = try table.logRatio(before: low, after: high, margin: 0).get()
    #expect(apart.chance.ofMore < 1e-100 && apart.chance.ofLess > 1 - 1e-9)
    let mixed = (0..<200).map { 1 + 2 * Double($0) }
    let between = (0..<200).map { 2 + 2 * Double($0) }
    let even = try table.logRatio(before: mixed, after: between, margin: 0).get()
    // One of the two medians is half a step ahead: 20,100 of 40,000 pairs; by the normal approximation P(U ≥ 20,100) = 0.4657.
    #expect(abs(even.chance.ofMore - 0.4657) < 0.001)
  }
}
