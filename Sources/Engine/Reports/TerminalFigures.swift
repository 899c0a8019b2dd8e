import Runs

/// A run's figures as a table: means over replications, of the answered.
public enum TerminalFigures {
  public static func text(_ run: RunFigures, width: Int = 80) -> String {
    let style = TerminalStyle(width: max(60, width), colour: false)
    let names = Measure.times.map { style.pad($0.rawValue, to: 10) }.joined()
    var lines = [style.spread("", names, over: style.width)]
    for series in run.series {
      let figures = Measure.times.map { measure in
        let values = series.figures.compactMap { $0?[measure] ?? nil }
        let mean = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        return style.pad(mean.map(Figures.duration) ?? "–", to: 10)
      }.joined()
      let name = Escaping.visible("\(series.name.world).\(series.name.operation)")
      lines.append(style.spread(style.cut(name, to: style.width - 41), figures, over: style.width))
    }
    return lines.joined(separator: "\n")
  }
}
