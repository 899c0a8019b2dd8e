import Statistics
import Testing

@Suite struct `Summaries of a sample` {
  @Test(arguments: ReferenceSample.all)
  func `agree with NIST's certified values`(sample: ReferenceSample) throws {
    let summary = try #require(Summary(sample.values))
    // NumAcc3 and NumAcc4 lose digits before any sum begins: 10000000.1 − 10000000.2 has eight left.
    let digits = ["NumAcc3": 1e-9, "NumAcc4": 1e-8][sample.name] ?? 1e-12
    #expect(relative(summary.mean, sample.mean) < 1e-14)
    #expect(relative(try #require(summary.standardDeviation), sample.standardDeviation) < digits)
    #expect(relative(try #require(summary.autocorrelation), sample.autocorrelation) < digits)
  }

  @Test func `order the sample for median, smallest and largest`() throws {
    let odd = try #require(Summary([5, 1, 9]))
    #expect(odd.median == 5 && odd.min == 1 && odd.max == 9 && odd.count == 3)
    #expect(Summary([4, 1, 2, 3])?.median == 2.5)
    #expect(Summary([7])?.median == 7)
  }

  /// - Source: SciPy 1.17, `scipy.stats.skew(…, bias=False)`.
  @Test func `give the adjusted skewness`() throws {
    let skewness = try #require(Summary([2, 4, 4, 4, 5, 5, 7, 9, 30])?.skewness)
    #expect(relative(skewness, 2.7009186895769766) < 1e-13)
  }

  @Test func `say nothing where there are too few`() throws {
    #expect(Summary([]) == nil)
    let one = try #require(Summary([3]))
    #expect(one.mean == 3 && one.standardDeviation == nil && one.autocorrelation == nil)
    #expect(Summary([3, 4])?.skewness == nil)
    let equal = try #require(Summary([Double](repeating: 0.1, count: 30)))
    #expect(equal.mean == 0.1 && equal.standardDeviation == 0 && equal.skewness == nil)
    #expect(equal.autocorrelation == nil)
  }
}

func relative(_ a: Double, _ b: Double) -> Double { b == 0 ? a.magnitude : (a / b - 1).magnitude }
