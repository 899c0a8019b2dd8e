import Runs
import Verdicts

/// What a terminal shows of a duel: the verdict first.
public enum TerminalDuel {
  /// - Parameter names: The two programs, as the user named them.
  public static func text(
    _ duel: Duel, names: (baseline: String, challenger: String), width: Int = 80, colour: Bool
  ) -> String {
    let style = TerminalStyle(width: max(20, width), colour: colour)
    let word =
      "\(TerminalComparison.mark(duel.verdict)) \(duel.verdict.rawValue.uppercased())"
    var lines = [style.paint(word, TerminalComparison.tone(duel.verdict))]
    lines += style.wrap(sentence(duel))
    lines += style.wrap(
      "\(duel.baseline.count) and \(duel.challenger.count) runs in turn, compared as independent samples (Hodges–Lehmann, exact Mann–Whitney, Holm)."
    )
    if let pace = pace(duel) { lines += style.wrap(pace) }
    if !duel.isSameWork {
      lines += style.wrap(
        "The two builds did not do the same work: their digests differ, so a change in speed may come from a change in behaviour."
      )
    }
    lines.append("")
    lines += duel.metrics.flatMap { row($0, style) }
    lines += [""] + foot(duel, style)
    for (label, name) in [("baseline  ", names.baseline), ("challenger", names.challenger)] {
      lines.append(
        style.paint(style.cut("\(label) \(Escaping.visible(name))", to: style.width), .quiet))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What came of it, in one sentence.
  public static func sentence(_ duel: Duel) -> String {
    let margin = Figures.share(duel.margin)
    func count(_ verdict: ChangeVerdict) -> Int {
      duel.metrics.count { $0.change.verdict == verdict }
    }
    let all = duel.metrics.count
    switch duel.verdict {
    case .regression:
      return "\(count(.regression)) of \(all) figures grew by more than \(margin)."
    case .improved:
      return
        "\(count(.improved)) of \(all) figures shrank by more than \(margin), and none grew by more."
    case .equivalent, .identical: return "No figure of \(all) changed by more than \(margin)."
    case .inconclusive:
      return all == 0
        ? "Nothing can be compared: the runs have no figure in common."
        : "\(count(.inconclusive)) of \(all) figures are undecided; none is known to have grown by more than \(margin)."
    }
  }

  /// What operations were held against, where there were enough of them to ask.
  private static func pace(_ duel: Duel) -> String? {
    if duel.isPaced {
      return
        "Operations are held against the pace of their run, which is that of the \(Duel.typicalCall)."
    }
    return duel.metrics.contains { $0.name == Duel.typicalCall }
      ? "The \(Duel.typicalCall) itself changed: operations are compared as they were measured."
      : nil
  }

  private static func row(_ metric: Duel.Metric, _ style: TerminalStyle) -> [String] {
    let verdict = metric.change.verdict
    let times = "\(Figures.duration(metric.before)) → \(Figures.duration(metric.after))"
    let figures =
      style.pad(times, to: 21)
      + style.pad(TerminalComparison.change(metric.change.ratio), to: 9)
      + style.pad(TerminalComparison.interval(metric.change), to: 22)
    return style.row(
      style.paint(TerminalComparison.mark(verdict), TerminalComparison.tone(verdict)),
      Escaping.visible(metric.name), figures)
  }

  private static func foot(_ duel: Duel, _ style: TerminalStyle) -> [String] {
    let visible = duel.metrics.compactMap(\.change.smallestVisible).sorted()
    guard let largest = visible.last else { return [] }
    let middle = visible[visible.count / 2]
    return style.wrap(
      "9 of 10 such duels would detect growth of \(TerminalComparison.percent(middle)) in half of the figures, and growth of \(TerminalComparison.percent(largest)) in all of them."
    )
  }
}
