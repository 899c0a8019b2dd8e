/// A length of time in whole nanoseconds, up to 292 years either way.
package struct Span: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static let zero = Span(nanoseconds: 0)
  package static let longest = Span(nanoseconds: .max)

  package static func nanoseconds(_ count: Int64) -> Span { Span(nanoseconds: count) }
  package static func microseconds(_ count: Int64) -> Span { Span(nanoseconds: count * 1_000) }
  package static func milliseconds(_ count: Int64) -> Span { Span(nanoseconds: count * 1_000_000) }
  package static func seconds(_ count: Int64) -> Span { Span(nanoseconds: count * 1_000_000_000) }
  package static func minutes(_ count: Int64) -> Span { .seconds(count * 60) }
  package static func hours(_ count: Int64) -> Span { .seconds(count * 3_600) }
  package static func days(_ count: Int64) -> Span { .seconds(count * 86_400) }

  /// A span of decimal seconds, rounded to the nearest nanosecond and clamped to what fits.
  package init(seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded()
    if nanoseconds >= 9.223372036854775e18 {
      self = .longest
    } else if nanoseconds <= -9.223372036854775e18 {
      self = Span(nanoseconds: .min + 1)
    } else {
      self = Span(nanoseconds: Int64(nanoseconds))
    }
  }

  /// The span in decimal seconds.
  package var seconds: Double { Double(nanoseconds) / 1e9 }

  @inlinable package static func < (a: Span, b: Span) -> Bool { a.nanoseconds < b.nanoseconds }
  @inlinable package static func + (a: Span, b: Span) -> Span {
    Span(nanoseconds: a.nanoseconds + b.nanoseconds)
  }
  @inlinable package static func - (a: Span, b: Span) -> Span {
    Span(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
  @inlinable package static func += (a: inout Span, b: Span) { a = a + b }
  @inlinable package static func * (a: Span, n: Int64) -> Span {
    Span(nanoseconds: a.nanoseconds * n)
  }
  @inlinable package static func / (a: Span, n: Int64) -> Span {
    Span(nanoseconds: a.nanoseconds / n)
  }
  package static prefix func - (a: Span) -> Span { Span(nanoseconds: -a.nanoseconds) }
}

extension Span: CustomStringConvertible {
  /// The shortest form with one unit, as scenarios write it: `250ms`, `1.5h`.
  package var description: String {
    let units: [(Int64, String)] = [
      (86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "min"),
      (1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"), (1, "ns"),
    ]
    guard nanoseconds != 0 else { return "0s" }
    if self == .longest { return "for ever" }
    for (size, name) in units where nanoseconds.magnitude >= UInt64(size) {
      let whole = nanoseconds / size
      let rest = (nanoseconds % size).magnitude
      if rest == 0 { return "\(whole)\(name)" }
      let hundredths = (Double(nanoseconds) / Double(size) * 100).rounded() / 100
      return "\(hundredths)\(name)"
    }
    return "\(nanoseconds)ns"
  }

  /// Reads `250ms`, `1.5h`, `20min`, `4us`, `7d`; a number without a unit is refused.
  package init?(_ text: some StringProtocol) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }
    let sizes: [String: Int64] = [
      "ns": 1, "us": 1_000, "µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000,
      "min": 60_000_000_000, "h": 3_600_000_000_000, "d": 86_400_000_000_000,
    ]
    guard let size = sizes[String(unit)], let value = Double(number) else { return nil }
    let nanoseconds = (value * Double(size)).rounded()
    guard nanoseconds.isFinite, abs(nanoseconds) < 9e18 else { return nil }
    self.init(nanoseconds: Int64(nanoseconds))
  }
}
