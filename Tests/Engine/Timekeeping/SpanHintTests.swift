import Testing
import Timekeeping

@Suite struct `A slip in a span` {
  @Test(arguments: [
    ("2m", "'2m': do you mean 2min (minutes) or 2ms (milliseconds)?"),
    ("2M", "'2M': do you mean 2min (minutes) or 2ms (milliseconds)?"),
    ("1.5 m", "1.5min (minutes) or 1.5ms"), ("90", "'90' has no unit: 90s, 90min?"),
    ("3 hours", "do you mean 3h?"), ("10sec", "do you mean 10s?"), ("2 days", "do you mean 2d?"),
    ("soon", "'soon'; A span"), ("", "''; A span"), ("9e9m", "'9e9m'; A span"),
    ("2\u{202E}\u{0}h", "'2h'; A span"),
  ])
  func `is told with what was meant, and the units`(text: String, words: String) {
    let hint = Span.hint(for: text)
    #expect(hint.contains(words), "\(hint)")
    #expect(hint.hasSuffix("A span is a number and one of ns, us, ms, s, min, h, d: \"30s\""))
  }
}
