import Scenarios
import Testing

@Suite struct `Explaining a scenario` {
  private func explained(_ tree: Tree) throws -> Explanation {
    let found = try read(tree).scenario
    let declarations = found.worlds.map { $0.domain == "canteen" ? canteen : lodge }
    return Explanation(of: found, from: tree.node, declarations: declarations)
  }

  private func row(
    _ name: String, in section: String, of explanation: Explanation
  ) throws -> Explanation.Row {
    let section = try #require(explanation.sections.first { $0.title == section })
    return try #require(section.rows.first { $0.name == name })
  }

  @Test func `each value stands with the line, profile or default that decided it`() throws {
    let explanation = try explained(
      scenario(
        (
          "worlds",
          [
            [
              "domain": "canteen", "population": ["clubs": "40"], "profile": "asBuilt",
              "quirks": ["Q4": "off"],
            ]
          ]
        ), ("replications", "20"), ("network", ["timeout": "30s"])))

    #expect(try row("replications", in: "scenario", of: explanation).value == "20")
    #expect(
      try row("replications", in: "scenario", of: explanation).source == .scenario(line: 6))
    #expect(try row("seed", in: "scenario", of: explanation).source == .engine)
    #expect(try row("clubs", in: "canteen: population", of: explanation).value == "40")
    #expect(
      try row("clubs", in: "canteen: population", of: explanation).source == .scenario(line: 5))
    #expect(
      try row("phonesPerClub", in: "canteen: population", of: explanation).source
        == .domain("an assumption"))
    #expect(try row("Q1", in: "canteen: quirks", of: explanation).value == "on")
    #expect(try row("Q1", in: "canteen: quirks", of: explanation).source == .profile("asBuilt"))
    #expect(try row("Q4", in: "canteen: quirks", of: explanation).value == "off")
    #expect(
      try row("Q4", in: "canteen: quirks", of: explanation).source == .scenario(line: 5))
    #expect(try row("timeout", in: "network", of: explanation).value == "30s")
    #expect(try row("perRowRead", in: "service", of: explanation).value == "4us")
    // A domain's bound on the exchange is shorter than the program's default.
    #expect(try row("exchange", in: "scenario", of: explanation).value == "15min")
  }

  @Test func `options of the command line are named as the source`() throws {
    var explanation = try explained(scenario(("seed", "3")))
    explanation.replace(["seed"])
    #expect(try row("seed", in: "scenario", of: explanation).source == .commandLine)
  }

  @Test func `every setting of every world has its row`() throws {
    let explanation = try explained(
      scenario(("worlds", [["domain": "canteen"], ["domain": "lodge"]])))
    let rows = explanation.sections.flatMap(\.rows).map(\.name)
    for setting in canteen.population + canteen.parameters { #expect(rows.contains(setting.name)) }
    #expect(explanation.sections.contains { $0.title == "lodge" })
    #expect(rows.count > 30)
  }

  @Test func `a warm-up that the run chooses and what servers do are explained`() throws {
    let explanation = try explained(
      scenario(
        ("warmup", "auto"),
        (
          "service",
          [
            "failures": ["up": "6h", "down": "5min"],
            "priorities": ["canteen.sync": "first", "canteen.diensten": "last"],
          ]
        )))
    #expect(try row("warmup", in: "scenario", of: explanation).value == "auto")
    #expect(try row("capacity", in: "service", of: explanation).value == "room for all")
    #expect(try row("failures", in: "service", of: explanation).value == "{up: 6h, down: 5min}")
    #expect(
      try row("priorities", in: "service", of: explanation).value
        == "{canteen.diensten: last, canteen.sync: first}")
  }
}
