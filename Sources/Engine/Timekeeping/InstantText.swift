extension Instant: CustomStringConvertible {
  /// ISO 8601 in UTC with milliseconds: `2026-03-21T05:00:00.000Z`.
  public var description: String {
    let date = CivilDate(daysSinceEpoch: unixSeconds.flooredDivision(by: 86_400))
    let second = unixSeconds - unixSeconds.flooredDivision(by: 86_400) * 86_400
    let millisecond = unixMilliseconds - unixSeconds * 1_000
    return Self.padded(date.year, 4) + "-" + Self.padded(date.month, 2) + "-"
      + Self.padded(date.day, 2) + "T" + Self.padded(Int(second / 3_600), 2) + ":"
      + Self.padded(Int(second / 60 % 60), 2) + ":" + Self.padded(Int(second % 60), 2) + "."
      + Self.padded(Int(millisecond), 3) + "Z"
  }

  /// The same with nanoseconds, for records.
  public var precise: String {
    // Not from whole seconds, whose nanoseconds may lie before the distant past.
    let rest = nanoseconds % 1_000_000_000
    return String(description.dropLast(4))
      + Self.padded(Int(rest < 0 ? rest + 1_000_000_000 : rest), 9) + "Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Reads ISO 8601 with `Z` or a numeric offset, with or without fractional seconds.
  public init?(_ text: some StringProtocol) { self.init(text, years: CivilTime.usualYears) }

  /// The same of other years than 1700 to 2200; beyond 1678 to 2261 it is the distant past or future.
  public init?(_ text: some StringProtocol, years: ClosedRange<Int>) {
    guard let parsed = CivilTime(text, requiringZone: true, years: years),
      let offset = parsed.offset
    else { return nil }
    self = parsed.instant(offset: offset)
  }
}

/// A wall-clock reading as text gives it: date, time of day and, perhaps, an offset from UTC.
public struct CivilTime: Hashable, Sendable {
  public let date: CivilDate
  /// Time since local midnight.
  public let timeOfDay: Span
  /// Offset from UTC if the text named one.
  public let offset: Span?

  public init(date: CivilDate, timeOfDay: Span, offset: Span? = nil) {
    self.date = date
    self.timeOfDay = timeOfDay
    self.offset = offset
  }

  /// Those of clocks, with room before nanoseconds in 64 bits end.
  static let usualYears = 1_700...2_200

  /// Reads `2026-03-21T06:00[:00[.000]][Z|+01:00]`.
  public init?(_ text: some StringProtocol, requiringZone: Bool = false) {
    self.init(text, requiringZone: requiringZone, years: Self.usualYears)
  }

  init?(_ text: some StringProtocol, requiringZone: Bool, years: ClosedRange<Int>) {
    var rest = Substring(text)
    func number(_ digits: Int) -> Int? {
      let part = rest.prefix(digits)
      guard part.count == digits, part.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
      rest = rest.dropFirst(digits)
      return Int(part)
    }
    func take(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      (1...12).contains(month), (1...31).contains(day), years.contains(year)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard CivilDate(daysSinceEpoch: date.daysSinceEpoch) == date else { return nil }
    guard take("T") || take("t") || take(" ") else { return nil }
    guard let hour = number(2), take(":"), let minute = number(2), hour < 24, minute < 60 else {
      return nil
    }
    var time = Span.hours(Int64(hour)) + .minutes(Int64(minute))
    if take(":") {
      guard let second = number(2), second < 60 else { return nil }
      time += .seconds(Int64(second))
      if take(".") {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty, digits.count <= 9, let fraction = Int64(digits) else { return nil }
        rest = rest.dropFirst(digits.count)
        let scale = (digits.count..<9).reduce(Int64(1)) { product, _ in product * 10 }
        time += .nanoseconds(fraction * scale)
      }
    }
    var offset: Span?
    if take("Z") || take("z") {
      offset = .zero
    } else if rest.first == "+" || rest.first == "-" {
      let sign: Int64 = rest.first == "-" ? -1 : 1
      rest = rest.dropFirst()
      guard let hours = number(2) else { return nil }
      _ = take(":")
      guard let minutes = number(2), hours <= 18, minutes < 60 else { return nil }
      offset = (.hours(Int64(hours)) + .minutes(Int64(minutes))) * sign
    }
    guard rest.isEmpty, !requiringZone || offset != nil else { return nil }
    self.init(date: date, timeOfDay: time, offset: offset)
  }

  public func instant(offset: Span) -> Instant {
    Instant(unixSeconds: date.daysSinceEpoch * 86_400) + timeOfDay - offset
  }
}
