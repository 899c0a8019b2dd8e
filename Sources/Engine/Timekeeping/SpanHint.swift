extension Span {
  /// What to write where a text was meant to be a span that is not negative: the span that was meant, where one is near,
  /// and the units. Of a single `m` both meanings are named.
  public static func hint(for text: String) -> String {
    let shown =
      "'\(text.prefix(40).filter { $0.isASCII && !$0.isNewline && $0 >= " " && $0 < "\u{7F}" })'"
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
    guard !number.isEmpty, Double(number) != nil else { return "\(shown); \(units)" }
    if unit == "m" {
      return "\(shown): do you mean \(number)min (minutes) or \(number)ms (milliseconds)? \(units)"
    }
    if unit.isEmpty { return "\(shown) has no unit: \(number)s, \(number)min? \(units)" }
    guard let meant = spellings.first(where: { $0.spellings.contains(unit) })?.unit,
      Span(number + meant) != nil
    else { return "\(shown); \(units)" }
    return "\(shown): do you mean \(number)\(meant)? \(units)"
  }

  private static let units = "A span is a number and one of ns, us, ms, s, min, h, d: \"30s\""

  private static let spellings: [(unit: String, spellings: [String])] = [
    ("s", ["sec", "secs", "second", "seconds"]), ("min", ["mins", "minute", "minutes"]),
    ("h", ["hr", "hrs", "hour", "hours"]), ("d", ["day", "days"]),
    ("ms", ["msec", "msecs", "millis", "millisecond", "milliseconds"]),
    ("us", ["μs", "usec", "micros", "microseconds"]), ("ns", ["nsec", "nanoseconds"]),
  ]
}
