import Foundation
import Timekeeping

/// Numbers and moments as reports print them: English, the same on every machine.
public enum Figures {
  /// `1,234,567`.
  public static func count(_ number: Int) -> String {
    var groups: [String] = []
    var rest = number.magnitude
    while rest >= 1_000 {
      let group = String(rest % 1_000)
      groups.insert(String(repeating: "0", count: 3 - group.count) + group, at: 0)
      rest /= 1_000
    }
    return (number < 0 ? "-" : "") + ([String(rest)] + groups).joined(separator: ",")
  }

  /// `1 replication`, `1,200 replications`.
  public static func count(_ number: Int, _ noun: String) -> String {
    "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A number with three significant digits and no needless zeros: `0.0123`, `1.5`, `187`, `12,300`.
  public static func number(_ value: Double) -> String {
    guard value.isFinite else { return Texts.english.never }
    guard value != 0 else { return "0" }
    let digits = 3
    let magnitude = Int(log10(abs(value)).rounded(.down))
    let decimals = max(0, digits - 1 - magnitude)
    guard decimals > 0 else { return count(Int(value.rounded())) }
    guard decimals <= 12 else { return String(format: "%.2e", value) }
    var text = String(format: "%.\(decimals)f", value)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// `812 B`, `1.2 MB`; units of a thousand.
  public static func bytes(_ count: Int) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var (value, unit) = (Double(count), 0)
    while value >= 1_000, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
    return "\(number(value)) \(units[unit])"
  }

  /// Seconds in the unit that fits: `870 µs`, `187 ms`, `1.24 s`, `4 min 12 s`, `2 d 3 h`.
  public static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite else { return Texts.english.never }
    if seconds < 0 { return "-" + duration(-seconds) }
    if seconds == 0 { return "0 s" }
    if seconds < 999.5e-9 { return number(seconds * 1e9) + " ns" }
    if seconds < 999.5e-6 { return number(seconds * 1e6) + " µs" }
    if seconds < 999.5e-3 { return number(seconds * 1e3) + " ms" }
    if seconds < 59.95 { return number(seconds) + " s" }
    let whole = seconds < 1e15 ? Int(seconds.rounded()) : Int(1e15)
    if whole < 3_600 { return pair(whole / 60, "min", whole % 60, "s") }
    let minutes = (whole + 30) / 60
    if minutes < 1_440 { return pair(minutes / 60, "h", minutes % 60, "min") }
    let hours = (whole + 1_800) / 3_600
    return pair(hours / 24, "d", hours % 24, "h")
  }

  /// A part of a duration; what cannot be seen beside the whole is a bare 0.
  static func part(_ seconds: Double, of whole: Double) -> String {
    seconds <= whole * 0.0005 ? "0" : duration(seconds)
  }

  private static func pair(_ big: Int, _ bigUnit: String, _ small: Int, _ smallUnit: String)
    -> String
  {
    small == 0 ? "\(count(big)) \(bigUnit)" : "\(count(big)) \(bigUnit) \(small) \(smallUnit)"
  }

  /// Two durations with their unit once where it is the same: `181 – 194 ms`.
  public static func durations(_ low: Double, _ high: Double) -> String {
    guard high.isFinite else { return Texts.english.orLonger(duration(low)) }
    let (from, to) = (duration(low), duration(high))
    guard from != to else { return to }
    // Minutes and seconds twice in a row are hard to compare: decimals of the lower end's unit are not.
    let units = [(86_400.0, "d"), (3_600, "h"), (60, "min")]
    if let (size, name) = units.first(where: { low >= $0.0 }), high < size * 1_000 {
      let (from, to) = (number(low / size), number(high / size))
      return (from == to ? "" : from + " – ") + to + " " + name
    }
    let (lowParts, highParts) = (from.split(separator: " "), to.split(separator: " "))
    let sameUnit = lowParts.count == 2 && highParts.count == 2 && lowParts[1] == highParts[1]
    return (sameUnit ? String(lowParts[0]) : from) + " – " + to
  }

  /// Two shares as percentages: `1.14 – 1.25%`.
  public static func shares(_ low: Double, _ high: Double) -> String {
    let (low, high) = (share(low), share(high))
    return (low.hasSuffix("%") ? String(low.dropLast()) : low) + " – " + high
  }

  /// A share in 0...1 as a percentage; neither "0%" nor "100%" unless it is exactly that.
  public static func share(_ share: Double) -> String {
    guard share.isFinite else { return Texts.english.never }
    if share > 0.9995, share < 1 {
      let missing = number((1 - share) * 100)
      let decimals = missing.split(separator: ".").dropFirst().first?.count ?? 0
      return decimals <= 6 ? String(format: "%.\(decimals)f%%", share * 100) : "> 99.999999%"
    }
    return number(share * 100) + "%"
  }

  /// A share above 0 of which no reader needs more than two decimals of a percent.
  static func smallShare(_ share: Double) -> String {
    share > 0 && share < 0.000_1 ? "< 0.01%" : self.share(share)
  }

  /// `p50`, `p99`, `p99.9`.
  public static func quantile(_ q: Double) -> String { "p" + percent(q) }

  /// A share as a bare percentage without rounding to three digits: `99.99`.
  static func percent(_ q: Double) -> String {
    var text = String(format: "%.6f", q * 100)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// `Sat 21 Mar 2026, 11:42:07` as clocks in the scenario's zone show it.
  public static func moment(_ instant: Instant, in zone: CivilZone) -> String {
    let civil = zone.civil(at: instant)
    return day(civil.date) + ", " + clock(civil.timeOfDay, seconds: true)
  }

  /// A moment of a schedule: with its day only where that is needed, with seconds only where there are some.
  static func appointment(_ instant: Instant, in zone: CivilZone, day named: Bool) -> String {
    let civil = zone.civil(at: instant)
    let seconds = civil.timeOfDay.nanoseconds % Span.minutes(1).nanoseconds != 0
    let time = clock(civil.timeOfDay, seconds: seconds)
    return named ? day(civil.date) + ", " + time : time
  }

  public static func day(_ date: CivilDate) -> String {
    let texts = Texts.english
    return texts.weekdays[date.weekday - 1] + " \(date.day) " + texts.months[date.month - 1]
      + " \(date.year)"
  }

  /// `11:42` or `11:42:07`.
  public static func clock(_ timeOfDay: Span, seconds: Bool = false) -> String {
    let total = timeOfDay.nanoseconds / 1_000_000_000
    let text = String(format: "%02d:%02d", Int(total / 3_600), Int(total / 60 % 60))
    return seconds ? text + String(format: ":%02d", Int(total % 60)) : text
  }
}
