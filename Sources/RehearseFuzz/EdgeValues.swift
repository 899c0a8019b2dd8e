import Contracts
import Timekeeping

/// Values at and beyond the edges of everything that a field may mean.
enum EdgeValues {
  /// Numbers as they stand in a document, so that also those can be sent that no value of ours holds.
  static let numbers = [
    "0", "-0", "1", "-1", "2", "255", "256", "32767", "65536", "2147483647", "-2147483648",
    "2147483648", "4294967296", "9007199254740991", "9007199254740992", "9007199254740993",
    "9223372036854775807", "-9223372036854775808", "9223372036854775806", "-9223372036854775807",
    "9223372036854775808", "18446744073709551616", "1e308", "-1e308", "1e309", "1e-320", "0.1",
    "-0.5", "1.5", "0.000000001", "1e18", "9.3e18", "9999999999", "9999999999999", "1774069200",
    "1774069200000", "1774069200000000", "-62135596800", "253402300800", "253402300799999",
    "9223372036", "9223372037", "9223372036854", "9223372036855", "4611686018427387904",
    "3037000500", "90", "-90", "90.0000001", "180", "-180", "181", "1e3", "1.0", "100", "1000",
    "100001",
  ]

  static let texts = [
    "", " ", "\t", "\u{0}", "a\u{0}b", "\u{200B}", "\u{FEFF}", "\u{202E}abc", "é", "e\u{301}", "ß",
    "İ", "ﬃ", "👨‍👩‍👧‍👦", "🇳🇱🇳", "\u{10FFFF}", "\u{FFFD}", "\u{FFFF}", "\r\n", "a\nb", "'", "\"",
    "\\", "<script>", "%", "%00", "%2F", "../..", "/", "//", "?", "#", "a=b&c=d", "*", "null",
    "true", "0", "-1", "1e309", "NaN", "undefined", "{{1.body}}", "@", "a@", "@b", "a@b", "A@B.C",
    "a@b@c", "member", "manager", "production", "sandbox", "ios", "Bearer", "Bearer ", "a.b.c",
    "..", "...", "eyJhbGciOiJub25lIn0.e30.", "e30=", "e30", "bnVsbA==",
  ]

  static let instants = [
    "2026-03-21T05:00:00Z", "2026-03-29T01:30:00Z", "1970-01-01T00:00:00Z", "1700-01-01T00:00:00Z",
    "1678-01-01T00:00:00Z", "1677-09-21T00:12:43Z", "0000-00-00T00:00:00Z", "2199-12-31T23:59:59Z",
    "2200-01-01T00:00:00Z", "2200-12-31T23:59:59.999999999Z", "2262-04-11T23:47:16.854775807Z",
    "2262-04-12T00:00:00Z", "9999-12-31T23:59:59Z", "2026-02-29T00:00:00Z",
    "2024-02-29T00:00:00+18:00", "2200-12-31T23:59:59-18:00", "1700-01-01T00:00:00+18:00",
    "2026-03-21", "2026-03-21T24:00:00Z", "2026-03-21T05:00:60Z", "1774069200", "1774069200000",
  ]

  static let spans = [
    "0s", "1ns", "1s", "30s", "15min", "1h", "1d", "7d", "365d", "-1s", "86000d", "90000d",
    "106751d", "104166d", "9e18ns", "8999999999999999999ns", "1e300d", "2m", "5M", "1", "for ever",
    "0.1ns", "-0d", "1e-9s", "",
  ]

  static let flags = ["true", "false"]
  static let nothing = ["null", "[]", "{}", "[null]", "[[]]", "[{}]", "{\"\":null}"]

  /// Escapes that stand for no character, and some that stand for odd ones.
  static let escapes = [
    "\"\\ud800\"", "\"\\udc00\"", "\"\\ud83d\\ude00\"", "\"\\ud800\\ud800\"", "\"\\u0000\"",
    "\"\\u00e9\"", "\"\\uFFFE\"", "\"\\x\"", "\"\\", "\"\u{1}\"",
  ]

  /// A text of bounded, seldom great, length.
  static func long(_ stream: inout RandomStream) -> String {
    let lengths = [63, 64, 65, 100, 101, 255, 256, 257, 1_000, 1_024, 4_097, 20_000]
    let piece = stream.pick(["a", "é", "\u{301}", "👩‍🚀", "%41", " ", "0", "-"])
    return String(repeating: piece, count: stream.pick(lengths))
  }

  static func text(_ stream: inout RandomStream) -> String {
    switch stream.pick(0..<12) {
    case 0: long(&stream)
    case 1, 2: stream.pick(instants)
    case 3: stream.pick(spans)
    case 4: stream.pick(numbers)
    default: stream.pick(texts)
    }
  }

  /// A value in the place of another, as it stands in a document.
  static func document(insteadOf value: JSON, _ stream: inout RandomStream) -> String {
    // Mostly of the same kind: a wrong kind is seldom looked at any further.
    if stream.chance(0.25) { return anything(&stream) }
    switch value {
    case .int, .double: return stream.pick(numbers)
    case .bool: return stream.pick(flags)
    case .string(let text):
      if Instant(text) != nil { return JSON.string(stream.pick(instants)).description }
      if Span(text) != nil { return JSON.string(stream.pick(spans)).description }
      if stream.chance(0.1) { return stream.pick(escapes) }
      return JSON.string(self.text(&stream)).description
    case .null, .array, .object: return anything(&stream)
    }
  }

  static func anything(_ stream: inout RandomStream) -> String {
    switch stream.pick(0..<10) {
    case 0, 1, 2: return stream.pick(numbers)
    case 3: return stream.pick(flags)
    case 4, 5: return stream.pick(nothing)
    case 6: return stream.pick(escapes)
    case 7:
      let depth = stream.pick([2, 50, 199, 200, 201, 1_000])
      return String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    default: return JSON.string(text(&stream)).description
    }
  }
}
