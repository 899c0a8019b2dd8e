import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `Opening hours and distances of MimiSupply's market` {
  private func isOpen(_ hours: String, _ instant: String) -> Bool {
    OpeningHours(parsing: hours)!.isOpen(at: Instant(instant)!, in: .berlin)
  }

  private func day(_ name: String, _ opens: String, _ closes: String) -> String {
    #""\#(name)":{"isOpen":true,"openTime":"\#(opens)","closeTime":"\#(closes)"}"#
  }

  @Test func `MS-41: from the opening minute up to the closing one, without it`() {
    let hours = "{\(day("monday", "07:00", "23:00"))}"
    for (time, open) in [
      ("06:59:59.999", false), ("07:00", true), ("22:59:59.999", true), ("23:00", false),
    ] {
      #expect(isOpen(hours, "2026-03-02T\(time)+01:00") == open, "\(time)")
    }
    #expect(!isOpen(hours, "2026-03-03T12:00+01:00"))
  }

  @Test func `24 00 is the end of the day; a closing at or before the opening is tomorrow's`() {
    let late = "{\(day("monday", "06:00", "24:00")),\(day("friday", "11:00", "03:00"))}"
    #expect(isOpen(late, "2026-03-02T23:59:59+01:00"))
    #expect(!isOpen(late, "2026-03-03T00:00+01:00"))
    #expect(isOpen(late, "2026-03-07T02:59+01:00"))
    #expect(!isOpen(late, "2026-03-07T03:00+01:00"))
    #expect(!isOpen(late, "2026-03-06T02:00+01:00"))
    // Saturday has no entry of its own; Sunday's early hours belong to nobody.
    #expect(!isOpen(late, "2026-03-08T02:00+01:00"))
    let midnight = "{\(day("monday", "18:00", "00:00"))}"
    #expect(isOpen(midnight, "2026-03-02T23:59+01:00"))
    #expect(!isOpen(midnight, "2026-03-03T00:00+01:00"))
    let always = "{\(day("monday", "09:00", "09:00"))}"
    #expect(isOpen(always, "2026-03-03T08:59+01:00"))
    #expect(!isOpen(always, "2026-03-03T09:00+01:00"))
    // Sunday's night reaches into Monday.
    let sunday = "{\(day("sunday", "20:00", "02:00"))}"
    #expect(isOpen(sunday, "2026-03-02T01:59+01:00"))
  }

  @Test func `on the night when clocks go forward 02 00 to 03 00 does not exist`() {
    // 29 March 2026: 02:00 CET becomes 03:00 CEST.
    let night = "{\(day("saturday", "22:00", "02:30"))}"
    #expect(isOpen(night, "2026-03-29T00:59:59Z"))
    #expect(!isOpen(night, "2026-03-29T01:00:00Z"))
    let early = "{\(day("sunday", "02:30", "04:00"))}"
    #expect(!isOpen(early, "2026-03-29T00:59:59Z"))
    #expect(isOpen(early, "2026-03-29T01:00:00Z"))
    #expect(!isOpen(early, "2026-03-29T02:00:00Z"))
  }

  @Test func `on the night when clocks go back 02 00 to 03 00 comes twice`() {
    // 25 October 2026: 03:00 CEST becomes 02:00 CET.
    let night = "{\(day("saturday", "22:00", "02:30"))}"
    for (instant, open) in [
      ("2026-10-25T00:29:59Z", true), ("2026-10-25T00:30:00Z", false),
      ("2026-10-25T00:59:59Z", false), ("2026-10-25T01:00:00Z", true),
      ("2026-10-25T01:29:59Z", true), ("2026-10-25T01:30:00Z", false),
    ] {
      #expect(isOpen(night, instant) == open, "\(instant)")
    }
  }

  @Test(
    arguments: [
      "", "[]", #"{"monday":1}"#, #"{"monday":{}}"#, #"{"monday":{"isOpen":1}}"#,
      #"{"monday":{"isOpen":true}}"#,
      #"{"monday":{"isOpen":true,"openTime":"7:00","closeTime":"23:00"}}"#,
      #"{"monday":{"isOpen":true,"openTime":"07:60","closeTime":"23:00"}}"#,
      #"{"monday":{"isOpen":true,"openTime":"24:00","closeTime":"23:00"}}"#,
      #"{"monday":{"isOpen":true,"openTime":"07:00","closeTime":"24:01"}}"#,
      #"{"monday":{"isOpen":false,"openTime":7}}"#,
    ])
  func `malformed hours are refused`(text: String) {
    #expect(OpeningHours(parsing: text) == nil)
    var bazaar = Bazaar()
    #expect(
      bazaar.update("p-1", [.openingHours: .string(text)], by: Bazaar.partner)?.essence
        == "BAD_REQUEST CKErrorInvalidArguments - -")
  }

  @Test func `unknown keys and closed days are no harm`() {
    let hours = OpeningHours(parsing: #"{"monday":{"isOpen":false},"holidays":[1]}"#)
    #expect(hours?.days == [nil, nil, nil, nil, nil, nil, nil])
  }

  // MARK: Distances: the expected values come from another formula (atan2) in another language

  @Test func `great circles in whole metres`() {
    let cases: [(Double, Double, Double, Double, Int)] = [
      (52.517, 13.3888, 52.5214, 13.4132, 1722),
      (52.517, 13.3888, 52.517, 13.3888, 0),
      (52.52, 13.4, 48.1372, 11.5755, 504217),
      (53.5511, 9.9937, 52.52, 13.405, 255251),
      (0.0, 0.0, 0.0, 180.0, 20_015_114),
      (90.0, 0.0, -90.0, 0.0, 20_015_114),
      (0.0, 179.9, 0.0, -179.9, 22239),
      (52.5065, 13.4493, 52.5065, 13.4494, 7),
      (-33.8688, 151.2093, 51.5074, -0.1278, 16_993_957),
      (10.0, 20.0, -10.0, -160.001, 20_015_005),
      (89.99, 0.0, 89.99, 180.0, 2224),
    ]
    for (a, b, c, d, metres) in cases {
      let (from, to) = (Geography.Point(a, b), Geography.Point(c, d))
      #expect(Geography.metres(from, to) == metres)
      #expect(Geography.metres(to, from) == metres)
    }
  }

  @Test func `the arcsine is good to a few units in the last place`() {
    let cases: [(Double, Double)] = [
      (1e-09, 1e-09),
      (0.1, 0.1001674211615598),
      (0.25, 0.25268025514207865),
      (0.5, 0.5235987755982989),
      (0.7071, 0.7853885733974476),
      (0.70711, 0.7854027154974484),
      (0.9, 1.1197695149986342),
      (0.999999, 1.5693821131146521),
      (1.0, 1.5707963267948966),
    ]
    for (x, angle) in cases {
      #expect((Geography.arcsine(x) - angle).magnitude <= 4 * angle.ulp, "\(x)")
    }
  }
}
