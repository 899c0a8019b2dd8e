import Testing
import Timekeeping

@Suite struct `Civil time zones` {
  private func amsterdam(_ text: String) throws -> String {
    CivilZone.amsterdam.instant(try #require(CivilTime(text))).description
  }

  @Test func `Amsterdam is an hour ahead in winter and two in summer`() throws {
    #expect(try amsterdam("2026-01-15T12:00") == "2026-01-15T11:00:00.000Z")
    #expect(try amsterdam("2026-07-15T12:00") == "2026-07-15T10:00:00.000Z")
  }

  /// The European Union's rule: clocks change at 01:00 UTC on the last Sundays of March and October.
  @Test func `a time in the hour that is skipped is an hour later`() throws {
    #expect(try amsterdam("2026-03-29T01:59:59") == "2026-03-29T00:59:59.000Z")
    #expect(try amsterdam("2026-03-29T02:30") == "2026-03-29T01:30:00.000Z")
    #expect(try amsterdam("2026-03-29T03:00") == "2026-03-29T01:00:00.000Z")
    let shown = CivilZone.amsterdam.civil(at: try #require(Instant("2026-03-29T01:30Z")))
    #expect(shown.timeOfDay == .minutes(3 * 60 + 30) && shown.offset == .hours(2))
  }

  @Test func `a time in the hour that is repeated is the first of the two`() throws {
    #expect(try amsterdam("2026-10-25T01:59:59") == "2026-10-24T23:59:59.000Z")
    #expect(try amsterdam("2026-10-25T02:30") == "2026-10-25T00:30:00.000Z")
    #expect(try amsterdam("2026-10-25T03:00") == "2026-10-25T02:00:00.000Z")
    #expect(try amsterdam("2026-10-25T02:30+01:00") == "2026-10-25T01:30:00.000Z")
  }

  @Test func `an instant's civil time names the instant again`() throws {
    let start = try #require(Instant("2025-12-31T22:00Z"))
    for zone in [
      CivilZone.amsterdam, .berlin, .utc, CivilZone("Asia/Kathmandu")!, CivilZone("Pacific/Apia")!,
    ] {
      for step in 0..<9_000 {
        let instant = start + .minutes(61) * Int64(step)
        #expect(zone.instant(zone.civil(at: instant)) == instant)
        let unmarked = zone.civil(at: instant)
        let again = zone.instant(unmarked.date, unmarked.timeOfDay)
        // Without its offset, a time of the repeated hour names the first.
        #expect(again == instant || again == instant - .hours(1))
      }
    }
  }

  @Test func `a zone that nobody knows is refused, and so are abbreviations`() {
    #expect(CivilZone("Europe/Atlantis") == nil)
    #expect(CivilZone("CET") == nil)
    #expect(CivilZone("") == nil)
    #expect(CivilZone("UTC") != nil)
  }
}
