import Contracts
import Scenarios
import Testing
import Timekeeping

@Suite struct `Events and faults of a scenario` {
  @Test(arguments: [
    ("10:00", "2026-03-21T09:00:00Z"), ("10:00:30", "2026-03-21T09:00:30Z"),
    ("+2h", "2026-03-21T07:00:00Z"), ("+0s", "2026-03-21T05:00:00Z"),
    ("2026-03-21T23:59", "2026-03-21T22:59:00Z"), ("2026-03-21T10:00Z", "2026-03-21T10:00:00Z"),
    ("06:00", "2026-03-21T05:00:00Z"),
    // Before the start on the first day: the first day on which it lies inside the run is the next.
    ("05:00", "2026-03-22T04:00:00Z"),
  ])
  func `a moment is a time of day, a time after the start or a date`(at: String, instant: String)
    throws
  {
    let events: Tree = [["at": .quoted(at), "do": "canteen.cleanUp"]]
    let found = try read(scenario(("lasts", "24h"), ("events", events))).scenario.events
    #expect(found.map(\.at) == [Instant(instant)])
    #expect(found.map(\.command) == ["cleanUp"])
    #expect(found.map(\.parameters) == [.object(JSONObject())])
  }

  @Test(arguments: [
    (
      "05:00",
      ": it lies outside the run; give a moment from 2026-03-21T06:00 Europe/Amsterdam to 2026-03-22T00:00 Europe/Amsterdam"
    ),
    (
      "00:00",
      ": it lies outside the run; give a moment from 2026-03-21T06:00 Europe/Amsterdam to 2026-03-22T00:00 Europe/Amsterdam"
    ),
    (
      "+18h",
      ": it lies outside the run; give a moment from 2026-03-21T06:00 Europe/Amsterdam to 2026-03-22T00:00 Europe/Amsterdam"
    ),
    ("-1h", "; give a time from 0s to 3653d, e.g. +2h"),
    ("+5", ": a time needs a unit, e.g. +5s; give a time from 0s to 3653d, e.g. +2h"),
    (
      "25:00",
      "; give a time of day, a time after the start or a date with a time, e.g. \"10:00\", +2h or 2026-03-21T10:00"
    ),
    (
      "noon",
      "; give a time of day, a time after the start or a date with a time, e.g. \"10:00\", +2h or 2026-03-21T10:00"
    ),
  ])
  func `a moment outside the run is refused`(at: String, message: String) {
    let events: Tree = [["at": .plain(at), "do": "canteen.cleanUp"]]
    #expect(messages(scenario(("events", events))) == ["'at' cannot be '\(at)'" + message])
  }

  @Test func `a note says in one line what an event is to people`() throws {
    func event(_ note: Tree) -> Tree {
      scenario(("events", [["at": "+1h", "do": "canteen.cleanUp", "note": note]]))
    }
    #expect(
      try read(event("the shed is emptied")).scenario.events.map(\.note) == ["the shed is emptied"])
    for note in ["two\nlines", String(repeating: "x", count: 201)] {
      let message = messages(event(.quoted(note))).joined()
      #expect(
        message.hasSuffix(
          "; give one line of up to 200 characters, e.g. club-3 closes its enrollment"),
        "\(message)")
    }
  }

  @Test func `parameters of a command become JSON by YAML's core meaning`() throws {
    let events: Tree = [
      [
        "at": "+1h", "do": "canteen.setEnrollmentOpen",
        "with": [
          "message": ["a", "5", "-0.5", .quoted("5"), "true", "~", ["x": "1e2"], "12:30"],
          "open": "false", "club": "canteen/1/club-3",
        ],
      ]
    ]
    let event = try read(scenario(("events", events))).scenario.events[0]
    #expect(
      event.parameters.description
        == #"{"club":"canteen/1/club-3","open":false,"message":["a",5,-0.5,"5",true,null,{"x":100},"12:30"]}"#
    )
    #expect(event.line == 6)
  }

  @Test(
    arguments: [
      (
        ["at": "+1h", "do": "canteen.cleanup"],
        "canteen has no command 'cleanup'; did you mean 'cleanUp'?"
      ),
      (
        ["at": "+1h", "do": "cantine.cleanUp"],
        "the scenario has no world 'cantine'; did you mean 'canteen'?"
      ),
      (
        ["at": "+1h", "do": "lodge.cleanUp"],
        "the scenario has no world 'lodge'; choose from canteen"
      ),
      (
        ["at": "+1h", "do": "cleanUp"],
        "'do' cannot be 'cleanUp'; did you mean 'canteen.cleanUp'?"
      ),
      (
        ["at": "+1h"],
        "'do' is missing in an event; add it, e.g. {at: \"10:00\", do: DOMAIN.COMMAND, with: {NAME: value}}"
      ),
      (
        ["at": "+1h", "do": "canteen.setEnrollmentOpen"],
        "canteen.setEnrollmentOpen needs club, open; add with: {club: …, open: …}"
      ),
      (
        ["at": "+1h", "do": "canteen.setEnrollmentOpen", "with": ["club": "x"]],
        "'open' is missing in 'with' of canteen.setEnrollmentOpen; add it, e.g. with: {club: …, open: …}"
      ),
      (
        ["at": "+1h", "do": "canteen.cleanUp", "with": ["al": "x"]],
        "unknown key 'al' in 'with' of canteen.cleanUp; remove it"
      ),
      (
        ["at": "+1h", "do": "canteen.advance", "with": ["by": "1h"]],
        "a run moves its clock itself; remove the event, or make 'lasts' longer"
      ),
      (
        ["at": "+1h", "do": "canteen.load"],
        "canteen.load does nothing without parameters; add one at least, e.g. with: {tenants: …, teams: …}"
      ),
      (
        ["at": "+1h", "do": "canteen.load", "with": .mapping([])],
        "canteen.load does nothing without parameters; add one at least, e.g. with: {tenants: …, teams: …}"
      ),
      (
        ["at": "+1h", "do": "canteen.cleanUp", "width": .mapping([])],
        "unknown key 'width' in an event; did you mean 'with'?"
      ),
    ] as [(Tree, String)])
  func `an event that nobody could carry out is refused`(event: Tree, message: String) {
    #expect(messages(scenario(("events", .list([event])))) == [message])
  }

  @Test(
    arguments: [
      ("requestLost", .requestLost), ("answerLost", .answerLost),
      ("serverError", .serverError), ("connectionRefused", .connectionRefused),
      ("connectionReset", .connectionReset), ("truncated", .truncated), ("duplicate", .duplicate),
      (["delay": "500ms"], .delay(.milliseconds(500))),
    ] as [(Tree, Fault.Kind)])
  func `every kind of fault is read`(kind: Tree, expected: Fault.Kind) throws {
    let fault: Tree = [
      "from": "12:00", "to": "12:10", "on": "canteen", "kind": kind, "share": "20%",
    ]
    #expect(
      try read(scenario(("faults", .list([fault])))).scenario.faults == [
        Fault(
          from: Instant("2026-03-21T11:00:00Z")!, to: Instant("2026-03-21T11:10:00Z")!,
          domain: "canteen", kind: expected, share: 0.2)
      ])
  }

  @Test func `a fault may meet one operation alone, and so many requests`() throws {
    var fault: [(String, Tree)] = [
      ("from", "12:00"), ("to", "12:10"), ("on", "canteen"), ("kind", "truncated"),
      ("operation", "sync"), ("count", "5"),
    ]
    let found = try read(scenario(("faults", .list([.mapping(fault)])))).scenario.faults[0]
    #expect(found.operation == "sync" && found.count == 5)
    fault[4].1 = "synk"
    #expect(
      messages(scenario(("faults", .list([.mapping(fault)])))) == [
        "canteen has no operation 'synk'; did you mean 'sync'?"
      ])
    fault[4].1 = "sync"
    fault[5].1 = "0"
    #expect(
      messages(scenario(("faults", .list([.mapping(fault)])))) == [
        "'count' cannot be '0'; give a whole number from 1 to 1000000000, e.g. 5"
      ])
  }

  @Test
  func `a fault may reach past midnight and to the run's end, and meets all requests by default`()
    throws
  {
    let fault: Tree = ["from": "23:00", "to": "06:00", "on": "canteen", "kind": "answerLost"]
    let found = try read(scenario(("lasts", "24h"), ("faults", .list([fault])))).scenario.faults[0]
    #expect(found.to - found.from == .hours(7))
    #expect(found.share == 1)
  }

  @Test(
    arguments: [
      ("kind", "answerlost", "'kind' cannot be 'answerlost'; did you mean 'answerLost'?"),
      ("kind", "delay", "'kind' cannot be 'delay': it needs its length; give it as {delay: 500ms}"),
      (
        "kind", ["delay": "0ms"],
        "'delay' cannot be '0ms'; give a time above 0s and up to 1d, e.g. 500ms"
      ),
      ("kind", ["delays": "5ms"], "unknown key 'delays' in 'kind'; did you mean 'delay'?"),
      ("on", "cantine", "the scenario has no world 'cantine'; did you mean 'canteen'?"),
      (
        "share", "0%",
        "'share' cannot be '0%': the fault would affect nothing; give a share above 0% and up to 100%, e.g. 20%"
      ),
      ("share", "120%", "'share' cannot be '120%'; give a share above 0% and up to 100%, e.g. 20%"),
      (
        "to", "+6h",
        "'to' cannot be '+6h': the fault would end before it begins; give a moment after 'from' (6:5)"
      ),
      (
        "to", "+19h",
        "'to' cannot be '+19h': it lies outside the run; give a moment from 2026-03-21T06:00 Europe/Amsterdam to 2026-03-22T00:00 Europe/Amsterdam"
      ),
    ] as [(String, Tree, String)])
  func `a fault that cannot be is refused`(key: String, value: Tree, message: String) {
    var members: [(String, Tree)] = [
      ("from", "+6h"), ("to", "+7h"), ("on", "canteen"), ("kind", "answerLost"), ("share", "20%"),
    ]
    for index in members.indices where members[index].0 == key { members[index].1 = value }
    let expected =
      key == "kind" && message.hasPrefix("unknown key") ? [message, missingDelay] : [message]
    #expect(
      messages(scenario(("faults", .list([.mapping(members)])))).sorted() == expected.sorted())
  }

  private let missingDelay = "'delay' is missing in 'kind'; add it, e.g. {delay: 500ms}"
}
