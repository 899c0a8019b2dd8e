import Contracts
import Observations
import Runs
import Scenarios
import Testing
import Timekeeping

@Suite struct `Commands that show a violation again` {
  @Test(arguments: [(3, ""), (1, " --replications 3"), (2, " --replications 3")])
  func `count replications from 1, and say how many there were where the file has fewer`(
    planned: Int, more: String
  ) throws {
    let begins = try #require(Instant("2026-03-21T08:00:00Z"))
    let results = (0..<3).map { index in
      var judge = Judge()
      // Only the last replication breaks the rule.
      if index == 2 { judge.violated("it broke") } else { judge.held() }
      let limit = LimitTally("S-1", judge) { _ in "shop/1/anna" }
      return ReplicationResult(
        index: index, seed: UInt64(index),
        worlds: [
          WorldTally(
            domain: "shop", operations: [], business: [], limits: [limit],
            load: LoadTally(starts: begins, lasts: .hours(1)))
        ], lines: [], ended: begins + .hours(1), digest: Digest())
    }
    let none = Settings([])
    let scenario = Scenario(
      name: "made-up", title: "Made up", starts: begins, zone: .utc, lasts: .hours(1),
      replications: 3,
      worlds: [World(domain: "shop", regions: 1, population: none, parameters: none)])
    let declaration = WorldDeclaration(
      domain: "shop", title: "Shop", population: [], parameters: [], quirks: [], profiles: [],
      operations: [], business: [], limits: [Limit("S-1", Stated("a rule", source: "1"))],
      controls: [])
    let run = RunAssembly(
      scenario, file: "made-up.yaml", declarations: [declaration], replications: results,
      interrupted: false, planned: planned
    ).run(on: .unknown)
    let evidence = try #require(run.limits.first?.evidence.first)
    #expect(evidence.replication == 2)
    #expect(
      evidence.command
        == "rehearse trace made-up.yaml --seed 1 --replication 3\(more) --person shop/1/anna --violation S-1"
    )
  }
}
