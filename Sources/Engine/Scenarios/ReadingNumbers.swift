import Contracts
import Timekeeping

/// Numbers, shares and times; each message names the valid range and an example.
extension Reading {
  /// A whole number without quotes, fraction or exponent.
  func whole(
    _ node: SourceNode, _ name: String, in range: ClosedRange<Int>, example: Int
  ) -> Int? {
    let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound), e.g. \(example)"
    guard let numeral = wholeNumeral(node, name, wanted: wanted) else { return nil }
    guard let value = Int(numeral.digits), range.contains(value) else {
      refuse(node, name, wanted: wanted)
      return nil
    }
    return value
  }

  /// A seed: any whole number that 64 bits hold.
  func seed(_ node: SourceNode, _ name: String) -> UInt64? {
    let wanted = "a whole number from 0 to \(UInt64.max), e.g. 1"
    guard let numeral = wholeNumeral(node, name, wanted: wanted) else { return nil }
    guard let value = UInt64(numeral.digits) else {
      refuse(node, name, wanted: wanted)
      return nil
    }
    return value
  }

  private func wholeNumeral(_ node: SourceNode, _ name: String, wanted: String) -> Numeral? {
    guard let numeral = numeral(node, name, wanted: wanted) else { return nil }
    let digits = numeral.digits.drop { $0 == "+" || $0 == "-" }
    let why: String? =
      if !numeral.unit.isEmpty {
        "'\(printable(numeral.unit))' has no meaning here"
      } else if !numeral.isWhole {
        "it is not a whole number"
      } else if digits.count > 1, digits.first == "0" {
        "with a leading zero some would read it as octal"
      } else {
        nil
      }
    guard why == nil else {
      refuse(node, name, why, wanted: wanted)
      return nil
    }
    return numeral
  }

  /// The beginning of every number: unquoted, finite, and a number at all.
  private func numeral(
    _ node: SourceNode, _ name: String, quotable: Bool = false, wanted: String
  ) -> Numeral? {
    guard case .scalar(let text, let quoted) = node.content, !node.isEmpty else {
      refuse(node, name, wanted: wanted)
      return nil
    }
    guard quotable || !quoted else {
      refuse(node, name, "in quotes it is text", wanted: wanted)
      return nil
    }
    guard !Numeral.isNotFinite(text) else {
      refuse(node, name, "it is not a finite number", wanted: wanted)
      return nil
    }
    guard let numeral = Numeral(text) else {
      refuse(node, name, wanted: wanted)
      return nil
    }
    return numeral
  }

  /// A bare decimal number.
  func number(
    _ node: SourceNode, _ name: String, in range: ClosedRange<Double>, example: Double
  ) -> Double? {
    let wanted =
      "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound)), e.g. \(plain(example))"
    guard let numeral = numeral(node, name, wanted: wanted) else { return nil }
    guard numeral.unit.isEmpty else {
      refuse(node, name, "'\(printable(numeral.unit))' has no meaning here", wanted: wanted)
      return nil
    }
    guard let value = numeral.value, range.contains(value) else {
      refuse(node, name, wanted: wanted)
      return nil
    }
    return value
  }

  /// A share in 0...1, written `1%` or `0.01`.
  ///
  /// - Parameter whyNotZero: What a share of nothing would mean, where it has to be refused.
  func share(
    _ node: SourceNode, _ name: String, in range: ClosedRange<Double> = 0...1,
    whyNotZero: String? = nil, example: String = "1%"
  ) -> Double? {
    let low =
      whyNotZero != nil && range.lowerBound == 0
      ? "above 0% and up to" : "from \(percent(range.lowerBound)) to"
    let wanted = "a share \(low) \(percent(range.upperBound)), e.g. \(example)"
    guard let numeral = numeral(node, name, quotable: true, wanted: wanted) else { return nil }
    guard numeral.unit.isEmpty || numeral.unit == "%" else {
      refuse(node, name, "a share has the unit % or none", wanted: wanted)
      return nil
    }
    guard let value = numeral.unit == "%" ? numeral.hundredth : numeral.value,
      range.contains(value)
    else {
      refuse(node, name, wanted: wanted)
      return nil
    }
    if value == 0, let whyNotZero {
      refuse(node, name, whyNotZero, wanted: wanted)
      return nil
    }
    return value
  }

  /// A length of time with its unit. A range that begins at one nanosecond reads "above 0s".
  func span(
    _ node: SourceNode, _ name: String, in range: ClosedRange<Span>, example: String
  ) -> Span? {
    let low =
      range.lowerBound == .nanoseconds(1) ? "above 0s and up to" : "from \(range.lowerBound) to"
    let wanted = "a time \(low) \(range.upperBound), e.g. \(example)"
    guard let numeral = numeral(node, name, quotable: true, wanted: wanted) else { return nil }
    switch SpanText.span(of: numeral) {
    case .success(let span) where range.contains(span): return span
    case .success: refuse(node, name, wanted: wanted)
    case .failure(let problem): refuse(node, name, problem.why, wanted: wanted)
    }
    return nil
  }
}

/// Times as text, with the reason when they are none.
enum SpanText {
  struct Problem: Error { let why: String }

  static func span(of numeral: Numeral) -> Result<Span, Problem> {
    guard let span = Span(numeral) else {
      return .failure(Problem(why: Span.problem(of: numeral.digits + numeral.unit)))
    }
    // Nine tenths of what a span holds, so that a sum with any other time of a scenario fits as well.
    guard span.nanoseconds.magnitude < 8_000_000_000_000_000_000 else {
      return .failure(Problem(why: "it is too large"))
    }
    return .success(span)
  }
}

/// A share as people read it: `0.5%`.
public func percent(_ share: Double) -> String {
  // Nine places hide what the multiplication by 100 adds in the last bits.
  plain((share * 100 * 1e9).rounded() / 1e9) + "%"
}

/// A number without a needless fraction.
public func plain(_ number: Double) -> String {
  number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : "\(number)"
}
