import Scenarios
import Testing
import Timekeeping

@Suite struct `Reading a load` {
  private static let steady: Tree = ["name": "steady", "lasts": "20s", "rate": "50/s"]

  @Test func `phases follow one another, and the first ones may be a warm-up`() throws {
    let (scenario, _) = try read(
      scenario(
        ("timeline", "wall"), ("load", ["arrivals": "even", "lateness": "5ms"]),
        (
          "phases",
          [
            ["name": "warm", "lasts": "5s", "rate": "600/min", "warmup": "on"],
            ["name": "climb", "lasts": "10s", "rate": ["from": "10/s", "to": "50/s"]],
            Self.steady,
          ]
        )))
    #expect(scenario.timeline == .wall(speed: 1) && scenario.warmup == .seconds(5))
    let workload = try #require(scenario.workload)
    #expect(workload.domain == "canteen" && workload.kind == .open && workload.spacing == .even)
    #expect(workload.lateness == .milliseconds(5) && workload.lasts == .seconds(35))
    #expect(workload.rate.total == 50 + 300 + 1_000)
    #expect(
      workload.rate.description
        == "0s: 10/s, 5s: 10/s, 5s: 10/s, 15s: 50/s, 15s: 50/s, 35s: 50/s")
  }

  @Test func `people at once make a closed workload`() throws {
    let (scenario, _) = try read(
      scenario(
        ("load", ["pause": "2s"]),
        (
          "phases",
          [
            ["name": "climb", "lasts": "10s", "people": ["from": "0", "to": "10"]],
            ["name": "hold", "lasts": "10s", "people": "10"],
            ["name": "leave", "lasts": "5s", "people": ["from": "10", "to": "5"]],
          ]
        )))
    let workload = try #require(scenario.workload)
    #expect(workload.kind == .closed && workload.pause == .seconds(2) && workload.mostAtOnce == 10)
    func turns(_ user: Int) -> [[Span]] {
      workload.turns(ofUser: user, from: scenario.starts).map {
        [$0.lowerBound - scenario.starts, $0.upperBound - scenario.starts]
      }
    }
    #expect(turns(0) == [[.milliseconds(500), .seconds(25)]])
    #expect(turns(4) == [[.milliseconds(4_500), .seconds(25)]])
    #expect(turns(6) == [[.milliseconds(6_500), .milliseconds(23_500)]])
    #expect(turns(9) == [[.milliseconds(9_500), .milliseconds(20_500)]] && turns(10) == [])
    #expect(workload.visitorsNeeded(inRegion: 0, of: 3) == 4)
    #expect(workload.visitorsNeeded(inRegion: 2, of: 3) == 3)
  }

  @Test func `a phase may be cut into steps, and a capacity is searched for in them`() throws {
    let (scenario, _) = try read(
      scenario(
        ("load", ["capacity": "p99 of canteen.sync < 250ms", "atLeast": "20/s"]),
        (
          "phases",
          [
            ["name": "warm", "lasts": "2s", "rate": "5/s", "warmup": "on"],
            [
              "name": "step", "lasts": "30s", "rate": ["from": "10/s", "to": "30/s", "steps": "3"],
            ],
          ]
        ), ("objectives", ["p95 of canteen.sync in phase step 2 < 1s"])))
    let workload = try #require(scenario.workload)
    #expect(workload.phases.map(\.name) == ["warm", "step 1", "step 2", "step 3"])
    #expect(workload.phases.map(\.from) == [5, 10, 20, 30])
    #expect(workload.phases.last?.to == 30 && workload.phases.last?.lasts == .seconds(10))
    #expect(workload.capacity?.atLeast == 20)
    let windows = scenario.windows(of: "canteen").map { $0.from - scenario.starts }
    #expect(windows == [.seconds(12), .seconds(2), .seconds(22)])
  }

  @Test func `a capacity without rising phases, or of what no phase can break, is refused`() {
    #expect(
      wrong([Self.steady], load: ["capacity": "p99 of canteen.sync < 250ms"])
        == [
          "a capacity is searched for in phases of an open workload, each of a higher rate; give e.g. rate: {from: 10/s, to: 100/s, steps: 10}"
        ])
    #expect(
      wrong([Self.steady], load: ["capacity": "mean of canteen.sync < 250ms"]).first?.contains(
        "by the share of its requests") == true)
    #expect(
      wrong([Self.steady], load: ["atLeast": "5/s"]).first?.contains("has no 'capacity'") == true)
  }

  @Test func `an objective may be about a phase, by its name`() {
    func found(_ text: String) -> [String] {
      messages(scenario(("phases", [Self.steady]), ("objectives", [.plain(text)])))
    }
    #expect(found("errors in phase steady < 1%") == [])
    #expect(found("errors in phase stedy < 1%").first?.contains("did you mean 'steady'?") == true)
    #expect(found("errors in steady < 1%").first?.contains("in phase NAME") == true)
  }

  /// What is wrong with a scenario of these phases and this load.
  private func wrong(_ phases: Tree, load: Tree? = nil, lasts: String = "18h") -> [String] {
    messages(
      scenario(("lasts", .plain(lasts)), ("load", load ?? [:]), ("phases", phases))
    )
  }

  @Test func `what cannot be meant is refused with what would be right`() {
    #expect(
      messages(scenario(("load", ["arrivals": "even"])))
        == ["'load' has no phases; add phases: [{name: steady, lasts: 20s, rate: 50/s}]"])
    #expect(
      wrong([["name": "a", "lasts": "1s", "rate": "0/s"]])
        == ["a phase of 0 sends nothing; give more, or remove the phase"])
    #expect(
      wrong([["name": "a", "lasts": "1s", "rate": "1000000000/s"]]) == [
        "'rate' cannot be '1000000000/s'; give a rate from 0/s to 1000000/s with its unit, e.g. 50/s"
      ])
    #expect(
      wrong([["name": "a", "lasts": "1s", "rate": "50"]]) == [
        "'rate' cannot be '50': a rate needs a unit; give a rate from 0/s to 1000000/s with its unit, e.g. 50/s"
      ])
    #expect(
      wrong([["name": "a", "lasts": "1m", "rate": "1/10s"]]) == [
        "'lasts' cannot be '1m': 'm' is not a unit of time: write 1min (minutes) or 1ms (milliseconds); give a time from 1ms to 3653d, e.g. 20s",
        "'rate' cannot be '1/10s': its unit is one of /s /min /h /d: write 6/min; give a rate from 0/s to 1000000/s with its unit, e.g. 50/s",
      ])
    #expect(
      wrong([["name": "a", "lasts": "1h30m", "rate": "5/s"]]) == [
        "'lasts' cannot be '1h30m': a time is one number and one unit: write 1.5h; give a time from 1ms to 3653d, e.g. 20s"
      ])
    #expect(
      wrong([["name": "a", "lasts": "0s", "rate": "5/s"]])
        == ["'lasts' cannot be '0s'; give a time from 1ms to 3653d, e.g. 20s"])
    #expect(
      wrong([["name": "a", "lasts": "1s"]])
        == ["a phase says neither 'rate' nor 'people'; add one, e.g. rate: 50/s"])
    #expect(
      wrong([Self.steady, ["name": "b", "lasts": "1s", "people": "5"]]) == [
        "one phase says 'rate' and another 'people'; say 'rate' in all (an open workload) or 'people' in all (a closed one)"
      ])
    #expect(
      wrong([Self.steady, Self.steady])
        == ["there are two phases 'steady'; give one of them another name"])
    #expect(
      wrong([Self.steady, ["name": "b", "lasts": "1s", "rate": "5/s", "warmup": "on"]])
        == ["a warm-up comes after what is measured; put it first"])
    #expect(
      wrong([Self.steady], lasts: "10s")
        == ["the phases last 20s, and the run 10s; shorten them, or give 'lasts: 20s'"])
    #expect(
      wrong([["name": "a", "lasts": "1s", "people": "5"]], load: ["arrivals": "even"])
        == ["'arrivals' is for an open workload, and the phases say 'people'; remove it"])
    #expect(
      wrong([Self.steady], load: ["on": "canten"])
        == ["the scenario has no world 'canten'; did you mean 'canteen'?"])
  }
}
