import Foundation
import Reports
import Runs
import Testing
import Verdicts

@Suite struct `The terminal's summary` {
  @Test func `a bad run fits a terminal of 80 by 24 with its prompt`() {
    var run = SampleRun.failing
    for index in 2..<9 { run.limits[index].verdict = .fail }
    let text = TerminalSummary.text(
      run, colour: false, reportAt: "reports/saturday/latest/index.html")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let rows = lines.reduce(0) { $0 + max(1, ($1.count + 79) / 80) }
    #expect(rows <= 23, "\(text)")
    for line in lines where !line.contains("  rehearse") { #expect(line.count <= 80) }
  }

  @Test
  func
    `every objective is shown whole, however many there are, and what is not met with its reason`()
  {
    var run = SampleRun.failing
    var undecided = run.objectives[0]
    undecided.verdict = .inconclusive
    undecided.reason = "too few replications: 2, and a share or a quantile needs 20"
    run.objectives = (1...40).map { number in
      var objective = undecided
      objective.text =
        "p99 of kantine-koning.operationWithAVeryLongName\(number) from 12:00 < 250ms"
      return objective
    }
    for width in [20, 40, 80, 200] {
      let text = TerminalSummary.text(run, width: width, colour: false)
      let joined = text.replacing(/\s+/, with: " ")
      for number in 1...40 { #expect(width < 80 || joined.contains("LongName\(number) ")) }
      #expect(joined.matches(of: /needs 20/).count == 40, "\(width)")
      #expect(!text.contains("40 more"))
      for line in text.split(separator: "\n") where !line.contains("  rehearse") {
        #expect(line.count <= width || line.hasPrefix("Report"), "\(width): \(line)")
      }
    }
  }

  @Test func `rules that nobody tried are named, and a green run says what to do next`() {
    let text = TerminalSummary.text(
      SampleRun.passing, width: 200, colour: false, reportAt: "reports/saturday/1/index.html")
    let untried = SampleRun.passing.limits.filter { $0.verdict == .notExercised }
    #expect(!untried.isEmpty)
    #expect(text.contains("Not tried: \(untried.count) documented rule"))
    #expect(text.contains(untried[0].id))
    #expect(text.contains("rehearse baseline accept reports/saturday/1\n"))
  }

  @Test func `a green run says how little it tried, and what was not demanded`() {
    func headline(_ change: (inout Run) -> Void) -> String {
      var run = SampleRun.passing
      change(&run)
      return Story(of: run).headline
    }
    #expect(!headline { _ in }.contains("Little was tried"))
    let little = headline {
      $0.replications = Array($0.replications.prefix(1))
      $0.funnel = []
      $0.objectives = []
    }
    #expect(little.hasSuffix("Little was tried: 1 replication, no adversaries, no objective."))
    let lossy = headline {
      $0.unknowns[0].count = $0.requests * 29 / 100
      $0.objectives.removeAll { $0.text.hasPrefix("errors") }
    }
    #expect(
      lossy.contains("of the requests got no answer, and no objective is about errors."))
  }

  @Test func `what to do next repeats all that was said, and asks for no thousands before twenty`()
  {
    var run = SampleRun.passing
    run.scenario.options = " --target kantine-koning=http://127.0.0.1:4000 --timeline wall"
    run.objectives[0].verdict = .inconclusive
    run.objectives[0].moreReplications = 3_949
    run.verdict = .inconclusive
    run.exitCode = 98
    run.replications = Array(run.replications.prefix(3))
    let text = TerminalSummary.text(run, width: 200, colour: false)
    #expect(
      text.contains(
        "--replications 20 --target kantine-koning=http://127.0.0.1:4000 --timeline wall\n"))
    let summary = String(decoding: SummaryDocument.bytes(for: run), as: UTF8.self)
    #expect(summary.contains("--replications 20 --target"))
    run.objectives[0].moreReplications = 20_000
    run.replications = SampleRun.passing.replications
    #expect(!TerminalSummary.text(run, width: 200, colour: false).contains("--replications 20020"))
  }

  @Test func `what is undecided names how to decide it`() {
    var run = SampleRun.passing
    run.objectives[0].verdict = .inconclusive
    run.objectives[0].moreReplications = 60
    run.verdict = .inconclusive
    run.exitCode = 98
    let text = TerminalSummary.text(run, width: 200, colour: false)
    #expect(text.contains("Nothing failed, but 1 result is too uncertain"))
    #expect(text.contains("--replications 80"))
  }

  @Test func `a quiet run tells its problems and nothing else`() throws {
    let text = try #require(TerminalSummary.problems(SampleRun.failing, colour: false))
    #expect(text.hasPrefix("✗ FAILED") && text.contains("KK-14"))
    #expect(text.contains("? p90 of kantine-koning.identifierRevoked"))
    #expect(!text.contains("p99 of kantine-koning.sync") && !text.contains("Slowest"))
    #expect(TerminalSummary.problems(SampleRun.passing, colour: false) == nil)
  }

  @Test func `a regression is told once`() throws {
    let run = SampleRun.slower
    let comparison = try #require(run.comparison)
    let sentence = TerminalComparison.sentence(comparison)
    let summary = TerminalSummary.text(run, width: 300, colour: false)
    let below = TerminalComparison.text(
      comparison, names: ("new", "old"), width: 300, colour: false, below: run)
    #expect((summary + below).ranges(of: sentence).count == 1)
    #expect((summary + below).ranges(of: "REGRESSION").count == 1)
    #expect(summary.hasPrefix("✗ REGRESSION") && below.hasPrefix("Against the baseline"))
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

  @Test func `what nothing measured asks for more to happen, not for another bound`() throws {
    var run = SampleRun.passing
    run.verdict = .inconclusive
    run.exitCode = 98
    run.objectives = [run.objectives[0]]
    run.objectives[0].verdict = .inconclusive
    run.objectives[0].reason = ObjectiveResult.notMeasured + ": nothing of the kind happened"
    run.objectives[0].moreReplications = nil
    let said = TerminalSummary.text(run, colour: false)
    #expect(said.contains("Let the scenario try more") && !said.contains("another bound"))
    let page = try #require(Rendering.files(for: run).first { $0.path == "index.html" })
    #expect(String(decoding: page.bytes, as: UTF8.self).contains("more people, more time"))
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
    #expect(Figures.durations(0.5, .infinity) == "500 ms or longer")
  }
}
