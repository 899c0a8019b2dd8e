import Timekeeping

/// When somebody works: from Monday on in Ho Chi Minh City, with an hour for lunch (5.3).
struct WorkingHours {
  private static let zone = CivilZone("Asia/Ho_Chi_Minh")!
  private let workingDays: Int
  private let arrivesWithin: Span
  /// Of the day at hand, the next one in front.
  private var due: [Instant] = []
  private var day: CivilDate?

  init(_ habits: AgencyHabits) {
    (workingDays, arrivesWithin) = (habits.workingDays, habits.arrivesWithin)
  }

  /// The next of about so many sessions a day; `isLast` where the day ends with it.
  mutating func next(
    after now: Instant, perDay mean: Double, least: Int, drawing stream: inout RandomStream
  ) -> (at: Instant, isLast: Bool) {
    due.removeAll { $0 <= now }
    while due.isEmpty {
      let today = Self.zone.civil(at: now).date
      day = day.map { CivilDate(daysSinceEpoch: $0.daysSinceEpoch + 1) } ?? today
      guard let day, day >= today, day.weekday <= workingDays else { continue }
      let begins = Span.minutes(465) + arrivesWithin * stream.unit()
      let lunch = Span.minutes(690) + .minutes(90) * stream.unit()
      let count = max(least, stream.poisson(mean: mean))
      // Whoever comes to work looks at the list first.
      let times =
        [begins]
        + (1..<max(count, 2)).map { _ in begins + (.hours(18) - begins) * stream.unit() }
        .filter { !(lunch...lunch + .hours(1)).contains($0) }
      due = times.prefix(max(count, 1)).sorted().map { Self.zone.instant(day, $0) }
      due.removeAll { $0 <= now }
    }
    return (due.removeFirst(), due.isEmpty)
  }

  /// How busy website visitors are at an instant, at a mean of one: they live in Europe and America.
  static func traffic(at now: Instant) -> Double {
    let hour = zone.civil(at: now).timeOfDay.seconds / 3_600
    // Their afternoon and evening are the agency's night: most at 22:00, least at 10:00.
    let distance = abs(hour - 10)
    return 0.3 + 1.4 * min(distance, 24 - distance) / 12
  }
}

extension Span {
  static func * (span: Span, factor: Double) -> Span { Span(seconds: span.seconds * factor) }
}

extension RandomStream {
  /// LN(m, s) of the specification, in seconds.
  mutating func seconds(median: Double, sigma: Double) -> Span {
    Span(seconds: min(lognormal(median: median, sigma: sigma), 86_400))
  }
}
