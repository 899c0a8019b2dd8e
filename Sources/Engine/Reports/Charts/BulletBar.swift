import Runs

/// An objective's estimate and plausible range on a scale on which all objectives have their bound at the same place.
enum BulletBar {
  /// Where the bound lies, as a share of the width.
  private static let boundAt = 0.7

  /// What is held against a bound.
  struct Value {
    let title: String
    let description: String
    let bound: Double
    let isUpperBound: Bool
    let estimate: Double?
    var longerThan: Double?
    var interval: Bounds?
    let tone: String
  }

  static func draw(_ objective: ObjectiveResult, id: String) -> String {
    let texts = Texts.english
    return draw(
      Value(
        title: objective.text,
        description: texts.intervalSummary(
          estimate: objective.estimateInWords ?? texts.none, interval: objective.range,
          bound: objective.figure(objective.bound)), bound: objective.bound,
        isUpperBound: objective.isUpperBound, estimate: objective.estimate,
        longerThan: objective.longerThan, interval: objective.interval,
        tone: objective.verdict.rawValue), id: id)
  }

  static func draw(_ value: Value, id: String) -> String {
    var drawing = Drawing(width: 140, height: 16)
    let area = PlotArea(left: 5, top: 2, right: 135, bottom: 14)
    func x(_ figure: Double) -> Double {
      guard value.bound > 0 else { return area.x(figure > 0 ? 1 : boundAt) }
      return area.x(figure.isFinite ? figure / value.bound * boundAt : 1)
    }
    let bound = x(value.bound)
    if value.isUpperBound {
      drawing.rectangle(bound, area.top, area.right - bound, area.height, "forbidden")
    } else {
      drawing.rectangle(area.left, area.top, bound - area.left, area.height, "forbidden")
    }
    drawing.line(area.left, 8, area.right, 8, "axis")
    if let interval = value.interval {
      let low = x(interval.low)
      drawing.rectangle(
        low, 4, max(2, x(interval.high) - low), 8, "range \(value.tone)", radius: 2)
      // The ends stand out above and below the dot, however narrow it is.
      for end in [low, x(interval.high)] {
        drawing.line(end, 2, end, 14, "range-end \(value.tone)")
      }
    }
    if let estimate = value.estimate {
      drawing.circle(x(estimate), 8, 3, "dot \(value.tone)")
    } else if let longer = value.longerThan {
      drawing.rectangle(x(longer), 5, area.right - x(longer), 6, "range \(value.tone)")
    }
    drawing.line(bound, area.top - 2, bound, area.bottom + 2, "bound")
    return drawing.element(
      id: id, title: value.title, description: value.description, style: "bullet")
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
