import Foundation
import Timekeeping

/// The `Date` of a response (RFC 9110 §5.6.7): real time, whatever the twin's clock shows.
enum HTTPDate {
  static var now: String { text(of: Int64(Date().timeIntervalSince1970)) }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func text(of unixSeconds: Int64) -> String {
    let (day, second) = (unixSeconds / 86_400, unixSeconds % 86_400)
    let date = CivilDate(daysSinceEpoch: day)
    let time = [second / 3_600, second / 60 % 60, second % 60].map(padded).joined(separator: ":")
    return
      "\(days[date.weekday - 1]), \(padded(Int64(date.day))) \(months[date.month - 1]) \(date.year) \(time) GMT"
  }

  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
