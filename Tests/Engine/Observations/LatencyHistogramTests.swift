import Observations
import Testing
import Timekeeping

@Suite struct `Histograms of times` {
  @Test func `a rounding error costs no rank`() {
    for count in [7, 20, 50, 100, 200] {
      var histogram = LatencyHistogram()
      for place in 1...count { histogram.record(.microseconds(Int64(place))) }
      for percent in 0...100 {
        let rank = max(1, (percent * count + 99) / 100)
        #expect(histogram.quantile(Double(percent) / 100) == .microseconds(Int64(rank)))
      }
    }
  }

  @Test(arguments: [1, 1_023, 1_024, 1_025, 3_000])
  func `says the same of its samples, whether they are kept one by one or by bucket`(count: Int) {
    let once = Span.seconds(90)
    var (few, byBucket) = (LatencyHistogram(), LatencyHistogram())
    // Two of one time at once are kept by bucket, and so is what comes after them.
    byBucket.record(once, times: 2)
    for place in 1...count {
      let time = Span.microseconds(Int64(place * place % 100_003))
      few.record(time)
      byBucket.record(time)
    }
    var two = LatencyHistogram()
    two.record(once)
    two.record(once)
    var together = few
    together.merge(two)
    #expect(together == byBucket && together.count == UInt64(count) + 2)
    #expect(together.quantile(0.5) == byBucket.quantile(0.5))
    #expect(together.count(above: .milliseconds(50)) == byBucket.count(above: .milliseconds(50)))
    byBucket.remove(two)
    #expect(few == byBucket && few.minimum == byBucket.minimum && few.maximum == byBucket.maximum)
    few.remove(byBucket)
    #expect(few.count == 0 && few.quantile(0.5) == nil)
  }

  @Test func `the histogram of the whole is that of its parts, in any order`() {
    let times = (1...3_000).map { Span.microseconds(Int64($0 * $0 % 100_003)) }
    func histogram(of times: some Sequence<Span>) -> LatencyHistogram {
      var histogram = LatencyHistogram()
      for time in times { histogram.record(time) }
      return histogram
    }
    let whole = histogram(of: times)
    var forwards = histogram(of: times[..<1_000])
    forwards.merge(histogram(of: times[1_000...]))
    var backwards = histogram(of: times[1_000...].reversed())
    backwards.merge(histogram(of: times[..<1_000]))
    backwards.merge(LatencyHistogram())
    #expect(forwards == whole && backwards == whole && whole.count == 3_000)
  }
}
