import Foundation
import Testing
import Timekeeping

@Suite struct `Spans, instants and calendars` {
  @Test(arguments: [
    ("250ms", Span.milliseconds(250)), ("1.5h", .minutes(90)), ("20min", .minutes(20)),
    ("4us", .microseconds(4)), ("7d", .days(7)), ("61min", .minutes(61)),
    ("3661s", .seconds(3_661)), ("1ns", .nanoseconds(1)), ("-2s", .seconds(-2)),
    ("0s", .zero), ("1.25s", .milliseconds(1_250)), ("0.5d", .hours(12)), ("365d", .days(365)),
    ("1.05ms", .microseconds(1_050)),
  ])
  func `a span is read as a scenario writes it and printed so that it reads back`(
    text: String, span: Span
  ) {
    #expect(Span(text) == span)
    #expect(Span(span.description) == span)
  }

  @Test func `a span is printed short, and rounded where it has too many digits`() {
    #expect(Span.minutes(90).description == "1.5h")
    #expect(Span.minutes(61).description == "61min")
    #expect(Span.hours(36).description == "1.5d")
    #expect(Span.nanoseconds(1_234_567).description == "1.23ms")
    #expect(Span.nanoseconds(-1_234_567).description == "-1.23ms")
    #expect(Span.nanoseconds(1_999_999_999).description == "2s")
    #expect(Span.nanoseconds(1_050_400).description == "1050.4us")
    #expect(Span.longest.description == "for ever")
    #expect(Span(nanoseconds: .min).description == "-106751.99d")
  }

  @Test(arguments: [
    "", "5", "s", "five s", "1..5s", "5 minutes", "1.5.2h", "--3s", "300000d", "5m", "٣s",
    "1h30min", "-", ".", "9223372036854775807s",
  ])
  func `a span without a unit, or with anything else beside it, is refused`(text: String) {
    #expect(Span(text) == nil)
  }

  @Test func `whole numbers of nanoseconds are read exactly beyond 2^53`() {
    #expect(Span("9007199254740993ns") == .nanoseconds(9_007_199_254_740_993))
    #expect(Span("4.000001us") == .nanoseconds(4_000))
  }

  @Test func `arithmetic stays at the ends of time instead of overflowing`() {
    #expect(Instant.distantFuture + .days(1) == .distantFuture)
    #expect(Instant.distantPast - .days(1) == .distantPast)
    #expect(Instant.distantFuture - .distantPast == .longest)
    #expect(Instant(unixSeconds: 5) - .distantPast == .longest)
    #expect(Instant(unixSeconds: 5) - Span(nanoseconds: .min) == .distantFuture)
    #expect(Span.longest + .seconds(1) == .longest)
    #expect(-Span.longest - .seconds(1) == -.longest)
    #expect(Span(seconds: 1e300) == .longest && Span(seconds: -1e300) == -.longest)
  }

  @Test(arguments: [9_999_999_999, 9_999_999_999_999, Int64.max, .min, -9_999_999_999])
  func `numbers of seconds that no clock has become the ends of time, or nothing`(count: Int64) {
    let end = count > 0 ? Instant.distantFuture : .distantPast
    let longest = count > 0 ? Span.longest : -.longest
    #expect(Instant(unixSeconds: count) == end)
    #expect(Instant(exactUnixSeconds: count) == nil)
    #expect(Span.seconds(count) == longest && Span.days(count) == longest)
    #expect(Span.seconds(1) * count == longest)
    #expect(Instant(exactUnixMilliseconds: count)?.unixMilliseconds ?? count == count)
    #expect(Instant(exactUnixMilliseconds: .max) == nil)
  }

  @Test func `the ends of time can be printed, rounded and turned around`() {
    for end in [Instant.distantPast, .distantFuture] {
      #expect(end.precise.hasSuffix("Z") && !end.description.isEmpty)
      #expect(Instant(unixMilliseconds: end.unixMilliseconds) - end <= .zero)
    }
    #expect(-Span(nanoseconds: .min) == .longest)
    #expect(Instant(exactUnixSeconds: 1_774_083_600)?.unixSeconds == 1_774_083_600)
  }

  @Test func `an instant's text reads back to the millisecond`() {
    var stream = RandomStream(seed: 11, owner: 0, purpose: 0)
    for _ in 0..<5_000 {
      let milliseconds = Int64(stream.pick(-8_500_000_000_000..<7_200_000_000_000))
      let instant = Instant(unixMilliseconds: milliseconds)
      #expect(Instant(instant.description) == instant, "\(milliseconds) ms")
    }
  }

  @Test(arguments: [
    ("2026-03-21T05:00:00.000Z", "2026-03-21T05:00:00.000Z"),
    ("2026-03-21T06:00+01:00", "2026-03-21T05:00:00.000Z"),
    ("2026-03-21T06:00:30-0230", "2026-03-21T08:30:30.000Z"),
    ("2024-02-29t23:59:59.999999999z", "2024-02-29T23:59:59.999Z"),
    ("1969-12-31 23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
  ])
  func `an instant is read with any offset`(text: String, utc: String) {
    #expect(Instant(text)?.description == utc)
  }

  @Test(arguments: [
    "2026-02-29T00:00Z", "2026-13-01T00:00Z", "2026-00-01T00:00Z", "2026-03-21T24:00Z",
    "2026-03-21T06:60Z", "2026-03-21T06:00", "2026-03-21", "2026-03-21T06:00:00.Z",
    "2026-03-21T06:00:00.1234567890Z", "2026-03-21T06:00Z ", "26-03-21T06:00Z", "",
    "2026-03-21T06:00+1:00", "1600-01-01T00:00Z", "２０２６-03-21T06:00Z",
  ])
  func `an instant that is no date, or that names no zone, is refused`(text: String) {
    #expect(Instant(text) == nil)
  }

  @Test func `every date from 1700 to 2200 agrees with Foundation`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let first = CivilDate(year: 1700, month: 1, day: 1).daysSinceEpoch
    let last = CivilDate(year: 2200, month: 12, day: 31).daysSinceEpoch
    #expect(last - first + 1 == 182_986)
    var before = CivilDate(daysSinceEpoch: first - 1)
    for days in first...last {
      let date = CivilDate(daysSinceEpoch: days)
      #expect(date.daysSinceEpoch == days && before < date)
      before = date
      // Foundation is slow: every eleventh day reaches each day of month, weekday and leap-year position.
      guard days % 11 == 0 else { continue }
      let parts = calendar.dateComponents(
        [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(days) * 86_400))
      #expect(date.year == parts.year && date.month == parts.month && date.day == parts.day)
      let sundayFirst = try #require(parts.weekday)
      #expect(date.weekday == (sundayFirst + 5) % 7 + 1)
    }
  }
}
