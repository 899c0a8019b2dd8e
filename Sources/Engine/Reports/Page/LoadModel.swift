import Runs

/// A load against a server as pictures: over its time, by phases, by what failed, and whether the generator kept up.
struct LoadModel: Sendable {
  let isDrawn: Bool
  let wide: String
  let narrow: String
  let hasWanted: Bool
  let hasErrors: Bool
  let hasPhaseMarks: Bool
  let phasesWide: String
  let phasesNarrow: String
  let hasPhases: Bool
  let failuresWide: String
  let failuresNarrow: String
  let hasFailures: Bool
  let health: [Health]
  let hasHealth: Bool

  init(_ run: Run) {
    let texts = Texts.english
    let generator = run.generator
    let phases = generator?.phases ?? []
    let chart = Self.chart(of: run)
    isDrawn = chart != nil
    wide = chart?.draw(id: "load-wide", narrow: false) ?? ""
    narrow = chart?.draw(id: "load-narrow", narrow: true) ?? ""
    hasWanted = chart?.pace.wanted.isEmpty == false
    hasErrors = chart?.series.lost.contains { $0 > 0 } ?? false
    hasPhaseMarks = chart?.phaseEnds.isEmpty == false
    hasPhases = !phases.isEmpty
    let dots = DotChart(phases)
    phasesWide = hasPhases ? dots.draw(id: "phases-wide", narrow: false) : ""
    phasesNarrow = hasPhases ? dots.draw(id: "phases-narrow", narrow: true) : ""
    let failures = run.generator == nil ? [] : run.failures
    hasFailures = !failures.isEmpty
    let bars = failures.map { failure in
      BarChart.Bar(
        name: Story.name(failure.code), count: failure.count, style: "lost",
        note: Figures.count(failure.count) + " ("
          + Figures.share(Double(failure.count) / Double(max(1, run.requests))) + ")")
    }
    let classes = BarChart(
      title: texts.load.failures, bars: bars,
      description: texts.barsSummary(bars.map { "\($0.name) \($0.note)" }))
    failuresWide = hasFailures ? classes.draw(id: "failures-wide", narrow: false) : ""
    failuresNarrow = hasFailures ? classes.draw(id: "failures-narrow", narrow: true) : ""
    health = generator.map(Health.all) ?? []
    hasHealth = !health.isEmpty
  }

  /// `nil` of runs and of loads whose results are older.
  static func chart(of run: Run) -> LoadChart? {
    var ends: [Double] = []
    for lasts in (run.generator?.phases ?? []).compactMap(\.lastsSeconds) {
      ends.append((ends.last ?? 0) + lasts)
    }
    return run.load.first.flatMap { series in
      series.pace.map { LoadChart(series: series, pace: $0, phaseEnds: ends) }
    }
  }

  /// A figure of the generator's with the limit that it has to keep.
  struct Health: Sendable {
    let badge: Badge
    let text: String
    let bar: String
    let figure: String

    static func all(of generator: GeneratorResult) -> [Health] {
      let texts = Texts.english
      let late = generator.lateness.first { abs($0.share - 0.99) < 1e-9 }
      let times =
        (late.map {
          [(texts.lateness + " " + Figures.quantile(0.99), $0.seconds, generator.latenessLimit)]
        } ?? [])
        + generator.facts.compactMap { fact in
          fact.limitSeconds.map { (fact.name, fact.seconds, $0) }
        }
      let all =
        times.map { ($0.0, $0.1, $0.2, Figures.duration) }
        + [(texts.core, generator.threadShare, generator.threadShareLimit, Figures.share)]
      return all.enumerated().map { place, item in
        Health(item.0, item.1, limit: item.2, place: place, words: item.3)
      }
    }

    private init(
      _ name: String, _ value: Double, limit: Double, place: Int, words: (Double) -> String
    ) {
      let held = value <= limit
      badge = Badge(held ? .pass : .fail)
      text = name.excerpt
      figure = PageModel.holdingTogether(Texts.english.withinLimit(words(value), words(limit)))
      bar = BulletBar.draw(
        BulletBar.Value(
          title: text, description: badge.word + ": " + figure, bound: limit, isUpperBound: true,
          estimate: value, tone: badge.tone), id: "health-\(place)")
    }
  }
}
