import Contracts
import Observations
import Testing
import Timekeeping

@Suite struct `What a backend's searches come to` {
  @Test func `calls without an attempt do not count, the others with all that they took`() {
    var tally = SearchTally()
    tally.count(Searches(), took: .milliseconds(9))
    tally.count(Searches(attempts: 2, examined: 7), took: .microseconds(30))
    tally.count(Searches(attempts: 1, examined: 0), took: nil)
    #expect(tally.calls == 2)
    #expect(tally.searches == Searches(attempts: 3, examined: 7))
    #expect(tally.inProcess.count == 1)
    #expect(abs(tally.inProcess.mean! - 30e-6) < 30e-9)
  }

  @Test func `tallies of regions add up`() {
    var (a, b) = (SearchTally(), SearchTally())
    a.count(Searches(attempts: 1, examined: 4), took: .microseconds(5))
    b.count(Searches(attempts: 3, examined: 1), took: .microseconds(7))
    a.merge(b)
    #expect(a.calls == 2)
    #expect(a.searches == Searches(attempts: 4, examined: 5))
    #expect(a.inProcess.count == 2)
  }
}
