import Runs
import Timekeeping

/// A run over its clock: a band for each backend with response times, requests and errors, all on the same axes, and what the
/// scenario did to it.
struct RibbonChart {
  /// A numbered mark: an event has no length.
  struct Happening {
    let number: Int
    let from: Instant
    let to: Instant?
  }

  struct Band {
    let series: LoadSeries
    let happenings: [Happening]
    /// Whether some of its calls never left a device, which the series counts with those without an answer.
    let hasUnsent: Bool
  }

  let bands: [Band]
  let starts: Instant
  let zone: CivilZone
  let replications: Int

  /// Where the parts of a picture lie.
  private struct Plan {
    let narrow: Bool
    let width: Double
    let left: Double
    /// Heights of a band's parts, from above: room for its name, response times, requests, errors.
    let heights: [Double]
    static let gap = 3.0
    /// A phone has no room for words beside a part: they stand above those of the first band.
    let words: Double

    init(narrow: Bool, bands: Int) {
      self.narrow = narrow
      words = narrow ? 12 : 0
      (width, left) = narrow ? (360, 48) : (700, 106)
      heights =
        switch (narrow, bands) {
        case (true, 1): [17, 56, 34, 18]
        case (true, _): [15, 31, 20, 12]
        case (false, 1): [17, 90, 56, 30]
        case (false, 2): [17, 58, 36, 20]
        default: [17, 36, 21, 13]
        }
    }

    private var bandHeight: Double { heights.reduce(0, +) + 4 * Self.gap }

    func bottom(ofBands bands: Int) -> Double { Double(bands) * bandHeight + 3 * words }

    /// The part of a band, 1 for response times, 2 for requests, 3 for errors.
    func area(_ part: Int, ofBand band: Int) -> PlotArea {
      let top =
        Double(band) * bandHeight + heights[..<part].reduce(0, +) + Double(part - 1) * Self.gap
        + (band == 0 ? Double(part) : 3) * words
      return PlotArea(left: left, top: top, right: width - 8, bottom: top + heights[part])
    }

    func whole(ofBand band: Int) -> PlotArea {
      PlotArea(
        left: left, top: area(1, ofBand: band).top, right: width - 8,
        bottom: area(3, ofBand: band).bottom)
    }

    /// Where the line ends that has its name and the numbers of what happened.
    func head(ofBand band: Int) -> Double {
      area(1, ofBand: band).top - (band == 0 ? words : 0)
    }
  }

  /// What all bands share.
  private struct Axes {
    let clock: ClockAxis
    let seconds: SecondsAxis
    /// The upper end of the errors' axis.
    let errors: Double
  }

  private var axes: Axes {
    let all = bands.map(\.series)
    let length = all.map { $0.slice * Int64(max(1, $0.requests.count)) }.max() ?? .seconds(1)
    let ends = all.flatMap { ($0.p50Intervals + $0.p95Intervals).compactMap(\.self) }
      .flatMap { [$0.low, $0.high] }
    let errors = all.flatMap(Self.errors).max() ?? 0
    return Axes(
      clock: ClockAxis(starts: starts, zone: zone, length: length),
      seconds: SecondsAxis(
        covering: all.flatMap { $0.p50 + $0.p95 }.compactMap(\.self).filter(\.isFinite) + ends),
      errors: Self.errorScale(errors))
  }

  func draw(id: String, narrow: Bool) -> String {
    let plan = Plan(narrow: narrow, bands: bands.count)
    let axes = axes
    let bottom = plan.bottom(ofBands: bands.count)
    var drawing = Drawing(width: plan.width, height: bottom + 16)
    for (label, instant) in axes.clock.marks(atMost: narrow ? 4 : 12) {
      let area = plan.whole(ofBand: 0)
      let x = area.x(axes.clock.share(instant))
      drawing.line(x, area.top, x, bottom - 4, "grid")
      let anchor = x > area.right - 14 ? "end" : "middle"
      drawing.text(label, min(x, area.right + 6), bottom + 9, anchor: anchor)
    }
    for index in bands.indices { draw(band: index, plan, axes, on: &drawing) }
    return drawing.element(
      id: id, title: Texts.english.screen.ribbon,
      description: summary,
      style: narrow ? "narrow" : "wide day")
  }

  private func draw(band index: Int, _ plan: Plan, _ axes: Axes, on drawing: inout Drawing) {
    let band = bands[index]
    let whole = plan.whole(ofBand: index)
    let texts = Texts.english.screen
    let head = plan.head(ofBand: index)
    drawing.text(band.series.world, 0, head - 5, "name")
    for happening in band.happenings { shade(happening, axes.clock, in: whole, on: &drawing) }
    let times = plan.area(1, ofBand: index)
    let marks = axes.seconds.marks
    for (place, mark) in marks.enumerated() {
      let y = times.y(axes.seconds.share(mark))
      drawing.line(times.left, y, times.right, y, "grid")
      if place == 0 || place == marks.count - 1 || marks.count == 3 && times.height > 60 {
        // The ends' labels stay within the part, so that they do not meet its neighbours'.
        let base = place == 0 ? y : place == marks.count - 1 ? y + 8 : y + 3.5
        drawing.text(Figures.duration(mark), times.left - 6, base, anchor: "end")
      }
    }
    for (values, intervals, style) in [
      (band.series.p95, band.series.p95Intervals, "tail"),
      (band.series.p50, band.series.p50Intervals, "half"),
    ] {
      shade(intervals, style, axes.seconds, in: times, on: &drawing)
      curve(values, "curve " + style, axes.seconds, in: times, on: &drawing)
    }
    let requests = plan.area(2, ofBand: index)
    let peak = requestsPeak(band.series)
    stack(band.series, peak: peak, in: requests, on: &drawing)
    drawing.line(requests.left, requests.bottom, requests.right, requests.bottom, "axis")
    drawing.text(
      Figures.number(peak), requests.left - 6, requests.top + 8, anchor: "end")
    let errors = plan.area(3, ofBand: index)
    bars(Self.errors(band.series), most: axes.errors, in: errors, on: &drawing)
    drawing.line(errors.left, errors.bottom, errors.right, errors.bottom, "axis")
    drawing.text(
      Figures.share(axes.errors), errors.left - 6, errors.top + 8, anchor: "end")
    let named = [
      (times, [texts.responseTimesShort]), (requests, [texts.requestsShort]),
      (errors, texts.errorsShort(unsent: band.hasUnsent)),
    ]
    for (area, lines) in named {
      if !plan.narrow {
        for (line, words) in lines.enumerated() {
          drawing.text(words, 0, area.top + 8 + 10 * Double(line))
        }
      } else if index == 0 {
        drawing.text(lines.joined(separator: " "), area.left, area.top - 3)
      }
    }
    if !plan.narrow { hits(band, axes.clock, in: whole, on: &drawing) }
    number(
      band.happenings, beside: band.series.world, axes.clock, above: head, in: whole, on: &drawing)
  }

  // MARK: - Values

  /// The share of each slice's requests without a usable answer.
  static func errors(_ series: LoadSeries) -> [Double] {
    zip(series.requests, series.lost).map { $0 > 0 ? Double($1) / Double($0) : 0 }
  }

  /// The most requests in a slice, in the mean of the replications.
  private func requestsPeak(_ series: LoadSeries) -> Double {
    max(1e-9, Double(series.requests.max() ?? 0) / Double(max(1, replications)))
  }

  /// All of it in words.
  var summary: String { bands.map(summary).joined(separator: " ") }

  private func summary(_ band: Band) -> String {
    let series = band.series
    let errors = Self.errors(series)
    func at(_ index: Int?) -> String {
      index.map { Figures.clock(zone.civil(at: starts + series.slice * Int64($0)).timeOfDay) }
        ?? Texts.english.none
    }
    let busiest = series.requests.indices.max { series.requests[$0] < series.requests[$1] }
    let slowest = series.p95.indices.max { (series.p95[$0] ?? 0) < (series.p95[$1] ?? 0) }
    let told = series.p95.compactMap(\.self)
    let p95 = slowest.flatMap { series.p95[$0] }
    let worst = errors.indices.max { errors[$0] < errors[$1] }
    return Texts.english.ribbonSummary(
      series.world.excerpt, busiest: at(busiest),
      slowest: told.count > 1 && told.allSatisfy { $0 == told[0] } ? nil : at(slowest),
      p95: p95.map { $0.isFinite ? Figures.duration($0) : nil },
      errors: Figures.share(worst.map { errors[$0] } ?? 0), worst: at(worst),
      unsent: band.hasUnsent)
  }

  /// The upper end of an axis of errors.
  static func errorScale(_ most: Double) -> Double {
    [0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.4].first { $0 >= most } ?? 1
  }

  // MARK: - Marks

  /// Level within each slice; a gap where too few requests tell it, and up to the edge, with an arrowhead, where it lies beyond
  /// what was answered.
  private func curve(
    _ values: [Double?], _ style: String, _ axis: SecondsAxis, in area: PlotArea,
    on drawing: inout Drawing
  ) {
    for run in Self.runs(of: values) {
      drawing.path(
        steps(
          run.map { $0.value.isFinite ? area.y(axis.share($0.value)) : area.top },
          from: run[0].index, of: values.count, area), style)
      for (index, value) in run where !value.isFinite {
        let x = area.x((Double(index) + 0.5) / Double(values.count))
        drawing.path(
          [(x - 4, area.top + 6), (x, area.top), (x + 4, area.top + 6)], "beyond", closed: true)
      }
    }
  }

  private func shade(
    _ intervals: [Bounds?], _ style: String, _ axis: SecondsAxis, in area: PlotArea,
    on drawing: inout Drawing
  ) {
    for run in Self.runs(of: intervals) {
      let (first, count) = (run[0].index, intervals.count)
      let high = steps(run.map { area.y(axis.share($0.value.high)) }, from: first, of: count, area)
      let low = steps(run.map { area.y(axis.share($0.value.low)) }, from: first, of: count, area)
      drawing.path(high + low.reversed(), "between " + style, closed: true)
    }
  }

  private func stack(
    _ series: LoadSeries, peak: Double, in area: PlotArea, on drawing: inout Drawing
  ) {
    let count = series.requests.count
    func heights(_ values: [Int]) -> [Double] {
      values.map { area.y(Double($0) / Double(max(1, replications)) / peak) }
    }
    guard count > 0 else { return }
    let bad = series.lost.indices.map { series.lost[$0] + series.refused[$0] }
    for (values, style) in [(series.requests, "replied"), (bad, "refused"), (series.lost, "lost")]
    where values.contains(where: { $0 > 0 }) {
      drawing.path(
        [(area.left, area.bottom)] + steps(heights(values), from: 0, of: count, area)
          + [(area.right, area.bottom)], style, closed: true)
    }
  }

  private func bars(
    _ shares: [Double], most: Double, in area: PlotArea, on drawing: inout Drawing
  ) {
    guard shares.contains(where: { $0 > 0 }) else { return }
    drawing.path(
      [(area.left, area.bottom)]
        + steps(shares.map { area.y($0 / most) }, from: 0, of: shares.count, area)
        + [(area.right, area.bottom)], "lost", closed: true)
  }

  /// The corners of levels, one for each slice from the first on; what goes on at the same height is one line.
  private func steps(
    _ levels: [Double], from first: Int, of count: Int, _ area: PlotArea
  ) -> [(x: Double, y: Double)] {
    var points: [(x: Double, y: Double)] = []
    for (index, y) in levels.enumerated() {
      if let last = points.last, last.y == y {
        points.removeLast()
      } else {
        points.append((area.x(Double(first + index) / Double(count)), y))
      }
      points.append((area.x(Double(first + index + 1) / Double(count)), y))
    }
    return points
  }

  /// Stretches without a gap.
  private static func runs<Value>(of values: [Value?]) -> [[(index: Int, value: Value)]] {
    var runs: [[(index: Int, value: Value)]] = []
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      if let last = runs.last?.last, last.index == index - 1 {
        runs[runs.count - 1].append((index, value))
      } else {
        runs.append([(index, value)])
      }
    }
    return runs
  }

  private func shade(
    _ happening: Happening, _ clock: ClockAxis, in area: PlotArea, on drawing: inout Drawing
  ) {
    let x = area.x(clock.share(happening.from))
    if let to = happening.to {
      drawing.rectangle(
        x, area.top, max(2, area.x(clock.share(to)) - x), area.height, "fault")
    } else {
      drawing.line(x, area.top, x, area.bottom, "event")
    }
  }

  /// Numbers above the band, moved aside where they would cover one another.
  private func number(
    _ happenings: [Happening], beside name: String, _ clock: ClockAxis, above head: Double,
    in area: PlotArea, on drawing: inout Drawing
  ) {
    // The band's name stands at the left.
    var free = max(area.left - 20, Double(name.count) * 8.3 + 10)
    for happening in happenings {
      let x = max(free, area.x(clock.share(happening.from)))
      let isFault = happening.to != nil
      if isFault {
        drawing.rectangle(x - 7, head - 15.5, 14, 13, "badge fault-badge", radius: 2)
      } else {
        drawing.circle(x, head - 9, 7, "badge")
      }
      drawing.text(
        String(happening.number), x, head - 5.6, "badge-text", anchor: "middle")
      free = x + 16
    }
  }

  /// What a pointer is told above a slice.
  private func hits(
    _ band: Band, _ clock: ClockAxis, in area: PlotArea, on drawing: inout Drawing
  ) {
    let series = band.series
    let count = Double(max(1, series.requests.count))
    let many = clock.length > .days(2)
    for index in series.requests.indices where series.requests[index] > 0 {
      let at = starts + series.slice * Int64(index)
      let each = Double(max(1, replications))
      let day = many ? clock.label(at, day: true) + " " : ""
      drawing.hit(
        area.x(Double(index) / count), area.top, area.width / count, area.height,
        Texts.english.slice(
          at: day + clock.label(at),
          requests: Figures.number(Double(series.requests[index]) / each),
          refused: Figures.number(Double(series.refused[index]) / each),
          lost: Figures.number(Double(series.lost[index]) / each), onAverage: replications > 1,
          unsent: band.hasUnsent, p50: Self.words(series.p50, index, beyond: 0.5, of: band),
          p95: Self.words(series.p95, index, beyond: 0.05, of: band)))
    }
  }

  private static func words(
    _ values: [Double?], _ index: Int, beyond share: Double, of band: Band
  ) -> String? {
    guard values.indices.contains(index), let value = values[index] else { return nil }
    return value.isFinite
      ? Figures.duration(value)
      : Texts.english.noAnswer(ofMoreThan: share, unsent: band.hasUnsent)
  }
}

extension LoadSeries {
  /// With slices wide enough to be seen, and lists of one length: of several slices the counts are summed, and the slowest speaks for
  /// their response times. A quantile is infinite where it lies among the requests without an answer, which are slower than all others.
  var drawable: LoadSeries {
    let group = max(1, (requests.count + 299) / 300)
    let groups = stride(from: 0, to: requests.count, by: group).map { start in
      start..<min(start + group, requests.count)
    }
    func summed(_ values: [Int]) -> [Int] {
      groups.map { group in group.reduce(0) { $0 + (values.indices.contains($1) ? values[$1] : 0) }
      }
    }
    func slowest(_ values: [Double?], _ intervals: [Bounds?]) -> ([Double?], [Bounds?]) {
      let places = groups.map { group in
        group.filter { values.indices.contains($0) && values[$0] != nil }
          .max { (values[$0] ?? 0) < (values[$1] ?? 0) }
      }
      return (
        places.map { $0.flatMap { values[$0] } },
        places.map { $0.flatMap { intervals.indices.contains($0) ? intervals[$0] : nil } }
      )
    }
    func told(_ values: [Double?], beyond share: Double) -> [Double?] {
      requests.indices.map { index in
        if values.indices.contains(index), let value = values[index] { return value }
        let lost = lost.indices.contains(index) ? Double(lost[index]) : 0
        return lost > share * Double(requests[index]) ? .infinity : nil
      }
    }
    let ((p50, p50Intervals), (p95, p95Intervals)) = (
      slowest(told(self.p50, beyond: 0.5), self.p50Intervals),
      slowest(told(self.p95, beyond: 0.05), self.p95Intervals)
    )
    return LoadSeries(
      world: world, slice: slice * Int64(group), requests: summed(requests),
      refused: summed(refused), lost: summed(lost), p50: p50, p95: p95,
      p50Intervals: p50Intervals, p95Intervals: p95Intervals)
  }
}
