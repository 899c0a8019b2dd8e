import Timekeeping

/// When a person opens the app: a Poisson process whose rate follows the day of the week and the local hour (§5.12).
struct Openings {
  private let rates: (matchDay: Double, otherDay: Double)

  init(isManager: Bool, habits: Habits) {
    rates = isManager ? habits.managerOpenings : habits.memberOpenings
  }

  /// The next opening, found by walking the hours until an exponential draw is used up; `nil` when it comes after the
  /// end.
  func next(after instant: Instant, until end: Instant, _ stream: inout RandomStream) -> Instant? {
    var rest = stream.sample(.exponential(mean: .seconds(1))).seconds
    let civil = CivilZone.amsterdam.civil(at: instant)
    var day = civil.date
    var hour = Int(civil.timeOfDay.nanoseconds / Span.hours(1).nanoseconds)
    var from = instant
    while from < end {
      let hourEnds = from + (.hours(1) - from.sinceTheHour)
      let perDay = day.weekday >= 6 ? rates.matchDay : rates.otherDay
      let perSecond = perDay * Self.weights[hour] / Self.total / 3_600
      let offered = (hourEnds - from).seconds * perSecond
      if offered > rest { return from + Span(seconds: rest / perSecond) }
      rest -= offered
      from = hourEnds
      hour += 1
      if hour == 24 {
        hour = 0
        day = CivilDate(daysSinceEpoch: day.daysSinceEpoch + 1)
      }
    }
    return nil
  }

  /// Peaks 08–10 and 12–14 local; the night is quiet.
  private static let weights: [Double] = [
    0.1, 0.05, 0.05, 0.05, 0.05, 0.1, 0.3, 1.0, 2.5, 2.5, 1.6, 1.4, 2.3, 2.3, 1.4, 1.2, 1.1, 1.0,
    0.9, 1.0, 1.0, 0.8, 0.5, 0.3,
  ]
  private static let total = weights.reduce(0, +)
}

extension Instant {
  /// Time since the last full hour, which local clocks share with UTC.
  fileprivate var sinceTheHour: Span {
    let hour = Span.hours(1).nanoseconds
    let rest = nanoseconds % hour
    return Span(nanoseconds: rest < 0 ? rest + hour : rest)
  }
}
