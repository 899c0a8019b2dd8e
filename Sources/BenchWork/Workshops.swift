import Contracts
import Foundation
import Scenarios
import Simulation
import Timekeeping
import ToyDomain

/// Workshops as the peer in another language has them (`Tests/Peers`): members with their habits and a network that loses one message
/// in a hundred, nobody who breaks rules; here with every check.
public enum Workshops {
  /// - Parameter replications: Of twelve hours of two workshops.
  /// - Returns: How many requests were made.
  public static func live(replications: Int) -> Int {
    let declaration = ToyBackend().declaration
    let world = World(
      domain: declaration.domain, regions: 2, population: Settings(declaration.population),
      parameters: Settings(declaration.parameters), adversaries: 0)
    let latency = Distribution.lognormal(median: .milliseconds(60), p95: .milliseconds(250))
    let scenario = Scenario(
      name: "workshops", title: "Workshops", starts: Instant("2026-03-21T07:00:00Z")!,
      zone: .utc, lasts: .hours(12), replications: replications, worlds: [world],
      network: Network(latency: latency), barrierInterval: .hours(1))
    return VirtualRun(
      scenario, domains: [AnyDomain(ToyBackend())], tokens: NoTokens()
    ).run(workers: 1).reduce(0) { $0 + $1.worlds[0].requests }
  }
}
