import Runs

/// The share of things still open after a time (Kaplan–Meier), against the documented bound.
enum SurvivalChart {
  static func draw(_ business: BusinessResult, id: String) -> String {
    var drawing = Drawing(width: 300, height: 210)
    let area = PlotArea(left: 44, top: 18, right: 290, bottom: 168)
    drawing.text(
      Texts.english.screen.timeSince, (area.left + area.right) / 2, 204, "axis-title",
      anchor: "middle")
    let bound = business.boundSeconds
    let axis = SecondsAxis(
      covering: (business.survival + (bound.map { [CurvePoint(share: 0, seconds: $0)] } ?? []))
        .map(\.seconds) + business.openSince.map(\.seconds))
    for share in [0, 0.25, 0.5, 0.75, 1] {
      let y = area.y(share)
      drawing.line(area.left, y, area.right, y, share == 0 ? "axis" : "grid")
      drawing.text(Figures.percent(share) + "%", area.left - 7, y + 3.5, anchor: "end")
    }
    // Labels need room: with many marks, every second has one.
    let every = axis.marks.count > 5 ? 2 : 1
    for (index, mark) in axis.marks.enumerated() {
      let x = area.x(axis.share(mark))
      drawing.line(x, area.top, x, area.bottom, "grid")
      guard index % every == 0,
        index == axis.marks.count - 1 || area.right - x > 34 || every == 1
      else { continue }
      let anchor = index == 0 ? "start" : index == axis.marks.count - 1 ? "end" : "middle"
      drawing.text(Figures.duration(mark), x, area.bottom + 18, anchor: anchor)
    }
    if let bound {
      let x = area.x(axis.share(bound))
      drawing.line(x, area.top - 4, x, area.bottom, "bound")
      let left = x > area.left + area.width / 2
      drawing.text(
        Figures.duration(bound), left ? x - 5 : x + 5, area.top - 5, "tick strong",
        anchor: left ? "end" : "start")
    }
    let curve = steps(of: business, axis: axis, in: area)
    drawing.path(curve, "curve")
    // Who was last seen unfinished is marked where that was, on the curve.
    // Strokes that would touch are one.
    var ticks: [(x: Double, top: Double, bottom: Double)] = []
    for x in business.openSince.map({ area.x(axis.share($0.seconds)) }).sorted()
    where x - (ticks.last?.x ?? -.infinity) >= 2.5 {
      let y = curve.last { $0.x <= x }?.y ?? area.y(1)
      ticks.append((x, y - 4, y + 4))
    }
    drawing.ticks(ticks, "whisker")

    let texts = Texts.english
    let last = business.survival.last
    return drawing.element(
      id: id, title: texts.survival + ": " + business.title,
      description: texts.survivalSummary(
        business.title, open: Figures.share(last?.share ?? 1),
        after: Figures.duration(last?.seconds ?? 0), bound: bound.map(Figures.duration),
        unfinished: business.unfinished, abandoned: business.abandoned, of: business.begun),
      style: "small")
  }

  /// Down at each observed end, level between them.
  private static func steps(
    of business: BusinessResult, axis: SecondsAxis, in area: PlotArea
  ) -> [(x: Double, y: Double)] {
    var points: [(x: Double, y: Double)] = [(area.left, area.y(1))]
    var share = 1.0
    for (index, point) in business.survival.enumerated() {
      let (x, y) = (area.x(axis.share(point.seconds)), area.y(point.share))
      let last = points[points.count - 1]
      // A step that is not seen waits for the next.
      guard
        abs(x - last.x) >= 1.5 || abs(y - last.y) >= 1 || index == business.survival.count - 1
      else { continue }
      points.append((x, area.y(share)))
      points.append((x, y))
      share = point.share
    }
    if share > 0 { points.append((area.right, area.y(share))) }
    return points
  }
}
