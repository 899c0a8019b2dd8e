import Backends
import Contracts
import Journeys
import Scenarios
import Simulation
import Statistics
import Testing
import Timekeeping

/// Poisson arrivals before exponential servers: people who come once.
private func meanResponse(servers: Int, utilisation: Double, arrivals: Int, seed: UInt64) -> Double
{
  let meanService = 1.0  // seconds; a row costs a microsecond
  let gap = meanService / (utilisation * Double(servers))
  let backend = ToyBackend(persons: { plan in
    var stream = plan.stream("arrivals")
    var at = plan.starts
    return (0..<arrivals).map { index in
      at += stream.sample(.exponential(mean: Span(seconds: gap)))
      let rows = Int(stream.sample(.exponential(mean: Span(seconds: meanService))).seconds * 1e6)
      let begins = at
      return PersonPlan(name: "arrival-\(index)", cell: 0) {
        ToyBehaviour(
          begins: begins,
          { me throws(JourneyEnded) in
            _ = try await me.ask(.work(rows: rows))
            return nil
          })
      }
    }
  })
  let scenario = toyScenario(
    lasts: Span(seconds: gap * Double(arrivals) * 1.5), seed: seed,
    network: Network(latency: .constant(.zero), timeout: .days(300)),
    service: Service(servers: servers, perRequest: .zero, perRowRead: .microseconds(1)),
    barrierInterval: .days(3))
  return live(scenario, in: backend)[0].worlds[0].operations[0].latencies.mean!
}

@Suite struct `The service queue` {
  /// The sample mean of M/M/1 responses at 0.7 over 40,000 arrivals has a standard error of about 3 %.
  @Test func `has the mean response of M/M/1`() {
    let measured = meanResponse(servers: 1, utilisation: 0.7, arrivals: 40_000, seed: 3)
    let theory = 1 / (1 - 0.7)
    #expect(abs(measured / theory - 1) < 0.1, "seed 3: \(measured) s, theory \(theory) s")
  }

  /// Erlang's C for three servers at 0.8 is 0.6472; the wait is C / (3 · (1 - 0.8)) services.
  @Test func `has the mean response of M/M/3`() {
    let measured = meanResponse(servers: 3, utilisation: 0.8, arrivals: 40_000, seed: 4)
    let theory = 1 + 0.647_18 / (3 * 0.2)
    #expect(abs(measured / theory - 1) < 0.1, "seed 4: \(measured) s, theory \(theory) s")
  }
}
