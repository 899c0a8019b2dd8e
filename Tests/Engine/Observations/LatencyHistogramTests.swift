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
