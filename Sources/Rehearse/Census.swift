import Backends
import Simulation

/// How many persons one replication of a scenario has: counted where that is cheap, estimated by the domains otherwise.
struct Census {
  let count: Int
  let isCounted: Bool

  /// More persons than these are not planned only to be counted.
  private static let countedMost = 200_000

  init(of work: ScenarioRun) {
    let rough = zip(work.scenario.worlds, work.backends).reduce(0) {
      $0 + $1.1.persons(in: $1.0.population)
    }
    isCounted = rough <= Self.countedMost
    count = isCounted ? Self.count(work) : rough
  }

  private static func count(_ work: ScenarioRun) -> Int {
    zip(work.scenario.worlds, work.backends).reduce(0) { sum, pair in
      let plans = VirtualRun.plans(
        of: pair.0, in: work.scenario, seed: work.scenario.seed(ofReplication: 0),
        tokens: ScenarioRun.tokens)
      return plans.reduce(sum) { $0 + persons($1, of: pair.1) }
    }
  }

  private static func persons(_ plan: RegionPlan, of backend: some Backend) -> Int {
    backend.populate(plan).persons.count
  }
}
