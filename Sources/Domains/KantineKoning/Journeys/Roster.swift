import KantineKoningContract
import Timekeeping

/// The diensten of a club around the start of a run, as §5.12 describes a match week, and some that lie outside
/// the default window of O14.
struct Roster {
  let club: Slug
  let codes: [TeamName]
  let starts: Instant
  var stream: RandomStream

  /// Weeks before and after the week of the start for which the roster is known: it is published 6 to 8 weeks ahead.
  private static let weeks = -4...8

  mutating func diensten() -> [Fixture.DienstEntry] {
    let today = CivilZone.amsterdam.civil(at: starts).date
    let monday = CivilDate(daysSinceEpoch: today.daysSinceEpoch - Int64(today.weekday - 1))
    let playsOnSunday = stream.chance(0.5)
    let stations = codes.count < 25 ? 1 : 2
    var entries: [Fixture.DienstEntry] = []
    for week in Self.weeks {
      func day(_ offset: Int) -> CivilDate {
        CivilDate(daysSinceEpoch: monday.daysSinceEpoch + Int64(7 * week + offset))
      }
      for hour in [9, 11, 14] {
        for _ in 0..<stations { entries.append(entry(on: day(5), hour: hour)) }
      }
      if playsOnSunday {
        for hour in [10, 13] { entries.append(entry(on: day(6), hour: hour)) }
      }
      for _ in 0..<stream.pick(0..<3) {
        entries.append(entry(on: day(stream.pick(0..<5)), hour: 19))
      }
    }
    // Outside the default window of 365 days back and 60 days ahead (KK-45, KK-46).
    for _ in 0..<max(1, codes.count / 6) {
      let long = CivilDate(daysSinceEpoch: today.daysSinceEpoch - Int64(367 + stream.pick(0..<60)))
      entries.append(entry(on: long, hour: 11))
      let far = CivilDate(daysSinceEpoch: today.daysSinceEpoch + Int64(62 + stream.pick(0..<30)))
      entries.append(entry(on: far, hour: 11))
    }
    return entries
  }

  /// Every Saturday morning since the winter break for one team, which has earned its praise (KK-116).
  mutating func mornings(of team: TeamName) -> [Fixture.DienstEntry] {
    let today = CivilZone.amsterdam.civil(at: starts).date
    let saturday = today.daysSinceEpoch + Int64(6 - today.weekday)
    return (1...Self.morningsOfACrew).map { week in
      let date = CivilDate(daysSinceEpoch: saturday - Int64(7 * week))
      let start = CivilZone.amsterdam.instant(date, .minutes(8 * 60 + 30))
      return Fixture.DienstEntry(
        id: stream.uuid(), tenantSlug: club, team: team, startTijd: start,
        eindTijd: start + .hours(4), minimumBemanning: 2, locatieNaam: "Kantine",
        dienstType: DienstType(naam: "Bardienst", icon: "lucide-utensils"),
        aanmeldingen: stream.sample(2, of: FirstNames.all))
    }
  }

  /// Four hours each: enough for forty.
  private static let morningsOfACrew = 11

  private mutating func entry(on date: CivilDate, hour: Int) -> Fixture.DienstEntry {
    let start = CivilZone.amsterdam.instant(date, .hours(Int64(hour)))
    let half = [5, 6, 7, 8][stream.pick(weights: [0.4, 0.3, 0.2, 0.1])]
    let minimum = 1 + stream.pick(weights: [0.05, 0.60, 0.25, 0.10])
    return Fixture.DienstEntry(
      id: stream.uuid(), tenantSlug: club, team: stream.chance(0.05) ? nil : stream.pick(codes),
      startTijd: start, eindTijd: start + .minutes(Int64(30 * half)), minimumBemanning: minimum,
      locatieNaam: stream.pick(["Kantine", "Keuken", "Bar", "Terras"]),
      dienstType: DienstType(naam: "Bardienst", icon: "lucide-utensils"),
      aanmeldingen: names(minimum: minimum, start: start))
  }

  /// Who is on the list already: past diensten are manned, near ones mostly, later ones hardly.
  private mutating func names(minimum: Int, start: Instant) -> [String] {
    let isNear = start < starts + .days(12)
    let share = start < starts ? 1.0 : isNear ? 0.5 : 0.1
    let count = (0..<minimum).count(where: { _ in stream.chance(share) })
    return stream.sample(count, of: FirstNames.all)
  }
}
