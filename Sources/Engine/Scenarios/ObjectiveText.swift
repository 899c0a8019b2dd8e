import Contracts
import Timekeeping

/// An objective as its sentence reads, before anybody knows whether its subject exists.
///
///     p99 of DOMAIN.OPERATION < 250ms
///     mean of DOMAIN.OPERATION <= 80ms
///     errors of DOMAIN < 1%
///     errors < 0.1%
struct ObjectiveText {
  struct Problem: Error {
    let why: String
    let wanted: String
  }

  static let examples = "\"p99 of DOMAIN.OPERATION < 250ms\" or \"errors < 0.1%\""

  let measure: Objective.Measure
  /// What follows `of`.
  let subject: String?
  let comparison: Objective.Comparison
  /// Seconds for times, 0...1 for shares.
  let bound: Double

  init(_ text: String) throws(Problem) {
    let (left, comparison, right) = try Self.split(text)
    let words = left.split(separator: " ", omittingEmptySubsequences: true)
    guard let first = words.first, words.count == 1 || (words.count == 3 && words[1] == "of") else {
      throw Problem(
        why: "before the comparison belongs '<measure> of <subject>'", wanted: Self.examples)
    }
    measure = try Self.measure(String(first))
    subject = words.count == 3 ? String(words[2]) : nil
    self.comparison = comparison
    bound =
      measure == .errors
      ? try Self.share(right, comparison) : try Self.time(right, comparison)
  }

  private static func split(
    _ text: String
  ) throws(Problem) -> (left: Substring, Objective.Comparison, right: String) {
    guard let start = text.firstIndex(where: { "<>=≤≥".contains($0) }) else {
      throw Problem(why: "it compares nothing", wanted: examples)
    }
    let sign = text[start...].prefix { "<>=≤≥".contains($0) }
    let words = ["≤": "<=", "≥": ">="]
    guard let comparison = Objective.Comparison(rawValue: words[String(sign)] ?? String(sign))
    else {
      throw Problem(
        why: "'\(printable(sign))' is no comparison", wanted: "one of < <= > >=, e.g. \(examples)")
    }
    let right = text[sign.endIndex...].drop { $0 == " " }
    let end = right.lastIndex { $0 != " " }
    return (text[..<start], comparison, end.map { String(right[...$0]) } ?? "")
  }

  private static func measure(_ word: String) throws(Problem) -> Objective.Measure {
    switch word {
    case "mean": return .mean
    case "errors": return .errors
    default: break
    }
    let wanted = "p50, p99, p99.9, mean or errors"
    guard word.first == "p" || word.first == "P",
      let numeral = Numeral(String(word.dropFirst())), numeral.unit.isEmpty
    else {
      let near = nearest(word, among: ["mean", "errors"]).map { "; did you mean '\($0)'?" } ?? ""
      throw Problem(why: "'\(printable(word))' is no measure\(near)", wanted: wanted)
    }
    guard let quantile = numeral.hundredth, quantile > 0, quantile < 1 else {
      throw Problem(
        why: "the quantile \(printable(word)) is none",
        wanted: "one above p0 and below p100, e.g. p99.9")
    }
    return .quantile(quantile)
  }

  private static func time(
    _ text: String, _ comparison: Objective.Comparison
  ) throws(Problem) -> Double {
    let wanted = "a time above 0s and up to \(Reading.longestRun) behind it, e.g. 250ms"
    guard !Numeral.isNotFinite(text) else {
      throw Problem(why: "'\(printable(text))' is not a finite number", wanted: wanted)
    }
    guard let numeral = Numeral(text) else {
      throw Problem(why: "'\(printable(text))' is no time", wanted: wanted)
    }
    switch SpanText.span(of: numeral) {
    case .failure(let problem): throw Problem(why: problem.why, wanted: wanted)
    case .success(let span):
      guard span > .zero, span <= Reading.longestRun else {
        throw Problem(why: "no response time is bounded by '\(printable(text))'", wanted: wanted)
      }
      return span.seconds
    }
  }

  private static func share(
    _ text: String, _ comparison: Objective.Comparison
  ) throws(Problem) -> Double {
    let wanted = "a share from 0% to 100% behind it, e.g. 0.1%"
    guard !Numeral.isNotFinite(text) else {
      throw Problem(why: "'\(printable(text))' is not a finite number", wanted: wanted)
    }
    guard let numeral = Numeral(text), numeral.unit.isEmpty || numeral.unit == "%",
      let share = numeral.unit == "%" ? numeral.hundredth : numeral.value, (0...1).contains(share)
    else {
      throw Problem(why: "'\(printable(text))' is no share", wanted: wanted)
    }
    switch (comparison, share) {
    case (.less, 0), (.greater, 1):
      throw Problem(
        why: "no share is \(comparison.rawValue) \(percent(share))",
        wanted: "\(comparison.rawValue)= \(percent(share))")
    case (.atMost, 1), (.atLeast, 0):
      throw Problem(why: "every share is, so it demands nothing", wanted: wanted)
    default: return share
    }
  }
}
