import Testing
import Timekeeping

@Suite struct `A slip in a span` {
  @Test(arguments: [
    ("2m", "'m' is not a unit of time: write 2min (minutes) or 2ms (milliseconds)"),
    ("2M", "write 2min (minutes) or 2ms (milliseconds)"),
    ("1.5 m", "write 1.5min (minutes) or 1.5ms"), ("90", "a time needs a unit, e.g. 90s"),
    ("1h30m", "a time is one number and one unit: write 1.5h"), ("1m30s", "write 1.5min"),
    ("3 hours", "'hours' is not a unit of time: write 3h"), ("10sec", "write 10s"),
    ("2 days", "write 2d"), ("5%", "'%' is not a unit of time; use one of ns us ms s min h d"),
    ("soon", "it is not a time, e.g. 30s"), ("", "it is not a time"), ("0x10s", "use one of"),
    (".5s", "it is not a time"), ("nans", "it is not a time"), ("9e99h", "it is too large"),
    ("-1h", "it is below 0s"),
    ("2\u{202E}\u{0}y", "'y' is not a unit of time; use one of ns us ms s min h d"),
  ])
  func `is told with what was meant`(text: String, words: String) {
    #expect(Span.problem(of: text).contains(words), "\(Span.problem(of: text))")
    #expect(Span.hint(for: text).hasSuffix(": \(Span.problem(of: text))"))
  }

  @Test func `is none where a number has an exponent, a sign, or a blank before its unit`() {
    #expect(
      ["1e3s", "+1 s", "-1.5 h", "1E-3s"].map { Span($0)?.seconds } == [1_000, 1, -5_400, 0.001])
    #expect(["1 e3s", "1.s", "s", "1s ", "1e400s"].allSatisfy { Span($0) == nil })
  }
}

@Suite struct `A rate as text` {
  @Test func `is a number with its unit`() {
    let read = ["500/s", "30/min", "7200 /h", "86400/d", "1e3/s", "-1/s"].map {
      Rate($0)?.perSecond
    }
    #expect(read == [500, 0.5, 2, 1, 1_000, -1])
    for wrong in ["", "5", "5/", "5/y", "0x10/s", "1_000/s", "inf/s", "1e400/s", "5/s/s", "1/10s"] {
      #expect(Rate(wrong) == nil, "\(wrong)")
    }
  }

  @Test(arguments: [
    ("1/10s", "write 6/min"), ("5/m", "write 5/min"), ("3/100ms", "write 30/s"),
    ("1/2d", "/s"), ("50", "a rate needs a unit"), ("fast", "it is not a rate"),
    ("5/y", "not a rate"),
    ("1/0s", "it is not a rate"), ("-5/10s", "it is not a rate"),
  ])
  func `is told with what was meant`(text: String, words: String) {
    #expect(Rate.problem(of: text).contains(words), "\(Rate.problem(of: text))")
  }
}
