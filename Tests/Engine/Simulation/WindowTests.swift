import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Simulation
import Testing
import Timekeeping

@Suite struct `Parts of a run` {
  /// Ten people who ask once a minute for an hour.
  private let steady = ToyBackend(persons: { plan in
    (0..<10).map { index in
      PersonPlan(name: "person-\(index)", cell: 0) {
        ToyBehaviour(
          begins: plan.starts + .seconds(Int64(index)),
          { me throws(JourneyEnded) in
            _ = try await me.ask(.work(rows: index))
            return me.now + .minutes(1)
          })
      }
    }
  })

  private func run(_ windows: [Objective.Window], workers: Int = 1) -> WorldTally {
    var scenario = toyScenario(regions: 2)
    scenario.objectives = windows.map { window in
      Objective(
        text: "count of toy from A to B < 1", measure: .count, domain: "toy", subject: nil,
        window: window, comparison: .less, bound: 1, line: 1)
    }
    return live(scenario, in: steady, workers: workers)[0].worlds[0]
  }

  private func requests(_ operations: [OperationTally]) -> Int {
    operations.reduce(0) { $0 + $1.requests }
  }

  @Test func `count what was meant to be sent in them, and together they are the whole`() {
    let half = epoch + .minutes(30)
    let tally = run([.init(from: epoch, to: half), .init(from: half, to: epoch + .hours(1))])
    #expect(tally.windows.count == 2)
    let parts = tally.windows.map { requests($0.operations) }
    #expect(parts.allSatisfy { $0 > 500 })
    #expect(parts.reduce(0, +) == requests(tally.operations))
    let asked = tally.windows.map { window in
      window.operations.reduce(0) { $0 + Int($1.latencies.count) }
    }
    #expect(asked.reduce(0, +) == tally.operations.reduce(0) { $0 + Int($1.latencies.count) })
  }

  @Test func `are kept once each, and change nothing about the run`() {
    let window = Objective.Window(from: epoch + .minutes(10), to: epoch + .minutes(20))
    let tally = run([window, window], workers: 2)
    #expect(tally.windows.count == 1)
    #expect(tally.digest == run([]).digest)
    #expect(run([]).windows.isEmpty)
  }
}
