extension Span {
  /// Why a text is no span, and what to write: the span that was meant, where one is near. Of a single `m` both meanings are named.
  public static func problem(of text: String) -> String {
    guard let numeral = Numeral(text) else { return "it is not a time, \(example)" }
    if let sum = sum(of: text) { return "a time is one number and one unit: write \(sum)" }
    let (digits, unit) = (numeral.digits, numeral.unit.lowercased())
    let isShort = digits.utf8.count <= 9
    if unit.isEmpty {
      return "a time needs a unit, e.g. \(isShort && !numeral.isNegative ? digits : "5")s"
    }
    if Span("1" + numeral.unit) != nil {
      return numeral.isNegative ? "it is below 0s" : "it is too large"
    }
    let shown = "'\(plain(numeral.unit))'"
    if unit == "m", isShort {
      return
        "\(shown) is not a unit of time: write \(digits)min (minutes) or \(digits)ms (milliseconds)"
    }
    if isShort, let meant = spellings.first(where: { $0.spellings.contains(unit) })?.unit {
      return "\(shown) is not a unit of time: write \(digits)\(meant)"
    }
    return "\(shown) is not a unit of time; use one of ns us ms s min h d"
  }

  /// The same for where any span may stand: with the text itself.
  public static func hint(for text: String) -> String {
    "'\(plain(text))': \(problem(of: text))"
  }

  private static func plain(_ text: String) -> String {
    text.prefix(40).filter { $0.isASCII && $0 >= " " && $0 < "\u{7F}" }
  }

  private static let example = "e.g. 30s, 250ms, 5min"

  /// What other tools write as `1h30m`.
  private static func sum(of text: String) -> Span? {
    var (rest, sum, count) = (Substring(text), Span.zero, 0)
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
      guard let part = Span(String(digits) + (unit == "m" ? "min" : String(unit))) else {
        return nil
      }
      (sum, count) = (sum + part, count + 1)
      rest = rest.dropFirst(digits.count + unit.count)
    }
    return count > 1 ? sum : nil
  }

  private static let spellings: [(unit: String, spellings: [String])] = [
    ("s", ["sec", "secs", "second", "seconds"]), ("min", ["mins", "minute", "minutes"]),
    ("h", ["hr", "hrs", "hour", "hours"]), ("d", ["day", "days"]),
    ("ms", ["msec", "msecs", "millis", "millisecond", "milliseconds"]),
    ("us", ["μs", "usec", "micros", "microseconds"]), ("ns", ["nsec", "nanoseconds"]),
  ]
}
