import Runs

/// Response times: a table with intervals, and a percentile curve for each operation.
struct LatenciesModel: Sendable {
  let quantiles: [String]
  let rows: [Row]
  let isEmpty: Bool
  /// What each basis in the table means.
  let meanings: [String]
  let curves: [Curve]
  let hasCurves: Bool
  let moreCurves: [Curve]
  let hasMoreCurves: Bool

  /// Curves in sight; those of faster operations are folded away.
  private static let curvesShown = 9

  init(_ run: Run) {
    let texts = Texts.english
    let all = run.slowestFirst
    let shown = shownQuantiles(all.map(\.quantiles))
    quantiles = shown.map(Figures.quantile)
    rows = all.map { latency in
      Row(
        name: latency.title, path: latency.world + "." + latency.operation,
        basis: texts.name(latency.basis), count: Cell(count: latency.count),
        withoutAnswer: Cell(Figures.share(latency.withoutAnswer), key: latency.withoutAnswer),
        quantiles: shown.map { q in
          Cell(
            q, of: latency.quantiles, count: latency.count,
            small: latency.wordsOfAnswered(forQuantile: q).map(texts.ofAnswered))
        })
    }
    isEmpty = rows.isEmpty
    let bases = Set(all.map(\.basis))
    meanings =
      (bases.contains(.modelled) ? [texts.modelledMeaning] : [])
      + (bases.contains(.overHTTP) ? [texts.overHTTPMeaning] : [])
      + (bases.contains(.inProcess) ? [texts.inProcessMeaning] : [])
    let drawn = all.filter { $0.curve.count > 1 }
    let chart = SpectrumChart(for: drawn)
    let pictures = drawn.enumerated().map { index, latency in
      Curve(
        name: latency.title,
        caption: latency.world + "." + latency.operation + " · " + texts.name(latency.basis) + " · "
          + texts.many(latency.count, "request", "requests"),
        picture: chart.draw(latency, id: "spectrum-\(index)"))
    }
    curves = Array(pictures.prefix(Self.curvesShown))
    moreCurves = Array(pictures.dropFirst(Self.curvesShown))
    hasCurves = !curves.isEmpty
    hasMoreCurves = !moreCurves.isEmpty
  }

  struct Row: Sendable {
    let name: String
    let path: String
    let basis: String
    let count: Cell
    let withoutAnswer: Cell
    let quantiles: [Cell]
  }

  struct Curve: Sendable {
    let name: String
    let caption: String
    let picture: String
  }
}
