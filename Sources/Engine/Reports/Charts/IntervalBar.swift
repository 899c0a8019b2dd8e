import Runs

/// An objective's estimate and plausible range against its bound.
enum IntervalBar {
  static func draw(_ objective: ObjectiveResult, id: String) -> String {
    var drawing = Drawing(width: 180, height: 30)
    let ends = [
      objective.estimate, objective.longerThan, objective.interval?.high, objective.bound,
    ]
    let most = ends.compactMap(\.self).filter(\.isFinite).max() ?? 1
    let limit = most > 0 ? most * 1.15 : 1
    let area = PlotArea(left: 2, top: 4, right: 178, bottom: 26)
    func x(_ value: Double) -> Double { area.x(value.isFinite ? value / limit : 1) }

    let bound = x(objective.bound)
    if objective.isUpperBound {
      drawing.rectangle(bound, area.top, area.right - bound, area.height, "forbidden")
    } else {
      drawing.rectangle(area.left, area.top, bound - area.left, area.height, "forbidden")
    }
    drawing.line(area.left, 15, area.right, 15, "axis")
    let tone = objective.verdict.rawValue
    if let interval = objective.interval {
      let low = x(interval.low)
      drawing.rectangle(low, 9, max(3, x(interval.high) - low), 12, "range \(tone)", radius: 2)
    }
    if let estimate = objective.estimate {
      drawing.circle(x(estimate), 15, 4, "dot \(tone)")
    } else if let longer = objective.longerThan {
      drawing.rectangle(x(longer), 12, area.right - x(longer), 6, "range \(tone)")
    }
    drawing.line(bound, area.top - 3, bound, area.bottom + 3, "bound")

    let texts = Texts.english
    return drawing.element(
      id: id, title: objective.text,
      description: texts.intervalSummary(
        estimate: objective.estimateInWords ?? texts.none,
        interval: objective.range, bound: objective.figure(objective.bound)), style: "bar")
  }
}
