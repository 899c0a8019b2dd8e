import Contracts
import Timekeeping

/// When a partner is open, by wall-clock time (§2.10.1, MS-41).
public struct OpeningHours: Hashable, Sendable {
  /// Minutes since local midnight; a `closes` at or before `opens` lies on the next day.
  public struct Interval: Hashable, Sendable {
    public let opens: Int
    public let closes: Int
  }

  /// Monday first.
  public let days: [Interval?]

  public static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// - Returns: `nil` when the document is not of the form of §2.10.1.
  public init?(_ document: JSON) {
    guard let members = document.object else { return nil }
    var days: [Interval?] = []
    for weekday in Self.weekdays {
      guard let day = members[weekday] else {
        days.append(nil)
        continue
      }
      guard day.object != nil, let isOpen = day["isOpen"]?.bool else { return nil }
      // A closed day's times are not needed, but what is there must be of its type.
      let opens = Self.minutes(day["openTime"], allowing24: false)
      let closes = Self.minutes(day["closeTime"], allowing24: true)
      guard opens != .wrong, closes != .wrong else { return nil }
      guard isOpen else {
        days.append(nil)
        continue
      }
      guard case .at(let from) = opens, case .at(let to) = closes else { return nil }
      days.append(Interval(opens: from, closes: to))
    }
    self.days = days
  }

  public init?(parsing text: String) {
    guard let document = JSON(parsing: text) else { return nil }
    self.init(document)
  }

  /// Half-open: the closing minute is closed (OP-13).
  public func isOpen(at instant: Instant, in zone: CivilZone) -> Bool {
    let local = zone.civil(at: instant)
    let minute = Int(local.timeOfDay.nanoseconds / 60_000_000_000)
    let today = local.date.weekday - 1
    if let day = days[today], minute >= day.opens, minute < day.closes || day.closes <= day.opens {
      return true
    }
    guard let yesterday = days[(today + 6) % 7] else { return false }
    return yesterday.closes <= yesterday.opens && minute < yesterday.closes
  }

  private enum Time: Hashable {
    case missing, wrong
    case at(Int)
  }

  /// `HH:mm`; the end of a day is 1,440.
  private static func minutes(_ value: JSON?, allowing24: Bool) -> Time {
    guard let value, !value.isNull else { return .missing }
    guard let text = value.string else { return .wrong }
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return .wrong }
    let digits = [0, 1, 3, 4].map { Int(bytes[$0]) - 48 }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return .wrong }
    let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    if hour == 24, minute == 0, allowing24 { return .at(1_440) }
    guard hour < 24, minute < 60 else { return .wrong }
    return .at(hour * 60 + minute)
  }
}
