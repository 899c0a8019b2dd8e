import Contracts
import Scenarios
import Testing
import Timekeeping

@Suite struct `Reading a scenario` {
  @Test func `what is not given has a default`() throws {
    let (scenario, warnings) = try read(scenario())
    #expect(scenario.title == "saturday")
    #expect(scenario.seed == 1)
    #expect(scenario.replications == 1)
    #expect(scenario.network == Network())
    #expect(scenario.service == Service())
    #expect(scenario.barrierInterval == .minutes(15))
    #expect(scenario.warmup == .zero)
    #expect(scenario.documented == .judged)
    #expect(scenario.inconclusive == .fail)
    #expect(scenario.digest == "d")
    #expect(scenario.worlds.map(\.profile) == ["documented"])
    #expect(scenario.worlds[0].quirks == ["Q4"])
    #expect(scenario.worlds[0].population.count("clubs") == 20)
    #expect(scenario.worlds[0].differing == [])
    #expect(warnings == [])
  }

  @Test func `all problems come at once, in the file's order`() {
    let found = problems(
      scenario(
        ("rehearsal", "2"), ("name", "Match Day"), ("lasts", "-4h"), ("seed", "-1"),
        ("replicatons", "3"), ("warmup", "5"),
        ("worlds", [["domain": "canteen", "regions": "0"]])))
    #expect(
      found == [
        "1:2: 'rehearsal' cannot be '2': this program reads version 1 of the format; give rehearsal: 1",
        "2:2: 'name' cannot be 'Match Day': it becomes the name of a folder; give up to 64 of the characters a-z 0-9 . _ -, a letter or digit first, e.g. match-saturday",
        "4:2: 'lasts' cannot be '-4h'; give a time from 1s to 3653d, e.g. 18h",
        "5:7: 'regions' cannot be '0'; give a whole number from 1 to 1024, e.g. 4",
        "6:2: 'seed' cannot be '-1'; give a whole number from 0 to 18446744073709551615, e.g. 1",
        "7:1: unknown key 'replicatons' in a scenario; did you mean 'replications'?",
        "8:2: 'warmup' cannot be '5': a time needs a unit, e.g. 5s; give a time from 0s to 3653d, e.g. 30min, or auto",
      ])
  }

  @Test func `missing keys are named with an example`() {
    #expect(
      messages(["seed": "1"]) == [
        "'rehearsal' is missing; add it, e.g. rehearsal: 1",
        "'name' is missing; add it, e.g. name: saturday",
        "'starts' is missing; add it, e.g. starts: 2026-03-21T06:00 Europe/Amsterdam",
        "'lasts' is missing; add it, e.g. lasts: 18h",
        "'worlds' is missing; add it, e.g. worlds: [{domain: DOMAIN}]",
      ])
  }

  @Test func `a doubled key is named with the line of the first`() {
    var members: [(String, Tree)] = []
    if case .mapping(let valid) = scenario() { members = valid }
    members.append(("lasts", "1h"))
    #expect(
      problems(.mapping(members)) == [
        "6:1: 'lasts' is given here and in line 4; remove one of them"
      ])
  }

  @Test func `a hundred problems are kept and the rest counted`() {
    let keys = (0..<150).map { ("unread\($0)", Tree.plain("1")) }
    var members: [(String, Tree)] = []
    if case .mapping(let valid) = scenario() { members = valid }
    do {
      _ = try read(.mapping(members + keys))
      Issue.record("150 unread keys were accepted")
    } catch let error as ScenarioErrors {
      #expect(error.problems.count == 100)
      #expect(error.omitted == 50)
      #expect(error.description.hasSuffix("\nand 50 more"))
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(arguments: [
    (Tree.list([]), "a scenario cannot be a list; give a mapping that begins with 'rehearsal: 1'"),
    (
      Tree.plain("x"), "a scenario cannot be 'x'; give a mapping that begins with 'rehearsal: 1'"
    ),
  ])
  func `only a mapping is a scenario`(tree: Tree, message: String) {
    #expect(messages(tree) == [message])
  }

  @Test func `hostile text is shortened and shown on one line`() {
    let found = messages(
      scenario(("name", .quoted("a\n\u{1B}[2J\u{202E}" + String(repeating: "x", count: 10_000)))))
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("'name' cannot be \"a\\n\\u{1B}[2J\\u{202E}xxx"))
    #expect(found[0].utf8.count < 300)
    #expect(found[0].unicodeScalars.allSatisfy { $0.value >= 32 })
  }

  @Test func `suspicious but allowed things are warnings`() throws {
    let (_, warnings) = try read(
      scenario(("starts", "2026-03-29T02:30 Europe/Amsterdam"), ("warmup", "10h")))
    #expect(
      warnings.map(\.description) == [
        "s.yaml:3:2: clocks in Europe/Amsterdam skip '2026-03-29T02:30 Europe/Amsterdam'; the run begins at 2026-03-29T01:30:00.000Z; choose another hour if that is not meant",
        "s.yaml:6:2: the warm-up leaves less than half of the run to measure; make 'lasts' longer",
      ])
  }
}

@Suite struct `Numbers, times and names of a scenario` {
  @Test(arguments: [
    ("5", "'lasts' cannot be '5': a time needs a unit, e.g. 5s; "),
    ("-4h", "'lasts' cannot be '-4h'; "),
    ("0s", "'lasts' cannot be '0s'; "),
    ("1ns", "'lasts' cannot be '1ns'; "),
    ("999ms", "'lasts' cannot be '999ms'; "),
    (".nan", "'lasts' cannot be '.nan': it is not a finite number; "),
    ("-.inf", "'lasts' cannot be '-.inf': it is not a finite number; "),
    ("99999999999999999999h", "'lasts' cannot be '99999999999999999999h': it is too large; "),
    ("1e400h", "'lasts' cannot be '1e400h': it is too large; "),
    ("4000d", "'lasts' cannot be '4000d'; "),
    (
      "18 hours",
      "'lasts' cannot be '18 hours': 'hours' is not a unit of time: write 18h; "
    ),
    ("soon", "'lasts' cannot be 'soon'; "),
    ("", "'lasts' cannot be empty; "),
    ("~", "'lasts' cannot be empty; "),
  ])
  func `a length of time needs a unit, a sign and a size that fit`(text: String, message: String) {
    #expect(
      messages(scenario(("lasts", .plain(text)))) == [
        message + "give a time from 1s to 3653d, e.g. 18h"
      ])
  }

  @Test(arguments: [
    ("1.5h", Span.minutes(90)), ("250 ms", .milliseconds(250)), ("7d", .days(7)),
    ("1e3s", .seconds(1_000)), ("4us", .microseconds(4)), ("3µs", .microseconds(3)),
    ("+20min", .minutes(20)), ("3653d", .days(3_653)), ("1ns", .nanoseconds(1)),
  ])
  func `every unit of time is read exactly`(text: String, span: Span) throws {
    for tree in [Tree.plain(text), .quoted(text)] {
      // A run lasts a second at least, an answer may come sooner.
      if span >= .seconds(1) {
        #expect(try read(scenario(("lasts", tree))).scenario.lasts == span)
      } else {
        let network = Tree.mapping([("timeout", tree)])
        #expect(try read(scenario(("network", network))).scenario.network.timeout == span)
      }
    }
  }

  @Test(arguments: [
    (Tree.plain("0"), "'replications' cannot be '0'; "),
    (.plain("10001"), "'replications' cannot be '10001'; "),
    (.plain("99999999999999999999"), "'replications' cannot be '99999999999999999999'; "),
    (.plain("2.5"), "'replications' cannot be '2.5': it is not a whole number; "),
    (.plain("1e3"), "'replications' cannot be '1e3': it is not a whole number; "),
    (
      .plain("010"),
      "'replications' cannot be '010': with a leading zero some would read it as octal; "
    ),
    (.plain("20s"), "'replications' cannot be '20s': 's' has no meaning here; "),
    (.quoted("20"), "'replications' cannot be \"20\": in quotes it is text; "),
    (.list(["20"]), "'replications' cannot be a list; "),
    (.mapping([]), "'replications' cannot be a mapping; "),
  ])
  func `a count is a whole number in its range`(tree: Tree, message: String) {
    #expect(
      messages(scenario(("replications", tree))) == [
        message + "give a whole number from 1 to 10000, e.g. 20"
      ])
  }

  @Test(arguments: [
    ("0", UInt64.min), ("18446744073709551615", .max), ("9223372036854775808", 1 << 63),
  ])
  func `any 64 bits are a seed`(text: String, seed: UInt64) throws {
    #expect(try read(scenario(("seed", .plain(text)))).scenario.seed == seed)
  }

  @Test func `a seed beyond 64 bits is refused`() {
    #expect(
      messages(scenario(("seed", "18446744073709551616"))) == [
        "'seed' cannot be '18446744073709551616'; give a whole number from 0 to 18446744073709551615, e.g. 1"
      ])
  }

  @Test(arguments: [
    "Saturday", "..", ".hidden", "a/b", "-x", "a b", "é", String(repeating: "a", count: 65),
  ])
  func `a name that cannot be a folder is refused`(name: String) {
    let found = messages(scenario(("name", .plain(name))))
    #expect(found.count == 1)
    #expect(found.first?.contains("it becomes the name of a folder; give up to 64 of") == true)
  }

  @Test(arguments: ["runs.sqlite", "runs.sqlite-wal", "runs.sqlite.old"])
  func `a name that would take the place of the store of runs is refused`(name: String) throws {
    let found = problems(scenario(("name", .plain(name))))
    #expect(
      found == [
        "2:2: 'name' cannot be '\(name)': the store of runs lies under that name in the folder of reports; give another name, e.g. match-saturday"
      ])
    #expect(try read(scenario(("name", "runs.sqlit"))).scenario.name == "runs.sqlit")
  }

  @Test(arguments: [
    (
      "warmup", "18h",
      "'warmup' cannot be '18h': nothing would be left to measure; give less than 'lasts' (4:2), 18h"
    ),
    ("exchange", "0s", "'exchange' cannot be '0s'; give a time from 1s to 30d, e.g. 15min"),
    (
      "exchange", "16min",
      "'exchange' cannot be '16min': canteen promises fresher values than that; give at most 15min"
    ),
    ("documented", "al", "'documented' cannot be 'al'; did you mean 'all'?"),
    ("inconclusive", "ignore", "'inconclusive' cannot be 'ignore'; choose from fail, warn"),
    (
      "title", "",
      "'title' cannot be empty; give one line of up to 200 characters, e.g. Match Saturday at forty clubs"
    ),
  ])
  func `simple keys know their values`(key: String, value: String, message: String) {
    #expect(messages(scenario((key, .plain(value)))) == [message])
  }
}

@Suite struct `The start of a scenario` {
  @Test(arguments: [
    ("2026-03-21T06:00 Europe/Amsterdam", "2026-03-21T05:00:00Z", "Europe/Amsterdam"),
    ("2026-07-01 06:00:30 Europe/Amsterdam", "2026-07-01T04:00:30Z", "Europe/Amsterdam"),
    ("2026-03-21T06:00Z", "2026-03-21T06:00:00Z", "UTC"),
    ("2026-03-21T06:00 UTC", "2026-03-21T06:00:00Z", "UTC"),
    ("2026-03-21T06:00+01:00", "2026-03-21T05:00:00Z", "Etc/GMT-1"),
    ("2026-03-21T06:00-05:00", "2026-03-21T11:00:00Z", "Etc/GMT+5"),
    ("2026-03-21T06:00+01:00 Europe/Amsterdam", "2026-03-21T05:00:00Z", "Europe/Amsterdam"),
    // The last hour before, the first after, and the skipped hour of 29 March 2026.
    ("2026-03-29T01:59 Europe/Amsterdam", "2026-03-29T00:59:00Z", "Europe/Amsterdam"),
    ("2026-03-29T03:00 Europe/Amsterdam", "2026-03-29T01:00:00Z", "Europe/Amsterdam"),
    ("2026-03-29T02:30 Europe/Amsterdam", "2026-03-29T01:30:00Z", "Europe/Amsterdam"),
    // The repeated hour of 25 October 2026: the first, or what the offset says.
    ("2026-10-25T02:30 Europe/Amsterdam", "2026-10-25T00:30:00Z", "Europe/Amsterdam"),
    ("2026-10-25T02:30+01:00 Europe/Amsterdam", "2026-10-25T01:30:00Z", "Europe/Amsterdam"),
  ])
  func `local time, offset and zone agree`(text: String, instant: String, zone: String) throws {
    let read = try read(scenario(("starts", .plain(text)))).scenario
    #expect(read.starts == Instant(instant))
    #expect(read.zone.name == zone)
  }

  @Test func `an hour that clocks repeat is warned about`() throws {
    let warnings = try read(scenario(("starts", "2026-10-25T02:30 Europe/Amsterdam"))).warnings
    #expect(
      warnings.map { "\($0.what); \($0.remedy)" } == [
        "clocks in Europe/Amsterdam show '2026-10-25T02:30 Europe/Amsterdam' twice; the run begins the first time, at 2026-10-25T00:30:00.000Z; write 2026-10-25T02:30:00+01:00 if the second is meant"
      ])
    let second = try read(scenario(("starts", "2026-10-25T02:30:00+01:00 Europe/Amsterdam")))
    #expect(second.warnings == [] && second.scenario.starts == Instant("2026-10-25T01:30:00Z"))
  }

  @Test(arguments: [
    (
      "2026-03-21T06:00",
      ": it names no time zone; give a zone after it: '2026-03-21T06:00 Europe/Amsterdam', or Z for UTC"
    ),
    (
      "2026-03-21T06:00 Europe/Amsterdm",
      ": there is no time zone 'Europe/Amsterdm'; give one by its IANA name, e.g. Europe/Amsterdam or UTC"
    ),
    (
      "2026-03-21T06:00 a/../../etc",
      ": there is no time zone 'a/../../etc'; give one by its IANA name, e.g. Europe/Amsterdam or UTC"
    ),
    (
      "2026-02-30T06:00Z",
      ": that is not a date with a time of day; give a date, a time of day and a zone, e.g. 2026-03-21T06:00 Europe/Amsterdam"
    ),
    (
      "2026-03-21",
      ": that is not a date with a time of day; give a date, a time of day and a zone, e.g. 2026-03-21T06:00 Europe/Amsterdam"
    ),
    (
      "1900-01-01T00:00Z", "; give a year from 1970 to 2199, e.g. 2026-03-21T06:00 Europe/Amsterdam"
    ),
    (
      "2026-03-21T06:00+05:30",
      ": no time zone has this offset from UTC; give the zone's name after it, e.g. 2026-03-21T06:00 Europe/Amsterdam"
    ),
    (
      "2026-03-21T06:00+02:00 Europe/Amsterdam",
      ": clocks in Europe/Amsterdam then differ from UTC by 1h; give the offset or the zone, not both"
    ),
  ])
  func `a start without one meaning is refused`(text: String, message: String) {
    #expect(
      messages(scenario(("starts", .plain(text)))) == ["'starts' cannot be '\(text)'" + message])
  }

  @Test func `a service may have room, failures and priorities`() throws {
    let found = try read(
      scenario(
        (
          "service",
          [
            "servers": "4", "capacity": "4", "failures": ["up": "6h", "down": "5min"],
            "priorities": ["canteen.sync": "first", "canteen.diensten": "usual"],
          ]
        ))
    ).scenario.service
    #expect(found.capacity == 4)
    #expect(found.failures == Service.Failures(up: .hours(6), down: .minutes(5)))
    #expect(found.priorities == ["canteen.sync": .first, "canteen.diensten": .usual])
    #expect(
      found.priorities(ofOperations: ["list", "sync"], of: "canteen") == [.usual, .first])
    #expect(Service().priorities(ofOperations: ["sync"], of: "canteen") == nil)
  }

  @Test func `a service that cannot be is refused with what could`() {
    #expect(
      messages(
        scenario(
          (
            "service",
            [
              "servers": "8", "capacity": "3", "failures": ["up": "1ms"],
              "priorities": [
                "canteen.synk": "first", "canteen.sync": "urgent", "canteen.inspect": "last",
              ],
            ]
          ))) == [
          "'capacity' cannot be '3': it counts those who are served, too, and some servers would always idle; give at least the 'servers' (6:4), 8",
          "'down' is missing in 'failures'; add it, e.g. {up: 6h, down: 5min}",
          "'up' cannot be '1ms'; give a time from 1s to 3653d, e.g. 6h",
          "no operation 'canteen.synk' to give a priority; did you mean 'canteen.sync'?",
          "'canteen.sync' cannot be 'urgent'; choose from first, usual, last",
          "no operation 'canteen.inspect' to give a priority; choose from canteen.sync, canteen.diensten",
        ])
  }

  @Test func `the run may choose its warm-up where nothing changes in its course`() throws {
    let found = try read(scenario(("warmup", "auto"))).scenario
    #expect(found.isWarmUpAutomatic && found.warmup == .zero)
    #expect(try !read(scenario(("warmup", "1h"))).scenario.isWarmUpAutomatic)
    // A fault that lasts all the time is the same all the time.
    let steady: Tree = [
      ["from": "+0s", "to": "+18h", "on": "canteen", "kind": "answerLost", "share": "1%"]
    ]
    #expect(problems(scenario(("warmup", "auto"), ("faults", steady))) == [])
    #expect(
      messages(scenario(("lasts", "30s"), ("warmup", "auto"))) == [
        "'warmup' cannot be 'auto': the run is too short to see it settle; give a time, e.g. 30min"
      ])
    let short: Tree = [["from": "+1h", "to": "+2h", "on": "canteen", "kind": "answerLost"]]
    #expect(
      messages(scenario(("warmup", "auto"), ("faults", short))) == [
        "'warmup' cannot be 'auto': a fault begins or ends in the course of the run, and what it slows is no warm-up; give a time, e.g. 30min"
      ])
    #expect(
      messages(scenario(("warmup", "auto"), ("events", [["at": "+1h", "do": "canteen.cleanUp"]])))
        == [
          "'warmup' cannot be 'auto': the event in line 7 changes what the backend does in the course of the run; give a time, e.g. 30min"
        ])
  }
}
