import Statistics
import Testing
import Timekeeping

@Suite struct `Comparing two samples` {
  /// - Source: R 4, `p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")`; by hand: 0.03, 0.06, 0.06, 0.02.
  @Test func `Holm's adjustment raises and orders the p-values`() {
    let adjusted = Comparison.holm([0.01, 0.04, 0.03, 0.005])
    for (value, expected) in zip(adjusted, [0.03, 0.06, 0.06, 0.02]) {
      #expect(abs(value - expected) < 1e-15)
    }
    #expect(Comparison.holm([0.9, 0.8]) == [1, 1])
    #expect(Comparison.holm([]) == [])
  }

  @Test func `the shift is the median difference between its exact bounds`() throws {
    let before: [Double] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    let after = before.map { $0 + 3 }
    let shift = try Comparison.shift(from: before, to: after).get()
    #expect(shift.estimate == 3)
    // Tables of the Mann–Whitney test: U of 10 and 10 at 5 % two-sided is 23, so the 24th smallest difference.
    let differences = after.flatMap { a in before.map { a - $0 } }.sorted()
    #expect(shift.interval.low == differences[23] && shift.interval.high == differences[76])
  }

  /// - Source: tables of the Mann–Whitney test at 5 % two-sided: no critical value for 3 and 3, 0 for 4 and 4.
  @Test func `three runs a side are too few, four are enough`() throws {
    #expect(
      Comparison.shift(from: [1, 2, 3], to: [7, 8, 9]) == .failure(TooFew(have: 3, need: 4)))
    let shift = try Comparison.shift(from: [1, 2, 3, 4], to: [7, 8, 9, 10]).get()
    #expect(shift.interval.low == 3 && shift.interval.high == 9)
    #expect(Comparison.shift(from: [], to: [1]) == .failure(TooFew(have: 0, need: 4)))
  }

  @Test(arguments: [(10, 10), (10, 17), (30, 30)])
  func `intervals of a shift cover as promised`(before: Int, after: Int) throws {
    let seed: UInt64 = 81
    var stream = RandomStream(seed: seed, owner: stableHash("shift"), purpose: UInt32(after))
    var covered = 0
    for _ in 0..<1_000 {
      let old = (0..<before).map { _ in stream.exponential(mean: 1) }
      let new = (0..<after).map { _ in stream.exponential(mean: 1) + 0.5 }
      if try Comparison.shift(from: old, to: new).get().interval.contains(0.5) { covered += 1 }
    }
    print("seed \(seed): shift intervals of \(before) and \(after) cover \(Double(covered) / 10) %")
    #expect(covered > 930 && covered < 985)
  }

  /// - Source: Y. Benjamini, Y. Hochberg, JRSS B 57 (1995), section 4: fifteen comparisons of two treatments, of which the procedure
  ///   finds four at 5 % and Bonferroni's, as Holm's, three.
  @Test func `false discoveries are kept rare as in the published example`() {
    let chances = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
      0.5719, 0.6528, 0.7590, 1.0,
    ]
    #expect(Comparison.benjaminiHochberg(chances).count { $0 <= 0.05 } == 4)
    #expect(Comparison.holm(chances).count { $0 <= 0.05 } == 3)
  }

  /// By hand: 0.01 · 4/1, 0.02 · 4/2, 0.03 · 4/3 and 0.5 · 4/4, none larger than a later one.
  @Test func `adjusted for false discoveries, chances keep their order and never exceed one`() {
    #expect(
      zip(Comparison.benjaminiHochberg([0.03, 0.5, 0.01, 0.02]), [0.04, 0.5, 0.04, 0.04])
        .allSatisfy { abs($0 - $1) < 1e-15 })
    #expect(Comparison.benjaminiHochberg([]) == [])
    #expect(Comparison.benjaminiHochberg([1, 1]) == [1, 1])
    #expect(Comparison.benjaminiHochberg([0.04, 0.04, 0.04]) == [0.04, 0.04, 0.04])
  }
}
