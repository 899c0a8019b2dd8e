import Statistics
import Testing
import Timekeeping
import Verdicts

@Suite struct `The Mann–Whitney table` {
  /// - Source: printed tables of critical values of U, two-sided at 5 % and at 1 %.
  @Test(arguments: [
    (4, 4, 0.05, 0), (5, 5, 0.05, 2), (8, 8, 0.05, 13), (10, 10, 0.05, 23), (20, 20, 0.05, 127),
    (7, 12, 0.05, 18), (10, 10, 0.01, 16), (20, 20, 0.01, 105), (9, 6, 0.01, 5),
  ])
  func `has the critical values as printed`(first: Int, second: Int, level: Double, value: Int) {
    #expect(MannWhitney(before: first, after: second).criticalValue(level: level) == value)
  }

  @Test func `is exact and symmetric`() {
    let table = MannWhitney(before: 3, after: 3)
    // 20 arrangements; U ≤ 0, 1, 2 in 1, 2, 4 of them.
    #expect(abs(table.probability(atMost: 0) - 0.05) < 1e-15)
    #expect(abs(table.probability(atMost: 2) - 0.2) < 1e-15)
    #expect(abs(table.probability(atMost: 4) - 0.5) < 1e-15)
    #expect(table.probability(atMost: -1) == 0 && abs(table.probability(atMost: 9) - 1) < 1e-15)
    #expect(table.criticalValue(level: 0.05) == nil)
  }

  /// All arrangements counted in integers: those of the first m − 1 and n values that end with the last of either sample.
  private func counts(_ m: Int, _ n: Int) -> [UInt128] {
    var table = [[UInt128]](repeating: [1], count: n + 1)
    for first in stride(from: 1, through: m, by: 1) {
      var row: [[UInt128]] = [[1]]
      for second in stride(from: 1, through: n, by: 1) {
        var ways = [UInt128](repeating: 0, count: first * second + 1)
        for (u, count) in row[second - 1].enumerated() { ways[u] += count }
        for (u, count) in table[second].enumerated() { ways[u + second] += count }
        row.append(ways)
      }
      table = row
    }
    return table[n]
  }

  @Test(arguments: [(1, 1), (3, 8), (8, 3), (12, 20), (25, 25), (40, 17)])
  func `agrees with arrangements counted in integers`(first: Int, second: Int) {
    let table = MannWhitney(before: first, after: second)
    let counts = counts(first, second)
    let whole = Double(counts.reduce(0, +))
    var sum: UInt128 = 0
    for (u, count) in counts.enumerated() {
      sum += count
      #expect(relative(table.probability(atMost: u), Double(sum) / whole) < 1e-13, "\(u)")
    }
  }

  /// - Source: Python's integers: the coefficients of Gauss's binomial, built factor by factor as lists of `int`, summed up to u over
  ///   `math.comb(m + n, m)`.
  @Test func `is exact at three hundred a side`() {
    let table = MannWhitney(before: 300, after: 300)
    for (u, expected) in [
      (0, 7.401489395998409e-180), (20_000, 9.8128222594607e-35), (30_000, 4.277332929749959e-13),
      (36_000, 1.0451581688351824e-05), (38_000, 0.0004775883588647607),
      (40_000, 0.009228192486553832), (42_000, 0.0789094341588544),
      (44_000, 0.3190170253480535), (45_000, 0.5000938828041236),
      (51_999, 1 - 0.0004775883588647607), (90_000, 1),
    ] { #expect(relative(table.probability(atMost: u), expected) < (u > 45_000 ? 1e-8 : 1e-12)) }
    let mixed = MannWhitney(before: 300, after: 37)
    for (u, expected) in [
      (2_000, 6.6389460840305536e-12), (3_500, 9.890925335708249e-05),
      (5_000, 0.16354779047331675), (5_549, 0.4996447301222662),
    ] { #expect(relative(mixed.probability(atMost: u), expected) < 1e-12) }
  }

  /// - Source: Python's integers, as above; NumPy's Edgeworth series is off by at most 2.4e-5 of a tail above 1e-6.
  @Test func `is approximated closely beyond`() {
    for (u, exact) in [
      (36_000, 1.0451581688351824e-05), (38_000, 0.0004775883588647607),
      (40_000, 0.009228192486553832), (42_000, 0.0789094341588544), (45_000, 0.5000938828041236),
    ] {
      let approximate = MannWhitney.approximateProbability(atMost: u, before: 300, after: 300)
      #expect(relative(approximate, exact) < 3e-5, "\(u)")
    }
    let beyond = MannWhitney(before: 400, after: 400)
    #expect(beyond.probability(atMost: -1) == 0 && beyond.probability(atMost: 160_000) == 1)
    #expect(abs(beyond.probability(atMost: 79_999) - 0.5) < 1e-4)
    let critical = beyond.criticalValue(level: 0.05)
    // The middle minus 1.96·√(400²·801/12) = 6,405.2.
    #expect(critical == 80_000 - 6_405)
  }

  @Test(arguments: [20, 300, 400])
  func `a growth within the margin is no regression`(size: Int) {
    var stream = RandomStream(
      seed: 83, owner: stableHash("within the margin"), purpose: UInt32(size))
    var grown = 0
    for _ in 0..<(size > 100 ? 3 : 20) {
      let before = (0..<size).map { _ in Elementary.exp(0.02 * stream.normal()) }
      let after = (0..<size).map { _ in 1.015 * Elementary.exp(0.02 * stream.normal()) }
      let judged = ChangeJudgement.judge([
        ChangeJudgement.Sample(before: before, after: after, isPaired: false)
      ])
      if judged[0].verdict == .regression { grown += 1 }
      if size >= 300 { #expect(judged[0].verdict == .equivalent) }
    }
    #expect(grown == 0)
  }

  @Test func `ties are taken into account beyond three hundred a side`() throws {
    // Times in whole hundredths: every value stands forty times on either side. Without the correction the chance would be larger.
    let before = (0..<400).map { 1 + 0.01 * Double($0 % 10) }
    let after = (0..<400).map { place in
      let step = (place + place / 100) % 11
      return 1 + 0.01 * Double(step)
    }
    let ratio = try MannWhitney(before: 400, after: 400).logRatio(
      before: before, after: after, margin: 0
    ).get()
    // SciPy 1.17: mannwhitneyu(after, before, alternative="greater", method="asymptotic").pvalue
    #expect(abs(ratio.chance.ofMore - 0.016217616996665435) < 2e-4)
  }
}
