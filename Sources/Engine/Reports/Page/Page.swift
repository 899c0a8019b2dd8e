import Runs
import Timekeeping
import Verdicts

/// `index.html`: the whole report in one file that needs no network and reads well without its script.
public enum Page {
  public static func bytes(for run: Run) -> [UInt8] {
    Array(PageTemplate.page.render(PageModel(run)).utf8)
  }
}

/// What the page's template reads, section by section.
struct PageModel: Sendable {
  let t = Texts.english
  let style = PageStyle.css
  let script = PageScript.javaScript
  let title: String
  let when: String
  let length: String
  let place: String
  let worlds: String
  let verdict: Badge
  let headline: String
  let meaning: [String]
  let figures: [Figure]
  let command: String
  let digest: String
  let limits: LimitsModel
  let objectives: ObjectivesModel
  let latencies: LatenciesModel
  let load: LoadModel
  let business: BusinessModel
  let outcomes: OutcomesModel
  let method: MethodModel

  init(_ run: Run) {
    let story = Story(of: run)
    let scenario = run.scenario
    title = scenario.title
    when = Figures.moment(scenario.starts, in: scenario.zone)
    length = Figures.duration(run.virtualSeconds)
    place = scenario.zone.name
    worlds = scenario.worlds.map(\.domain).joined(separator: ", ")
    let ordinary = story.word == Texts.english.word(run.verdict)
    verdict = Badge(ordinary ? run.verdict : .inconclusive, word: story.word)
    headline = story.headline
    meaning = story.meaning
    figures = Figure.all(of: run)
    command = run.command
    digest = run.digest
    limits = LimitsModel(run)
    objectives = ObjectivesModel(run)
    latencies = LatenciesModel(run)
    load = LoadModel(run)
    business = BusinessModel(run)
    outcomes = OutcomesModel(run)
    method = MethodModel(run)
  }
}

/// A verdict as a word, a sign and a tone, so that nobody depends on its colour.
struct Badge: Sendable {
  let word: String
  let sign: String
  let tone: String
  let urgency: Int

  init(_ verdict: Verdict, word: String? = nil) {
    self.word = word ?? Texts.english.word(verdict)
    sign = TerminalPaper.mark(verdict)
    tone = verdict.rawValue
    urgency = verdict.urgency
  }
}

/// One of the large figures under the verdict.
struct Figure: Sendable {
  let value: String
  let label: String

  static func all(of run: Run) -> [Figure] {
    let texts = Texts.english
    let counts = Story.Counts(run)
    var figures: [Figure] = []
    if counts.tried > 0 {
      figures.append(
        Figure(value: Figures.count(counts.held.count), label: texts.rulesHeldOf(counts.tried)))
    }
    if !run.objectives.isEmpty {
      let met = run.objectives.count { $0.verdict == .pass }
      figures.append(
        Figure(value: Figures.count(met), label: texts.objectivesMetOf(run.objectives.count)))
    }
    return figures + [
      Figure(value: Figures.count(run.persons), label: texts.people),
      Figure(value: Figures.count(run.requests), label: texts.requests),
      Figure(value: Figures.count(run.replications.count), label: texts.rehearsals),
    ]
  }
}

/// A figure that sorts by its value and not by its text.
struct Cell: Sendable {
  let text: String
  /// What sorting compares; the largest number stands for "never".
  let key: String
  let small: [String]

  init(_ text: String, key: Double, small: String? = nil) {
    self.text = text
    self.key = key.isFinite ? "\(key)" : "1e308"
    self.small = small.map { [$0] } ?? []
  }

  init(count: Int) { self.init(Figures.count(count), key: Double(count)) }

  /// Seconds with their interval; "–" for what was not estimated.
  init(_ quantile: Quantile?) {
    guard let quantile else {
      self.init(Texts.english.none, key: -1)
      return
    }
    let range = quantile.interval.map {
      Figures.duration($0.low) + " – " + Figures.duration($0.high)
    }
    self.init(
      quantile.seconds.map(Figures.duration) ?? Texts.english.never,
      key: quantile.seconds ?? .infinity, small: range)
  }
}

/// Quantiles that a table shows: those most results have, in order, few enough for a page's width.
func shownQuantiles(_ all: [[Quantile]]) -> [Double] {
  let known = Set(all.flatMap { $0.map(\.q) })
  let wanted = [0.5, 0.9, 0.99, 0.999].filter { known.contains($0) }
  return wanted.isEmpty ? Array(known.sorted().suffix(4)) : wanted
}
