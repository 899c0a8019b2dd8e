import Foundation
import Runs
import Verdicts

/// The range of a figure's change on a scale of ratios, against what nobody minds.
enum ChangeBar {
  /// The largest change that the bars of a comparison show, as a logarithm; what lies beyond touches the edge.
  static func scale(of comparison: RunComparison) -> Double {
    let ends = comparison.metrics.flatMap { metric in
      [metric.change.interval?.low, metric.change.interval?.high].compactMap(\.self)
    }.filter { $0 > 0 && $0.isFinite }.map { abs(log($0)) }.sorted()
    let margin = log(1 + comparison.margin)
    // One figure in ten may run over the edge rather than squeeze the others.
    let usual = ends.isEmpty ? 0 : ends[min(ends.count - 1, ends.count * 9 / 10)]
    return max(usual * 1.1, margin * 2, 0.02)
  }

  static func draw(
    _ metric: RunComparison.Metric, margin: Double, scale: Double, id: String
  ) -> String {
    var drawing = Drawing(width: 180, height: 26)
    let area = PlotArea(left: 2, top: 3, right: 178, bottom: 23)
    func x(_ ratio: Double) -> Double {
      guard ratio > 0, ratio.isFinite else { return ratio > 0 ? area.right : area.left }
      return area.x(0.5 + log(ratio) / scale / 2)
    }
    let (low, high) = (x(1 / (1 + margin)), x(1 + margin))
    drawing.rectangle(low, area.top, high - low, area.height, "allowed")
    drawing.line(area.left, 13, area.right, 13, "axis")
    let tone = Badge(metric.change.verdict).tone
    if let interval = metric.change.interval {
      let start = x(interval.low)
      drawing.rectangle(start, 8, max(3, x(interval.high) - start), 10, "range \(tone)", radius: 2)
    }
    if let ratio = metric.change.ratio { drawing.circle(x(ratio), 13, 3.6, "dot \(tone)") }
    drawing.line(x(1), area.top - 2, x(1), area.bottom + 2, "bound")
    return drawing.element(
      id: id, title: "\(metric.name.operation) \(metric.measure.inWords)",
      description: Texts.english.changeSummary(
        metric.changeInWords, interval: metric.intervalInWords, margin: metric.margin(margin)),
      style: "strip")
  }
}
