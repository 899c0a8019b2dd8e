/// A length of time in whole nanoseconds, up to 292 years either way.
public struct Span: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static let zero = Span(nanoseconds: 0)
  public static let longest = Span(nanoseconds: .max)

  // Counts beyond what fits are the longest span, either way, as sums of spans are.
  public static func nanoseconds(_ count: Int64) -> Span { Span(nanoseconds: count) }
  public static func microseconds(_ count: Int64) -> Span { .nanoseconds(1_000) * count }
  public static func milliseconds(_ count: Int64) -> Span { .nanoseconds(1_000_000) * count }
  public static func seconds(_ count: Int64) -> Span { .nanoseconds(1_000_000_000) * count }
  public static func minutes(_ count: Int64) -> Span { .seconds(60) * count }
  public static func hours(_ count: Int64) -> Span { .seconds(3_600) * count }
  public static func days(_ count: Int64) -> Span { .seconds(86_400) * count }

  /// A span of decimal seconds, rounded to the nearest nanosecond and clamped to what fits.
  public init(seconds: Double) {
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
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  @inlinable public static func < (a: Span, b: Span) -> Bool { a.nanoseconds < b.nanoseconds }
  /// Sums and differences stay at the longest span rather than overflow: "for ever" and a minute is for ever.
  @inlinable public static func + (a: Span, b: Span) -> Span {
    let (sum, overflow) = a.nanoseconds.addingReportingOverflow(b.nanoseconds)
    return overflow ? Span(nanoseconds: b.nanoseconds > 0 ? .max : -.max) : Span(nanoseconds: sum)
  }
  @inlinable public static func - (a: Span, b: Span) -> Span {
    let (rest, overflow) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
    return overflow ? Span(nanoseconds: b.nanoseconds < 0 ? .max : -.max) : Span(nanoseconds: rest)
  }
  @inlinable public static func += (a: inout Span, b: Span) { a = a + b }
  @inlinable public static func * (a: Span, n: Int64) -> Span {
    Span(nanoseconds: max(-.max, a.nanoseconds.multipliedWithinRange(by: n)))
  }
  @inlinable public static func / (a: Span, n: Int64) -> Span {
    Span(nanoseconds: a.nanoseconds / n)
  }
  public static prefix func - (a: Span) -> Span { .zero - a }
}

extension Span: CustomStringConvertible {
  /// One number and one unit, as scenarios write it: `250ms`, `1.5h`, `61min`.
  ///
  /// Exact where four digits before the point and two behind it can be; else rounded to two behind the point.
  public var description: String {
    guard nanoseconds != 0 else { return "0s" }
    if self == .longest { return "for ever" }
    let fitting = Self.units.filter { nanoseconds.magnitude >= $0.size }
    let exact = fitting.first {
      nanoseconds.magnitude < 10_000 * $0.size
        && nanoseconds.magnitude % $0.size * 100 % $0.size == 0
    }
    guard let unit = exact ?? fitting.first else { return "\(nanoseconds)ns" }
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: unit.size)
    let hundredths = whole * 100 + (rest * 100 + unit.size / 2) / unit.size
    return (nanoseconds < 0 ? "-" : "") + Self.decimal(hundredths: hundredths) + unit.name
  }

  private static let units: [(size: UInt64, name: String)] = [
    (86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "min"),
    (1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"), (1, "ns"),
  ]

  private static func decimal(hundredths: UInt64) -> String {
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// Reads `250ms`, `1.5h`, `20min`, `4us`, `7d`; a number without a unit is refused. `problem(of:)` says why.
  public init?(_ text: some StringProtocol) {
    guard let numeral = Numeral(String(text)) else { return nil }
    self.init(numeral)
  }

  public init?(_ numeral: Numeral) {
    let sizes: [String: Int64] = [
      "ns": 1, "us": 1_000, "µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000,
      "min": 60_000_000_000, "h": 3_600_000_000_000, "d": 86_400_000_000_000,
    ]
    guard let size = sizes[numeral.unit] else { return nil }
    // Whole numbers exactly: nanoseconds beyond 2⁵³ (104 days) have no double of their own.
    if let whole = Int64(numeral.digits) {
      let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: size)
      guard !overflow, nanoseconds.magnitude < 9_000_000_000_000_000_000 else { return nil }
      self.init(nanoseconds: nanoseconds)
      return
    }
    guard let value = numeral.value else { return nil }
    let nanoseconds = (value * Double(size)).rounded()
    guard nanoseconds.isFinite, abs(nanoseconds) < 9e18 else { return nil }
    self.init(nanoseconds: Int64(nanoseconds))
  }
}
