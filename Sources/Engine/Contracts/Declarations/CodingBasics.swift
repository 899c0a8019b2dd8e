import Timekeeping

extension Coding where Value == String {
  public static let text = Coding(
    schema: ["type": "string"], example: "text", words: "text",
    read: { (json) throws(Malformed) in
      guard let text = json.string else { throw .invalid("is not a string") }
      return text
    }, write: { text, _ in .string(text) }, mix: { $1.mix($0) })

  /// A text of so many characters.
  public static func text(_ lengths: ClosedRange<Int>) -> Coding {
    text.checked([
      "type": "string", "minLength": .number(lengths.lowerBound),
      "maxLength": .number(lengths.upperBound),
    ]) { text in
      lengths.contains(text.count)
        ? nil : .invalid("has not \(lengths.lowerBound) to \(lengths.upperBound) characters")
    }
  }

  /// A text of nothing but white space counts as missing.
  public var notBlank: Coding {
    checked { text in
      text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        ? Malformed(.missing, "is missing") : nil
    }
  }
}

extension Coding where Value == Int {
  public static let int = Coding(
    schema: ["type": "integer"], example: 1, words: "whole number",
    read: { (json) throws(Malformed) in
      guard let number = json.int else { throw .invalid("is not a whole number") }
      return number
    }, write: { number, _ in .number(number) }, mix: { $1.mix($0) })

  public static func int(_ range: ClosedRange<Int>) -> Coding {
    int.checked([
      "type": "integer", "minimum": .number(range.lowerBound),
      "maximum": .number(range.upperBound),
    ]) { number in
      range.contains(number)
        ? nil : .invalid("is not in \(range.lowerBound)...\(range.upperBound)")
    }
  }

  /// A whole number without a sign, where it is written as text: in paths and queries.
  public static let decimal = Coding(
    schema: ["type": "integer", "minimum": 0], example: "1", words: "whole number",
    read: { (json) throws(Malformed) in
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard let text = json.string, !text.isEmpty, text.utf8.allSatisfy(digits.contains),
        let number = Int(text)
      else { throw .invalid("is not a whole number") }
      return number
    }, write: { number, _ in .string(String(number)) }, mix: { $1.mix($0) })
}

extension Coding where Value == Double {
  public static let number = Coding(
    schema: ["type": "number"], example: 1.5, words: "number",
    read: { (json) throws(Malformed) in
      guard let number = json.double else { throw .invalid("is not a number") }
      return number
    }, write: { number, _ in .double(number) }, mix: { $1.mix($0.bitPattern) })
}

extension Coding where Value == Double {
  public static func number(_ range: ClosedRange<Double>) -> Coding {
    Coding(
      schema: [
        "type": "number", "minimum": .double(range.lowerBound),
        "maximum": .double(range.upperBound),
      ], example: .double(range.lowerBound),
      words: "number, \(range.lowerBound) to \(range.upperBound)",
      read: { (json) throws(Malformed) in
        guard let number = json.double, range.contains(number) else {
          throw .invalid("is not a number in \(range.lowerBound)...\(range.upperBound)")
        }
        return number
      }, write: { number, _ in .double(number) }, mix: { $1.mix($0.bitPattern) })
  }
}

extension Coding where Value == Span {
  /// Seconds, or a text such as `"10min"`.
  public static func span(_ range: ClosedRange<Span>) -> Coding {
    let words = "seconds or a time such as \"10min\", \(range.lowerBound) to \(range.upperBound)"
    return Coding(
      schema: [
        "anyOf": [["type": "integer"], ["type": "string"]], "description": .string(words),
      ], example: .string("\(range.lowerBound)"), words: words,
      read: { (json) throws(Malformed) in
        let span = json.int.flatMap(wholeSeconds) ?? json.string.flatMap { Span($0) }
        guard let span, range.contains(span) else { throw .invalid("is not \(words)") }
        return span
      },
      write: { span, _ in
        span.nanoseconds % 1_000_000_000 == 0
          ? .int(span.nanoseconds / 1_000_000_000) : .string("\(span.nanoseconds)ns")
      }, mix: { $1.mix(UInt64(bitPattern: $0.nanoseconds)) })
  }

  /// `nil` for more than a span can hold.
  private static func wholeSeconds(_ count: Int) -> Span? {
    count.magnitude < 9_000_000_000 ? .seconds(Int64(count)) : nil
  }
}

extension Coding where Value == Bool {
  public static let flag = Coding(
    schema: ["type": "boolean"], example: true, words: "true or false",
    read: { (json) throws(Malformed) in
      guard let flag = json.bool else { throw .invalid("is not true or false") }
      return flag
    }, write: { flag, _ in .bool(flag) }, mix: { $1.mix($0) })
}

extension Coding where Value == Instant {
  /// An instant of RFC 3339, with its fraction of a second.
  public static let instant = Coding(
    schema: ["type": "string", "format": "date-time"], example: "2026-03-21T09:00:00Z",
    words: "instant",
    read: { (json) throws(Malformed) in
      guard let instant = json.string.flatMap({ Instant($0) }) else {
        throw .invalid("is no instant; write 2026-03-21T09:00:00Z")
      }
      return instant
    }, write: { instant, _ in .string(instant.description) },
    mix: { $1.mix(UInt64(bitPattern: $0.nanoseconds)) })
}

extension Coding where Value == Span {
  /// A span that is not negative, such as `30s`.
  public static let span = Coding(
    schema: ["type": "string"], example: "30s", words: "span",
    read: { (json) throws(Malformed) in
      guard let text = json.string else { throw .invalid("is not a string") }
      guard let span = Span(text), span >= .zero else {
        throw .invalid("is no span: \(Span.hint(for: text))")
      }
      return span
    }, write: { span, _ in .string("\(span.nanoseconds)ns") },
    mix: { $1.mix(UInt64(bitPattern: $0.nanoseconds)) })
}

extension Coding where Value == JSON {
  /// Any document.
  public static let json = Coding(
    schema: [:], example: [:], words: "any value", read: { (json) throws(Malformed) in json },
    write: { json, _ in json }, mix: { $1.mix($0) })
}

extension Coding where Value: RawRepresentable<String> & CaseIterable {
  /// One of the words of an enumeration.
  public static var word: Coding { word(among: Array(Value.allCases)) }

  /// One of some of its words.
  public static func word(among values: [Value]) -> Coding {
    let words = values.map(\.rawValue)
    return Coding(
      schema: ["type": "string", "enum": .strings(words)], example: .optional(words.first),
      words: words.joined(separator: ", "),
      read: { (json) throws(Malformed) in
        guard let value = json.string.flatMap(Value.init), words.contains(value.rawValue) else {
          throw .invalid("is none of \(words.joined(separator: ", "))")
        }
        return value
      }, write: { value, _ in .string(value.rawValue) }, mix: { $1.mix($0.rawValue) })
  }
}

extension Coding where Value == [String] {
  /// A header's list, such as `GET, PUT`.
  public static let methods = Coding<String>.text.converted(
    to: { $0.split(separator: ",").map { String($0.drop { $0 == " " }) } },
    from: { list, _ in list.joined(separator: ", ") })
}
