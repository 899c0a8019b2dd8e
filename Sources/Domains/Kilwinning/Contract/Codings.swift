import Contracts
import Timekeeping

extension Coding where Value == Instant {
  /// The instants that are stored, from 1678 to 2261: the clock counts nanoseconds in 64 bits (KW-043).
  private static let stored =
    CivilZone.utc.year(1_678).lowerBound..<CivilZone.utc.year(2_261).upperBound

  /// §2.0: whole seconds, `Z` or a numeric offset; a fraction is cut off, a bare date or a blank before the time is none.
  static let moment = Coding(
    schema: ["type": "string", "format": "date-time"], example: "2026-03-24T18:30:00Z",
    words: "instant",
    read: { (json) throws(Malformed) in
      guard let text = json.string, text.utf8.dropFirst(10).first == UInt8(ascii: "T"),
        text.utf8.dropFirst(16).first == UInt8(ascii: ":"),
        let instant = Instant(text, years: 1_677...2_262)
      else { throw .invalid("is no instant; write 2026-03-24T18:30:00Z") }
      guard stored.contains(instant) else { throw .invalid("is not between 1678 and 2261") }
      return instant.inWholeSeconds
    }, write: { instant, _ in .string(instant.description.prefix(19) + "Z") },
    mix: { $1.mix(UInt64(bitPattern: $0.nanoseconds)) })
}

extension Instant {
  /// As documents and records hold it (§2.0).
  public var inWholeSeconds: Instant { Instant(unixSeconds: unixSeconds) }
}

extension Coding {
  /// Where a blank text counts as missing (§3.3).
  var demanded: Coding {
    let read = read
    return Coding(
      schema: schema, example: example, words: words, absent: absent,
      read: { (json) throws(Malformed) in
        guard let text = json.string, text.isBlank else { return try read(json) }
        throw Malformed(.missing, "is blank")
      }, write: write, mix: mix)
  }
}

extension Coding {
  /// What may be sent, in whatever form, and changes nothing (KW-022, KW-036, KW-043).
  static func ignored<Wrapped>(_ coding: Coding<Wrapped>) -> Coding where Value == Wrapped? {
    lenient(coding).described(by: [:])
  }
}

extension Coding where Value == String {
  /// 1 to 255 characters, not all of them blank (§2.2).
  static let line = text(1...255).checked { $0.isBlank ? .invalid("is blank") : nil }

  /// The same without the white space around it.
  static let topic: Coding = {
    let trimmed = text.converted(to: { $0.trimmed }, from: { topic, _ in topic })
    return trimmed.checked(line.schema) { topic in
      (1...255).contains(topic.count) ? nil : .invalid("has not 1 to 255 characters")
    }
  }()
}

extension String {
  var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

  /// Without leading and trailing white space (KW-003).
  public var trimmed: String {
    var rest = unicodeScalars[...]
    while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.properties.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
