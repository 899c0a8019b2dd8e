import Contracts
import Scenarios
import Testing
import Timekeeping

@Suite struct `Objectives of a scenario` {
  private func objective(_ text: String) throws -> Objective {
    try read(scenario(("objectives", .list([.quoted(text)])))).scenario.objectives[0]
  }

  @Test(
    arguments: [
      (
        "p99 of canteen.sync < 250ms", Objective.Measure.quantile(0.99), "canteen", "sync",
        Objective.Comparison.less, 0.25
      ),
      ("p99.9 of canteen.sync<=1.5s", .quantile(0.999), "canteen", "sync", .atMost, 1.5),
      ("p50 of canteen > 1ms", .quantile(0.5), "canteen", nil, .greater, 0.001),
      ("  p99   <  1s ", .quantile(0.99), nil, nil, .less, 1),
      ("mean of canteen.diensten ≤ 80 ms", .mean, "canteen", "diensten", .atMost, 0.08),
      ("errors < 0.1%", .errors, nil, nil, .less, 0.001),
      ("errors of canteen < 1%", .errors, "canteen", nil, .less, 0.01),
      ("errors of canteen.sync >= 0.5", .errors, "canteen", "sync", .atLeast, 0.5),
      ("errors <= 0%", .errors, nil, nil, .atMost, 0),
      (
        "share of orphan-revoked over 10min < 5%", .share(over: .minutes(10)), "canteen",
        "orphan-revoked", .less, 0.05
      ),
      (
        "share of canteen.sync over 250 ms <= 0.01", .share(over: .milliseconds(250)), "canteen",
        "sync", .atMost, 0.01
      ),
      ("share over 1s < 1%", .share(over: .seconds(1)), nil, nil, .less, 0.01),
      ("rate of canteen.sync >= 5/s", .rate, "canteen", "sync", .atLeast, 5),
      ("rate of canteen > 30 /min", .rate, "canteen", nil, .greater, 0.5),
      ("count of orphan-revoked >= 100", .count, "canteen", "orphan-revoked", .atLeast, 100),
      ("p90 of orphan-revoked < 1h", .quantile(0.9), "canteen", "orphan-revoked", .less, 3_600),
      (
        "p90 of canteen.orphan-revoked < 1h", .quantile(0.9), "canteen", "orphan-revoked", .less,
        3_600
      ),
    ] as [(String, Objective.Measure, String?, String?, Objective.Comparison, Double)])
  func `a sentence is read exactly`(
    text: String, measure: Objective.Measure, domain: String?, subject: String?,
    comparison: Objective.Comparison, bound: Double
  ) throws {
    #expect(
      try objective(text)
        == Objective(
          text: text, measure: measure, domain: domain, subject: subject, comparison: comparison,
          bound: bound, line: 6))
  }

  @Test func `a part of the run is named by two moments of it`() throws {
    let starts = try #require(Instant("2026-03-21T05:00:00Z"))
    let noon = Objective.Window(from: starts + .hours(6), to: starts + .hours(8))
    #expect(try objective("p99 of canteen.sync from 12:00 to 14:00 < 250ms").window == noon)
    #expect(try objective("errors from +6h to 2026-03-21T14:00 < 1%").window == noon)
    let late = try objective("share of orphan-revoked over 10 min from 22:00 to +18h < 5%")
    #expect(late.measure == .share(over: .minutes(10)) && late.subject == "orphan-revoked")
    #expect(late.window == .init(from: starts + .hours(16), to: starts + .hours(18)))
    #expect(try objective("p99 of canteen.sync < 250ms").window == nil)
  }

  @Test(arguments: [
    (
      "errors from 12:00 < 1%",
      "objective 'errors from 12:00 < 1%': a part of the run is written 'from MOMENT to MOMENT'; "
        + "write e.g. p99 of DOMAIN.OPERATION from 12:00 to 14:00 < 250ms"
    ),
    (
      "errors from noon to 14:00 < 1%",
      "'from' cannot be \"noon\"; give a time of day, a time after the start or a date with a time, e.g. \"10:00\", +2h or 2026-03-21T10:00"
    ),
    (
      "errors from +2h to +1h < 1%",
      "'to' cannot be \"+1h\": the part would end before it begins; give a moment after 'from'"
    ),
    (
      "errors from 14:00 to 12:00 < 1%",
      "'to' cannot be \"12:00\": it lies before 'from'; give a moment from 2026-03-21T14:00 Europe/Amsterdam to 2026-03-22T00:00 Europe/Amsterdam"
    ),
    (
      "errors from 12:00 to +19h < 1%",
      "'to' cannot be \"+19h\": it lies outside the run; give a moment from 2026-03-21T06:00 Europe/Amsterdam to 2026-03-22T00:00 Europe/Amsterdam"
    ),
  ])
  func `a part of the run that is none is refused`(text: String, message: String) {
    #expect(messages(scenario(("objectives", .list([.plain(text)])))) == [message])
  }

  @Test func `two parts of a run may be held to different bounds`() throws {
    let both = [
      "p99 of canteen.sync from 12:00 to 14:00 < 250ms",
      "p99 of canteen.sync from 14:00 to 16:00 > 300ms",
    ]
    #expect(messages(scenario(("objectives", .list(both.map(Tree.plain))))) == [])
  }

  @Test(arguments: [
    (
      "p99 of canteen.sync < 250",
      "a time needs a unit, e.g. 250s; write a time above 0s and up to 3653d, e.g. 250ms"
    ),
    (
      "p99 of canteen.sync < 0s",
      "no time can be bounded by '0s'; write a time above 0s and up to 3653d, e.g. 250ms"
    ),
    (
      "p99 of canteen.sync < .inf",
      "'.inf' is not a finite number; write a time above 0s and up to 3653d, e.g. 250ms"
    ),
    (
      "p99 of canteen.sync < 1%",
      "'%' is not a unit of time; use one of ns us ms s min h d; write a time above 0s and up to 3653d, e.g. 250ms"
    ),
    (
      "p99 of canteen.sync",
      "it has no comparison; write \"p99 of DOMAIN.OPERATION < 250ms\" or \"errors < 0.1%\""
    ),
    (
      "p99 of canteen.sync = 1s",
      "'=' is not a comparison; write one of < <= > >=, e.g. \"p99 of DOMAIN.OPERATION < 250ms\" or \"errors < 0.1%\""
    ),
    (
      "p99 canteen.sync < 1s",
      "'<measure> of <subject>' belongs before the comparison; write \"p99 of DOMAIN.OPERATION < 250ms\" or \"errors < 0.1%\""
    ),
    (
      "p0 of canteen.sync < 1s",
      "there is no quantile p0; write a quantile above p0 and below p100, e.g. p99.9"
    ),
    (
      "p100 of canteen.sync < 1s",
      "there is no quantile p100; write a quantile above p0 and below p100, e.g. p99.9"
    ),
    (
      "p99x of canteen.sync < 1s",
      "'p99x' is not a measure; write p50, p99, p99.9, mean, errors, share, rate or count"
    ),
    (
      "error < 1%",
      "'error' is not a measure (did you mean 'errors'?); write p50, p99, p99.9, mean, errors, share, rate or count"
    ),
    ("errors < 250ms", "'250ms' is not a share; write a share from 0% to 100%, e.g. 0.1%"),
    ("errors < 0%", "no share is < 0%; write <= 0%"),
    ("errors > 100%", "no share is > 100%; write >= 100%"),
    (
      "errors <= 100%",
      "every share is, so it demands nothing; write a share from 0% to 100%, e.g. 0.1%"
    ),
    ("errors < 101%", "'101%' is not a share; write a share from 0% to 100%, e.g. 0.1%"),
    (
      "rate of canteen > 5",
      "'5' is not a rate; write a rate with its unit, e.g. 5/s, 30/min or 100/h"
    ),
    (
      "rate of canteen < 0/s",
      "no rate is < 0; write a rate with its unit, e.g. 5/s, 30/min or 100/h"
    ),
    (
      "count of canteen >= 0",
      "every count is, so it demands nothing; write a number of requests in one replication, e.g. 1000"
    ),
    (
      "share of canteen < 5%",
      "a share needs a time, 'over TIME'; write e.g. share of DOMAIN.OPERATION over 250ms < 5%"
    ),
    (
      "share of canteen over 10 < 5%",
      "a time needs a unit, e.g. 10s; write a time, e.g. share of DOMAIN.OPERATION over 250ms < 5%"
    ),
    (
      "rat of canteen > 5/s",
      "'rat' is not a measure (did you mean 'rate'?); write p50, p99, p99.9, mean, errors, share, rate or count"
    ),
    (
      "errors < nan",
      "'nan' is not a finite number; write a share from 0% to 100%, e.g. 0.1%"
    ),
  ])
  func `a sentence without a meaning is refused`(text: String, message: String) {
    #expect(
      messages(scenario(("objectives", .list([.plain(text)])))) == [
        "objective '\(text)': " + message
      ])
  }

  @Test(arguments: [
    (
      "p99 of canteen.snc < 1s",
      "canteen has no operation and no latency 'snc'; did you mean 'sync'?"
    ),
    (
      "p99 of canteen.inspect < 1s",
      "canteen has no operation and no latency 'inspect'; choose from sync, diensten, orphan-revoked"
    ),
    (
      "p99 of cantine.sync < 1s",
      "nothing in this scenario is called 'cantine.sync'; did you mean 'canteen.sync'?"
    ),
    (
      "p99 of orphan-revokd < 1s",
      "nothing in this scenario is called 'orphan-revokd'; did you mean 'orphan-revoked'?"
    ),
    (
      "p99 of lodge.confirm < 1s",
      "nothing in this scenario is called 'lodge.confirm'; choose from canteen, canteen.sync, canteen.diensten, orphan-revoked"
    ),
    (
      "errors of orphan-revoked < 1%",
      "'orphan-revoked' is a time between two things and has no errors; demand a quantile of it, or errors of an operation"
    ),
  ])
  func `a subject that does not exist is refused with the nearest one`(
    text: String, message: String
  ) {
    #expect(messages(scenario(("objectives", .list([.plain(text)])))) == [message])
  }

  @Test(arguments: [
    ("p99 of canteen.sync < 100ms", "p99 of canteen.sync > 200ms", true),
    ("p99 of canteen.sync < 100ms", "p99 of canteen.sync >= 100ms", true),
    ("p99 of canteen.sync <= 100ms", "p99 of canteen.sync >= 100ms", false),
    ("p99 of canteen.sync < 100ms", "p50 of canteen.sync > 200ms", true),
    ("p50 of canteen.sync < 100ms", "p99 of canteen.sync > 200ms", false),
    ("p99 of canteen.sync < 100ms", "p99 of canteen.diensten > 200ms", false),
    ("p99 of canteen.sync < 200ms", "p99 of canteen.sync > 100ms", false),
    ("p99 of canteen.sync < 100ms", "mean of canteen.sync > 200ms", false),
    ("errors < 1%", "errors > 2%", true),
    ("rate of canteen < 5/s", "rate of canteen > 10/s", true),
    ("share of canteen over 1s < 1%", "share of canteen over 2s > 2%", true),
    ("share of canteen over 2s < 1%", "share of canteen over 1s > 2%", false),
    ("p99 of canteen < 1s", "share of canteen over 2s > 2%", true),
    ("share of canteen over 1s < 1%", "p95 of canteen > 2s", true),
    ("p90 of orphan-revoked < 1h", "p90 of canteen.orphan-revoked > 2h", true),
  ])
  func `two objectives that can never both hold are refused`(
    first: String, second: String, contradict: Bool
  ) {
    let expected =
      "'\(second)' and '\(first)' in line 6 cannot both hold; change or remove one of them"
    #expect(
      messages(scenario(("objectives", .list([.plain(first), .plain(second)]))))
        == (contradict ? [expected] : []))
  }
}

@Suite struct `Names and foreign text in messages` {
  @Test(
    arguments: [
      ("replicatons", "replications"), ("Seed", "seed"), ("sede", "seed"), ("lats", "lasts"),
      ("x", nil), ("", nil), ("population", nil), (String(repeating: "seed", count: 50), nil),
    ] as [(String, String?)])
  func `only a near name is suggested`(name: String, suggestion: String?) {
    #expect(nearest(name, among: ["seed", "lasts", "replications"]) == suggestion)
  }

  @Test(arguments: [
    ("plain text", "plain text"), ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("\u{1B}[31m", "\\u{1B}[31m"),
    ("a\u{202E}b\u{200B}c\u{2028}d\u{FEFF}", "a\\u{202E}b\\u{200B}c\\u{2028}d\\u{FEFF}"),
    ("\u{0}\u{7F}\u{85}", "\\u{0}\\u{7F}\\u{85}"), ("naïve Ωmega 日本", "naïve Ωmega 日本"), ("", ""),
  ])
  func `nothing foreign reaches a terminal`(text: String, shown: String) {
    #expect(printable(text) == shown)
  }

  @Test func `long text is cut, and so is one character of a thousand marks`() {
    #expect(printable(String(repeating: "a", count: 61)) == String(repeating: "a", count: 60) + "…")
    let marked = "e" + String(repeating: "\u{301}", count: 1_000)
    #expect(printable(marked).unicodeScalars.count == 61)
  }
}
