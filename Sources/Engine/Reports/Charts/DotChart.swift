import Runs

/// Response times of many operations on one axis, a line each: median, 95th and 99th percentile with their intervals.
struct DotChart {
  let latencies: [LatencyResult]
  /// What each line is called.
  let names: [String]

  private static let shares: [(q: Double, style: String)] = [
    (0.5, "half"), (0.95, "tail"), (0.99, "end"),
  ]

  func draw(id: String, narrow: Bool) -> String {
    let width = narrow ? 360.0 : 1_216.0
    let (left, row) = narrow ? (4.0, 34.0) : (330.0, 20.0)
    let bottom = 20 + Double(latencies.count) * row
    var drawing = Drawing(width: width, height: bottom + 18)
    let area = PlotArea(left: left, top: 20, right: width - 24, bottom: bottom)
    let axis = SecondsAxis(covering: latencies.flatMap(Self.seconds))
    // Labels need room: on a phone every second mark has one.
    let every = narrow && axis.marks.count > 5 ? 2 : 1
    for (place, mark) in axis.marks.enumerated() {
      let x = area.x(axis.share(mark))
      drawing.line(x, area.top - 4, x, area.bottom, "grid")
      guard place % every == 0 else { continue }
      let anchor = place == 0 && narrow ? "start" : "middle"
      drawing.text(Figures.duration(mark), x, 12, anchor: anchor)
      drawing.text(Figures.duration(mark), x, bottom + 14, anchor: anchor)
    }
    for (place, latency) in latencies.enumerated() {
      let y = area.top + (Double(place) + (narrow ? 0.7 : 0.5)) * row
      if narrow {
        drawing.text(names[place], left, y - 11, "label")
      } else {
        drawing.text(names[place], left - 14, y + 4, "label", anchor: "end")
      }
      drawing.line(area.left, y, area.right, y, "grid")
      for (q, style) in Self.shares.reversed() {
        guard let quantile = latency.quantile(q), quantile.isTold(by: latency.count) else {
          continue
        }
        mark(quantile, style, y, axis, in: area, on: &drawing)
      }
      drawing.hit(area.left, y - row / 2, area.width, row, words(latency))
    }
    let texts = Texts.english
    return drawing.element(
      id: id, title: texts.screen.dots,
      description: texts.dotsSummary(
        latencies.count, low: Figures.duration(axis.low), high: Figures.duration(axis.high),
        slowest: names.first ?? ""), style: narrow ? "narrow" : "wide")
  }

  private func mark(
    _ quantile: Quantile, _ style: String, _ y: Double, _ axis: SecondsAxis, in area: PlotArea,
    on drawing: inout Drawing
  ) {
    func x(_ seconds: Double) -> Double { area.x(axis.share(seconds)) }
    if let interval = quantile.interval {
      drawing.line(x(interval.low), y, x(interval.high), y, "between-line \(style)")
    }
    switch style {
    case _ where quantile.seconds == nil:
      // Beyond what was answered: it points out of the picture.
      drawing.text("→", area.right + 16, y + 4, "arrow", anchor: "end")
    case "half": drawing.circle(x(quantile.seconds ?? 0), y, 3.6, "mark half")
    case "tail": drawing.circle(x(quantile.seconds ?? 0), y, 3.6, "mark tail")
    default:
      let at = x(quantile.seconds ?? 0)
      drawing.line(at, y - 5, at, y + 5, "mark end")
    }
  }

  private func words(_ latency: LatencyResult) -> String {
    let figures = Self.shares.map { q, _ in
      Figures.quantile(q) + " " + latency.words(forQuantile: q)
    }
    return latency.title + " · " + figures.joined(separator: ", ")
  }

  private static func seconds(_ latency: LatencyResult) -> [Double] {
    shares.compactMap { latency.quantile($0.q) }.filter { $0.isTold(by: latency.count) }.flatMap {
      [$0.seconds, $0.interval?.low, $0.interval?.high].compactMap(\.self).filter(\.isFinite)
    }
  }
}
