import Foundation
import Runs
import Timekeeping
import Verdicts

/// `index.html`: the whole report in one file that needs no network and reads well without its script.
public enum Page {
  public static func bytes(for run: Run) -> [UInt8] {
    Array((run.generator == nil ? page : load).render(PageModel(run)).utf8)
  }

  private static let page = Template("page.html")
  /// Of a load against a server, which has no rules, people and journeys.
  private static let load = Template("load.html")
}

/// What the page's template reads, section by section.
struct PageModel: Sendable {
  let t = Texts.english
  let style = EmbeddedFiles.style
  let script = EmbeddedFiles.script
  let title: String
  let when: String
  let length: String
  let place: String
  /// What kind of document this is, and the worlds it is about.
  let about: String
  let verdict: Badge
  let screen: FirstScreen
  /// Where the first line says something else.
  let headline: [String]
  /// What failed, with code in backticks set as code.
  let findings: [String]
  let hasFindings: Bool
  /// What was lived through and how it went, a sentence each.
  let context: [String]
  let next: [Step]
  let hasNext: Bool
  /// How large the run was.
  let lived: String
  let command: String
  let digest: String
  let limits: LimitsModel
  let objectives: ObjectivesModel
  let latencies: LatenciesModel
  let day: DayModel
  let stories: StoriesModel
  let business: BusinessModel
  let outcomes: OutcomesModel
  let comparison: ComparisonModel
  let journeys: JourneysModel
  let generator: GeneratorModel
  let load: LoadModel
  let method: MethodModel
  let hasAppendix: Bool
  /// Whether something stands beside the picture of the day.
  let hasAside: Bool
  /// Whether it is a load against a server, which has no rules, people and journeys.
  let isLoad: Bool

  init(_ run: Run) {
    isLoad = run.generator != nil
    let story = Story(of: run)
    let scenario = run.scenario
    title = scenario.title.excerpt
    when = Figures.appointment(scenario.starts, in: scenario.zone, day: true)
    length = Figures.duration(run.virtualSeconds)
    place = scenario.zone.name
    let domains = scenario.worlds.map(\.domain).joined(separator: ", ").excerpt
    about = [Texts.english.report, domains].filter { !$0.isEmpty }.joined(separator: " · ")
    verdict = Badge(story.shown, word: story.word)
    screen = FirstScreen(run, story)
    headline = screen.line == story.headline ? [] : [Self.holdingTogether(story.headline)]
    findings = story.findings.map(Markup.prose)
    hasFindings = !findings.isEmpty
    context = story.context.map { Markup.titled(Self.holdingTogether($0)) }
    next = story.next.map(Step.init)
    hasNext = !next.isEmpty
    lived = Self.holdingTogether(Texts.english.size(of: run))
    command = Markup.command(run.command)
    digest = run.digest
    limits = LimitsModel(run)
    objectives = ObjectivesModel(run)
    latencies = LatenciesModel(run)
    day = DayModel(run)
    stories = StoriesModel(run)
    business = BusinessModel(run)
    outcomes = OutcomesModel(run)
    comparison = ComparisonModel(run)
    journeys = JourneysModel(run)
    generator = GeneratorModel(run)
    load = LoadModel(run)
    method = MethodModel(run)
    hasAside = screen.hasObjectives || stories.isGiven
    hasAppendix =
      latencies.hasOthers || limits.hasHeld || limits.hasUntried || method.hasInProcess
  }
}

extension PageModel {
  /// Figures keep their units: no line ends between the two.
  static func holdingTogether(_ text: String) -> String {
    text.replacing(/([0-9]) (µs|ms|ns|s|min|h|d)\b/) { "\($0.output.1)\u{A0}\($0.output.2)" }
  }
}

/// Something to do next.
struct Step: Sendable {
  let words: String
  let command: [String]

  init(_ step: Story.Step) {
    words = Markup.prose(step.words)
    command = step.command.map { [Markup.command($0)] } ?? []
  }
}

/// A verdict as a word, a sign and a tone, so that nobody depends on its colour.
struct Badge: Sendable {
  let word: String
  let sign: String
  let tone: String
  let urgency: Int

  init(_ verdict: Verdict, word: String? = nil, sign: String? = nil) {
    self.word = word ?? Texts.english.word(verdict)
    self.sign = sign ?? TerminalStyle.mark(verdict)
    tone = verdict.rawValue
    urgency = verdict.urgency
  }
}

/// A figure that sorts by its value and not by its text.
struct Cell: Sendable {
  let text: String
  /// What sorting compares; the largest number stands for "never".
  let key: String
  let small: [String]
  /// The column's heading, where a narrow page shows cells below one another.
  let label: String

  init(_ text: String, key: Double, small: String? = nil, label: String = "") {
    self.text = text
    self.label = label
    self.key = key.isFinite ? Self.short(key) : "1e308"
    self.small = small.map { [$0] } ?? []
  }

  /// Six digits tell rows apart, and whole numbers need no fraction.
  private static func short(_ key: Double) -> String {
    if let whole = Int(exactly: key) { return String(whole) }
    return String(format: "%.6g", key)
  }

  init(count: Int) { self.init(Figures.count(count), key: Double(count)) }

  /// Seconds with their interval; "–" for what was not estimated, "too few" where so many observations do not tell it.
  ///
  /// - Parameter small: A line below it in place of the interval.
  init(_ q: Double, of quantiles: [Quantile], count: Int? = nil, small: String? = nil) {
    let label = Figures.quantile(q)
    guard let quantile = quantiles.first(where: { abs($0.q - q) < 1e-9 }), count != 0 else {
      self.init(Texts.english.none, key: -1, label: label)
      return
    }
    if let count, !quantile.isTold(by: count) {
      self.init(Texts.english.tooFew, key: -0.5, label: label)
      return
    }
    self.init(
      quantile.words(of: count ?? .max), key: quantile.seconds ?? .infinity,
      small: quantile.interval.map { Figures.durations($0.low, $0.high) } ?? small, label: label)
  }
}

/// Quantiles that a table shows: those wanted that results have, few enough for a page's width.
func shownQuantiles(
  _ all: [[Quantile]], of wanted: [Double] = [0.5, 0.9, 0.99, 0.999]
) -> [Double] {
  let known = Set(all.flatMap { $0.map(\.q) })
  let wanted = wanted.filter { known.contains($0) }
  return wanted.isEmpty ? Array(known.sorted().suffix(4)) : wanted
}
