import Foundation
import Runs

/// A load over its time, three pictures on one axis: calls a second that were wanted and answers that came, how many took how long, and
/// the share without a usable answer.
struct LoadChart {
  let series: LoadSeries
  let pace: LoadPace
  /// When each phase ends, in seconds; empty where the pace stays.
  let phaseEnds: [Double]

  /// Slices as wide as they can be told apart, and classes of about half an octave.
  private struct Grid {
    let rows: [(low: Double, high: Double)]
    /// By column and row.
    let counts: [[Int]]
    /// The largest count of one cell.
    let most: Int

    init(_ pace: LoadPace, columns: Int) {
      let classes = max(0, pace.edges.count - 1)
      let ranges = stride(from: 0, to: classes, by: 2).map { $0..<min($0 + 2, classes) }
      rows = ranges.map { range in
        let high = pace.edges[range.upperBound]
        return (
          pace.edges[range.lowerBound],
          high.isFinite ? high : pace.edges[range.upperBound - 1] * 1.2
        )
      }
      let group = max(1, (pace.times.count + columns - 1) / columns)
      counts = stride(from: 0, to: pace.times.count, by: group).map { column in
        let slices = pace.times[column..<min(column + group, pace.times.count)]
        return ranges.map { range in
          slices.reduce(0) { $0 + $1[range].reduce(0, +) }
        }
      }
      most = counts.joined().max() ?? 0
    }
  }

  /// Steps of shade, of a logarithmic scale.
  private static let levels = 5

  private var lasts: Double { series.slice.seconds * Double(max(1, series.requests.count)) }

  func draw(id: String, narrow: Bool) -> String {
    let width = narrow ? 360.0 : 1_216.0
    let left = narrow ? 48.0 : 132.0
    let (top, gap) = narrow ? (30.0, 18.0) : (16.0, 10.0)
    let heights = narrow ? [64.0, 120.0, 26.0] : [76.0, 170.0, 36.0]
    var areas: [PlotArea] = []
    var y = top
    for height in heights {
      areas.append(PlotArea(left: left, top: y, right: width - 8, bottom: y + height))
      y += height + gap
    }
    var drawing = Drawing(width: width, height: y + 12)
    clock(areas, narrow: narrow, on: &drawing)
    rates(in: areas[0], on: &drawing)
    heat(in: areas[1], columns: narrow ? 48 : 144, on: &drawing)
    errors(in: areas[2], on: &drawing)
    let texts = Texts.english.load
    for (place, (area, name)) in zip(areas, texts.partsShort).enumerated() {
      // A phone has no room beside a part, but above it, and above the phases' numbers.
      if narrow {
        drawing.text(
          name, area.right, area.top - (place == 0 ? 17 : 5), anchor: "end")
      } else {
        drawing.text(name, 0, area.top + 10)
      }
    }
    return drawing.element(
      id: id, title: texts.chart, description: summary, style: narrow ? "narrow" : "wide")
  }

  // MARK: - Parts

  private func clock(_ areas: [PlotArea], narrow: Bool, on drawing: inout Drawing) {
    let (area, bottom) = (areas[0], areas[2].bottom)
    let steps: [Double] = [
      1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400,
    ]
    let step = steps.first { lasts / $0 <= (narrow ? 4 : 10) } ?? 604_800
    for mark in stride(from: 0, through: lasts, by: step) {
      let x = area.x(mark / lasts)
      drawing.line(x, area.top, x, bottom, "grid")
      let anchor = x > area.right - 14 ? "end" : "middle"
      drawing.text(Figures.duration(mark), min(x, area.right + 6), bottom + 14, anchor: anchor)
    }
    for (place, end) in phaseEnds.enumerated() {
      let from = place == 0 ? 0 : phaseEnds[place - 1]
      if place > 0 {
        let x = area.x(from / lasts)
        drawing.line(x, area.top - 12, x, bottom, "event")
      }
      let middle = area.x((from + min(end, lasts)) / 2 / lasts)
      drawing.text(
        String(place + 1), middle, area.top - 4, "badge-text", anchor: "middle")
    }
  }

  private func rates(in area: PlotArea, on drawing: inout Drawing) {
    let each = series.slice.seconds
    let most = max(1e-9, max(pace.wanted.max() ?? 0, Double(pace.answered.max() ?? 0)))
    drawing.path(
      [(area.left, area.bottom)] + steps(pace.answered.map { Double($0) / most }, in: area)
        + [(area.right, area.bottom)], "replied", closed: true)
    drawing.path(steps(pace.wanted.map { $0 / most }, in: area), "curve wanted")
    drawing.line(area.left, area.bottom, area.right, area.bottom, "axis")
    drawing.text(
      Texts.english.load.perSecondShort(Figures.number(most / each)), area.left - 6, area.top + 8,
      anchor: "end")
  }

  private func heat(in area: PlotArea, columns: Int, on drawing: inout Drawing) {
    let grid = Grid(pace, columns: columns)
    let axis = SecondsAxis(
      covering: grid.rows.flatMap { [$0.low, $0.high] }
        + (series.p50 + series.p99).compactMap(\.self))
    for mark in axis.marks {
      let y = area.y(axis.share(mark))
      drawing.line(area.left, y, area.right, y, "grid")
      drawing.text(Figures.duration(mark), area.left - 6, y + 3.5, anchor: "end")
    }
    let width = area.width / Double(max(1, grid.counts.count))
    for level in 1...Self.levels {
      var cells: [(x: Double, y: Double, width: Double, height: Double)] = []
      for (column, counts) in grid.counts.enumerated() {
        for (row, count) in counts.enumerated()
        where Self.level(of: count, most: grid.most) == level {
          let (low, high) = (
            area.y(axis.share(grid.rows[row].low)), area.y(axis.share(grid.rows[row].high))
          )
          cells.append((area.left + Double(column) * width, high, width, low - high))
        }
      }
      drawing.cells(cells, "heat h\(level)")
    }
    for (values, style) in [(series.p99, "curve tail"), (series.p50, "curve half")] {
      var points: [(x: Double, y: Double)] = []
      for (slice, value) in (values + [nil]).enumerated() {
        guard let value else {
          drawing.path(points, style)
          points = []
          continue
        }
        points.append(
          (area.x((Double(slice) + 0.5) / Double(values.count)), area.y(axis.share(value))))
      }
    }
    hits(in: area, on: &drawing)
  }

  /// From 1, of a cell with hardly anything, to the darkest; 0 of one with nothing.
  static func level(of count: Int, most: Int) -> Int {
    guard count > 0, most > 0 else { return 0 }
    guard most > 1 else { return levels }
    let share = log(Double(count)) / log(Double(most))
    return min(levels, 1 + Int(share * Double(levels - 1) + 0.5))
  }

  private func errors(in area: PlotArea, on drawing: inout Drawing) {
    let shares = RibbonChart.errors(series)
    let most = RibbonChart.errorScale(shares.max() ?? 0)
    if shares.contains(where: { $0 > 0 }) {
      drawing.path(
        [(area.left, area.bottom)] + steps(shares.map { $0 / most }, in: area)
          + [(area.right, area.bottom)], "lost", closed: true)
    }
    drawing.line(area.left, area.bottom, area.right, area.bottom, "axis")
    drawing.text(Figures.share(most), area.left - 6, area.top + 8, anchor: "end")
  }

  /// The corners of levels, one for each slice.
  private func steps(_ levels: [Double], in area: PlotArea) -> [(x: Double, y: Double)] {
    let count = Double(max(1, levels.count))
    return levels.enumerated().flatMap { slice, level in
      let y = area.y(level)
      return [(area.x(Double(slice) / count), y), (area.x(Double(slice + 1) / count), y)]
    }
  }

  private func hits(in area: PlotArea, on drawing: inout Drawing) {
    let (count, each) = (Double(max(1, series.requests.count)), series.slice.seconds)
    for slice in series.requests.indices where series.requests[slice] > 0 {
      func time(_ values: [Double?]) -> String? {
        values.indices.contains(slice) ? values[slice].map(Figures.duration) : nil
      }
      drawing.hit(
        area.x(Double(slice) / count), area.top, area.width / count, area.height,
        Texts.english.load.slice(
          at: Figures.duration(Double(slice) * each),
          wanted: pace.wanted.isEmpty ? nil : Figures.number(pace.wanted[slice] / each),
          answered: Figures.number(Double(pace.answered[slice]) / each),
          lost: Figures.count(series.lost[slice]), p50: time(series.p50), p99: time(series.p99)))
    }
  }

  /// All of it in words.
  var summary: String {
    let each = series.slice.seconds
    let errors = RibbonChart.errors(series)
    return Texts.english.load.chartSummary(
      wanted: pace.wanted.max().map { Figures.number($0 / each) },
      answered: Figures.number(Double(pace.answered.max() ?? 0) / each),
      p50: series.p50.compactMap(\.self).max().map(Figures.duration),
      p99: series.p99.compactMap(\.self).max().map(Figures.duration),
      errors: Figures.share(errors.max() ?? 0))
  }
}
