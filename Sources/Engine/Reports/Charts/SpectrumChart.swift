import Foundation
import Runs

/// Percentile curves: the rarer the answer, the further to the right, both axes logarithmic. All curves of a page share
/// one pair of scales, so that they can be compared by eye.
struct SpectrumChart {
  private let seconds: SecondsAxis
  /// Powers of ten of 1 / (1 - share).
  private let decades: Int

  private static let pointsMax = 160

  init(for latencies: [LatencyResult]) {
    let curves = latencies.flatMap { Self.curve(of: $0) }.map(\.seconds)
    let intervals = latencies.flatMap { latency in
      latency.quantiles.filter { $0.isTold(by: latency.count) }
    }.flatMap {
      [$0.seconds, $0.longerThan, $0.interval?.low, $0.interval?.high].compactMap(\.self).filter(
        \.isFinite)
    }
    seconds = SecondsAxis(covering: curves + intervals)
    // As far as the answers reach, and not less than to one request in a thousand.
    let last = latencies.compactMap { Self.curve(of: $0).last?.share }.filter { $0 < 1 }.max() ?? 0
    decades = min(9, max(3, Int((-log10(1 - last)).rounded(.up))))
  }

  /// Where a share of answers lies, 0 for none and 1 at the right end.
  private func position(_ share: Double) -> Double {
    guard share < 1 else { return 1 }
    return -log10(1 - max(0, share)) / Double(decades)
  }

  func draw(_ latency: LatencyResult, id: String) -> String {
    var drawing = Drawing(width: 300, height: 210)
    let area = PlotArea(left: 50, top: 10, right: 282, bottom: 168)
    drawing.text(
      Texts.english.screen.shareFaster, (area.left + area.right) / 2, 204, "axis-title",
      anchor: "middle")
    for mark in seconds.marks {
      let y = area.y(seconds.share(mark))
      drawing.line(area.left, y, area.right, y, "grid")
      drawing.text(Figures.duration(mark), area.left - 7, y + 3.5, anchor: "end")
    }
    for decade in 0...decades {
      let x = area.x(Double(decade) / Double(decades))
      drawing.line(x, area.top, x, area.bottom, "grid")
      guard decade % (decades > 4 ? 2 : 1) == 0 else { continue }
      let label = Figures.percent(1 - pow(10, -Double(decade)))
      drawing.text(label, x, area.bottom + 18, anchor: "middle")
    }
    silence(of: latency, in: area, on: &drawing)
    drawing.path(points(of: latency, in: area), "curve")
    let told = latency.quantiles.filter { $0.isTold(by: latency.count) }
    for quantile in told { mark(quantile, in: area, on: &drawing) }
    for quantile in told { hit(quantile, in: area, on: &drawing) }

    let texts = Texts.english
    let figures = told.map {
      Figures.quantile($0.q) + " " + $0.words(of: latency.count)
    }
    return drawing.element(
      id: id, title: texts.spectra + ": " + latency.title,
      description: texts.curveSummary(latency.title, figures), style: "small")
  }

  /// The part of the requests that got no answer: there is no curve.
  private func silence(
    of latency: LatencyResult, in area: PlotArea, on drawing: inout Drawing
  ) {
    let answered = Double(latency.answered) / Double(max(1, latency.count))
    let x = area.x(position(answered))
    guard latency.answered < latency.count, x < area.right else { return }
    drawing.rectangle(x, area.top, area.right - x, area.height, "forbidden")
    if area.right - x > 60 {
      drawing.text(
        Texts.english.screen.errorsShort, (x + area.right) / 2, area.bottom - 6, anchor: "middle")
    }
  }

  /// As far as anything was answered: where some requests were not, the slowest answer ends it.
  private static func curve(of latency: LatencyResult) -> [CurvePoint] {
    let share = Double(latency.answered) / Double(max(1, latency.count))
    guard share < 1, latency.curve.last.map({ $0.share < share }) == true else {
      return latency.curve
    }
    let answered = latency.answeredQuantiles.filter { $0.isTold(by: latency.answered) }
      .map { (share: $0.q * share, seconds: $0.seconds) }
    let slowest = latency.quantiles.first { $0.longerThan != nil }?.longerThan
    return (answered + [(share: share, seconds: slowest)]).reduce(into: latency.curve) {
      curve, point in
      guard let seconds = point.seconds, let last = curve.last, point.share > last.share,
        seconds >= last.seconds
      else { return }
      curve.append(CurvePoint(share: point.share, seconds: seconds))
    }
  }

  private func points(of latency: LatencyResult, in area: PlotArea) -> [(x: Double, y: Double)] {
    let visible = Self.curve(of: latency).filter {
      $0.share.isFinite && $0.seconds.isFinite && $0.share < 1 && position($0.share) <= 1
    }
    let stride = max(1, visible.count / Self.pointsMax)
    return visible.indices.filter { $0 % stride == 0 || $0 == visible.count - 1 }.map {
      (area.x(position(visible[$0].share)), area.y(seconds.share(visible[$0].seconds)))
    }
  }

  private func hit(_ quantile: Quantile, in area: PlotArea, on drawing: inout Drawing) {
    guard quantile.q > 0, position(quantile.q) <= 1 else { return }
    let interval = quantile.interval.map { " (\(Figures.durations($0.low, $0.high)))" } ?? ""
    drawing.hit(
      area.x(position(quantile.q)) - 8, area.top, 16, area.height,
      "\(Figures.quantile(quantile.q)) \(quantile.words(of: .max))\(interval)")
  }

  private func mark(_ quantile: Quantile, in area: PlotArea, on drawing: inout Drawing) {
    guard quantile.q > 0, position(quantile.q) <= 1 else { return }
    let x = area.x(position(quantile.q))
    if let interval = quantile.interval {
      let high = interval.high.isFinite ? area.y(seconds.share(interval.high)) : area.top
      drawing.line(x, area.y(seconds.share(interval.low)), x, high, "whisker")
    }
    if let value = quantile.seconds {
      drawing.circle(x, area.y(seconds.share(value)), 2.6, "point")
    } else {
      // Longer than the longest: from there it points out of the picture.
      let low = quantile.longerThan.map { area.y(seconds.share($0)) } ?? area.bottom
      drawing.line(x, low, x, area.top, "whisker")
      drawing.text("↑", x, area.top + 8, anchor: "middle")
    }
  }
}
