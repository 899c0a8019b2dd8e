import Contracts
import Foundation
import Reports
import Runs
import Scenarios
import Testing
import Timekeeping
import Verdicts

@Suite struct `The result document` {
  @Test func `it has every member that version 1 promises`() throws {
    let result = ResultDocument.json(for: SampleRun.failing)
    for name in [
      "version", "scenario", "seed", "digest", "verdict", "exitCode", "method", "persons",
      "requests",
      "virtualSeconds", "replications", "limits", "objectives", "latencies", "business", "refusals",
      "unknowns", "journeys", "machine",
    ] { #expect(result[name] != nil, "\(name)") }
    #expect(result["version"]?.int == 1)
    for latency in try #require(result["latencies"]?.array) {
      #expect(latency["basis"]?.string == "modelled")
      for quantile in try #require(latency["quantiles"]?.array) {
        #expect(quantile["interval"] != nil)
      }
    }
  }

  @Test func `another machine changes nothing outside machine`() {
    var other = SampleRun.failing
    other.machine = Machine(
      wallSeconds: 9, workers: 1, cpu: "another", version: "x", commit: "y", inProcess: [])
    var here = ResultDocument.json(for: SampleRun.failing).object
    var there = ResultDocument.json(for: other).object
    #expect(here != there)
    here?["machine"] = nil
    there?["machine"] = nil
    #expect(here == there)
  }

  @Test func `latencies measured in process lie under machine alone`() {
    var run = SampleRun.failing
    run.latencies[0].basis = .inProcess
    let result = ResultDocument.json(for: run)
    #expect(result["latencies"]?.array?.count == run.latencies.count - 1)
    #expect(result["machine"]?["inProcess"]?.array?.count == 1 + run.machine.inProcess.count)
  }

  @Test func `infinitely late is null, and so is an interval that was not estimated`() {
    var run = SampleRun.failing
    run.latencies[0].quantiles = [
      Quantile(q: 0.5, seconds: nil, interval: nil),
      Quantile(q: 0.4, seconds: .infinity, interval: Bounds(low: 0.5, high: .infinity)),
    ]
    let text = ResultDocument.json(for: run)["latencies"]?[0]?["quantiles"]?.description
    #expect(
      text
        == #"[{"q":0.5,"seconds":null,"interval":null},{"q":0.4,"seconds":null,"interval":[0.5,null]}]"#
    )
  }

  @Test func `a seed of 64 bits survives readers that count to 2^53`() {
    var run = SampleRun.failing
    run.seed = .max
    #expect(ResultDocument.json(for: run)["seed"]?.string == "18446744073709551615")
    #expect(ResultDocument.json(for: SampleRun.failing)["seed"]?.int == 1)
    #expect(
      ResultDocument.json(for: run)["replications"]?[0]?["seed"]?.string == "11400714819323198485")
  }
}

@Suite struct `The JUnit document` {
  private func text(_ run: Run) throws -> String {
    String(
      decoding: try #require(Rendering.files(for: run).first { $0.path == "junit.xml" }).bytes,
      as: UTF8.self)
  }

  @Test func `a limit that cannot be told fails or is skipped as the scenario wants it`() throws {
    var run = SampleRun.failing
    #expect(try text(run).contains(#"<failure type="inconclusive""#))
    run.scenario.inconclusive = .warn
    #expect(try !text(run).contains(#"<failure type="inconclusive""#))
    #expect(try text(run).contains(#"<skipped message="Cannot tell: 12 tries are too few"#))
  }

  @Test func `a limit that nobody tried is skipped, or fails where all documented ones are judged`()
    throws
  {
    var run = SampleRun.failing
    #expect(try text(run).contains(#"<skipped message="Not tried: nobody opened a leaderboard"/>"#))
    run.scenario.documented = .all
    #expect(try text(run).contains(#"<failure type="notExercised""#))
  }

  @Test func `times of cases add up to what the run took`() throws {
    for (run, seconds) in [(SampleRun.failing, 12.5), (SampleRun.passing, 0.000_5)] {
      var run = run
      run.machine.wallSeconds = seconds
      let text = try text(run)
      func times(_ element: String) -> [Double] {
        text.matches(of: #/<([a-z]+) [^>]*time="([0-9]+\.[0-9]{6})"/#)
          .filter { $0.1 == element }.compactMap { Double($0.2) }
      }
      let (all, suites, cases) = (times("testsuites"), times("testsuite"), times("testcase"))
      #expect(all == [seconds] && suites.count >= 2 && cases.count > 2)
      let slack = 1e-6 * Double(cases.count)
      #expect(abs(suites.reduce(0, +) - seconds) < slack)
      #expect(abs(cases.reduce(0, +) - seconds) < slack)
      #expect(
        text.matches(of: #/<test(suites|suite|case) /#).count == 1 + suites.count + cases.count)
    }
  }

  @Test func `an annotation stands at the line of its objective, or of its world`() {
    let run = SampleRun.failing
    let objectives = run.objectives.enumerated().map { index, objective in
      Objective(
        text: objective.text, measure: .mean, domain: nil, subject: nil, comparison: .less,
        bound: 1, line: 40 + index)
    }
    let worlds = Set(run.limits.map(\.domain)).sorted().enumerated().map { index, domain in
      World(
        domain: domain, regions: 1, population: Settings([]), parameters: Settings([]),
        line: 7 + index)
    }
    let scenario = Scenario(
      name: "x", title: "x", starts: run.scenario.starts, zone: .utc, lasts: .hours(1),
      worlds: worlds, objectives: objectives)
    let lines = Annotations.lines(for: run, of: scenario)
    #expect(lines.allSatisfy { $0.contains(",line=") }, "\(lines)")
    for (index, objective) in run.objectives.enumerated()
    where objective.verdict == .fail || objective.verdict == .inconclusive {
      #expect(lines.contains { $0.contains(objective.text) && $0.contains(",line=\(40 + index),") })
    }
    #expect(lines.contains { $0.contains("title=KK-") && $0.contains(",line=7,") })
  }

  @Test func `a regression is a failing case, with the figures that grew`() throws {
    let text = try text(SampleRun.slower)
    #expect(text.contains(#"<testsuite name="Against the baseline" tests="1" failures="1""#))
    #expect(text.contains(#"<failure type="regression" message="#))
    #expect(text.contains("world.sync p95"))
    let lines = Annotations.lines(for: SampleRun.slower)
    #expect(lines.count { $0.hasPrefix("::error") && $0.contains("Against the baseline") } == 1)
  }

  @Test func `a comparison that cannot tell fails or is skipped as the scenario wants it`() throws {
    var run = SampleRun.passing
    let few = MadeUp.run(seeds: 0..<2, digest: "now", own: 0.002)
    let comparison = RunComparison(of: few, with: MadeUp.run(seeds: 0..<2, digest: "before"))
    #expect(comparison.verdict == .inconclusive && comparison.isDoubtThatStops)
    run.comparison = comparison
    run.exitCode = 98
    #expect(try text(run).contains(#"<failure type="inconclusive""#))
    #expect(Story(of: run).headline.hasPrefix("Nothing failed, but the comparison"))
    #expect(TerminalSummary.text(run, colour: false).hasPrefix("? CANNOT TELL"))
    var allowed = few
    allowed.scenario.doubtStops = false
    run.comparison = RunComparison(of: allowed, with: MadeUp.run(seeds: 0..<2, digest: "before"))
    run.exitCode = 0
    #expect(try !text(run).contains(#"<failure type="inconclusive""#))
    #expect(Annotations.lines(for: run).contains { $0.hasPrefix("::warning") })
  }

  @Test(arguments: [SampleRun.failing, SampleRun.slower])
  func `its counts agree with its cases`(run: Run) throws {
    let text = try text(run)
    let failures = text.matches(of: /<failure\ /).count
    let skipped = text.matches(of: /<skipped\ /).count
    let cases = text.matches(of: /<testcase\ /).count
    #expect(
      text.contains(
        "tests=\"\(cases)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\" time="))
  }
}
