import Runs
import Timekeeping

/// A figure's course over the runs of a scenario, with the levels that it was on.
enum TrendChart {
  static func draw(_ trend: RunHistory.Trend, runs: [StoredRun], id: String) -> String {
    var drawing = Drawing(width: 300, height: 130)
    let area = PlotArea(left: 58, top: 10, right: 292, bottom: 104)
    let known = trend.values.compactMap(\.self)
    let (low, high) = range(of: known)
    func x(_ run: Int) -> Double {
      area.x(runs.count > 1 ? Double(run) / Double(runs.count - 1) : 0.5)
    }
    func y(_ value: Double) -> Double { area.y((value - low) / (high - low)) }
    for value in [low, (low + high) / 2, high] {
      drawing.line(area.left, y(value), area.right, y(value), value == low ? "axis" : "grid")
      drawing.text(Figures.duration(value), area.left - 7, y(value) + 3.5, anchor: "end")
    }
    for change in trend.changes {
      // Between the last run on the old level and the first on the new.
      let at = (x(change.run) + x(change.run - 1)) / 2
      drawing.line(at, area.top - 4, at, area.bottom, "bound")
    }
    var points: [(x: Double, y: Double)] = []
    for (run, value) in trend.values.enumerated() {
      guard let value else { continue }
      points.append((x(run), y(value)))
    }
    drawing.path(points, "curve")
    if points.count == 1 { drawing.circle(points[0].x, points[0].y, 2.6, "point") }
    // The days of the first, the middle and the last run; one day is named once.
    var named: Set<String> = []
    for (place, anchor) in [
      (0, "start"), (runs.count - 1, "end"), ((runs.count - 1) / 2, "middle"),
    ]
    where runs.indices.contains(place) && (anchor != "middle" || runs.count > 4) {
      let day = day(of: runs[place])
      guard named.insert(day).inserted else { continue }
      drawing.line(x(place), area.bottom, x(place), area.bottom + 4, "axis")
      drawing.text(day, x(place), area.bottom + 17, anchor: anchor)
    }
    let width = area.width / Double(max(1, runs.count))
    for (run, value) in trend.values.enumerated() {
      guard let value else { continue }
      let said =
        "\(runs[run].id) · \(runs[run].record.recordedAt.prefix(10)) · \(Figures.duration(value))"
      drawing.hit(x(run) - width / 2, area.top, width, area.height, said)
    }
    let texts = Texts.english
    return drawing.element(
      id: id, title: "\(trend.name.series.operation) \(trend.name.measure.rawValue)",
      description: texts.courseSummary(
        runs: known.count, low: Figures.duration(known.min() ?? 0),
        high: Figures.duration(known.max() ?? 0), changes: trend.changes.count), style: "small")
  }

  /// `21 Mar 2026`, when a run was recorded; where that is no instant, as it is written.
  private static func day(of run: StoredRun) -> String {
    guard let instant = Instant(run.record.recordedAt) else {
      return String(run.record.recordedAt.prefix(10))
    }
    let date = CivilZone.utc.civil(at: instant).date
    return "\(date.day) \(Texts.english.months[date.month - 1]) \(date.year)"
  }

  /// Changes of less than 10 % do not fill the height, so that noise stays flat.
  private static func range(of values: [Double]) -> (low: Double, high: Double) {
    guard let least = values.min(), let most = values.max(), most > 0 else { return (0, 1) }
    let span = max(most - least, most * 0.1)
    let middle = (least + most) / 2
    return (max(0, middle - span * 0.6), middle + span * 0.6)
  }
}
