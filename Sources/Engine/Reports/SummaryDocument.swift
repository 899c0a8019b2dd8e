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
  private static let shownBusiness = 6

  private struct Model: Sendable {
    let mark: String
    let word: String
    let title: String
    let headline: String
    /// What the picture beside it shows, where there is one.
    let picture: [String]
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
    let business: [Business]
    let hasBusiness: Bool
    let moreBusiness: [String]
    let operations: [Operation]
    let hasOperations: Bool
    let partsOf: String
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
      picture = SummaryPicture.words(for: run).map { [$0] } ?? []
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
      let times = run.businessByWeight.filter { $0.notes.weight != .last && $0.begun > 0 }
      business = times.prefix(shownBusiness).map(Business.init)
      hasBusiness = !business.isEmpty
      moreBusiness = Model.more(times.count - business.count)
      operations = run.notableOperations.prefix(shownOperations).map(Operation.init)
      hasOperations = !operations.isEmpty
      partsOf = texts.whatIsIn(Figures.quantile(Operation.partsQuantile))
      command = Escaping.markdownCode(run.command)
      digest = Escaping.markdownCode(run.digest)
      seed = Escaping.markdownCode(String(run.seed))
      replications =
        run.generator == nil
        ? texts.repeated(run.replications.count) : texts.oneRunOf(parts: run.replications.count)
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
      figure =
        (objective.estimateInWords ?? none)
        + (objective.parts.map { ", " + Texts.english.parts($0) } ?? "")
      range = objective.range ?? (objective.reason ?? none)
      last = objective.figure(objective.bound)
    }
  }

  private struct Business: Sendable {
    let name: String
    let finished: String
    let abandoned: String
    let unfinished: String
    let median: String
    let tail: String

    init(_ business: BusinessResult) {
      name = business.title + " (" + business.world + ")"
      func figure(_ count: Int) -> String {
        Figures.count(count)
          + (count > 0 ? " (" + Figures.share(Double(count) / Double(business.begun)) + ")" : "")
      }
      finished = figure(business.count)
      abandoned = figure(business.abandoned)
      unfinished = figure(business.unfinished)
      let known = business.count + business.unfinished
      median = Cell(0.5, of: business.quantiles, count: known).text
      tail = Cell(0.9, of: business.quantiles, count: known).text
    }
  }

  private struct Operation: Sendable {
    let name: String
    let basis: String
    let median: String
    let high: String
    let tail: String
    let parts: String
    let count: String

    /// What most objectives are about.
    static let partsQuantile = 0.95

    init(_ latency: LatencyResult) {
      name = latency.world + "." + latency.operation
      basis = Texts.english.name(latency.basis)
      median = latency.words(forQuantile: 0.5)
      high = latency.words(forQuantile: Self.partsQuantile)
      tail = latency.words(forQuantile: 0.99)
      parts =
        latency.parts(forQuantile: Self.partsQuantile).map(Texts.english.partList)
        ?? Texts.english.none
      count = Figures.count(latency.count)
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

  private static let template = Template("summary.md")
}
