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
    let findings: [String]
    let hasFindings: Bool
    let context: [String]
    let next: [Sentence]
    let hasNext: Bool
    let failures: [Failure]
    let hasFailures: Bool
    let heading: String
    let moreFailures: [String]
    let objectives: [Row]
    let hasObjectives: Bool
    let moreObjectives: [String]
    let operations: [Row]
    let hasOperations: Bool
    let command: String
    let digest: String
    let seed: String
    let replications: String
    let texts = Texts.english

    init(_ run: Run) {
      let story = Story(of: run)
      mark = SummaryDocument.mark(story.shown)
      word = story.word
      title = run.scenario.title
      headline = story.headline
      findings = story.findings
      hasFindings = !findings.isEmpty
      context = story.context
      next = story.next.map(Sentence.init)
      hasNext = !next.isEmpty
      let urgent = run.orderedLimits.filter { $0.verdict == .fail || $0.verdict == .inconclusive }
      failures = urgent.prefix(shownFailures).map { Failure($0, in: run) }
      hasFailures = !failures.isEmpty
      let texts = Texts.english
      heading = urgent.first?.verdict == .inconclusive ? texts.openLimits : texts.failedLimits
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

    static func more(_ count: Int) -> [String] {
      count > 0 ? ["… \(Figures.count(count)) \(Texts.english.more)"] : []
    }
  }

  /// What to do next, with its command apart.
  private struct Sentence: Sendable {
    let words: String
    let command: [String]

    init(_ step: Story.Step) {
      words = step.words
      command = step.command.map { [Escaping.markdownCode($0)] } ?? []
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
      figure = objective.estimateInWords ?? none
      range = objective.range ?? (objective.reason ?? none)
      last = objective.figure(objective.bound)
    }

    init(_ latency: LatencyResult) {
      mark = Texts.english.name(latency.basis)
      name = latency.world + "." + latency.operation
      figure = latency.words(forQuantile: 0.5)
      range = latency.words(forQuantile: 0.99)
      last = Figures.count(latency.count)
    }
  }

  static func mark(_ verdict: Verdict) -> String {
    switch verdict {
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
    {{#hasFindings}}

    {{#findings}}
    - {{.}}
    {{/findings}}
    {{/hasFindings}}

    {{#context}}
    {{.}}
    {{/context}}
    {{#hasNext}}

    ### {{texts.next}}

    {{#next}}
    - {{words}}{{#command}} {{{.}}}{{/command}}
    {{/next}}
    {{/hasNext}}
    {{#hasFailures}}

    ### {{heading}}

    {{#failures}}
    - {{mark}} **{{id}}** {{statement}} – {{outcome}}
    {{#hasEvidence}}
      {{evidence}}
    {{/hasEvidence}}
      {{{command}}}
    {{/failures}}
    {{#moreFailures}}
    - {{.}}
    {{/moreFailures}}
    {{/hasFailures}}
    {{#hasObjectives}}

    ### {{texts.objectives}}

    | | {{texts.objective}} | {{texts.estimate}} | {{texts.interval}} | {{texts.bound}} |
    |:-:|:--|--:|--:|--:|
    {{#objectives}}
    | {{mark}} | {{name}} | {{figure}} | {{range}} | {{last}} |
    {{/objectives}}
    {{#moreObjectives}}

    {{.}}
    {{/moreObjectives}}
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
