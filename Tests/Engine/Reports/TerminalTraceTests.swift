import Reports
import Testing
import Timekeeping

@Suite struct `Traces for people` {
  private static func request(_ second: Int, _ person: String = "w/1/anna", code: String? = nil)
    -> String
  {
    let time = "2026-03-21T09:00:0\(second)"
    let outcome = code.map { "\"refused\",\"code\":\"\($0)\"" } ?? "\"replied\""
    return
      "{\"person\":\"\(person)\",\"kind\":\"request\",\"operation\":\"sync\",\"intended\":\"\(time).000000000Z\",\"sent\":\"\(time).100000000Z\",\"answered\":\"\(time).250000000Z\",\"outcome\":\(outcome),\"attempt\":1,\"request\":{\"a\":1}}"
  }

  private static let lines = (0..<10).map { request($0) }

  private static func violation(_ time: String, who: String = "w/1/anna")
    -> TerminalTrace.Violation
  {
    .init(limit: "KK-58", what: "a name of 16 characters", who: who, time: Instant(time)!)
  }

  @Test func `a line says when by local clocks, what, what came of it, and how long it took`() {
    let trace = TerminalTrace(
      [Self.request(1), Self.request(2, code: "name_too_long")], in: .amsterdam)
    #expect(
      trace.text(0..<2, colour: false) == [
        "w/1/anna", "Sat 21 Mar 2026, times of Europe/Amsterdam",
        "  1  10:00:01.100  sync  replied  250 ms  {\"a\":1}",
        "  2  10:00:02.100  sync  refused name_too_long  250 ms  {\"a\":1}",
      ])
  }

  @Test func `of several people each line names its own`() {
    let trace = TerminalTrace([Self.request(1), Self.request(2, "w/1/bo")], in: .utc)
    let text = trace.text(0..<2, colour: false)
    #expect(text[1].contains("  w/1/anna  sync") && text[2].contains("  w/1/bo    sync"))
  }

  @Test func `the line that shows a violation is marked, with the limit below it`() {
    let trace = TerminalTrace(
      Self.lines, in: .utc, violations: [Self.violation("2026-03-21T09:00:04.25Z")])
    let text = trace.text(3..<6, colour: false)
    #expect(text[2].hasPrefix("  4 ") && text[3].hasPrefix("✗ 5 "))
    #expect(text[4].contains("KK-58: a name of 16 characters"))
    #expect(trace.range(.violation, context: 2) == 2..<7)
    #expect(trace.range(.violation, context: 100) == 0..<10)
  }

  @Test func `a violation that no line shows is told below`() {
    let trace = TerminalTrace(
      Self.lines, in: .utc, violations: [Self.violation("2026-03-21T10:00:00Z", who: "w/1")])
    #expect(trace.range(.violation, context: 2) == nil)
    let last = trace.text(0..<10, colour: false).last
    #expect(last == "✗ KK-58, seen by w/1, Sat 21 Mar 2026, 10:00:00: a name of 16 characters")
  }

  @Test func `a trace is cut around a line or a moment`() {
    let trace = TerminalTrace(Self.lines, in: .utc)
    #expect(trace.range(.whole, context: 1) == 0..<10)
    #expect(trace.range(.line(1), context: 2) == 0..<3)
    #expect(trace.range(.line(11), context: 2) == nil && trace.range(.line(0), context: 2) == nil)
    #expect(trace.range(.moment(Instant("2026-03-21T09:00:05Z")!), context: 1) == 4..<7)
    #expect(trace.range(.moment(Instant("2027-01-01T00:00:00Z")!), context: 1) == 8..<10)
  }

  @Test func `what came over the wire does no harm`() {
    let evil = TerminalTrace(
      ["{\"person\":\"\\u001b[2J\",\"kind\":\"\\u001b\"}", "\u{1B}"], in: .utc)
    #expect(evil.text(0..<2, colour: false).allSatisfy { !$0.contains("\u{1B}") })
  }
}
