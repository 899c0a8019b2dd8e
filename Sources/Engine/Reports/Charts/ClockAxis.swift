import Timekeeping

/// A run's local time, from its beginning to its end, with marks at round times.
struct ClockAxis {
  let starts: Instant
  let zone: CivilZone
  let length: Span

  /// Where an instant lies, 0 at the beginning and 1 at the end.
  func share(_ instant: Instant) -> Double { (instant - starts).seconds / length.seconds }

  /// The time of day, or the date in runs of many days.
  func label(_ instant: Instant, day: Bool = false) -> String {
    let civil = zone.civil(at: instant)
    guard day else { return Figures.clock(civil.timeOfDay) }
    return "\(civil.date.day) " + Texts.english.months[civil.date.month - 1]
  }

  private static let steps: [Span] = [
    .minutes(1), .minutes(5), .minutes(15), .minutes(30), .hours(1), .hours(2), .hours(3),
    .hours(6), .hours(12), .days(1), .days(2), .days(7), .days(14), .days(28), .days(91),
    .days(365),
  ]

  /// No more than asked for.
  func marks(atMost count: Int) -> [(label: String, at: Instant)] {
    let step =
      Self.steps.first { length.nanoseconds / $0.nanoseconds <= Int64(count) } ?? .days(3_650)
    let midnight = zone.civil(at: starts).date
    var result: [(label: String, at: Instant)] = []
    var offset = Span.zero
    while true {
      // By civil date, so that a day stays a day when clocks change.
      let days = offset.nanoseconds / Span.days(1).nanoseconds
      let date = CivilDate(daysSinceEpoch: midnight.daysSinceEpoch + days)
      let at = zone.instant(date, offset - .days(days))
      if at > starts + length { return result }
      if at >= starts { result.append((label(at, day: step >= .days(1)), at)) }
      offset += step
    }
  }
}
