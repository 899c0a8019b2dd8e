import Statistics
import Testing
import Timekeeping

@Suite struct `Intervals` {
  /// - Source: printed tables of Student's t, to their digits.
  @Test func `rest on quantiles that agree with printed tables`() {
    #expect(abs(Quantiles.normal(0.975) - 1.959964) < 5e-7)
    #expect(abs(Quantiles.studentT(0.975, degrees: 9) - 2.262) < 5e-4)
    #expect(abs(Quantiles.studentT(0.95, degrees: 19) - 1.729) < 5e-4)
    #expect(abs(Quantiles.studentT(0.995, degrees: 30) - 2.750) < 5e-4)
  }

  /// - Source: SciPy 1.17, `beta.ppf`.
  @Test func `rest on beta quantiles that agree with SciPy`() {
    #expect(abs(Quantiles.beta(0.1, 2, 3) - 0.14255932) < 1e-8)
    #expect(abs(Quantiles.beta(0.5, 30, 0.5) - 0.99238347) < 1e-8)
    #expect(Quantiles.beta(0, 2, 3) == 0 && Quantiles.beta(1, 2, 3) == 1)
    #expect(Quantiles.beta(0.5, 0, 3).isNaN && Quantiles.beta(2, 1, 1).isNaN)
  }

  /// GSL's own inverses give up on all of these.
  ///
  /// - Source: SciPy 1.17, `t.ppf`.
  @Test func `rest on quantiles that do not give up far out`() {
    #expect(relative(Quantiles.studentT(1e-100, degrees: 1_000), -23.930617087826437) < 1e-9)
    #expect(relative(Quantiles.studentT(1e-20, degrees: 1), -3.183098861837907e19) < 1e-9)
  }

  @Test func `rest on quantiles whose ends are the ends of their distributions`() {
    #expect(Quantiles.studentT(0.5, degrees: 7) == 0)
    #expect(Quantiles.studentT(0, degrees: 7) == -.infinity)
    #expect(Quantiles.studentT(1, degrees: 7) == .infinity)
    for p in [-0.1, 1.1, .nan] {
      #expect(Quantiles.studentT(p, degrees: 7).isNaN && Quantiles.beta(p, 7, 2).isNaN)
    }
    #expect(Quantiles.studentT(0.9, degrees: 0).isNaN && Quantiles.beta(0.9, -1, 2).isNaN)
  }

  @Test func `of equal values have no width at any confidence`() throws {
    let sure = try Interval.ofMean([2, 2], confidence: 1.0.nextDown).get()
    #expect(sure.low == 2 && sure.high == 2)
  }

  @Test func `of a mean need two values and are symmetric about the mean`() throws {
    #expect(Interval.ofMean([]) == .failure(TooFew(have: 0, need: 2)))
    #expect(Interval.ofMean([1]) == .failure(TooFew(have: 1, need: 2)))
    // n = 10, mean 5.5, s = 3.02765; 5.5 ± 2.26216 · 0.95743.
    let interval = try Interval.ofMean((1...10).map(Double.init)).get()
    #expect(abs(interval.low - 3.33415) < 1e-5 && abs(interval.high - 7.66585) < 1e-5)
    #expect(interval.confidence == 0.95 && interval.contains(5.5) && !interval.contains(8))
    let equal = try Interval.ofMean([2, 2, 2]).get()
    #expect(equal.low == 2 && equal.high == 2)
  }

  /// - Source: SciPy 1.17, `beta.ppf(0.975, k + 1, n - k)`.
  @Test(arguments: [
    (count: 0, tries: 10, bound: 0.3084971078187607), (1, 10, 0.4450161170281954),
    (5, 20, 0.49104587170795744), (10, 10, 1), (81, 263, 0.36762192260135135),
    (100, 1_000_000, 0.00012162547857124547), (5_000_000, 10_000_000, 0.5003099474786289),
  ])
  func `upper bounds of a share agree with SciPy from none to millions`(
    count: Int, tries: Int, bound: Double
  ) {
    #expect(relative(Ratio.upperBound(of: count, in: tries, confidence: 0.975), bound) < 1e-7)
  }

  @Test func `upper bounds of a share are never exceeded more often than they promise`() {
    for tries in [5, 20, 60] {
      for share in stride(from: 0.01, to: 1, by: 0.01) {
        // The binomial probabilities one after the other.
        var chance = Elementary.exp(Double(tries) * Elementary.log1p(-share))
        var missed = 0.0
        for count in 0...tries {
          if Ratio.upperBound(of: count, in: tries) < share { missed += chance }
          chance *= Double(tries - count) / Double(count + 1) * share / (1 - share)
        }
        #expect(missed <= 0.05 + 1e-9)
      }
    }
  }

  /// The expected coverage is that of 100,000 repetitions in NumPy 2.4; four standard errors of 2,000 lie between 0.020 and 0.027.
  @Test(arguments: [(count: 10, expected: 0.899), (50, 0.935), (200, 0.946)])
  func `of a mean cover exponential data as often as NumPy finds`(count: Int, expected: Double)
    throws
  {
    let seed: UInt64 = 77
    var stream = RandomStream(seed: seed, owner: stableHash("coverage"), purpose: UInt32(count))
    var covered = 0
    for _ in 0..<2_000 {
      let values = (0..<count).map { _ in stream.exponential(mean: 1) }
      if try Interval.ofMean(values).get().contains(1) { covered += 1 }
    }
    let coverage = Double(covered) / 2_000
    print("seed \(seed): t intervals of \(count) exponential values cover \(coverage * 100) %")
    #expect(abs(coverage - expected) < 0.02)
  }
}
