import Contracts
import Timekeeping

/// An objective as its sentence reads, before anybody knows whether its subject exists.
///
///     p99 of DOMAIN.OPERATION < 250ms
///     mean of DOMAIN.OPERATION <= 80ms
///     errors of DOMAIN < 1%
///     errors < 0.1%
///     share of DOMAIN.LATENCY over 10min < 5%
///     rate of DOMAIN.OPERATION >= 5/s
///     count of DOMAIN.OPERATION >= 1000
///
/// A part of the run stands before the comparison: `p99 of DOMAIN.OPERATION from 12:00 to 14:00 < 250ms`, or, where the scenario has
/// phases, `p99 of DOMAIN.OPERATION in phase peak < 250ms`.
struct ObjectiveText {
  struct Problem: Error {
    let why: String
    let wanted: String
  }

  static let examples = "\"p99 of DOMAIN.OPERATION < 250ms\" or \"errors < 0.1%\""

  let measure: Objective.Measure
  /// What follows `of`.
  let subject: String?
  /// A part of the run, read by whoever knows when the run is and what its phases are.
  enum Part {
    case moments(from: String, to: String)
    case phase(String)
  }

  let part: Part?
  let comparison: Objective.Comparison
  /// In the unit of the measure.
  let bound: Double

  init(_ text: String) throws(Problem) {
    let (left, comparison, right) = try Self.split(text)
    let words = left.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    let end = words.firstIndex { $0 == "from" || $0 == "in" } ?? words.endIndex
    part = try Self.part(words[end...])
    let said = try Self.said(Array(words[..<end]))
    measure = said.measure
    subject = said.subject
    self.comparison = comparison
    bound =
      switch said.measure.unit {
      case .seconds: try Self.time(right)
      case .share: try Self.share(right, comparison)
      case .perSecond: try Self.rate(right, comparison)
      case .count: try Self.count(right, comparison)
      }
  }

  /// `from 12:00 to 14:00`, `in phase peak`.
  private static func part(_ words: ArraySlice<String>) throws(Problem) -> Part? {
    guard let first = words.indices.first else { return nil }
    if words[first] == "in" {
      guard words.count > 2, words[first + 1] == "phase" else {
        throw Problem(
          why: "a part of the run is written 'in phase NAME'",
          wanted: "e.g. p99 of DOMAIN.OPERATION in phase peak < 250ms")
      }
      return .phase(words[(first + 2)...].joined(separator: " "))
    }
    guard words.count == 4, words[first + 2] == "to" else {
      throw Problem(
        why: "a part of the run is written 'from MOMENT to MOMENT'",
        wanted: "e.g. p99 of DOMAIN.OPERATION from 12:00 to 14:00 < 250ms")
    }
    return .moments(from: words[first + 1], to: words[first + 3])
  }

  /// What stands before the comparison: `p99 of SUBJECT`, `share of SUBJECT over 10min`, `errors`.
  private static func said(
    _ words: [String]
  ) throws(Problem) -> (measure: Objective.Measure, subject: String?) {
    guard let first = words.first else {
      throw Problem(
        why: "'<measure> of <subject>' belongs before the comparison", wanted: examples)
    }
    if first == "share" {
      let wanted = "e.g. share of DOMAIN.OPERATION over 250ms < 5%"
      guard let over = words.firstIndex(of: "over"), over == 1 || (over == 3 && words[1] == "of"),
        over + 1 < words.count
      else {
        throw Problem(why: "a share needs a time, 'over TIME'", wanted: wanted)
      }
      let seconds = try time(words[(over + 1)...].joined(), wanted: "a time, " + wanted)
      return (.share(over: Span(seconds: seconds)), over == 3 ? words[2] : nil)
    }
    guard words.count == 1 || (words.count == 3 && words[1] == "of") else {
      throw Problem(
        why: "'<measure> of <subject>' belongs before the comparison", wanted: examples)
    }
    return (try measure(first), words.count == 3 ? words[2] : nil)
  }

  private static func split(
    _ text: String
  ) throws(Problem) -> (left: Substring, Objective.Comparison, right: String) {
    guard let start = text.firstIndex(where: { "<>=≤≥".contains($0) }) else {
      throw Problem(why: "it has no comparison", wanted: examples)
    }
    let sign = text[start...].prefix { "<>=≤≥".contains($0) }
    let words = ["≤": "<=", "≥": ">="]
    guard let comparison = Objective.Comparison(rawValue: words[String(sign)] ?? String(sign))
    else {
      throw Problem(
        why: "'\(printable(sign))' is not a comparison",
        wanted: "one of < <= > >=, e.g. \(examples)")
    }
    let right = text[sign.endIndex...].drop { $0 == " " }
    let end = right.lastIndex { $0 != " " }
    return (text[..<start], comparison, end.map { String(right[...$0]) } ?? "")
  }

  /// What other tools call the measures.
  private static let otherNames = [
    "median": "p50", "med": "p50", "average": "mean", "avg": "mean", "max": "p99.9",
    "maximum": "p99.9", "throughput": "rate", "rps": "rate", "requests": "count",
    "failures": "errors", "error_rate": "errors",
  ]

  private static func measure(_ word: String) throws(Problem) -> Objective.Measure {
    switch word {
    case "mean": return .mean
    case "errors": return .errors
    case "rate": return .rate
    case "count": return .count
    default: break
    }
    let wanted = "p50, p99, p99.9, mean, errors, share, rate or count"
    guard word.first == "p" || word.first == "P",
      let numeral = Numeral(String(word.dropFirst())), numeral.unit.isEmpty
    else {
      let meant =
        otherNames[word.lowercased()]
        ?? nearest(word, among: ["mean", "errors", "share", "rate", "count"])
      let near = meant.map { " (did you mean '\($0)'?)" } ?? ""
      throw Problem(why: "'\(printable(word))' is not a measure\(near)", wanted: wanted)
    }
    guard let quantile = numeral.hundredth, quantile > 0, quantile < 1 else {
      throw Problem(
        why: "there is no quantile \(printable(word))",
        wanted: "a quantile above p0 and below p100, e.g. p99.9")
    }
    return .quantile(quantile)
  }

  private static func time(_ text: String, wanted: String? = nil) throws(Problem) -> Double {
    let wanted =
      wanted ?? "a time above 0s and up to \(Reading.longestRun), e.g. 250ms"
    guard !Numeral.isNotFinite(text) else {
      throw Problem(why: "'\(printable(text))' is not a finite number", wanted: wanted)
    }
    guard let numeral = Numeral(text) else {
      throw Problem(why: "'\(printable(text))' is not a time", wanted: wanted)
    }
    switch SpanText.span(of: numeral) {
    case .failure(let problem): throw Problem(why: problem.why, wanted: wanted)
    case .success(let span):
      guard span > .zero, span <= Reading.longestRun else {
        throw Problem(why: "no time can be bounded by '\(printable(text))'", wanted: wanted)
      }
      return span.seconds
    }
  }

  private static func share(
    _ text: String, _ comparison: Objective.Comparison
  ) throws(Problem) -> Double {
    let wanted = "a share from 0% to 100%, e.g. 0.1%"
    guard !Numeral.isNotFinite(text) else {
      throw Problem(why: "'\(printable(text))' is not a finite number", wanted: wanted)
    }
    guard let numeral = Numeral(text), numeral.unit.isEmpty || numeral.unit == "%",
      let share = numeral.unit == "%" ? numeral.hundredth : numeral.value, (0...1).contains(share)
    else {
      throw Problem(why: "'\(printable(text))' is not a share", wanted: wanted)
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

  private static func rate(
    _ text: String, _ comparison: Objective.Comparison
  ) throws(Problem) -> Double {
    let wanted = "a rate with its unit, e.g. 5/s, 30/min or 100/h"
    guard let rate = Rate(text) else {
      throw Problem(why: "'\(printable(text))' is not a rate", wanted: wanted)
    }
    try demand(rate.perSecond, comparison, "rate", wanted)
    return rate.perSecond
  }

  private static func count(
    _ text: String, _ comparison: Objective.Comparison
  ) throws(Problem) -> Double {
    let wanted = "a number of requests in one replication, e.g. 1000"
    guard !Numeral.isNotFinite(text), let numeral = Numeral(text), let value = numeral.value,
      numeral.unit.isEmpty
    else { throw Problem(why: "'\(printable(text))' is not a count", wanted: wanted) }
    try demand(value, comparison, "count", wanted)
    return value
  }

  /// What is never negative can neither lie below 0 nor fail to reach it.
  private static func demand(
    _ value: Double, _ comparison: Objective.Comparison, _ name: String, _ wanted: String
  ) throws(Problem) {
    if value < 0 || (value == 0 && comparison == .less) {
      throw Problem(why: "no \(name) is \(comparison.rawValue) \(plain(value))", wanted: wanted)
    }
    if value == 0 && comparison == .atLeast {
      throw Problem(why: "every \(name) is, so it demands nothing", wanted: wanted)
    }
  }
}

extension Objective {
  /// Why a sentence is no objective of a load, and what would be one.
  public struct LoadProblem: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  /// An objective of a load over HTTP: `p99 < 200ms`, `errors < 1%`, `p95 of /orders < 80ms`, `rate >= 450/s`.
  ///
  /// - Parameter operations: The names that a subject may be.
  public init(ofLoad text: String, operations: [String]) throws(LoadProblem) {
    let shown = printable(text, limit: 120)
    func problem(_ why: String, _ wanted: String) -> LoadProblem {
      LoadProblem(description: "'\(shown)': \(why); wanted: \(wanted)")
    }
    let said: ObjectiveText
    do throws(ObjectiveText.Problem) {
      said = try ObjectiveText(text)
    } catch {
      throw problem(
        error.why.replacing("DOMAIN.OPERATION", with: "/PATH"),
        error.wanted.replacing("DOMAIN.OPERATION", with: "/PATH"))
    }
    guard said.part == nil else {
      throw problem("a load has no times of day", "the same without 'from … to …'")
    }
    if case .count = said.measure {
      throw problem("the schedule decides how many calls there are", "e.g. rate >= 450/s")
    }
    if let subject = said.subject, !operations.contains(subject) {
      throw problem(
        "no URL of this load has the path '\(printable(subject))'",
        "one of \(operations.prefix(5).map { printable($0) }.joined(separator: ", "))")
    }
    self.init(
      text: shown, measure: said.measure, domain: nil, subject: said.subject,
      comparison: said.comparison, bound: said.bound, line: 0)
  }
}
