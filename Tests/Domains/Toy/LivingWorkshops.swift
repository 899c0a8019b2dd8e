import Backends
import Contracts
import Observations
import Scenarios
import Simulation
import Testing
import Timekeeping
import ToyChecks
import ToyContract
import ToyDomain
import ToyJourneys
import WireLine

@Suite struct `Workshops in virtual time` {
  private static func live(
    without rule: Toy.Rule? = nil, regions: Int = 1, workshops: Int = 1, seed: UInt64 = 7,
    workers: Int = 1
  ) -> ReplicationResult {
    let population: [String: Setting.Value] = ["workshops": .count(workshops)]
    let parameters: [String: Setting.Value] = [
      "visitEvery": .span(.minutes(20)), "mischiefEvery": .span(.minutes(10)),
      "answerLost": .share(0.03),
    ]
    var world = World(
      domain: Toy.domain, regions: regions,
      population: Settings(WorkshopSettings.population, overridden: population),
      parameters: Settings(WorkshopSettings.parameters, overridden: parameters),
      adversaries: 0.1)
    world.rulesOff = rule.map { [$0.id] } ?? []
    let scenario = Scenario(
      name: "toy", title: "Toy", starts: Instant("2026-03-21T07:00:00Z")!, zone: .utc,
      lasts: .hours(12), seed: seed, replications: 1, worlds: [world], barrierInterval: .hours(1))
    return VirtualRun(scenario, domains: [AnyDomain(ToyBackend())], tokens: codec)
      .run(workers: workers)[0]
  }

  private static func violated(_ result: ReplicationResult) -> Set<Toy.Rule> {
    Set(result.worlds.flatMap(\.limits).filter { $0.violations > 0 }.compactMap { Toy.Rule($0.id) })
  }

  private static func tries(of result: ReplicationResult) -> [String] {
    result.worlds.flatMap(\.limits).map { "\($0.id) \($0.exercised) \($0.violations)" }
  }

  @Test(arguments: [1, 7, 42] as [UInt64])
  func `keep every rule, and every rule is tried`(seed: UInt64) {
    let result = Self.live(seed: seed)
    #expect(Self.violated(result).isEmpty)
    let limits = result.worlds.flatMap(\.limits)
    #expect(Set(limits.map(\.id)) == Set(Toy.limits.map(\.id)))
    #expect(limits.filter { $0.exercised == 0 }.map(\.id) == [])
  }

  @Test(arguments: Toy.Rule.allCases)
  func `are found out when a rule is off`(rule: Toy.Rule) {
    #expect(Self.violated(Self.live(without: rule)).contains(rule))
  }

  @Test(arguments: [1, 7, 42] as [UInt64])
  func `keep every rule, however they are dealt to regions`(seed: UInt64) {
    for regions in 1...4 {
      let result = Self.live(regions: regions, workshops: 4, seed: seed)
      #expect(Self.violated(result).isEmpty, "seed \(seed), \(regions) regions")
    }
  }

  @Test func `live the same on one worker and on three`() {
    let alone = Self.live(regions: 3, workshops: 5)
    let together = Self.live(regions: 3, workshops: 5, workers: 3)
    #expect(alone.digest == together.digest)
    #expect(Self.tries(of: alone) == Self.tries(of: together))
  }

  /// `rehearse run scenarios/toy.yaml --replications 2` prints it.
  @Test func `come to the digest that they have always come to`() {
    let world = World(
      domain: Toy.domain, regions: 2, population: Settings(WorkshopSettings.population),
      parameters: Settings(WorkshopSettings.parameters), adversaries: 0.05)
    let latency = Distribution.lognormal(median: .milliseconds(60), p95: .milliseconds(250))
    let scenario = Scenario(
      name: "toy", title: "Toy", starts: Instant("2026-03-21T07:00:00Z")!, zone: .berlin,
      lasts: .hours(12), seed: 1, replications: 2, worlds: [world],
      network: Network(latency: latency))
    for workers in [1, 3] {
      let results = VirtualRun(scenario, domains: [AnyDomain(ToyBackend())], tokens: codec)
        .run(workers: workers)
      let digest = Digest(folding: results.map(\.digest)).hexadecimal
      #expect(digest == "3274cd0b4877193d435c1e0f3f2d69e8")
    }
  }

  @Test func `are all asked when a scenario gives a command`() throws {
    let plan = RegionPlan(
      seed: 1, region: 1, regions: 2,
      population: Settings(WorkshopSettings.population, overridden: ["workshops": .count(5)]),
      parameters: Settings(WorkshopSettings.parameters), quirks: [], adversaries: 0,
      rulesOff: [], starts: .distantPast, ends: .distantFuture, path: "toy/1", tokens: codec)
    let assigned = try ToyBackend().assign("addTool", ["tool": 99], in: plan)
    #expect(assigned.map(\.cell) == [0, 1] && assigned.allSatisfy { $0.request == .addTool(99) })
    #expect(throws: ControlProblem.self) { try ToyBackend().assign("addTool", [:], in: plan) }
  }
}
