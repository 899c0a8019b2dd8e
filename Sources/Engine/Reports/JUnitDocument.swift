import Runs
import Scenarios
import Verdicts

/// `junit.xml`: each limit and each objective as a test case, and the comparison with a baseline as one more, for the list of tests
/// that a CI server shows.
public enum JUnitDocument {
  public static func bytes(for run: Run) -> [UInt8] {
    Array(template.render(Suites(run)).utf8)
  }

  private struct Suites: Sendable {
    let name: String
    let tests: Int
    let failures: Int
    let skipped: Int
    let seed: String
    let digest: String
    let command: String
    let time: String
    let suites: [Suite]

    init(_ run: Run) {
      name = run.scenario.title
      seed = String(run.seed)
      digest = run.digest
      command = run.command
      var suites =
        [
          Suite(name: Texts.english.limits, cases: run.limits.map { Case($0, in: run) }),
          Suite(name: Texts.english.objectives, cases: run.objectives.map { Case($0, in: run) }),
        ]
        + (run.comparison.map {
          [Suite(name: Texts.english.comparison, cases: [Case($0, in: run)])]
        } ?? [])
      tests = suites.reduce(0) { $0 + $1.tests }
      failures = suites.reduce(0) { $0 + $1.failures }
      skipped = suites.reduce(0) { $0 + $1.skipped }
      time = JUnitDocument.time(run.machine.wallSeconds)
      // All cases are judged by one run: each has an equal share of what it took, so that all together took so long.
      for suite in suites.indices {
        suites[suite].spend(run.machine.wallSeconds / Double(max(1, tests)))
      }
      self.suites = suites
    }
  }

  /// Seconds, with microseconds.
  private static func time(_ seconds: Double) -> String {
    let micros = Int(min(max(0, seconds), 1e9) * 1e6)
    let digits = String(micros % 1_000_000)
    return "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
  }

  private struct Suite: Sendable {
    let name: String
    private(set) var time = ""
    private(set) var cases: [Case]
    let tests: Int
    let failures: Int
    let skipped: Int

    init(name: String, cases: [Case]) {
      self.name = name
      self.cases = cases
      tests = cases.count
      failures = cases.count(where: \.isFailure)
      skipped = cases.count(where: \.isSkipped)
    }

    mutating func spend(_ secondsEach: Double) {
      time = JUnitDocument.time(secondsEach * Double(tests))
      for place in cases.indices { cases[place].time = JUnitDocument.time(secondsEach) }
    }
  }

  private struct Case: Sendable {
    let group: String
    let title: String
    let isFailure: Bool
    let isSkipped: Bool
    let kind: String
    let message: String
    let lines: [String]
    var time = ""

    init(_ limit: LimitResult, in run: Run) {
      let texts = Texts.english
      group = limit.domain
      title = limit.id + " " + limit.statement
      kind = limit.verdict.rawValue
      isFailure = Case.fails(limit.verdict, in: run, documented: true)
      isSkipped = !isFailure && limit.verdict != .pass
      let outcome =
        limit.verdict == .fail
        ? texts.outOf(limit.violations, limit.exercised) : texts.word(limit.verdict)
      message = outcome + (limit.reason.map { ": " + $0 } ?? "")
      var lines: [String] = [texts.source + ": " + limit.source]
      for evidence in limit.evidence {
        let moment = Figures.moment(evidence.time, in: run.scenario.zone)
        lines.append(evidence.what)
        lines.append(texts.seenBy(evidence.who, at: moment, replication: evidence.replication))
        lines.append(texts.showAgain + " " + evidence.command)
      }
      if limit.evidence.isEmpty { lines.append(texts.repeatRun + ": " + run.command) }
      self.lines = lines
    }

    init(_ objective: ObjectiveResult, in run: Run) {
      let texts = Texts.english
      group = run.scenario.name
      title = objective.text
      kind = objective.verdict.rawValue
      isFailure = Case.fails(objective.verdict, in: run, documented: false)
      isSkipped = !isFailure && objective.verdict != .pass
      let estimate = objective.estimateInWords.map { texts.estimate + " " + $0 }
      message =
        [estimate, objective.reason].compactMap(\.self).joined(separator: ": ")
        .orElse(texts.word(objective.verdict))
      var lines: [String] = []
      if let range = objective.range { lines.append(texts.interval + ": " + range) }
      lines.append(texts.bound + ": " + objective.figure(objective.bound))
      lines.append(texts.repeatRun + ": " + run.command)
      self.lines = lines
    }

    init(_ comparison: RunComparison, in run: Run) {
      let texts = Texts.english
      group = run.scenario.name
      title = texts.comparison
      kind = comparison.verdict.rawValue
      isFailure = comparison.verdict == .regression || comparison.isDoubtThatStops
      isSkipped = !isFailure && comparison.verdict == .inconclusive
      message = TerminalComparison.sentence(comparison)
      let shown: ChangeVerdict = comparison.verdict
      lines =
        [TerminalComparison.method(comparison)]
        + comparison.metrics.filter { $0.change.verdict == shown }.map {
          texts.grew(
            "\($0.name.world).\($0.name.operation) \($0.measure.rawValue)",
            from: Figures.duration($0.before), to: Figures.duration($0.after),
            change: TerminalComparison.change($0.change.ratio) + " "
              + TerminalComparison.interval($0.change))
        }
        + comparison.limits.filter(\.isRegression).map {
          texts.turned($0.id, from: texts.word($0.before), to: texts.word($0.after))
        } + [texts.repeatRun + ": " + run.command]
    }

    private static func fails(_ verdict: Verdict, in run: Run, documented: Bool) -> Bool {
      switch verdict {
      case .fail: true
      case .inconclusive: run.scenario.inconclusive == .fail
      case .notExercised: documented && run.scenario.documented == .all
      case .pass: false
      }
    }
  }

  private static let template = Template("junit.xml")
}

extension String {
  func orElse(_ other: String) -> String { isEmpty ? other : self }
}
