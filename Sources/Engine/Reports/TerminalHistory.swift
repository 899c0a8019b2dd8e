import Runs

/// What a terminal shows of a scenario's history: a line for each figure, those that changed first.
public enum TerminalHistory {
  /// The longest sparkline, in runs.
  private static let most = 40
  private static let linesMost = 14

  public static func text(
    _ history: RunHistory, scenario: String, width: Int = 80, colour: Bool, all: Bool = false
  ) -> String {
    let style = TerminalStyle(width: max(20, width), colour: colour)
    let shown = all ? history.trends[...] : history.trends.prefix(linesMost)
    var lines = head(history, scenario, style) + [""]
    for trend in shown { lines += Self.lines(of: trend, history, style) }
    if shown.count < history.trends.count {
      lines.append("  … \(history.trends.count - shown.count) more; --all shows them")
    }
    return (lines + foot(history, style)).joined(separator: "\n") + "\n"
  }

  private static func head(
    _ history: RunHistory, _ scenario: String, _ style: TerminalStyle
  ) -> [String] {
    guard let first = history.runs.first?.record, let last = history.runs.last?.record else {
      return ["\(Escaping.visible(scenario)): no complete runs are recorded"]
    }
    let span =
      first.recordedAt.prefix(10) == last.recordedAt.prefix(10)
      ? "\(first.recordedAt.prefix(10))"
      : "\(first.recordedAt.prefix(10)) to \(last.recordedAt.prefix(10))"
    let count = Texts.english.many(history.runs.count, "run", "runs")
    let title = "\(Escaping.visible(scenario)): \(count), \(span)"
    var lines = [style.paint(style.cut(title, to: style.width), .strong)]
    if history.leftOut > 0 {
      lines += style.wrap(
        "Left out: \(history.leftOut) with another seed, number of replications or load than the latest, identical to another run, or interrupted."
      )
    }
    return lines
  }

  private static func lines(
    of trend: RunHistory.Trend, _ history: RunHistory, _ style: TerminalStyle
  ) -> [String] {
    let room = min(most, max(10, style.width - 50))
    let line = sparkline(Array(trend.values.suffix(room)))
    let latest = trend.latest.map(Figures.duration) ?? "–"
    let figures = style.pad(line, to: room) + style.pad(latest, to: 10)
    let name = Escaping.visible(
      "\(trend.name.series.world).\(trend.name.series.operation) \(trend.name.measure.rawValue)")
    let mark =
      switch trend.changes.last?.isGrowth {
      case true?: style.paint("▲", .bad)
      case false?: style.paint("▼", .good)
      case nil: " "
      }
    let label = style.cut(name, to: style.width - 5 - TerminalStyle.columns(of: figures))
    var lines = ["  \(mark) " + style.spread(label, figures, over: style.width - 4)]
    for change in trend.changes.suffix(2) {
      let run = history.runs[change.run]
      let ratio = change.before > 0 ? change.after / change.before : .infinity
      let size = (ratio >= 1 ? "+" : "−") + TerminalComparison.percent((ratio - 1).magnitude)
      lines.append(
        style.cut(
          "      \(size) since run \(run.id) (\(run.record.recordedAt.prefix(10)), \(Escaping.visible(run.record.commit, limit: 12))): \(Figures.duration(change.before)) → \(Figures.duration(change.after))",
          to: style.width))
    }
    return lines
  }

  private static func foot(_ history: RunHistory, _ style: TerminalStyle) -> [String] {
    guard !history.runs.isEmpty else { return [] }
    let needed = RunHistory.fewestRuns
    guard history.runs.count >= needed else {
      return [""] + style.wrap("At least \(needed) runs are needed to tell a change from chance.")
    }
    return [""]
      + style.wrap(
        Texts.english.falseDiscoveries(
          of: history.trends.count, share: Figures.share(history.falseDiscoveries)))
  }

  /// Eight heights from the smallest to the largest value. Changes of less than 10 % do not fill the height, so that noise stays
  /// flat; a gap where a run has no value.
  static func sparkline(_ values: [Double?]) -> String {
    let known = values.compactMap(\.self)
    guard let low = known.min(), let high = known.max() else { return "" }
    let span = max(high - low, high * 0.1)
    let bottom = (low + high - span) / 2
    let heights: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return String(
      values.map { value in
        guard let value else { return " " }
        guard span > 0 else { return heights[0] }
        return heights[min(7, max(0, Int((value - bottom) / span * 8)))]
      })
  }
}
