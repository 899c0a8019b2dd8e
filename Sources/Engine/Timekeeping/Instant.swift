/// A point in time: nanoseconds since 1970-01-01T00:00:00Z, without leap seconds; good from 1678 to 2262.
public struct Instant: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  /// Beyond the range it is the distant future or past, as with sums: "never" of another clock stays "never".
  public init(unixSeconds: Int64) {
    nanoseconds = unixSeconds.multipliedWithinRange(by: 1_000_000_000)
  }
  /// Beyond the range it is the distant future or past.
  public init(unixMilliseconds: Int64) {
    nanoseconds = unixMilliseconds.multipliedWithinRange(by: 1_000_000)
  }

  /// `nil` beyond the range: for numbers that somebody else wrote, where a wrong one is to be refused.
  public init?(exactUnixSeconds seconds: Int64) {
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return nil }
    self.nanoseconds = nanoseconds
  }
  /// `nil` beyond the range.
  public init?(exactUnixMilliseconds milliseconds: Int64) {
    let (nanoseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return nil }
    self.nanoseconds = nanoseconds
  }

  @inlinable public static var distantFuture: Instant { Instant(nanoseconds: .max) }
  @inlinable public static var distantPast: Instant { Instant(nanoseconds: .min) }

  /// Whole seconds since 1970, rounded down.
  public var unixSeconds: Int64 { nanoseconds.flooredDivision(by: 1_000_000_000) }
  /// Whole milliseconds since 1970, rounded down.
  public var unixMilliseconds: Int64 { nanoseconds.flooredDivision(by: 1_000_000) }

  @inlinable public static func < (a: Instant, b: Instant) -> Bool {
    a.nanoseconds < b.nanoseconds
  }
  /// Later by a span; beyond the range it stays at the distant future or past.
  @inlinable public static func + (a: Instant, b: Span) -> Instant {
    let (sum, overflow) = a.nanoseconds.addingReportingOverflow(b.nanoseconds)
    return overflow
      ? (b.nanoseconds > 0 ? Instant(nanoseconds: .max) : Instant(nanoseconds: .min))
      : Instant(nanoseconds: sum)
  }
  @inlinable public static func - (a: Instant, b: Span) -> Instant {
    let (rest, overflow) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
    return overflow
      ? (b.nanoseconds > 0 ? .distantPast : .distantFuture) : Instant(nanoseconds: rest)
  }
  /// The span between two instants; at most the longest, where one of them is the distant past or future.
  @inlinable public static func - (a: Instant, b: Instant) -> Span {
    Span(nanoseconds: a.nanoseconds) - Span(nanoseconds: b.nanoseconds)
  }
  public static func += (a: inout Instant, b: Span) { a = a + b }
}

extension Int64 {
  /// A product that stays at the largest or smallest number rather than overflow.
  @inlinable func multipliedWithinRange(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : product
  }

  /// Division that rounds towards minus infinity, as calendars need it.
  func flooredDivision(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// A date of the proleptic Gregorian calendar, without a time zone.
public struct CivilDate: Hashable, Comparable, Sendable {
  public let year: Int
  public let month: Int
  public let day: Int

  public init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Days since 1970-01-01.
  /// - Source: the era-based algorithm that `std::chrono` specifies for civil calendars.
  public var daysSinceEpoch: Int64 {
    let y = Int64(month <= 2 ? year - 1 : year)
    let era = y.flooredDivision(by: 400)
    let yearOfEra = y - era * 400
    let monthFromMarch = Int64((month + 9) % 12)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  public init(daysSinceEpoch days: Int64) {
    let z = days + 719_468
    let era = z.flooredDivision(by: 146_097)
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }

  /// 1 = Monday … 7 = Sunday, as ISO 8601 counts.
  public var weekday: Int {
    Int((daysSinceEpoch + 3) - (daysSinceEpoch + 3).flooredDivision(by: 7) * 7) + 1
  }

  public static func < (a: CivilDate, b: CivilDate) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }
}
