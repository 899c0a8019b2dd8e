import Runs
import Verdicts

/// What a terminal shows when a run has ended: the verdict first, every objective of the user's with its reason, and what to do next.
///
/// Normally that is no more than 24 lines; what is many gives way, objectives excepted.
public enum TerminalSummary {
  /// - Parameters:
  ///   - width: Columns of the terminal; lines are broken or cut to it, commands excepted: they must stay copyable.
  ///   - colour: Whether ANSI colours may be used.
  ///   - reportAt: Where the report lies, as the user would name it.
  public static func text(
    _ run: Run, width: Int = 80, colour: Bool, reportAt: String? = nil
  ) -> String {
    let style = TerminalStyle(width: max(20, width), colour: colour)
    let story = Story(of: run)
    let head = head(run, story, style)
    let objectives = objectives(run, style)
    let foot =
      punctuality(run, style) + settling(run, style) + untried(run, style)
      + foot(run, reportAt, style)
    // One line stays for the prompt. Every kind of finding keeps a place: what is many gives way first.
    for shown in [(3, 5), (3, 2), (2, 2), (1, 2), (1, 0)] {
      let body = failures(run, style, shown: shown.0) + objectives
      let lines = head + body + slowest(run, style, shown: shown.1) + foot
      if style.rows(of: lines) <= 23 || shown == (1, 0) {
        return lines.joined(separator: "\n") + "\n"
      }
    }
    preconditionFailure("the smallest summary is always taken")
  }

  /// What is wrong with a run that is not green, for those who want to hear of nothing else; `nil` for a green one.
  public static func problems(_ run: Run, width: Int = 80, colour: Bool) -> String? {
    guard run.exitCode != 0 else { return nil }
    let style = TerminalStyle(width: max(20, width), colour: colour)
    var run = run
    run.objectives.removeAll { $0.verdict == .pass }
    let lines =
      head(run, Story(of: run), style).dropLast() + failures(run, style, shown: 10)
      + objectives(run, style)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func head(_ run: Run, _ story: Story, _ style: TerminalStyle) -> [String] {
    let tone = TerminalStyle.tone(story.shown)
    let title = style.cut(
      Escaping.visible(run.scenario.title), to: style.width - story.word.count - 4)
    let word = style.paint(TerminalStyle.mark(story.shown) + " " + story.word.uppercased(), tone)
    return [word + "  " + style.paint(title, .strong)] + style.wrap(story.headline) + [""]
  }

  private static func failures(_ run: Run, _ style: TerminalStyle, shown most: Int) -> [String] {
    let texts = Texts.english
    let urgent = run.orderedLimits.filter { $0.verdict == .fail || $0.verdict == .inconclusive }
    guard !urgent.isEmpty else { return [] }
    let heading = urgent[0].verdict == .fail ? texts.failedLimits : texts.openLimits
    var lines = [style.paint(heading, .strong)]
    for limit in urgent.prefix(most) {
      let id = Escaping.visible(limit.id, limit: 20)
      let mark = style.paint(TerminalStyle.mark(limit.verdict), TerminalStyle.tone(limit.verdict))
      let outcome = limit.verdict == .fail ? texts.outOf(limit.violations, limit.exercised) : ""
      let room = style.width - 6 - TerminalStyle.columns(of: id + outcome)
      if room >= 20 {
        let statement = style.cut(Escaping.visible(limit.statement), to: room)
        let line = style.spread(
          statement, outcome, over: style.width - 5 - TerminalStyle.columns(of: id))
        lines.append("  \(mark) \(style.paint(id, .strong)) \(line)")
      } else {
        lines.append("  \(mark) \(style.paint(id, .strong))")
        let whole = Escaping.visible(limit.statement) + (outcome.isEmpty ? "" : " – \(outcome)")
        lines += style.wrap(whole, indent: 4)
      }
      if let evidence = limit.evidence.first {
        lines.append("    " + style.cut(Escaping.visible(evidence.what), to: style.width - 4))
        lines.append("    " + style.paint(Escaping.visible(evidence.command, limit: 4_000), .quiet))
      } else if let reason = limit.reason {
        lines += style.wrap(Escaping.visible(reason, limit: 300), indent: 4)
      }
    }
    return lines + more(urgent.count - most)
  }

  private static func more(_ count: Int) -> [String] {
    count > 0 ? ["  … \(Figures.count(count)) \(Texts.english.more)"] : []
  }

  /// All of them: one that hides behind "more" may be the one that matters.
  private static func objectives(_ run: Run, _ style: TerminalStyle) -> [String] {
    let texts = Texts.english
    guard !run.objectives.isEmpty else { return [] }
    var lines = [style.paint(texts.objectives, .strong)]
    for objective in run.orderedObjectives {
      let mark = style.paint(
        TerminalStyle.mark(objective.verdict), TerminalStyle.tone(objective.verdict))
      let figure =
        (objective.estimateInWords ?? texts.none)
        + (objective.range.map { " (\($0))" } ?? "")
      lines += style.row(
        mark, Escaping.visible(objective.text, limit: 500), figure, isWhole: true)
      if objective.verdict != .pass, let reason = objective.reason {
        lines += style.wrap(Escaping.visible(reason, limit: 300), indent: 4)
      }
    }
    return lines
  }

  /// Rules of which the run says nothing, so that "all held" is not taken for more than it is.
  private static func untried(_ run: Run, _ style: TerminalStyle) -> [String] {
    let ids = run.limits.filter { $0.verdict == .notExercised }.map {
      Escaping.visible($0.id, limit: 20)
    }
    guard !ids.isEmpty else { return [] }
    return [style.paint(style.cut(Texts.english.untriedRules(ids), to: style.width), .quiet)]
  }

  /// What was left out at the beginning, or had better be.
  private static func settling(_ run: Run, _ style: TerminalStyle) -> [String] {
    (run.settling?.sentences ?? []).flatMap { style.wrap($0) }
  }

  /// How late requests left, of a run in real time.
  private static func punctuality(_ run: Run, _ style: TerminalStyle) -> [String] {
    guard let punctuality = run.machine.punctuality else { return [] }
    let lines = run.exitCode == 96 ? punctuality.breaches.flatMap { style.wrap($0) } : []
    return lines + style.wrap(Texts.english.punctuality(punctuality))
      + (punctuality.calls.map { style.wrap(TerminalLoad.requestsInALine($0)) } ?? [])
  }

  private static func slowest(_ run: Run, _ style: TerminalStyle, shown: Int) -> [String] {
    let texts = Texts.english
    guard shown > 0, let first = run.slowestFirst.first else { return [] }
    let heading = "\(texts.slowest) (\(texts.name(first.basis)))"
    let columns = ["p50", "p99"].map { style.pad($0, to: 12) }.joined()
    let title = style.cut(heading, to: style.width - TerminalStyle.columns(of: columns) - 1)
    var lines = [style.paint(style.spread(title, columns, over: style.width), .strong)]
    for latency in run.slowestFirst.filter({ $0.basis == first.basis }).prefix(shown) {
      let figures = [0.5, 0.99].map {
        style.pad(latency.words(forQuantile: $0, short: true), to: 12)
      }.joined()
      let isNarrow = style.width < 60 && run.scenario.worlds.count == 1
      let name = Escaping.visible((isNarrow ? "" : latency.world + ".") + latency.operation)
      lines.append(
        style.spread("  " + style.cut(name, to: style.width - 27), figures, over: style.width))
    }
    return lines
  }

  private static func foot(_ run: Run, _ reportAt: String?, _ style: TerminalStyle) -> [String] {
    let texts = Texts.english
    let counts = texts.repeated(run.replications.count)
    let origin =
      "\(texts.digest) \(Escaping.visible(run.digest, limit: 64)) · \(texts.seed.lowercased()) \(run.seed) · \(counts)"
    var lines = [style.paint(style.cut(origin, to: style.width), .quiet)]
    if let reportAt {
      lines.append("\(texts.reportAt) \(Escaping.visible(reportAt, limit: 4_000))")
    }
    let folder = reportAt.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) }
    if let next = TerminalNext.after(run, folder: folder?.isEmpty == true ? nil : folder) {
      lines += style.wrap(next.words)
      if let command = next.command {
        lines.append("  " + Escaping.visible(command, limit: 4_000))
      }
    }
    return lines
  }
}
