import Runs
import Timekeeping

/// Response times over local time, median and 99th percentile of each slice, on the time axis of the requests above it.
struct LatencyTimeChart {
  let load: LoadChart

  private var series: LoadSeries { load.series }

  /// `nil` where nothing was measured in slices.
  init?(_ load: LoadChart) {
    guard (load.series.p50 + load.series.p99).contains(where: { $0 != nil }) else { return nil }
    self.load = load
  }

  func draw(id: String, narrow: Bool) -> String {
    var drawing = Drawing(width: narrow ? 340 : 900, height: narrow ? 190 : 220)
    let area = PlotArea(
      left: narrow ? 46 : 52, top: 10, right: drawing.width - 8, bottom: drawing.height - 26)
    let length = series.slice * Int64(max(1, series.requests.count))
    let axis = SecondsAxis(covering: (series.p50 + series.p99).compactMap(\.self))
    for happening in load.happenings {
      load.shade(happening, length: length, in: area, on: &drawing)
    }
    for mark in axis.marks {
      let y = area.y(axis.share(mark))
      drawing.line(area.left, y, area.right, y, mark == axis.low ? "axis" : "grid")
      drawing.text(Figures.duration(mark), area.left - 7, y + 3.5, anchor: "end")
    }
    load.timeAxis(over: length, narrow: narrow, in: area, on: &drawing)
    curve(series.p50, "curve", axis, in: area, on: &drawing)
    curve(series.p99, "curve tail", axis, in: area, on: &drawing)
    for happening in load.happenings where happening.to == nil {
      let x = area.x((happening.from - load.starts).seconds / length.seconds)
      drawing.line(x, area.top, x, area.bottom, "event")
    }
    hits(in: area, on: &drawing)
    let texts = Texts.english
    return drawing.element(
      id: id, title: texts.latencyOverTime + ": " + series.world, description: summary,
      style: narrow ? "narrow" : "wide")
  }

  /// Level within each slice; a gap where too few requests tell it, and beyond what was answered.
  private func curve(
    _ values: [Double?], _ style: String, _ axis: SecondsAxis, in area: PlotArea,
    on drawing: inout Drawing
  ) {
    let count = Double(max(1, series.requests.count))
    var points: [(x: Double, y: Double)] = []
    for (index, value) in values.enumerated() {
      guard let value else {
        drawing.path(points, style)
        points = []
        continue
      }
      let y = area.y(axis.share(value))
      points.append((area.x(Double(index) / count), y))
      points.append((area.x(Double(index + 1) / count), y))
    }
    drawing.path(points, style)
  }

  private func hits(in area: PlotArea, on drawing: inout Drawing) {
    let count = Double(max(1, series.requests.count))
    for index in series.requests.indices {
      guard let p50 = value(series.p50, index) else { continue }
      let p99 = value(series.p99, index).map { " · p99 \(Figures.duration($0))" } ?? ""
      let at = load.zone.civil(at: load.starts + series.slice * Int64(index))
      drawing.hit(
        area.x(Double(index) / count), area.top, area.width / count, area.height,
        "\(Figures.clock(at.timeOfDay)) · p50 \(Figures.duration(p50))\(p99)"
      )
    }
  }

  private func value(_ values: [Double?], _ index: Int) -> Double? {
    values.indices.contains(index) ? values[index] : nil
  }

  private var summary: String {
    var worst = (index: 0, seconds: 0.0)
    for (index, value) in series.p99.enumerated() {
      if let value, value > worst.seconds { worst = (index, value) }
    }
    guard worst.seconds > 0 else { return Texts.english.noTailOverTime(world: series.world) }
    let at = load.zone.civil(at: load.starts + series.slice * Int64(worst.index))
    return Texts.english.latencyTimeSummary(
      world: series.world, at: Figures.clock(at.timeOfDay), p99: Figures.duration(worst.seconds))
  }
}
