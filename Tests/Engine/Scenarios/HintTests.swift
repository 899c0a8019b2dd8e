import Contracts
import Scenarios
import Testing

/// Hints that lead somewhere: never to the word itself, and to the place where a key would be right.
@Suite struct `Hints about scenarios` {
  @Test(arguments: [
    (
      "p95 of sync < 1s",
      "nothing in this scenario is called 'sync'; did you mean 'canteen.sync'?"
    ),
    ("p95 of snyc < 1s", "nothing in this scenario is called 'snyc'; did you mean 'canteen.sync'?"),
    (
      "median of canteen.sync < 1s",
      "objective 'median of canteen.sync < 1s': 'median' is not a measure (did you mean 'p50'?); write p50, p99, p99.9, mean, errors, share, rate or count"
    ),
    (
      "avg of canteen.sync < 1s",
      "objective 'avg of canteen.sync < 1s': 'avg' is not a measure (did you mean 'mean'?); write p50, p99, p99.9, mean, errors, share, rate or count"
    ),
  ])
  func `an objective's word is answered with what was meant`(text: String, message: String) {
    #expect(messages(scenario(("objectives", .list([.plain(text)])))) == [message])
  }

  @Test func `a key in the wrong place is told where it belongs`() {
    let worlds: Tree = [["domain": "canteen", "parameters": ["clubs": "3"], "seed": "1"]]
    #expect(
      messages(scenario(("worlds", worlds), ("clubs", "3"), ("timeout", "5s"))) == [
        "unknown key 'clubs' in 'parameters' of canteen; move it to 'population' of canteen",
        "unknown key 'seed' in a world; move it to the outermost level",
        "unknown key 'clubs' in a scenario; move it to 'population' of canteen",
        "unknown key 'timeout' in a scenario; move it to 'network'",
      ])
  }

  @Test func `an event's problem names the command once, with line and column`() {
    let event = ScheduledEvent(
      at: .distantPast, domain: "canteen", command: "close", parameters: .null, line: 4, column: 9)
    let found = event.problem(
      ControlProblem("close: 'club' is not a string; write one"), in: "s.yaml")
    #expect(found.description == "s.yaml:4:9: canteen.close: 'club' is not a string; write one")
    let bare = event.problem(ControlProblem("no such club"), in: "s.yaml").description
    #expect(
      bare.hasSuffix("no such club; 'rehearse domains canteen events close' shows what it takes"))
  }

  @Test func `a moment may be an instant, a time of day or a time after the start`() throws {
    let found = try read(scenario()).scenario
    #expect(try found.moment("10:00", named: "m").instant.description == "2026-03-21T09:00:00.000Z")
    #expect(try found.moment("+2h", named: "m").instant.description == "2026-03-21T07:00:00.000Z")
    #expect(
      try found.moment("2026-03-21T09:30:00Z", named: "m").instant.description
        == "2026-03-21T09:30:00.000Z")
    #expect(throws: ScenarioErrors.self) { try found.moment("soon", named: "m") }
  }
}
