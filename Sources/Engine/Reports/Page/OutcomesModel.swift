import Runs

/// What was refused, stayed unknown or never left.
struct OutcomesModel: Sendable {
  let refusals: [Row]
  let hasRefusals: Bool
  let moreRefusals: [Row]
  let hasMoreRefusals: Bool
  let moreRefusalsSummary: String
  let unknowns: [Row]
  let hasUnknowns: Bool
  let moreUnknowns: [Row]
  let hasMoreUnknowns: Bool
  let moreUnknownsSummary: String
  let unsents: [Row]
  let hasUnsents: Bool
  /// The most frequent of all three.
  let barsWide: String
  let barsNarrow: String
  let hasBars: Bool

  /// Rows in the section, the most frequent first; the appendix has the others.
  private static let shown = 8

  init(_ run: Run) {
    let texts = Texts.english
    let titles = Titles(run)
    let (allRefusals, allUnknowns) = (
      Row.all(run.refusals, titles), Row.all(run.unknowns, titles, areCauses: true)
    )
    refusals = Array(allRefusals.prefix(Self.shown))
    hasRefusals = !refusals.isEmpty
    moreRefusals = Array(allRefusals.dropFirst(Self.shown))
    hasMoreRefusals = !moreRefusals.isEmpty
    moreRefusalsSummary = texts.rarer(moreRefusals.count, "kind of refusal", "kinds of refusal")
    unknowns = Array(allUnknowns.prefix(Self.shown))
    hasUnknowns = !unknowns.isEmpty
    moreUnknowns = Array(allUnknowns.dropFirst(Self.shown))
    hasMoreUnknowns = !moreUnknowns.isEmpty
    moreUnknownsSummary = texts.rarer(
      moreUnknowns.count, "cause of no answer", "causes of no answer")
    unsents = Row.all(run.unsents, titles, areCauses: true)
    hasUnsents = !unsents.isEmpty
    let chart = Self.chart(of: run, titles)
    hasBars = !chart.bars.isEmpty
    barsWide = hasBars ? chart.draw(id: "outcomes-wide", narrow: false) : ""
    barsNarrow = hasBars ? chart.draw(id: "outcomes-narrow", narrow: true) : ""
  }

  private static func chart(of run: Run, _ titles: Titles) -> BarChart {
    let texts = Texts.english
    let severalWorlds = run.scenario.worlds.count > 1
    let kinds: [(tallies: [Tally], style: String, words: String)] = [
      (run.refusals, "refused", texts.screen.refusedLegend),
      (run.unknowns, "lost", texts.screen.errorsShort),
      (run.unsents, "lost", texts.screen.unsentShort),
    ]
    let all = kinds.flatMap { kind in kind.tallies.map { (tally: $0, kind: kind) } }
    let ordered = all.enumerated().sorted {
      ($1.element.tally.count, $0.offset) < ($0.element.tally.count, $1.offset)
    }.map(\.element)
    let bars = ordered.prefix(shown + 4).map { tally, kind in
      let what = "\(titles[tally.world, tally.operation]): \(tally.code.inWords)"
      return BarChart.Bar(
        name: (severalWorlds ? "\(what) · \(tally.world)" : what).excerpt, count: tally.count,
        style: kind.style, note: Figures.count(tally.count) + " " + kind.words)
    }
    return BarChart(
      title: texts.outcomes, bars: bars,
      description: texts.barsSummary(bars.map { "\($0.name) \($0.note)" }))
  }

  struct Row: Sendable {
    let name: String
    let path: String
    let code: String
    let count: Cell
    let share: Cell

    /// - Parameter areCauses: Whether codes are the harness's own words for a cause, and not an answer's.
    static func all(_ tallies: [Tally], _ titles: Titles, areCauses: Bool = false) -> [Row] {
      let sum = tallies.reduce(0) { $0 + $1.count }
      let ordered = tallies.enumerated().sorted {
        ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
      }
      return ordered.map { _, tally in
        let share = sum > 0 ? Double(tally.count) / Double(sum) : 0
        return Row(
          name: titles[tally.world, tally.operation],
          path: tally.world + "." + tally.operation,
          code: areCauses ? tally.code.inWords : tally.code, count: Cell(count: tally.count),
          share: Cell(Figures.smallShare(share), key: share))
      }
    }
  }
}
