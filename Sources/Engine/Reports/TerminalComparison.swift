import Runs
import Verdicts

/// What a terminal shows of a run against its baseline: one screen, the verdict first.
public enum TerminalComparison {
  /// - Parameters:
  ///   - all: Whether every figure is shown, however many lines it takes.
  ///   - names: How the user named the run and the baseline.
  ///   - height: Lines that the text should fit into, where it can.
  ///   - summed: The run whose summary stands above; what that has said is not said again.
  public static func text(
    _ comparison: RunComparison, names: (run: String, baseline: String), width: Int = 80,
    colour: Bool, all: Bool = false, height: Int = 24, below summed: Run? = nil
  ) -> String {
    let style = TerminalStyle(width: max(20, width), colour: colour)
    var lines = summed.map { part(comparison, $0, style) } ?? head(comparison, style)
    let more =
      summed == nil
      ? "--all shows them"
      : "rehearse compare \(Escaping.shell(names.run)) \(Escaping.shell(names.baseline)) --all"
    let foot = foot(comparison, names, style)
    let limits = limits(comparison, style)
    let room = height - 1 - lines.count - limits.count - foot.count
    lines += metrics(comparison, style, lines: all ? .max : max(4, room), more)
    return (lines + limits + foot).joined(separator: "\n") + "\n"
  }

  /// What came of it, in one sentence.
  public static func sentence(_ comparison: RunComparison) -> String {
    let counts = Counts(comparison)
    let margin = Figures.share(comparison.margin)
    switch comparison.verdict {
    case .identical:
      return "Both runs are the same to the bit: nothing changed."
    case .regression:
      let broken = comparison.limits.count(where: \.isRegression)
      let slower =
        counts.regression == 0
        ? [] : ["\(counts.regression) of \(counts.all) figures grew by more than \(margin)"]
      let limits =
        broken == 0 ? [] : [Counts.of(broken, "rule") + " that did not fail before failed"]
      return (slower + limits).joined(separator: ", and ") + "."
    case .improved:
      return
        "\(counts.improved) of \(counts.all) figures shrank by more than \(margin), and none grew by more."
    case .equivalent:
      return "No figure of \(counts.all) changed by more than \(margin)."
    case .inconclusive:
      guard counts.all > 0 else {
        return "Nothing can be compared: the runs have no figure in common."
      }
      return
        "\(counts.inconclusive) of \(counts.all) figures cannot be told; none is known to have grown by more than \(margin)."
    }
  }

  private struct Counts {
    let all: Int
    let regression: Int
    let improved: Int
    let inconclusive: Int

    init(_ comparison: RunComparison) {
      func count(_ verdict: ChangeVerdict) -> Int {
        comparison.metrics.count { $0.change.verdict == verdict }
      }
      all = comparison.metrics.count
      regression = count(.regression)
      improved = count(.improved)
      inconclusive = count(.inconclusive)
    }

    static func of(_ count: Int, _ noun: String) -> String {
      "\(Figures.count(count)) \(noun)\(count == 1 ? "" : "s")"
    }
  }

  private static func head(_ comparison: RunComparison, _ style: TerminalStyle) -> [String] {
    let word = "\(mark(comparison.verdict)) \(comparison.verdict.rawValue.uppercased())"
    let title = Escaping.visible(comparison.run.scenario.title)
    let line =
      style.paint(word, tone(comparison.verdict)) + "  "
      + style.paint(style.cut(title, to: style.width - word.count - 3), .strong)
    return [line] + style.wrap(sentence(comparison)) + origin(comparison, style)
  }

  /// Below a summary, whose headline holds the sentence where the comparison decided the run.
  private static func part(
    _ comparison: RunComparison, _ run: Run, _ style: TerminalStyle
  ) -> [String] {
    let title = style.paint(Texts.english.comparison, .strong)
    let isSaid = run.exitCode == 97 || run.isOpenAgainstBaseline
    return [title] + (isSaid ? [] : style.wrap(sentence(comparison))) + origin(comparison, style)
  }

  private static func origin(_ comparison: RunComparison, _ style: TerminalStyle) -> [String] {
    var lines = style.wrap(method(comparison))
    if comparison.run.pace == nil,
      comparison.run.scenario.digest != comparison.baseline.scenario.digest
    {
      lines += style.wrap(
        "The scenario's text differs between the two: part of a change may come from it.")
    }
    return lines
  }

  static func method(_ comparison: RunComparison) -> String {
    switch comparison.method {
    case .identical(let count):
      return
        "Equal digests in \(Counts.of(count, "replication")) with the same seeds; no statistics needed."
    case .paired(let count):
      return
        "\(Counts.of(count, "replication")) with the same seeds on both sides, compared pair by pair."
    case .independent(let before, let after) where comparison.run.pace != nil:
      return
        "\(before) and \(Counts.of(after, "run")) of the load by turns, compared as independent samples (Hodges–Lehmann, exact Mann–Whitney, Holm over all figures): servers that do not differ show any change in at most 1 of 100 duels."
    case .independent(let before, let after):
      return
        "No seeds in common: \(before) and \(Counts.of(after, "replication")), compared as independent samples."
    }
  }

  private static func metrics(
    _ comparison: RunComparison, _ style: TerminalStyle, lines room: Int, _ more: String
  ) -> [String] {
    guard !comparison.metrics.isEmpty else { return [] }
    let shown = comparison.metrics.prefix(
      comparison.metrics.count <= room - 1 ? comparison.metrics.count : max(1, room - 2))
    let isOneWorld = comparison.metrics.allSatisfy {
      $0.name.world == comparison.metrics[0].name.world
    }
    var lines = [""]
    for metric in shown {
      let verdict = metric.change.verdict
      let world = isOneWorld ? "" : metric.name.world + "."
      let name = Escaping.visible("\(world)\(metric.name.operation)")
      let times = "\(metric.figure(metric.before)) → \(metric.figure(metric.after))"
      let figures =
        style.pad(times, to: 21) + style.pad(metric.changeInWords, to: 9)
        + style.pad(metric.intervalInWords.map { "(\($0))" } ?? "too few", to: 22)
      lines += style.row(
        style.paint(mark(verdict), tone(verdict)), "\(name) \(metric.measure.inWords)", figures)
    }
    if shown.count < comparison.metrics.count {
      lines.append("  … \(comparison.metrics.count - shown.count) more: \(more)")
    }
    return lines
  }

  private static func limits(_ comparison: RunComparison, _ style: TerminalStyle) -> [String] {
    guard !comparison.limits.isEmpty else { return [] }
    let broken = comparison.limits.filter(\.isRegression)
    let others = comparison.limits.filter { !$0.isRegression }
    let texts = (broken + others).map {
      "\(Escaping.visible($0.id, limit: 20)) \(Texts.english.word($0.before).lowercased()) → \(Texts.english.word($0.after).lowercased())"
    }
    return ["", style.cut("Rules: " + texts.joined(separator: ", "), to: style.width)]
  }

  private static func foot(
    _ comparison: RunComparison, _ names: (run: String, baseline: String), _ style: TerminalStyle
  ) -> [String] {
    var lines = [""]
    if let least = comparison.leastVisible, let size = least.change.smallestVisible {
      let typical = comparison.metrics.filter { $0.measure != .withoutAnswer }
        .compactMap(\.change.smallestVisible).sorted()
      let middle = typical[typical.count / 2]
      lines += style.wrap(
        Texts.english.smallestVisible(
          inHalf: percent(middle), inAll: percent(size),
          figure: "\(Escaping.visible(least.name.operation)) \(least.measure.rawValue)"))
    }
    let left = comparison.leftOut.count
    if left > 0 {
      lines += style.wrap(
        "Left out: \(Counts.of(left, "figure")) with too few requests, or on one side only.")
    }
    func origin(_ label: String, _ name: String, _ run: RunFigures) -> String {
      let text =
        "\(label) \(Escaping.visible(name)) · seed \(run.seed) · \(run.version) (\(Escaping.visible(run.commit, limit: 12)))"
      return style.paint(style.cut(text, to: style.width), .quiet)
    }
    lines.append(origin("run     ", names.run, comparison.run))
    lines.append(origin("baseline", names.baseline, comparison.baseline))
    return lines
  }

  static func change(_ ratio: Double?) -> String {
    guard let ratio else { return "" }
    guard (ratio - 1).magnitude >= 0.000_5 else { return "±0.0%" }
    return (ratio >= 1 ? "+" : "−") + percent((ratio - 1).magnitude)
  }

  static func interval(_ change: ChangeJudgement) -> String {
    guard let interval = change.interval else { return "too few" }
    return "(\(Self.change(interval.low)) … \(Self.change(interval.high)))"
  }

  /// A relative change to a tenth of a percent; `> 999%` for what no one needs to know better.
  static func percent(_ share: Double) -> String {
    guard share < 9.99 else { return "> 999%" }
    let tenths = Int((share * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }

  static func mark(_ verdict: ChangeVerdict) -> String {
    switch verdict {
    case .identical: "="
    case .equivalent: "✓"
    case .improved: "▼"
    case .inconclusive: "?"
    case .regression: "✗"
    }
  }

  static func tone(_ verdict: ChangeVerdict) -> TerminalStyle.Tone {
    switch verdict {
    case .identical, .equivalent, .improved: .good
    case .inconclusive: .doubtful
    case .regression: .bad
    }
  }
}
