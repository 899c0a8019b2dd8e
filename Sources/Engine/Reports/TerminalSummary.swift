import Runs
import Verdicts

/// What a terminal shows when a run has ended: the verdict first, and normally no more than 24 lines.
public enum TerminalSummary {
  /// - Parameters:
  ///   - width: Columns of the terminal; lines are broken or cut to it, commands excepted: they must stay copyable.
  ///   - colour: Whether ANSI colours may be used.
  ///   - reportAt: Where the report lies, as the user would name it.
  public static func text(
    _ run: Run, width: Int = 80, colour: Bool, reportAt: String? = nil
  ) -> String {
    let paper = TerminalPaper(width: max(40, width), colour: colour)
    let story = Story(of: run)
    let head = head(run, story, paper)
    let foot = foot(run, reportAt, paper)
    // One line stays for the prompt. Every kind of finding keeps a place: what is many gives way first.
    for shown in [(3, 4, 5), (3, 4, 2), (2, 4, 2), (2, 3, 2), (1, 3, 2)] {
      let body =
        failures(run, paper, shown: shown.0) + objectives(run, paper, shown: shown.1)
        + slowest(run, paper, shown: shown.2)
      let lines = head + body + foot
      if paper.rows(of: lines) <= 23 || shown == (1, 3, 2) {
        return lines.joined(separator: "\n") + "\n"
      }
    }
    preconditionFailure("the smallest summary is always taken")
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
      let statement = paper.cut(Escaping.visible(limit.statement), to: room)
      let line = paper.spread(
        statement, outcome, over: paper.width - 5 - TerminalPaper.columns(of: id))
      lines.append("  \(mark) \(paper.paint(id, .strong)) \(line)")
      let detail = limit.evidence.first?.what ?? limit.reason ?? ""
      if !detail.isEmpty {
        lines.append("    " + paper.cut(Escaping.visible(detail), to: paper.width - 4))
      }
      if let command = limit.evidence.first?.command {
        lines.append("    " + paper.paint(Escaping.visible(command, limit: 4_000), .quiet))
      }
    }
    return lines + more(urgent.count - most)
  }

  private static func more(_ count: Int) -> [String] {
    count > 0 ? ["  … \(Figures.count(count)) \(Texts.english.more)"] : []
  }

  private static func objectives(_ run: Run, _ paper: TerminalPaper, shown: Int) -> [String] {
    let texts = Texts.english
    guard !run.objectives.isEmpty else { return [] }
    var lines = [paper.paint(texts.objectives, .strong)]
    for objective in run.orderedObjectives.prefix(shown) {
      let mark = paper.paint(
        TerminalPaper.mark(objective.verdict), TerminalPaper.tone(objective.verdict))
      let figure =
        (objective.estimateInWords ?? texts.none)
        + (objective.range.map { " (\($0))" } ?? "")
      let name = paper.cut(
        Escaping.visible(objective.text), to: paper.width - 5 - TerminalPaper.columns(of: figure))
      lines.append("  \(mark) " + paper.spread(name, figure, over: paper.width - 4))
    }
    return lines + more(run.objectives.count - shown)
  }

  private static func slowest(_ run: Run, _ paper: TerminalPaper, shown: Int) -> [String] {
    let texts = Texts.english
    guard let first = run.slowestFirst.first else { return [] }
    let heading = "\(texts.slowest) (\(texts.name(first.basis)))"
    let columns = ["p50", "p99"].map { paper.pad($0, to: 12) }.joined()
    var lines = [paper.paint(paper.spread(heading, columns, over: paper.width), .strong)]
    for latency in run.slowestFirst.filter({ $0.basis == first.basis }).prefix(shown) {
      let figures = [0.5, 0.99].map {
        paper.pad(latency.words(forQuantile: $0, short: true), to: 12)
      }.joined()
      let name = Escaping.visible(latency.world + "." + latency.operation)
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
    return lines
  }
}
