/// How many a second, as scenarios and options write it: `500/s`, `30/min`, `2000/h`, `5/d`.
public struct Rate: Hashable, Sendable, CustomStringConvertible {
  public let perSecond: Double

  public init(perSecond: Double) { self.perSecond = perSecond }

  private static let units: [(name: String, seconds: Double)] = [
    ("/s", 1), ("/min", 60), ("/h", 3_600), ("/d", 86_400),
  ]

  /// A number without a unit is refused. `problem(of:)` says why.
  public init?(_ text: String) {
    guard let numeral = Numeral(text), let value = numeral.value,
      let unit = Self.units.first(where: { $0.name == numeral.unit })
    else { return nil }
    perSecond = value / unit.seconds
  }

  /// Why a text is no rate, and what to write: what was meant, where other tools write it so.
  public static func problem(of text: String) -> String {
    if let meant = meant(text) { return "its unit is one of /s /min /h /d: write \(meant)" }
    return Numeral(text)?.unit.isEmpty == true
      ? "a rate needs a unit" : "it is not a rate, e.g. 500/s, 30/min"
  }

  /// What `1/10s` or `5/m` stand for, in whole numbers where a unit gives one.
  private static func meant(_ text: String) -> String? {
    guard let numeral = Numeral(text), let count = numeral.value, count > 0,
      numeral.unit.first == "/"
    else { return nil }
    let span = String(numeral.unit.dropFirst())
    let digits = span.prefix { $0.isASCII && $0.isNumber }
    let name = span.dropFirst(digits.count)
    guard
      let span = Span(
        (digits.isEmpty ? "1" : String(digits)) + (name == "m" ? "min" : String(name))),
      span > .zero
    else { return nil }
    let perSecond = count / span.seconds
    for unit in units {
      let number = (perSecond * unit.seconds * 1e6).rounded() / 1e6
      if number == number.rounded(), (1...1e9).contains(number) {
        return "\(Int(number))\(unit.name)"
      }
    }
    return "\(perSecond)/s"
  }

  public var description: String {
    let isWhole = perSecond == perSecond.rounded() && perSecond < 1e9
    return (isWhole ? "\(Int(perSecond))" : "\(perSecond)") + "/s"
  }
}
