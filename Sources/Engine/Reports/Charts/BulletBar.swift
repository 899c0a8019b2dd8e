import Runs

/// An objective's estimate and plausible range on a scale on which all objectives have their bound at the same place.
enum BulletBar {
  /// Where the bound lies, as a share of the width.
  private static let boundAt = 0.7

  static func draw(_ objective: ObjectiveResult, id: String) -> String {
    var drawing = Drawing(width: 240, height: 20)
    let area = PlotArea(left: 1, top: 2, right: 239, bottom: 18)
    func x(_ value: Double) -> Double {
      guard objective.bound > 0 else { return area.x(value > 0 ? 1 : boundAt) }
      return area.x(value.isFinite ? value / objective.bound * boundAt : 1)
    }
    let bound = x(objective.bound)
    if objective.isUpperBound {
      drawing.rectangle(bound, area.top, area.right - bound, area.height, "forbidden")
    } else {
      drawing.rectangle(area.left, area.top, bound - area.left, area.height, "forbidden")
    }
    drawing.line(area.left, 10, area.right, 10, "axis")
    let tone = objective.verdict.rawValue
    if let interval = objective.interval {
      let low = x(interval.low)
      drawing.rectangle(low, 6, max(2, x(interval.high) - low), 8, "range \(tone)", radius: 2)
    }
    if let estimate = objective.estimate {
      drawing.circle(x(estimate), 10, 4, "dot \(tone)")
    } else if let longer = objective.longerThan {
      drawing.rectangle(x(longer), 7, area.right - x(longer), 6, "range \(tone)")
    }
    drawing.line(bound, area.top - 2, bound, area.bottom + 2, "bound")
    let texts = Texts.english
    return drawing.element(
      id: id, title: objective.text,
      description: texts.intervalSummary(
        estimate: objective.estimateInWords ?? texts.none,
        interval: objective.range, bound: objective.figure(objective.bound)), style: "bullet")
  }
}

extension ObjectiveResult {
  /// How far the end of the interval that is nearer to the bound stays within it, as a share of the bound: below 0 beyond it, and
  /// least where nothing is known.
  var headroom: Double {
    let worst =
      isUpperBound
      ? interval?.high ?? estimate ?? longerThan.map { _ in .infinity }
      : interval?.low ?? estimate
    guard let worst else { return -.infinity }
    guard bound > 0 else { return worst > 0 ? -.infinity : 0 }
    let share = worst / bound
    return isUpperBound ? 1 - share : share - 1
  }
}
