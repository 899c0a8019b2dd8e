import Timekeeping

/// A figure that a rule states, once for all: statement, default of a setting, guard, check, journeys and handbook read it here.
///
///     static let mostTools = Figure(Rule.ty04, 3, "tools")
///
///     .ty04: "A member has at most \(mostTools), or as many as the workshop decides."
public struct Figure<Rule: Contracts.Rule, Value: Sendable>: Sendable, CustomStringConvertible {
  public let rule: Rule
  public let value: Value
  /// In words, with its unit: `three tools`, `an hour`.
  public let description: String
}

extension Figure where Value == Int {
  /// - Parameter unit: What is counted, in the plural.
  public init(_ rule: Rule, _ value: Int, _ unit: String) {
    self.init(rule: rule, value: value, description: "\(spelled(value)) \(unit)")
  }
}

extension Figure where Value == Span {
  public init(_ rule: Rule, _ value: Span) {
    let units: [(unit: Span, one: String, many: String)] = [
      (.days(1), "a day", "days"), (.hours(1), "an hour", "hours"),
      (.minutes(1), "a minute", "minutes"), (.seconds(1), "a second", "seconds"),
    ]
    let (unit, one, many) =
      units.first { value.nanoseconds % $0.unit.nanoseconds == 0 }
      ?? (.milliseconds(1), "a millisecond", "ms")
    let count = Int(value.nanoseconds / unit.nanoseconds)
    self.init(
      rule: rule, value: value, description: count == 1 ? one : "\(spelled(count)) \(many)")
  }
}

/// Up to twelve a word, as in running text.
private func spelled(_ number: Int) -> String {
  let words = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]
  return (2...12).contains(number) ? words[number - 2] : "\(number)"
}
