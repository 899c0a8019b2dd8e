import Contracts
import Timekeeping

// How values of several documents are spelt.

extension Coding where Value == Instant {
  /// Milliseconds since 1970 (§2.1).
  static let milliseconds = Coding(
    schema: [
      "type": "integer", "minimum": .int(Bounds.moments.lowerBound),
      "maximum": .int(Bounds.moments.upperBound),
    ], example: 1_774_087_200_000, words: "milliseconds since 1970",
    read: { (json) throws(Malformed) in
      guard let moment = json.moment else { throw .invalid("is no moment in milliseconds") }
      return moment
    }, write: moment.write, mix: moment.mix)
}

extension Coding where Value == Int {
  /// A whole number where it is written as text: in queries and headers.
  static let numeral = Coding<String>.text.converted(
    to: { (text) throws(Malformed) in
      guard let number = Int(text) else { throw .invalid("is not a whole number") }
      return number
    }, from: { number, _ in String(number) })

  /// The last commit that an answer shows (`X-Mimi-CSN`).
  static let commit = Coding<Int?>.lenient(numeral).converted(
    to: { $0 ?? 0 }, from: { number, _ in number }
  ).otherwise(0)
}

extension Coding where Value == String {
  /// The path of an address that the twin gave out, without its origin; it opens something by itself.
  static let address = text.converted(
    to: { WireTarget(WireTarget(parsing: $0).path).text }, from: { path, _ in path }
  ).hidden
}

extension Coding where Value == JSON {
  static let object = json.checked(["type": "object"]) {
    $0.object == nil ? .invalid("is not an object") : nil
  }
}

extension Coding where Value == Span? {
  /// Seconds.
  static let seconds = Coding<Double?>.lenient(.number).converted(
    to: { (seconds) -> Span? in seconds.map { Span(seconds: $0) } },
    from: { (span: Span?, _) -> Double? in span?.seconds }
  ).otherwise(nil)

  /// Whole seconds, rounded up: what `Retry-After` can say. The body says it exactly.
  static let retryAfter = Coding<Int?>.lenient(.numeral).converted(
    to: { (seconds) -> Span? in seconds.map { .seconds(Int64($0)) } },
    from: { (wait: Span?, _) -> Int? in
      guard let wait else { return nil }
      let (whole, rest) = wait.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
      return Int(whole + (rest > 0 ? 1 : 0))
    }
  ).otherwise(nil)
}

extension Coding where Value == BodySize {
  static let size = Coding<Int>.int.converted(
    to: { BodySize($0) }, from: { size, _ in size.bytes ?? 0 })
}

// MARK: - Numbers as texts

extension Shape {
  /// INT64 and TIMESTAMP travel as texts where a request wants them so (§2.1).
  func numbered(_ wantsTexts: @escaping @Sendable (Value) -> Bool) -> Shape {
    respelt(
      reading: { $0["numbersAsStrings"]?.bool == true ? $0.withStringsAsNumbers : $0 },
      writing: { wantsTexts($1) ? $0.withNumbersAsStrings : $0 })
  }
}

extension JSON {
  private static let numbers: Set<String> = ["INT64", "TIMESTAMP"]

  /// The same document with the values of INT64 and TIMESTAMP fields as texts (§2.1, `numbersAsStrings`).
  var withNumbersAsStrings: JSON {
    mappingNumbers { if case .int(let number) = $0 { .string(String(number)) } else { $0 } }
  }

  /// The other way round; a text that is no number stays one, for the schema to refuse.
  var withStringsAsNumbers: JSON {
    mappingNumbers { value in
      if case .string(let text) = value, let number = Int64(text) { .int(number) } else { value }
    }
  }

  private func mappingNumbers(_ change: (JSON) -> JSON) -> JSON {
    switch self {
    case .array(let items): return .array(items.map { $0.mappingNumbers(change) })
    case .object(let object):
      let isNumber = object["type"]?.string.map(Self.numbers.contains) ?? false
      return .object(
        JSONObject(
          object.members.map { name, value in
            let isValue = isNumber && name == "value"
            return (name: name, value: isValue ? change(value) : value.mappingNumbers(change))
          }))
    case .null, .bool, .int, .double, .string: return self
    }
  }
}
