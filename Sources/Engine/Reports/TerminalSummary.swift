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
    let paper = TerminalPaper(width: max(20, width), colour: colour)
    let story = Story(of: run)
    let head = head(run, story, paper)
    let objectives = objectives(run, paper)
    let foot =
      punctuality(run, paper) + settling(run, paper) + untried(run, paper)
      + foot(run, reportAt, paper)
    // One line stays for the prompt. Every kind of finding keeps a place: what is many gives way first.
    for shown in [(3, 5), (3, 2), (2, 2), (1, 2), (1, 0)] {
      let body = failures(run, paper, shown: shown.0) + objectives
      let lines = head + body + slowest(run, paper, shown: shown.1) + foot
      if paper.rows(of: lines) <= 23 || shown == (1, 0) {
        return lines.joined(separator: "\n") + "\n"
      }
    }
    preconditionFailure("the smallest summary is always taken")
  }

  /// What is wrong with a run that is not green, for those who want to hear of nothing else; `nil` for a green one.
  public static func problems(_ run: Run, width: Int = 80, colour: Bool) -> String? {
    guard run.exitCode != 0 else { return nil }
    let paper = TerminalPaper(width: max(20, width), colour: colour)
    var run = run
    run.objectives.removeAll { $0.verdict == .pass }
    let lines =
      head(run, Story(of: run), paper).dropLast() + failures(run, paper, shown: 10)
      + objectives(run, paper)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func head(_ run: Run, _ story: Story, _ paper: TerminalPaper) -> [String] {
    let tone = TerminalPaper.tone(story.shown)
    let title = paper.cut(
      Escaping.visible(run.scenario.title), to: paper.width - story.word.count - 4)
    let word = paper.paint(TerminalPaper.mark(story.shown) + " " + story.word.uppercased(), tone)
    return [word + "  " + paper.paint(title, .strong)] + paper.wrap(story.headline) + [""]
  }

  private static func failures(_ run: Run, _ paper: TerminalPaper, shown most: Int) -> [String] {
    let texts = Texts.english
    let urgent = run.orderedLimits.filter { $0.verdict == .fail || $0.verdict == .inconclusive }
    guard !urgent.isEmpty else { return [] }
    let heading = urgent[0].verdict == .fail ? texts.failedLimits : texts.openLimits
    var lines = [paper.paint(heading, .strong)]
    for limit in urgent.prefix(most) {
      let id = Escaping.visible(limit.id, limit: 20)
      let mark = paper.paint(TerminalPaper.mark(limit.verdict), TerminalPaper.tone(limit.verdict))
      let outcome = limit.verdict == .fail ? texts.outOf(limit.violations, limit.exercised) : ""
      let room = paper.width - 6 - TerminalPaper.columns(of: id + outcome)
      if room >= 20 {
        let statement = paper.cut(Escaping.visible(limit.statement), to: room)
        let line = paper.spread(
          statement, outcome, over: paper.width - 5 - TerminalPaper.columns(of: id))
        lines.append("  \(mark) \(paper.paint(id, .strong)) \(line)")
      } else {
        lines.append("  \(mark) \(paper.paint(id, .strong))")
        let whole = Escaping.visible(limit.statement) + (outcome.isEmpty ? "" : " – \(outcome)")
        lines += paper.wrap(whole, indent: 4)
      }
      if let evidence = limit.evidence.first {
        lines.append("    " + paper.cut(Escaping.visible(evidence.what), to: paper.width - 4))
        lines.append("    " + paper.paint(Escaping.visible(evidence.command, limit: 4_000), .quiet))
      } else if let reason = limit.reason {
        lines += paper.wrap(Escaping.visible(reason, limit: 300), indent: 4)
      }
    }
    return lines + more(urgent.count - most)
  }

  private static func more(_ count: Int) -> [String] {
    count > 0 ? ["  … \(Figures.count(count)) \(Texts.english.more)"] : []
  }

  /// All of them: one that hides behind "more" may be the one that matters.
  private static func objectives(_ run: Run, _ paper: TerminalPaper) -> [String] {
    let texts = Texts.english
    guard !run.objectives.isEmpty else { return [] }
    var lines = [paper.paint(texts.objectives, .strong)]
    for objective in run.orderedObjectives {
      let mark = paper.paint(
        TerminalPaper.mark(objective.verdict), TerminalPaper.tone(objective.verdict))
      let figure =
        (objective.estimateInWords ?? texts.none)
        + (objective.range.map { " (\($0))" } ?? "")
      lines += paper.row(
        mark, Escaping.visible(objective.text, limit: 500), figure, isWhole: true)
      if objective.verdict != .pass, let reason = objective.reason {
        lines += paper.wrap(Escaping.visible(reason, limit: 300), indent: 4)
      }
    }
    return lines
  }

  /// Rules of which the run says nothing, so that "all held" is not taken for more than it is.
  private static func untried(_ run: Run, _ paper: TerminalPaper) -> [String] {
    let ids = run.limits.filter { $0.verdict == .notExercised }.map {
      Escaping.visible($0.id, limit: 20)
    }
    guard !ids.isEmpty else { return [] }
    return [paper.paint(paper.cut(Texts.english.untriedRules(ids), to: paper.width), .quiet)]
  }

  /// What was left out at the beginning, or had better be.
  private static func settling(_ run: Run, _ paper: TerminalPaper) -> [String] {
    (run.settling?.sentences ?? []).flatMap { paper.wrap($0) }
  }

  /// How late requests left, of a run in real time.
  private static func punctuality(_ run: Run, _ paper: TerminalPaper) -> [String] {
    guard let punctuality = run.machine.punctuality else { return [] }
    let lines = run.exitCode == 96 ? punctuality.breaches.flatMap { paper.wrap($0) } : []
    return lines + paper.wrap(Texts.english.punctuality(punctuality))
  }

  private static func slowest(_ run: Run, _ paper: TerminalPaper, shown: Int) -> [String] {
    let texts = Texts.english
    guard shown > 0, let first = run.slowestFirst.first else { return [] }
    let heading = "\(texts.slowest) (\(texts.name(first.basis)))"
    let columns = ["p50", "p99"].map { paper.pad($0, to: 12) }.joined()
    let title = paper.cut(heading, to: paper.width - TerminalPaper.columns(of: columns) - 1)
    var lines = [paper.paint(paper.spread(title, columns, over: paper.width), .strong)]
    for latency in run.slowestFirst.filter({ $0.basis == first.basis }).prefix(shown) {
      let figures = [0.5, 0.99].map {
        paper.pad(latency.words(forQuantile: $0, short: true), to: 12)
      }.joined()
      let isNarrow = paper.width < 60 && run.scenario.worlds.count == 1
      let name = Escaping.visible((isNarrow ? "" : latency.world + ".") + latency.operation)
      lines.append(
        paper.spread("  " + paper.cut(name, to: paper.width - 27), figures, over: paper.width))
    }
    return lines
  }

  private static func foot(_ run: Run, _ reportAt: String?, _ paper: TerminalPaper) -> [String] {
    let texts = Texts.english
    let counts = texts.repeated(run.replications.count)
    let origin =
      "\(texts.digest) \(Escaping.visible(run.digest, limit: 64)) · \(texts.seed.lowercased()) \(run.seed) · \(counts)"
    var lines = [paper.paint(paper.cut(origin, to: paper.width), .quiet)]
    if let reportAt {
      lines.append("\(texts.reportAt) \(Escaping.visible(reportAt, limit: 4_000))")
    }
    let folder = reportAt.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) }
    if let next = TerminalNext.after(run, folder: folder?.isEmpty == true ? nil : folder) {
      lines += paper.wrap(next.words)
      if let command = next.command {
        lines.append("  " + Escaping.visible(command, limit: 4_000))
      }
    }
    return lines
  }
}
