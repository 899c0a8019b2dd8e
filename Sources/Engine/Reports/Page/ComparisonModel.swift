import Runs
import Statistics
import Verdicts

/// What changed against the baseline: figures that moved first, then limits.
struct ComparisonModel: Sendable {
  let badge: [Badge]
  let sentence: String
  let method: [String]
  let pairsWide: String
  let pairsNarrow: String
  let hasPairs: Bool
  let rows: [Row]
  let hasRows: Bool
  let rowsSummary: String
  /// Those after them, in short.
  let more: [Row]
  let hasMore: Bool
  let limits: [Change]
  let hasLimits: Bool
  let isGiven: Bool

  /// Figures in the picture and with bars, those that moved first; the table has all.
  private static let shown = 16

  init(_ run: Run) {
    let texts = Texts.english
    guard let comparison = run.comparison else {
      (badge, sentence, method, rows, more, limits) = ([], "", [], [], [], [])
      (pairsWide, pairsNarrow, rowsSummary) = ("", "", "")
      (hasPairs, hasRows, hasMore, hasLimits, isGiven) = (false, false, false, false, false)
      return
    }
    let titles = Titles(run)
    badge = [Badge(comparison.verdict)]
    sentence = TerminalComparison.sentence(comparison)
    method =
      [TerminalComparison.method(comparison)]
      + (comparison.run.scenario.digest == comparison.baseline.scenario.digest
        ? [] : [texts.scenarioDiffers]) + Self.visible(comparison, titles)
    let scale = ChangeBar.scale(of: comparison)
    var said: Set<String> = []
    let all = comparison.metrics.enumerated().map { index, metric in
      // A reason is said once, where it applies first.
      let isNew = metric.change.reason.map { said.insert($0).inserted } ?? false
      return Row(
        metric, title: titles.figure(metric), margin: comparison.margin, scale: scale,
        index: index, isExplained: !isNew)
    }
    rows = Array(all.prefix(Self.shown))
    more = Array(all.dropFirst(Self.shown))
    rowsSummary = texts.allFigures(all.count)
    let times = comparison.metrics.filter { $0.measure != .withoutAnswer }.prefix(Self.shown)
    let severalWorlds = run.scenario.worlds.count > 1
    let chart = DotChart(
      Array(times),
      names: times.map {
        titles.figure($0) + (severalWorlds ? " · " + $0.name.world : "")
      })
    hasPairs = !times.isEmpty
    pairsWide = hasPairs ? chart.draw(id: "pairs-wide", narrow: false) : ""
    pairsNarrow = hasPairs ? chart.draw(id: "pairs-narrow", narrow: true) : ""
    limits = Change.all(comparison.limits)
    (hasRows, hasMore, hasLimits) = (!rows.isEmpty, !more.isEmpty, !limits.isEmpty)
    isGiven = true
  }

  private static func visible(_ comparison: RunComparison, _ titles: Titles) -> [String] {
    guard let least = comparison.leastVisible, let size = least.change.smallestVisible else {
      return []
    }
    let typical = comparison.metrics.filter { $0.measure != .withoutAnswer }
      .compactMap(\.change.smallestVisible).sorted()
    return [
      Texts.english.smallestVisible(
        inHalf: TerminalComparison.percent(typical[typical.count / 2]),
        inAll: TerminalComparison.percent(size),
        figure: "“\(titles.figure(least))”".excerpt)
    ]
  }

  struct Row: Sendable {
    let badge: Badge
    let name: String
    let world: String
    let path: String
    let reason: [String]
    let before: Cell
    let after: Cell
    let change: Cell
    let interval: Cell
    let bar: String

    init(
      _ metric: RunComparison.Metric, title: String, margin: Double, scale: Double, index: Int,
      isExplained: Bool
    ) {
      let texts = Texts.english
      badge = Badge(metric.change.verdict)
      name = title
      world = metric.name.world
      path = "\(metric.name.world).\(metric.name.operation) · \(texts.name(metric.name.basis))"
      reason = isExplained ? [] : metric.change.reason.map { [$0] } ?? []
      before = Cell(metric.figure(metric.before), key: metric.before)
      after = Cell(metric.figure(metric.after), key: metric.after)
      change = Cell(metric.changeInWords.orElse(texts.none), key: metric.change.ratio ?? 0)
      interval = Cell(
        metric.intervalInWords ?? texts.none, key: metric.change.interval?.high ?? 0)
      bar = ChangeBar.draw(metric, margin: margin, scale: scale, id: "change-\(index)")
    }
  }

  /// Limits whose verdicts changed alike, broken ones first.
  struct Change: Sendable {
    let ids: String
    let before: Badge
    let after: Badge

    static func all(_ changes: [RunComparison.LimitChange]) -> [Change] {
      var order: [(before: Verdict, after: Verdict)] = []
      for change in changes
      where !order.contains(where: { $0 == (change.before, change.after) }) {
        order.append((change.before, change.after))
      }
      let urgent = order.enumerated().sorted {
        ($0.element.after.urgency, $0.offset) < ($1.element.after.urgency, $1.offset)
      }
      return urgent.map { _, kind in
        let alike = changes.filter { ($0.before, $0.after) == kind }
        return Change(
          ids: alike.map(\.id.excerpt).joined(separator: ", "), before: Badge(kind.before),
          after: Badge(kind.after))
      }
    }
  }
}

extension Titles {
  /// What was compared, as people call it: `Sync p50`.
  func figure(_ metric: RunComparison.Metric) -> String {
    "\(self[metric.name.world, metric.name.operation]) \(metric.measure.inWords)"
  }
}

extension Badge {
  /// Better and unchanged share a tone; the word and the sign tell them apart.
  init(_ verdict: ChangeVerdict) {
    let texts = Texts.english
    switch verdict {
    case .regression: self.init(.fail, word: texts.slower, sign: "▲")
    case .improved: self.init(.pass, word: texts.faster, sign: "▼")
    case .equivalent: self.init(.pass, word: texts.unchanged)
    case .identical: self.init(.pass, word: texts.identical, sign: "=")
    case .inconclusive: self.init(Verdict.inconclusive)
    }
  }
}
