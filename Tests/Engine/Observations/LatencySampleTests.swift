import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Testing
import Timekeeping

@Suite struct `Latencies with those that have no end` {
  private func histogram(_ seconds: [Int]) -> LatencyHistogram {
    var histogram = LatencyHistogram()
    for second in seconds { histogram.record(.seconds(Int64(second))) }
    return histogram
  }

  private func seconds(_ span: Span?) -> Double? { span.map { $0.seconds.rounded() } }

  @Test func `a quantile counts who got no answer, and is none among them`() {
    let sample = LatencySample(ended: histogram(Array(1...90)), endless: 10)
    #expect(sample.count == 100)
    #expect(seconds(sample.quantile(0.5)) == 50 && seconds(sample.quantile(0.9)) == 90)
    #expect(sample.quantile(0.91) == nil && seconds(sample.quantileExceeds(0.91)) == 90)
    #expect(sample.count(above: .days(9)) == 10 && sample.countOpen(at: .days(9)) == 0)
    let dead = LatencySample(endless: 3)
    #expect(dead.quantile(0.5) == nil && dead.quantileExceeds(0.5) == nil)
    #expect(LatencySample().quantile(0.5) == nil)
  }

  @Test func `what was cut off exceeds the time that it had waited, and no more is said`() {
    let sample = LatencySample(
      ended: histogram(Array(1...10)), cutOff: histogram([2, 3, 20, 30, 40]))
    #expect(sample.count(above: .seconds(15)) == 3 && sample.countOpen(at: .seconds(15)) == 2)
    #expect(sample.count(above: .seconds(5)) == 8 && sample.countOpen(at: .seconds(5)) == 2)
    #expect(seconds(sample.quantile(0.6)) == 9 && sample.quantile(0.7) == nil)
    // 1 2 2 3 3 4 5 6 7 8 9 10 20 30 40: the eleventh is 9.
    #expect(seconds(sample.quantileExceeds(0.7)) == 9 && seconds(sample.quantileExceeds(1)) == 40)
  }

  @Test func `parts merge to the whole`() {
    var left = LatencySample(ended: histogram([1, 2]), endless: 1, cutOff: histogram([9]))
    left.merge(LatencySample(ended: histogram([3]), endless: 2, cutOff: histogram([8])))
    #expect(
      left
        == LatencySample(ended: histogram([1, 2, 3]), endless: 3, cutOff: histogram([8, 9])))
  }

  @Test(arguments: [(0.5, 2), (0.9, 10), (0.95, 20), (0.99, 100), (0.999, 1_000)])
  func `a quantile is told by as many as one of them lies beyond it`(q: Double, fewest: UInt64) {
    #expect(LatencyHistogram.tells(q, of: fewest) && !LatencyHistogram.tells(q, of: fewest - 1))
  }

  @Test
  func `a time of the domain that began in the warm-up is left out, but not its end from rates`() {
    let warm = epoch + .minutes(10)
    var books = BusinessTally(name: "b", title: "B", bound: nil, limit: nil, warmedUp: warm)
    books.begin("early", at: epoch)
    // It began already: it does not begin anew.
    books.begin("early", at: warm + .minutes(1))
    books.begin("given up early", at: epoch)
    books.begin("open early", at: epoch)
    for name: MilestoneKey in ["late", "given up", "open"] { books.begin(name, at: warm) }
    for name: MilestoneKey in ["early", "late"] { books.end(name, at: warm + .minutes(5)) }
    for name: MilestoneKey in ["given up early", "given up"] { books.abandon(name) }
    books.close(at: warm + .hours(1))
    #expect(books.finished.count == 1 && seconds(books.finished.maximum) == 300)
    #expect(books.unfinished.count == 1 && books.abandoned == 1 && books.ends == 2)
    #expect(books.sample.count == 2)
  }
}

@Suite struct `What an outcome adds to response times` {
  /// A person who asks once a minute for an hour.
  private let steady = ToyBackend(persons: { _ in
    [
      PersonPlan(name: "one", cell: 0) {
        ToyBehaviour(
          begins: epoch + .seconds(1),
          { me throws(JourneyEnded) in
            _ = try await me.ask(.work(rows: 0))
            return me.now + .minutes(1)
          })
      }
    ]
  })

  private func work(_ kind: Fault.Kind, warmup: Span = .zero) -> OperationTally {
    let fault = Fault(
      from: epoch + .minutes(20), to: epoch + .minutes(40), domain: "toy", kind: kind, share: 1)
    let scenario = toyScenario(warmup: warmup, faults: [fault])
    return live(scenario, in: steady)[0].worlds[0].operations[0]
  }

  @Test(arguments: [
    Fault.Kind.requestLost, .answerLost, .serverError, .connectionRefused,
  ])
  func `no usable answer counts, and is no response time`(kind: Fault.Kind) throws {
    let work = work(kind)
    #expect(work.unanswered >= 9 && work.unanswered + work.latencies.count == work.requests)
    #expect(try #require(work.latencies.maximum) < .seconds(1))
    #expect(work.sample.quantile(0.99) == nil && work.sample.quantile(0.5) != nil)
    #expect(work.unsent == (kind == .connectionRefused ? Int(work.unanswered) : 0))
  }

  @Test func `in the warm-up nothing counts`() {
    #expect(work(.serverError, warmup: .minutes(40)).unanswered == 0)
  }

  @Test func `slices over time are not faster for what was not answered`() throws {
    let fault = Fault(
      from: epoch, to: epoch + .hours(1), domain: "toy", kind: .connectionRefused, share: 1)
    let load = live(toyScenario(lasts: .hours(12), faults: [fault]), in: steady)[0].worlds[0].load
    #expect(load.slice == .minutes(5) && load.requests[3] >= 2)
    #expect(load.latencies.quantile(0.5, slice: 3) == nil)
    #expect(load.latencies.quantile(0.5, slice: 30) != nil)
  }
}
