import Runs

/// Response times: a table with intervals, and a percentile curve for each operation. Operations that people meet stand in the
/// section, all others in the appendix.
struct LatenciesModel: Sendable {
  let quantiles: [String]
  let rows: [Row]
  let others: [Row]
  let hasOthers: Bool
  let othersSummary: String
  let isEmpty: Bool
  /// The heading of the column on what a quantile is made of, where a model says so.
  let partsOf: [String]
  /// What each basis in the table means.
  let meanings: [String]
  /// All of the table on one axis.
  let dotsWide: String
  let dotsNarrow: String
  let curves: [Curve]
  let hasCurves: Bool

  /// Curves of the slowest; all operations of the table stand in the picture above.
  private static let curvesShown = 6
  /// With no more operations than these, all stand in one table.
  private static let openMost = 16
  /// The quantile whose parts are shown: what most objectives are about.
  private static let partsQuantile = 0.95

  init(_ run: Run) {
    let texts = Texts.english
    let all = run.slowestFirst
    let bases = Set(all.map(\.basis))
    let shown = shownQuantiles(all.map(\.quantiles), of: [0.5, 0.95, 0.99, 0.999])
    quantiles = shown.map(Figures.quantile)
    let hasParts = all.contains { $0.parts(forQuantile: Self.partsQuantile) != nil }
    partsOf = hasParts ? [texts.whatIsIn(Figures.quantile(Self.partsQuantile))] : []
    func rows(_ latencies: [LatencyResult], made hasParts: Bool) -> [Row] {
      latencies.map { latency in
        Row(
          name: latency.title,
          path: latency.world + "." + latency.operation
            + (bases.count > 1 ? " · " + texts.name(latency.basis) : ""),
          count: Cell(count: latency.count),
          withoutAnswer: Cell(Figures.share(latency.withoutAnswer), key: latency.withoutAnswer),
          quantiles: shown.map { q in
            Cell(
              q, of: latency.quantiles, count: latency.count,
              small: latency.wordsOfAnswered(forQuantile: q).map(texts.ofAnswered))
          }, made: hasParts ? [MadeOf(latency.parts(forQuantile: Self.partsQuantile))] : [])
      }
    }
    let severalWorlds = Set(all.map(\.world)).count > 1
    let notable = all.count > Self.openMost ? run.notableOperations : all
    let names = Set(notable.map { $0.world + "." + $0.operation })
    self.rows = rows(notable, made: hasParts)
    others = rows(all.filter { !names.contains($0.world + "." + $0.operation) }, made: false)
    hasOthers = !others.isEmpty
    othersSummary = texts.otherOperations(others.count)
    isEmpty = all.isEmpty
    meanings =
      (bases.contains(.modelled) ? [texts.modelledMeaning] : [])
      + (bases.contains(.overHTTP) ? [texts.overHTTPMeaning] : [])
      + (bases.contains(.inProcess) ? [texts.inProcessMeaning] : [])
    let dots = DotChart(
      notable,
      names: notable.map { latency in
        (severalWorlds ? latency.title + " · " + latency.world : latency.title).excerpt
      })
    dotsWide = notable.isEmpty ? "" : dots.draw(id: "dots-wide", narrow: false)
    dotsNarrow = notable.isEmpty ? "" : dots.draw(id: "dots-narrow", narrow: true)
    let drawn = Self.slowestOfEach(notable.filter { $0.curve.count > 1 })
    let chart = SpectrumChart(for: drawn)
    curves = drawn.enumerated().map { index, latency in
      Curve(
        name: latency.title,
        caption: latency.world + "." + latency.operation + " · " + texts.name(latency.basis) + " · "
          + texts.many(latency.count, "request", "requests"),
        picture: chart.draw(latency, id: "spectrum-\(index)"))
    }
    hasCurves = !curves.isEmpty
  }

  /// As many as are shown, and of each backend as many, the slowest first.
  private static func slowestOfEach(_ ordered: [LatencyResult]) -> [LatencyResult] {
    var worlds: [String] = []
    for latency in ordered where !worlds.contains(latency.world) { worlds.append(latency.world) }
    let queues = worlds.map { world in ordered.filter { $0.world == world } }
    let longest = queues.map(\.count).max() ?? 0
    let turns = (0..<longest).flatMap { turn in
      queues.compactMap { $0.indices.contains(turn) ? $0[turn] : nil }
    }
    return Array(turns.prefix(curvesShown))
  }

  struct Row: Sendable {
    let name: String
    let path: String
    let count: Cell
    let withoutAnswer: Cell
    let quantiles: [Cell]
    var made: [MadeOf] = []
  }

  struct Curve: Sendable {
    let name: String
    let caption: String
    let picture: String
  }
}

/// What a response time is made of, in words and as a bar.
struct MadeOf: Sendable {
  let text: String
  /// What sorting compares: seconds that are not the network's.
  let key: String
  let parts: [Part]
  let isKnown: Bool

  struct Part: Sendable {
    let tone: String
    /// In percent, for the length of a bar.
    let width: String
  }

  init(_ parts: LatencyParts?) {
    guard let parts, parts.seconds > 0 else {
      (text, key, self.parts, isKnown) = (Texts.english.none, "-1", [], false)
      return
    }
    text = PageModel.holdingTogether(Texts.english.partList(parts))
    key = "\(parts.seconds - parts.network)"
    isKnown = true
    self.parts = [
      ("network", parts.network), ("waiting", parts.waiting), ("service", parts.service),
      ("other", parts.other),
    ].compactMap { tone, seconds in
      let percent = seconds / parts.seconds * 100
      return percent < 0.05
        ? nil : Part(tone: tone, width: Figures.number(max(0, min(100, percent))))
    }
  }
}
