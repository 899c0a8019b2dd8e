import Timekeeping

/// How a day's demand is spread over its hours (§5.6): a Poisson process whose rate follows the day of the week and the
/// local hour.
struct DayCurve: Sendable {
  /// Events of one person on a day of factor 1.
  let perDay: Double

  /// The next event, found by walking the hours until an exponential draw is used up; `nil` when it comes after the end.
  func next(after instant: Instant, until end: Instant, _ stream: inout RandomStream) -> Instant? {
    guard perDay > 0 else { return nil }
    var rest = stream.exponential(mean: 1)
    var from = instant
    var (weekday, hour) = from.localHour
    while from < end {
      let hourEnds = from + .hours(1) - from.sinceTheHour
      let perSecond = perDay * Self.weekdayFactors[weekday - 1] * Self.shares[hour] / 100 / 3_600
      let offered = (hourEnds - from).seconds * perSecond
      if offered > rest { return from + Span(seconds: rest / perSecond) }
      rest -= offered
      from = hourEnds
      (weekday, hour) = from.localHour
    }
    return nil
  }

  /// An instant of a local day by the curve.
  static func instant(of day: CivilDate, _ stream: inout RandomStream) -> Instant {
    let hour = stream.pick(weights: shares)
    return CivilZone.berlin.instant(day, .hours(Int64(hour)))
      + Span(seconds: 3_600 * stream.unit())
  }

  /// Share of orders per local hour 0…23 in %, of sum 100 (§5.6).
  static let shares: [Double] = [
    0.5, 0.2, 0.1, 0.1, 0.1, 0.2, 0.5, 1.0, 1.8, 2.5, 3.5, 7.0, 10.5, 7.5, 4.0, 3.2, 3.8, 7.0,
    13.0, 14.0, 10.0, 5.5, 2.8, 1.2,
  ]

  /// Monday to Sunday (§5.6).
  static let weekdayFactors: [Double] = [0.85, 0.85, 0.90, 0.95, 1.20, 1.25, 1.00]
}

extension Instant {
  /// Weekday (Monday is 1) and hour that clocks in Berlin show.
  var localHour: (weekday: Int, hour: Int) {
    let civil = CivilZone.berlin.civil(at: self)
    return (civil.date.weekday, Int(civil.timeOfDay.nanoseconds / Span.hours(1).nanoseconds))
  }

  /// Time since the last full hour, which local clocks share with UTC.
  fileprivate var sinceTheHour: Span {
    let hour = Span.hours(1).nanoseconds
    let rest = nanoseconds % hour
    return Span(nanoseconds: rest < 0 ? rest + hour : rest)
  }
}
