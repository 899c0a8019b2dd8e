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
  public static let instant = instants { $0.description }

  /// The same in whole seconds, the rest cut off.
  public static let secondsInstant = instants {
    Instant(unixSeconds: $0.unixSeconds).description.prefix(19) + "Z"
  }

  private static func instants(_ text: @escaping @Sendable (Instant) -> String) -> Coding {
    Coding(
      schema: ["type": "string", "format": "date-time"], example: "2026-03-21T09:00:00Z",
      words: "instant",
      read: { (json) throws(Malformed) in
        guard let instant = json.string.flatMap({ Instant($0) }) else {
          throw .invalid("is no instant; write 2026-03-21T09:00:00Z")
        }
        return instant
      }, write: { instant, _ in .string(text(instant)) },
      mix: { $1.mix(UInt64(bitPattern: $0.nanoseconds)) })
  }
}

extension Coding where Value == JSON {
  /// Any document.
  public static let json = Coding(
    schema: [:], example: [:], words: "any value", read: { (json) throws(Malformed) in json },
    write: { json, _ in json }, mix: { $1.mix($0) })
}

extension Coding where Value: RawRepresentable<String> & CaseIterable {
  /// One of the words of an enumeration.
  public static var word: Coding {
    let words = Value.allCases.map(\.rawValue)
    return Coding(
      schema: ["type": "string", "enum": .strings(words)], example: .optional(words.first),
      words: words.joined(separator: ", "),
      read: { (json) throws(Malformed) in
        guard let value = json.string.flatMap(Value.init) else {
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
