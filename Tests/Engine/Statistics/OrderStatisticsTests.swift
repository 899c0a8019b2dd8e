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
}
