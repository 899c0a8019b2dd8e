import Timekeeping

/// The season of the clubs: 1 August up to and including 31 July, local time.
public enum Season {
  /// The coming 31 July 23:59:59: the last second at which a device token of the season is written to end (§7.1).
  public static func end(after instant: Instant) -> Instant {
    let date = CivilZone.amsterdam.civil(at: instant).date
    let here = last(of: date.year)
    return instant < here ? here : last(of: date.year + 1)
  }

  /// The 1 August on or before an instant.
  public static func start(before instant: Instant) -> Instant {
    let date = CivilZone.amsterdam.civil(at: instant).date
    let here = first(of: date.year)
    return instant >= here ? here : first(of: date.year - 1)
  }

  private static func last(of year: Int) -> Instant {
    CivilZone.amsterdam.instant(
      CivilDate(year: year, month: 7, day: 31), .days(1) - .seconds(1))
  }

  private static func first(of year: Int) -> Instant {
    CivilZone.amsterdam.instant(CivilDate(year: year, month: 8, day: 1))
  }
}
