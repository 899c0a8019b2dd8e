import Foundation
import Reports
import Runs
import Testing
import Verdicts

@Suite struct `The terminal's summary` {
  @Test func `a bad run fits a terminal of 80 by 24 with its prompt`() {
    var run = SampleRun.failing
    for index in 2..<9 { run.limits[index].verdict = .fail }
    run.objectives += run.objectives
    let text = TerminalSummary.text(
      run, colour: false, reportAt: "reports/saturday/latest/index.html")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let rows = lines.reduce(0) { $0 + max(1, ($1.count + 79) / 80) }
    #expect(rows <= 23, "\(text)")
    for line in lines where !line.hasPrefix("    rehearse") { #expect(line.count <= 80) }
  }

  @Test func `the first line is the verdict`() {
    #expect(TerminalSummary.text(SampleRun.failing, colour: false).hasPrefix("✗ FAILED"))
    #expect(TerminalSummary.text(SampleRun.passing, colour: false).hasPrefix("✓ HELD"))
    #expect(TerminalSummary.text(SampleRun.empty, colour: false).hasPrefix("– NOT TRIED"))
  }

  @Test func `commands stay whole at any width`() {
    let text = TerminalSummary.text(SampleRun.failing, width: 40, colour: false)
    #expect(text.contains(SampleRun.failing.limits[0].evidence[0].command))
  }

  @Test func `colour adds nothing but colour`() {
    let plain = TerminalSummary.text(SampleRun.failing, colour: false)
    let coloured = TerminalSummary.text(SampleRun.failing, colour: true)
    #expect(coloured != plain)
    #expect(coloured.replacing(/\u{1B}\[[0-9]+m/, with: "") == plain)
  }

  @Test func `an interrupted or invalid run never looks green`() {
    var run = SampleRun.passing
    run.interrupted = true
    #expect(TerminalSummary.text(run, colour: false).contains("interrupted"))
    run.interrupted = false
    run.exitCode = 96
    #expect(TerminalSummary.text(run, colour: false).contains("RUN INVALID"))
    #expect(!TerminalSummary.text(run, colour: false).hasPrefix("✓"))
  }
}

@Suite struct `Figures in reports` {
  @Test(arguments: [
    (0.0, "0 s"), (4.1e-6, "4.1 µs"), (0.00087, "870 µs"), (0.0009996, "1 ms"), (0.1874, "187 ms"),
    (0.9999, "1 s"), (1.236, "1.24 s"), (59.96, "1 min"), (252, "4 min 12 s"), (3_599.7, "1 h"),
    (3_600, "1 h"), (5_430, "1 h 31 min"), (86_399, "1 d"), (183_600, "2 d 3 h"),
    (.infinity, "never"),
  ])
  func `a duration has the unit that fits`(seconds: Double, text: String) {
    #expect(Figures.duration(seconds) == text)
  }

  @Test(arguments: [
    (0.0, "0%"), (0.0119, "1.19%"), (0.000012, "0.0012%"), (0.5, "50%"), (0.99996, "99.996%"),
    (0.9999999, "99.99999%"), (1, "100%"),
  ])
  func `a share is all or nothing only when it is`(share: Double, text: String) {
    #expect(Figures.share(share) == text)
  }

  @Test func `counts are grouped by thousands`() {
    #expect(Figures.count(0) == "0")
    #expect(Figures.count(999) == "999")
    #expect(Figures.count(1_000) == "1,000")
    #expect(Figures.count(-1_204_003) == "-1,204,003")
  }

  @Test func `an interval names its unit once where both ends have it`() {
    #expect(Figures.durations(0.181, 0.194) == "181 – 194 ms")
    #expect(Figures.durations(0.9, 1.2) == "900 ms – 1.2 s")
    #expect(Figures.durations(1_830, 4_120) == "30.5 – 68.7 min")
    #expect(Figures.durations(0.5, .infinity) == "500 ms – never")
  }
}
