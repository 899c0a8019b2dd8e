import Contracts
import Scenarios
import SchemaChecker
import Testing

@Suite struct `The schema of scenarios` {
  private let checker = SchemaChecker(ScenarioSchema(declarations: [canteen, lodge]).json)

  /// A tree as an editor's YAML reader hands it to a schema.
  private func json(_ tree: Tree) -> JSON {
    switch tree {
    case .plain(let text):
      Int64(text).map(JSON.int) ?? Double(text).map(JSON.double)
        ?? (["true", "false"].contains(text) ? .bool(text == "true") : .string(text))
    case .quoted(let text): .string(text)
    case .list(let items): .array(items.map(json))
    case .mapping(let members):
      .object(JSONObject(members.map { (name: $0.0, value: json($0.1)) }))
    }
  }

  @Test func `describes every key that the reader reads, and uses no keyword that is not checked`()
  {
    #expect(checker.strangers == [])
    let schema = ScenarioSchema(declarations: [canteen]).json
    let keys = schema["properties"]?.object?.members.map(\.name)
    #expect(keys == ScenarioReader.keys)
    for key in ScenarioReader.keys {
      #expect(ScenarioKey.scenario.contains { $0.name == key }, "nobody described '\(key)'")
      #expect((schema["properties"]?[key]?.object?.members.count ?? 0) > 1, "'\(key)' has no shape")
    }
    for key in ScenarioReader.worldKeys {
      #expect(ScenarioKey.world.contains { $0.name == key }, "nobody described '\(key)'")
    }
    #expect(schema["required"]?.strings?.allSatisfy { ScenarioReader.keys.contains($0) } == true)
  }

  @Test func `carries unit, range, default and source of each setting`() throws {
    let world = try #require(
      ScenarioSchema(declarations: [canteen]).json["$defs"]?["world-canteen"]?["properties"])
    let clubs = try #require(world["population"]?["properties"]?["clubs"])
    #expect(clubs["minimum"] == 1 && clubs["maximum"] == 500 && clubs["default"] == 20)
    #expect(clubs["x-source"] == "an assumption")
    let lost = try #require(world["parameters"]?["properties"]?["requestLost"])
    #expect(lost["default"] == "0.5%" && lost["x-unit"] == "%")
    #expect(lost["x-range"] == ["0%", "50%"])
  }

  private static let fine: [Tree] = [
    scenario(), scenario(("title", "On a Saturday"), ("seed", "7"), ("replications", "20")),
    scenario(
      (
        "worlds",
        [
          [
            "domain": "canteen", "regions": "4", "population": ["clubs": "40"],
            "parameters": [
              "requestLost": "1%", "reaction": "1.5 s", "growth": "1.5", "night": "on",
              "mode": "tenant",
            ], "profile": "asBuilt", "quirks": ["Q1": "off"], "adversaries": "0.5%",
            "rulesOff": ["KK-58"],
          ], ["domain": "lodge"],
        ]
      )),
    scenario(
      (
        "network",
        ["latency": ["lognormal": ["median": "60ms", "p95": "250ms"]], "timeout": "60s"]
      ),
      ("service", ["servers": "8", "perRowRead": "4us"]), ("exchange", "15min"), ("warmup", "0s")),
    scenario(("network", ["latency": ["exponential": "60ms"]])),
    scenario(
      (
        "service",
        [
          "capacity": "200", "failures": ["up": "6h", "down": "5min"],
          "priorities": ["canteen.sync": "first", "canteen.diensten": "last"],
        ]
      ), ("warmup", "auto")),
    scenario(
      (
        "events",
        [
          [
            "at": .quoted("10:00"), "do": "canteen.setEnrollmentOpen",
            "with": ["club": "canteen/1/club-3", "open": "false"],
          ], ["at": "+2h", "do": "canteen.cleanUp", "note": "the shed is emptied"],
        ]
      ),
      (
        "faults",
        [
          [
            "from": .quoted("12:00"), "to": .quoted("12:10"), "on": "canteen",
            "kind": "answerLost", "share": "20%",
          ],
          [
            "from": .quoted("12:00"), "to": .quoted("12:10"), "on": "canteen",
            "kind": ["delay": "500ms"],
          ],
        ]
      )),
    scenario(
      ("objectives", ["p99 of canteen.sync < 250ms"]), ("documented", "all"),
      ("inconclusive", "warn")),
  ]

  private static let wrong: [Tree] = [
    scenario(("objektives", ["errors < 1%"])), scenario(("rehearsal", "2")),
    scenario(("name", "Saturday morning")), scenario(("replications", "0")),
    scenario(("replications", "20000")), scenario(("lasts", "18")), scenario(("lasts", "18 weeks")),
    scenario(("worlds", [])), scenario(("worlds", [["domain": "canteeen"]])),
    scenario(("worlds", [["regions": "2"]])),
    scenario(("worlds", [["domain": "canteen", "population": ["clubs": "0"]]])),
    scenario(("worlds", [["domain": "canteen", "population": ["clups": "3"]]])),
    scenario(("worlds", [["domain": "lodge", "population": ["clubs": "3"]]])),
    scenario(("worlds", [["domain": "canteen", "parameters": ["mode": "member"]]])),
    scenario(("worlds", [["domain": "canteen", "quirks": ["Q9": "on"]]])),
    scenario(("worlds", [["domain": "canteen", "rulesOff": ["KK-1"]]])),
    scenario(("worlds", [["domain": "canteen", "adversaries": "a few"]])),
    scenario(("network", ["latency": ["normal": "60ms"]])),
    scenario(("network", ["latency": ["constant": "60ms", "exponential": "60ms"]])),
    scenario(("service", ["capacity": "0"])), scenario(("service", ["failures": ["up": "6h"]])),
    scenario(("service", ["priorities": ["canteen.sink": "first"]])),
    scenario(("service", ["priorities": ["canteen.sync": "urgent"]])),
    scenario(("service", ["servers": "0"])), scenario(("service", ["perRow": "4us"])),
    scenario(("events", [["at": .quoted("10:00"), "do": "canteen.openEnrollment"]])),
    scenario(("events", [["at": .quoted("10:00"), "do": "canteen.setEnrollmentOpen"]])),
    scenario(
      ("events", [["at": "+1h", "do": "canteen.cleanUp", "with": ["club": "canteen/1/club-3"]]])),
    scenario(
      ("faults", [["from": "+1h", "to": "+2h", "on": "canteen", "kind": "requestsLost"]])),
    scenario(("documented", "some")),
  ]

  @Test(arguments: fine.indices)
  func `takes what the reader takes`(index: Int) {
    #expect(messages(Self.fine[index]) == [])
    #expect(checker.problems(of: json(Self.fine[index])) == [])
  }

  @Test(arguments: wrong.indices)
  func `refuses what the reader refuses`(index: Int) {
    #expect(messages(Self.wrong[index]) != [])
    #expect(checker.problems(of: json(Self.wrong[index])) != [])
  }
}
