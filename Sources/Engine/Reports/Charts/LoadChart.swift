import Runs
import Scenarios
import Timekeeping

/// Requests over local time, stacked by how they ended, with the scenario's events and faults.
struct LoadChart {
  /// A numbered mark: an event has no length.
  struct Happening {
    let number: Int
    let from: Instant
    let to: Instant?
  }

  let series: LoadSeries
  let happenings: [Happening]
  let starts: Instant
  let zone: CivilZone
  let replications: Int

  /// Slices merged until they are wide enough to be seen.
  private struct Slices {
    let span: Span
    let replied: [Double]
    let refused: [Double]
    let lost: [Double]

    var peak: (index: Int, value: Double) {
      var best = (index: 0, value: 0.0)
      for index in replied.indices {
        let value = replied[index] + refused[index] + lost[index]
        if value > best.value { best = (index, value) }
      }
      return best
    }
  }

  private func slices(atMost count: Int) -> Slices {
    let group = max(1, (series.requests.count + count - 1) / count)
    func merged(_ values: [Int]) -> [Double] {
      stride(from: 0, to: series.requests.count, by: group).map { start in
        let end = min(start + group, series.requests.count)
        let sum = (start..<end).reduce(0) { $0 + (values.indices.contains($1) ? values[$1] : 0) }
        return Double(sum) / Double(max(1, replications))
      }
    }
    let (all, refused, lost) = (
      merged(series.requests), merged(series.refused), merged(series.lost)
    )
    return Slices(
      span: series.slice * Int64(group),
      replied: all.indices.map { max(0, all[$0] - refused[$0] - lost[$0]) }, refused: refused,
      lost: lost)
  }

  /// Caption of the vertical axis, for the wide or the narrow picture.
  func caption(narrow: Bool) -> String {
    let span = slices(atMost: narrow ? 90 : 220).span
    return Texts.english.perSlice(Figures.duration(span.seconds), replications: replications)
  }

  func draw(id: String, narrow: Bool) -> String {
    var drawing = Drawing(width: narrow ? 340 : 900, height: narrow ? 230 : 280)
    let area = PlotArea(
      left: narrow ? 40 : 52, top: 30, right: drawing.width - 8, bottom: drawing.height - 26)
    let slices = slices(atMost: narrow ? 90 : 220)
    let peak = slices.peak
    let scale = Self.roundMaximum(peak.value)
    let length = Span(nanoseconds: slices.span.nanoseconds * Int64(max(1, slices.replied.count)))

    for happening in happenings { shade(happening, length: length, in: area, on: &drawing) }
    for step in 0...4 {
      let y = area.y(Double(step) / 4)
      drawing.line(area.left, y, area.right, y, step == 0 ? "axis" : "grid")
      drawing.text(
        Figures.number(scale * Double(step) / 4), area.left - 7, y + 3.5, anchor: "end")
    }
    stack(slices, scale: scale, in: area, on: &drawing)
    timeAxis(over: length, narrow: narrow, in: area, on: &drawing)
    var last = (x: -Double.infinity, row: 0)
    for happening in happenings {
      // Neighbours in time would cover one another: they take turns in three rows.
      let x = area.x((happening.from - starts).seconds / length.seconds)
      last = (x, x - last.x < 17 ? (last.row + 1) % 3 : 0)
      number(happening, x: x, y: area.top - 18 + Double(last.row) * 15, in: area, on: &drawing)
    }
    hits(slices, in: area, on: &drawing)
    return drawing.element(
      id: id, title: Texts.english.load + ": " + series.world,
      description: summary(peak: peak, span: slices.span), style: narrow ? "narrow" : "wide")
  }

  /// Marks at round local times, with their labels.
  func timeAxis(
    over length: Span, narrow: Bool, in area: PlotArea, on drawing: inout Drawing
  ) {
    for (label, instant) in ticks(over: length, atMost: narrow ? 4 : 9) {
      let x = area.x((instant - starts).seconds / length.seconds)
      drawing.line(x, area.bottom, x, area.bottom + 4, "axis")
      let anchor = x > area.right - 12 ? "end" : "middle"
      drawing.text(label, min(x, area.right + 4), area.bottom + 19, anchor: anchor)
    }
  }

  /// What a pointer is told above a slice.
  private func hits(_ slices: Slices, in area: PlotArea, on drawing: inout Drawing) {
    let texts = Texts.english
    let count = Double(max(1, slices.replied.count))
    for index in slices.replied.indices {
      let (replied, refused, lost) = (
        slices.replied[index], slices.refused[index], slices.lost[index]
      )
      guard replied + refused + lost > 0 else { continue }
      let at = zone.civil(at: starts + slices.span * Int64(index))
      let parts = [
        Figures.clock(at.timeOfDay), "\(texts.replied) \(Figures.number(replied))",
        "\(texts.refused) \(Figures.number(refused))", "\(texts.lost) \(Figures.number(lost))",
      ]
      drawing.hit(
        area.x(Double(index) / count), area.top, area.width / count, area.height,
        parts.joined(separator: " · "))
    }
  }

  private func summary(peak: (index: Int, value: Double), span: Span) -> String {
    let all = series.requests.reduce(0, +)
    func part(_ values: [Int]) -> String {
      let sum = values.reduce(0, +)
      return Figures.count(sum)
        + (all > 0 ? " (" + Figures.share(Double(sum) / Double(all)) + ")" : "")
    }
    let at = zone.civil(at: starts + span * Int64(peak.index))
    return Texts.english.loadSummary(
      world: series.world, peak: Figures.number(peak.value), at: Figures.clock(at.timeOfDay),
      refused: part(series.refused), lost: part(series.lost))
  }

  private func stack(
    _ slices: Slices, scale: Double, in area: PlotArea, on drawing: inout Drawing
  ) {
    let count = Double(max(1, slices.replied.count))
    var base = [Double](repeating: 0, count: slices.replied.count)
    for (layer, style) in [
      (slices.lost, "lost"), (slices.refused, "refused"), (slices.replied, "replied"),
    ] where layer.contains(where: { $0 > 0 }) {
      var points: [(x: Double, y: Double)] = []
      let top = base.indices.map { base[$0] + layer[$0] }
      for index in top.indices {
        let y = area.y(top[index] / scale)
        points.append((area.x(Double(index) / count), y))
        points.append((area.x(Double(index + 1) / count), y))
      }
      for index in base.indices.reversed() {
        let y = area.y(base[index] / scale)
        points.append((area.x(Double(index + 1) / count), y))
        points.append((area.x(Double(index) / count), y))
      }
      drawing.path(points, style, closed: true)
      base = top
    }
  }

  func shade(
    _ happening: Happening, length: Span, in area: PlotArea, on drawing: inout Drawing
  ) {
    guard let to = happening.to else { return }
    let x = area.x((happening.from - starts).seconds / length.seconds)
    let end = area.x((to - starts).seconds / length.seconds)
    drawing.rectangle(x, area.top, max(2, end - x), area.height, "fault")
  }

  private func number(
    _ happening: Happening, x: Double, y: Double, in area: PlotArea, on drawing: inout Drawing
  ) {
    if happening.to == nil { drawing.line(x, y, x, area.bottom, "event") }
    drawing.circle(x, y, 7.5, happening.to == nil ? "badge" : "badge fault-badge")
    drawing.text(String(happening.number), x, y + 3.4, "badge-text", anchor: "middle")
  }

  /// Round local times, no more than asked for.
  private func ticks(over length: Span, atMost count: Int) -> [(label: String, at: Instant)] {
    let steps: [Span] = [
      .minutes(1), .minutes(5), .minutes(15), .minutes(30), .hours(1), .hours(2), .hours(3),
      .hours(6), .hours(12), .days(1), .days(2), .days(7), .days(14), .days(28), .days(91),
      .days(365),
    ]
    let step = steps.first { length.nanoseconds / $0.nanoseconds <= Int64(count) } ?? .days(3_650)
    let midnight = zone.civil(at: starts).date
    var result: [(label: String, at: Instant)] = []
    var offset = Span.zero
    while true {
      // By civil date, so that a day stays a day when clocks change.
      let days = offset.nanoseconds / Span.days(1).nanoseconds
      let date = CivilDate(daysSinceEpoch: midnight.daysSinceEpoch + days)
      let at = zone.instant(date, offset - .days(days))
      if at > starts + length { return result }
      if at >= starts {
        let label =
          step >= .days(1)
          ? "\(date.day) " + Texts.english.months[date.month - 1]
          : Figures.clock(zone.civil(at: at).timeOfDay)
        result.append((label, at))
      }
      offset += step
    }
  }

  /// The next of 1, 2, 3, 4, 6, 8 times a power of ten, so that quarters are round.
  private static func roundMaximum(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return 4 }
    var unit = 1.0
    while unit * 10 < value { unit *= 10 }
    while unit > value { unit /= 10 }
    return ([1, 2, 3, 4, 6, 8].first { unit * $0 >= value } ?? 10) * unit
  }
}
