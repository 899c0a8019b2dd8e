import Contracts
import Scenarios
import Testing
import Timekeeping

/// Times of day in the hour that clocks skip in spring, and in the one that they show twice in autumn.
@Suite struct `Moments in the nights in which clocks change` {
  /// Two days in a zone, with an event, a fault or an objective.
  private func night(_ starts: String, _ key: String, _ value: Tree) -> Tree {
    scenario(
      ("starts", .plain(starts)), ("lasts", "40h"), (key, .list([value])))
  }

  private func fault(_ from: String, _ to: String) -> Tree {
    ["from": .quoted(from), "to": .quoted(to), "on": "canteen", "kind": "answerLost"]
  }

  private func words(_ warnings: [ScenarioProblem]) -> [String] {
    warnings.map { "\($0.what); \($0.remedy)" }
  }

  @Test func `are warned about wherever a moment stands, as the start of a run is`() throws {
    let spring = "2026-03-28T12:00 Europe/Berlin"
    let skipped =
      "clocks in Europe/Berlin skip \"02:15\"; 'NAME' lies at 2026-03-29T01:15:00.000Z; choose another hour if that is not meant"
    let autumn = "2026-10-24T12:00 Europe/Berlin"
    let doubled =
      "clocks in Europe/Berlin show \"02:15\" twice; 'NAME' lies the first time, at 2026-10-25T00:15:00.000Z; write 2026-10-25T02:15:00+01:00 if the second is meant"
    for (starts, warning) in [(spring, skipped), (autumn, doubled)] {
      let places: [(name: String, key: String, value: Tree)] = [
        ("at", "events", ["at": .quoted("02:15"), "do": "canteen.cleanUp"]),
        ("from", "faults", fault("02:15", "04:00")), ("to", "faults", fault("01:00", "02:15")),
        ("from", "objectives", "p99 of canteen.sync from 02:15 to 04:00 < 1s"),
        ("to", "objectives", "p99 of canteen.sync from 01:00 to 02:15 < 1s"),
      ]
      for place in places {
        let found = try read(night(starts, place.key, place.value)).warnings
        #expect(
          words(found).filter { $0.hasPrefix("clocks") } == [
            warning.replacing("NAME", with: place.name)
          ],
          "\(starts), \(place.key), \(place.name)")
      }
    }
  }

  @Test
  func `mean the first of two times, the one after 'from', or the one that their offset names`()
    throws
  {
    let autumn = "2026-10-24T12:00 Europe/Berlin"
    for (from, to, instants, warned) in [
      ("02:45", "03:15", ("2026-10-25T00:45:00Z", "2026-10-25T02:15:00Z"), 1),
      ("02:15", "02:45", ("2026-10-25T00:15:00Z", "2026-10-25T00:45:00Z"), 2),
      // From the first 02:45 on, 02:15 is there once.
      ("02:45", "02:15", ("2026-10-25T00:45:00Z", "2026-10-25T01:15:00Z"), 1),
      ("2026-10-25T02:45+01:00", "02:50", ("2026-10-25T01:45:00Z", "2026-10-25T01:50:00Z"), 0),
      (
        "2026-10-25T02:45+01:00", "2026-10-25T02:50",
        ("2026-10-25T01:45:00Z", "2026-10-25T01:50:00Z"), 0
      ),
      (
        "2026-10-25T02:45", "2026-10-25T02:45+01:00",
        ("2026-10-25T00:45:00Z", "2026-10-25T01:45:00Z"), 1
      ),
      ("+13h", "+15h", ("2026-10-24T23:00:00Z", "2026-10-25T01:00:00Z"), 0),
    ] {
      let found = try read(night(autumn, "faults", fault(from, to)))
      let fault = try #require(found.scenario.faults.first)
      #expect(
        fault.from == Instant(instants.0) && fault.to == Instant(instants.1), "\(from), \(to)")
      #expect(found.warnings.count == warned, "\(from), \(to): \(words(found.warnings))")
    }
  }

  @Test func `are found where clocks move by half an hour, too`() throws {
    let starts = "2026-04-04T12:00 Australia/Lord_Howe"
    let twice = try read(night(starts, "faults", fault("01:45", "02:30"))).warnings
    #expect(twice.count == 1 && twice[0].remedy.contains("2026-04-05T01:45:00+10:30"))
    #expect(try read(night(starts, "faults", fault("01:15", "02:30"))).warnings.isEmpty)
  }

  @Test func `of a trace are warned about as well`() throws {
    let scenario = try read(scenario(("starts", "2026-03-28T12:00 Europe/Berlin"))).scenario
    let (moment, warnings) = try scenario.moment("02:15", named: "--around")
    #expect(moment == Instant("2026-03-29T01:15:00Z"))
    #expect(
      warnings.map(\.what) == [
        "clocks in Europe/Berlin skip \"02:15\"; '--around' lies at \(moment)"
      ])
  }
}
