import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Simulation
import Testing
import Timekeeping

@Suite struct `Where the time of a request goes` {
  /// Two people who ask at the same instant, each for so many rows of a microsecond.
  private func pair(rows: Int) -> ToyBackend {
    ToyBackend(persons: { plan in
      (0..<2).map { index in
        PersonPlan(name: "person-\(index)", cell: 0) {
          ToyBehaviour(
            begins: plan.starts,
            { me throws(JourneyEnded) in
              _ = try await me.ask(.work(rows: rows))
              return nil
            })
        }
      }
    })
  }

  private func work(_ scenario: Scenario, in backend: ToyBackend) -> OperationTally {
    live(scenario, in: backend)[0].worlds[0].operations[0]
  }

  @Test func `network, the queue and the server each have their part`() throws {
    let work = work(toyScenario(), in: pair(rows: 300_000))
    let first = try #require(work.passages.shares(near: .milliseconds(400)))
    #expect(first == .init(network: 0.25, waiting: 0, service: 0.75))
    // The second waits until the first is served.
    let second = try #require(work.passages.shares(near: .milliseconds(700)))
    #expect(abs(second.network - 1 / 7.0) < 1e-12)
    #expect(abs(second.waiting - 3 / 7.0) < 1e-12 && abs(second.service - 3 / 7.0) < 1e-12)
    #expect(work.passages.shares(near: .seconds(7)) == nil)
  }

  @Test func `an injected delay is none of the three`() throws {
    let fault = Fault(
      from: epoch, to: epoch + .minutes(1), domain: "toy", kind: .delay(.milliseconds(300)),
      share: 1)
    let work = work(toyScenario(faults: [fault]), in: pair(rows: 0))
    let shares = try #require(work.passages.shares(near: .milliseconds(400)))
    #expect(shares == .init(network: 0.25, waiting: 0, service: 0))
  }

  @Test func `what the backend holds back is none of the three`() throws {
    let bell = alone { me throws(JourneyEnded) in
      _ = try await me.ask(.bell)
      return nil
    }
    let tally = live(toyScenario(), in: bell)[0].worlds[0].operations[1]
    let took = Span.milliseconds(10_100)
    if let shares = tally.passages.shares(near: took) {
      #expect(abs(shares.network - 0.1 / 10.1) < 1e-12)
      #expect(shares.waiting == 0 && shares.service == 0)
    } else {
      Issue.record("a held answer left no trace")
    }
  }

  @Test func `the parts of the whole are the sum of its parts, in any order`() {
    func tally(_ range: some Sequence<Int>) -> PassageTally {
      var tally = PassageTally()
      for index in range {
        let network = Span.microseconds(Int64(index * index % 90_001))
        tally.record(Passage(network: network), took: network + .microseconds(Int64(index)))
      }
      return tally
    }
    let whole = tally(1...2_000)
    var forwards = tally(1...700)
    forwards.merge(tally(701...2_000))
    var backwards = tally((701...2_000).reversed())
    backwards.merge(PassageTally())
    backwards.merge(tally(1...700))
    #expect(forwards == whole && backwards == whole)
  }
}
