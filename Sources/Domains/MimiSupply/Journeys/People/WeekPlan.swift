import Contracts
import MimiSupplyContract
import Timekeeping

/// When a partner's people are there: the opening hours that its record shows (§2.10.1), like those of the sample world.
struct WeekPlan: Sendable {
  /// Monday first; minutes since local midnight, `closes` up to 1,680 for the small hours of the next day.
  let days: [ClosedRange<Int>?]

  init(of category: String) {
    days =
      switch category {
      case "restaurant": Self.week(660...1_440, friday: 660...1_560, sunday: 660...1_380)
      case "grocery": Self.week(420...1_320, friday: 420...1_320, sunday: nil)
      case "convenience", "alcohol":
        Self.week(600...1_440, friday: 600...1_560, sunday: 720...1_440)
      case "bakery", "coffee": Self.week(420...1_260, friday: 420...1_260, sunday: 480...1_200)
      case "pharmacy": Self.week(480...1_200, friday: 480...1_200, sunday: 600...960)
      default: Self.week(600...1_200, friday: 600...1_200, sunday: nil)
      }
  }

  /// Monday to Thursday, Friday and Saturday, Sunday.
  private static func week(
    _ workday: ClosedRange<Int>, friday: ClosedRange<Int>, sunday: ClosedRange<Int>?
  ) -> [ClosedRange<Int>?] {
    [workday, workday, workday, workday, friday, friday, sunday]
  }

  /// The next time of being open that is not over at an instant.
  func opening(after instant: Instant) -> (opens: Instant, closes: Instant)? {
    let today = CivilZone.berlin.civil(at: instant).date.daysSinceEpoch
    for number in today - 1...today + 8 {
      let date = CivilDate(daysSinceEpoch: number)
      guard let day = days[date.weekday - 1] else { continue }
      let next = CivilDate(daysSinceEpoch: number + 1)
      let opens = CivilZone.berlin.instant(date, .minutes(Int64(day.lowerBound)))
      let closes =
        day.upperBound < 1_440
        ? CivilZone.berlin.instant(date, .minutes(Int64(day.upperBound)))
        : CivilZone.berlin.instant(next, .minutes(Int64(day.upperBound - 1_440)))
      if instant < closes { return (opens, closes) }
    }
    return nil
  }

  /// As the record has it.
  var document: JSON {
    var week = JSONObject()
    for (name, day) in zip(OpeningHours.weekdays, days) {
      guard let day else {
        week[name] = ["isOpen": false]
        continue
      }
      let closes = day.upperBound <= 1_440 ? day.upperBound : day.upperBound - 1_440
      week[name] = [
        "isOpen": true, "openTime": .string(Self.text(day.lowerBound)),
        "closeTime": .string(Self.text(closes)),
      ]
    }
    return .object(week)
  }

  private static func text(_ minutes: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return two(minutes / 60) + ":" + two(minutes % 60)
  }
}
