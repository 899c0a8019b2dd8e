import CGSL
import Statistics
import Testing
import Timekeeping

@Suite struct `Order statistics` {
  @Test func `a quantile is an observation with enough of the others at or below it`() {
    let sorted: [Double] = [10, 20, 30, 40]
    #expect(OrderStatistics.quantile(0, ofSorted: sorted) == 10)
    #expect(OrderStatistics.quantile(0.25, ofSorted: sorted) == 10)
    #expect(OrderStatistics.quantile(0.26, ofSorted: sorted) == 20)
    #expect(OrderStatistics.quantile(0.5, ofSorted: sorted) == 20)
    #expect(OrderStatistics.quantile(1, ofSorted: sorted) == 40)
    #expect(OrderStatistics.quantile(0.5, ofSorted: []) == nil)
  }

  @Test func `a rounding error costs no rank`() {
    for count in 1...200 {
      for percent in 0...100 {
        let rank = max(1, (percent * count + 99) / 100)
        #expect(OrderStatistics.rank(ofQuantile: Double(percent) / 100, count: count) == rank)
      }
    }
  }

  @Test func `no number of observations encloses what is next to never`() {
    #expect(OrderStatistics.fewest(forQuantile: 1e-300) == Int.max)
    #expect(
      OrderStatistics.ranks(ofQuantile: 1e-300, count: 10)
        == .failure(TooFew(have: 10, need: Int.max)))
  }

  /// - Source: W. J. Conover, "Practical Nonparametric Statistics": ranks 6 and 15 enclose the median of twenty with 95.9 %;
  ///   59 and 93 are Wilks's sample sizes for 95 % content, one-sided and two-sided.
  @Test func `known ranks and sample sizes are found`() throws {
    #expect(try OrderStatistics.ranks(ofQuantile: 0.5, count: 20).get() == 6...15)
    #expect(OrderStatistics.fewest(forQuantile: 0.95) == 59)
    #expect(OrderStatistics.fewest(forQuantile: 0.99) == 299)
    #expect(OrderStatistics.fewest(forQuantile: 0.5) == 6)
    #expect(OrderStatistics.fewest(forQuantile: 0.999) == 2_995)
  }

  @Test func `no pair of observations is better than a wrong one`() {
    #expect(
      OrderStatistics.ranks(ofQuantile: 0.99, count: 298)
        == .failure(TooFew(have: 298, need: 299)))
    #expect(
      OrderStatistics.interval(ofQuantile: 0.5, ofSorted: []) == .failure(TooFew(have: 0, need: 6)))
    #expect(
      OrderStatistics.interval(ofQuantile: 0.5, ofSorted: [1, 2, 3, 4, 5])
        == .failure(TooFew(have: 5, need: 6)))
  }

  @Test(arguments: [0.01, 0.5, 0.9, 0.99, 0.999], [0.9, 0.95, 0.99])
  func `ranks reach the confidence, by GSL's binomial distribution`(q: Double, confidence: Double)
    throws
  {
    let fewest = OrderStatistics.fewest(forQuantile: q, confidence: confidence)
    for count in [fewest, fewest + 1, 2 * fewest, 10 * fewest + 7, 100_000] where count >= fewest {
      let ranks = try OrderStatistics.ranks(ofQuantile: q, count: count, confidence: confidence)
        .get()
      let below = gsl_cdf_binomial_P(UInt32(ranks.lowerBound - 1), q, UInt32(count))
      let reached = gsl_cdf_binomial_P(UInt32(ranks.upperBound - 1), q, UInt32(count)) - below
      #expect(reached >= confidence - 1e-9, "\(count) observations")
      #expect(ranks.lowerBound >= 1 && ranks.upperBound <= count)
    }
  }

  @Test func `intervals of a 95th percentile cover exponential data as promised`() throws {
    let seed: UInt64 = 78
    var stream = RandomStream(seed: seed, owner: stableHash("coverage"), purpose: 0)
    let truth = gsl_cdf_exponential_Pinv(0.95, 1)
    var covered = 0
    for _ in 0..<2_000 {
      let sorted = (0..<200).map { _ in stream.exponential(mean: 1) }.sorted()
      let interval = try OrderStatistics.interval(ofQuantile: 0.95, ofSorted: sorted).get()
      if interval.contains(truth) { covered += 1 }
    }
    let coverage = Double(covered) / 2_000
    print("seed \(seed): order-statistic intervals cover \(coverage * 100) %")
    // At least 95 % less three standard errors of 0.5 %; discreteness can add about two.
    #expect(coverage > 0.935 && coverage < 0.985)
  }
}
