import Backends
import BenchWork
import Contracts
import Foundation
import MimiSupplyDomain
import Scenarios
import Simulation
import Timekeeping
import Tokens

/// A day of MimiSupply's city from end to end: journeys, app, network, twin, checks, digest, histograms.
enum CityDay {
  /// The city that is wanted has 100,000 customers, 2,000 drivers and 500 partners; this one a fiftieth of each.
  private static let fraction = 50

  static func figure() -> String {
    let scenario = scenario(fraction: fraction)
    var requests = 0
    let day = Measurement.interleaved([
      { Measurement.processorSeconds { requests = live(scenario) } }
    ])[0]
    let whole = day.median * Double(fraction)
    return String(
      format: """
        MimiSupply, a Friday of 1/%d of a city of 100,000 customers, %d requests, one worker
          \(day.text("s"))   %.1f k requests/s
          the whole city at this rate %.0f s   goal 120
        """, fraction, requests, Double(requests) / day.median / 1e3, whole)
  }

  private static let tokens = TokenSignatures(secret: "rehearsal signs for simulated backends only")

  static func live(replications: Int) -> Int {
    var scenario = scenario(fraction: 500)
    scenario.replications = replications
    return live(scenario)
  }

  private static func scenario(fraction: Int) -> Scenario {
    let declaration = MimiSupplyBackend().declaration
    let people = ["customers": 100_000, "drivers": 2_000, "partners": 500]
    let world = World(
      domain: declaration.domain, regions: 1,
      population: Settings(
        declaration.population, overridden: people.mapValues { .count($0 / fraction) }),
      parameters: Settings(declaration.parameters), adversaries: 0)
    return Scenario(
      name: "bench", title: "Bench", starts: Instant("2026-03-26T23:00:00Z")!, zone: .berlin,
      lasts: .hours(24), worlds: [world], barrierInterval: .hours(3))
  }

  private static func live(_ scenario: Scenario) -> Int {
    VirtualRun(scenario, domains: [AnyDomain(MimiSupplyBackend())], tokens: tokens).run(workers: 1)
      .reduce(0) { $0 + $1.worlds.reduce(0) { $0 + $1.requests } }
  }
}
