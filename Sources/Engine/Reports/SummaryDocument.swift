import Runs
import Verdicts

/// `summary.md`: a screenful for a pull request.
public enum SummaryDocument {
  public static func bytes(for run: Run) -> [UInt8] {
    Array(template.render(Model(run)).utf8)
  }

  /// Rows that a reviewer still reads; the rest is counted.
  private static let shownFailures = 5
  private static let shownObjectives = 8
  private static let shownOperations = 5

  private struct Model: Sendable {
    let mark: String
    let word: String
    let title: String
    let headline: String
    let meaning: [String]
    let failures: [Failure]
    let hasFailures: Bool
    let moreFailures: String
    let objectives: [Row]
    let hasObjectives: Bool
    let moreObjectives: String
    let operations: [Row]
    let hasOperations: Bool
    let command: String
    let digest: String
    let seed: String
    let replications: String
    let texts = Texts.english

    init(_ run: Run) {
      let story = Story(of: run)
      mark = SummaryDocument.mark(run.verdict, valid: story.word == Texts.english.word(run.verdict))
      word = story.word
      title = run.scenario.title
      headline = story.headline
      meaning = story.meaning
      let urgent = run.orderedLimits.filter { $0.verdict == .fail || $0.verdict == .inconclusive }
      failures = urgent.prefix(shownFailures).map { Failure($0, in: run) }
      hasFailures = !failures.isEmpty
      moreFailures = Model.more(urgent.count - failures.count)
      objectives = run.orderedObjectives.prefix(shownObjectives).map(Row.init)
      hasObjectives = !objectives.isEmpty
      moreObjectives = Model.more(run.objectives.count - objectives.count)
      operations = run.slowestFirst.prefix(shownOperations).map(Row.init)
      hasOperations = !operations.isEmpty
      command = Escaping.markdownCode(run.command)
      digest = Escaping.markdownCode(run.digest)
      seed = Escaping.markdownCode(String(run.seed))
      replications = Texts.english.repeated(run.replications.count)
    }

    static func more(_ count: Int) -> String {
      count > 0 ? "… \(Figures.count(count)) \(Texts.english.more)" : ""
    }
  }

  private struct Failure: Sendable {
    let mark: String
    let id: String
    let statement: String
    let outcome: String
    let evidence: String
    let hasEvidence: Bool
    let command: String

    init(_ limit: LimitResult, in run: Run) {
      let texts = Texts.english
      mark = SummaryDocument.mark(limit.verdict)
      id = limit.id
      statement = limit.statement.withoutStop
      outcome =
        limit.verdict == .fail
        ? texts.outOf(limit.violations, limit.exercised)
        : (limit.reason ?? texts.word(limit.verdict))
      hasEvidence = !limit.evidence.isEmpty
      evidence =
        limit.evidence.first.map {
          let moment = Figures.moment($0.time, in: run.scenario.zone)
          let seen = texts.seenBy($0.who, at: moment, replication: $0.replication)
          return $0.what + " (" + seen + ")"
        } ?? ""
      command = Escaping.markdownCode(limit.evidence.first?.command ?? run.command)
    }
  }

  private struct Row: Sendable {
    let mark: String
    let name: String
    let figure: String
    let range: String
    let last: String

    init(_ objective: ObjectiveResult) {
      let none = Texts.english.none
      mark = SummaryDocument.mark(objective.verdict)
      name = objective.text
      figure = objective.estimate.map(objective.figure) ?? none
      range =
        objective.interval.map { objective.figure($0.low) + " – " + objective.figure($0.high) }
        ?? (objective.reason ?? none)
      last = objective.figure(objective.bound)
    }

    init(_ latency: LatencyResult) {
      mark = Texts.english.name(latency.basis)
      name = latency.world + "." + latency.operation
      figure = Row.seconds(latency.quantile(0.5))
      range = Row.seconds(latency.quantile(0.99))
      last = Figures.count(latency.count)
    }

    private static func seconds(_ quantile: Quantile?) -> String {
      guard let quantile else { return Texts.english.none }
      return quantile.seconds.map(Figures.duration) ?? Texts.english.never
    }
  }

  static func mark(_ verdict: Verdict, valid: Bool = true) -> String {
    guard valid else { return "🟠" }
    return switch verdict {
    case .pass: "🟢"
    case .fail: "🔴"
    case .inconclusive: "🟡"
    case .notExercised: "⚪"
    }
  }

  private static let template = Template(
    .markdown,
    """
    ## {{mark}} {{word}}: {{title}}

    **{{headline}}**

    {{#meaning}}
    - {{.}}
    {{/meaning}}
    {{#hasFailures}}

    ### {{texts.failedLimits}}

    {{#failures}}
    - {{mark}} **{{id}}** {{statement}} – {{outcome}}
    {{#hasEvidence}}
      {{evidence}}
    {{/hasEvidence}}
      {{{command}}}
    {{/failures}}

    {{moreFailures}}
    {{/hasFailures}}
    {{#hasObjectives}}

    ### {{texts.objectives}}

    | | {{texts.objective}} | {{texts.estimate}} | {{texts.interval}} | {{texts.bound}} |
    |:-:|:--|--:|--:|--:|
    {{#objectives}}
    | {{mark}} | {{name}} | {{figure}} | {{range}} | {{last}} |
    {{/objectives}}

    {{moreObjectives}}
    {{/hasObjectives}}
    {{#hasOperations}}

    ### {{texts.slowest}}

    | {{texts.operation}} | {{texts.basis}} | p50 | p99 | {{texts.count}} |
    |:--|:--|--:|--:|--:|
    {{#operations}}
    | {{name}} | {{mark}} | {{figure}} | {{range}} | {{last}} |
    {{/operations}}
    {{/hasOperations}}

    {{texts.repeatRun}}: {{{command}}}
    {{texts.digest}} {{{digest}}} · {{texts.seed}} {{{seed}}} · {{replications}}

    """)
}
