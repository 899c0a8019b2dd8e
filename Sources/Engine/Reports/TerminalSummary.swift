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
    var lines = head(run, story, paper)
    let foot = foot(run, reportAt, paper)
    let failed = failures(run, paper)
    let aims = objectives(run, paper)
    lines += failed + aims
    // One line for the prompt; what is slow gives way to what is broken.
    let room = 24 - 1 - lines.count - foot.count
    lines += slowest(run, paper, lines: min(6, max(0, room)))
    return (lines + foot).joined(separator: "\n") + "\n"
  }

  private static func head(_ run: Run, _ story: Story, _ paper: TerminalPaper) -> [String] {
    let tone = TerminalPaper.tone(run.verdict)
    let title = paper.cut(
      Escaping.visible(run.scenario.title), to: paper.width - story.word.count - 4)
    let word = paper.paint(TerminalPaper.mark(run.verdict) + " " + story.word.uppercased(), tone)
    return [word + "  " + paper.paint(title, .strong)] + paper.wrap(story.headline)
  }

  private static func failures(_ run: Run, _ paper: TerminalPaper) -> [String] {
    let texts = Texts.english
    let urgent = run.orderedLimits.filter { $0.verdict == .fail || $0.verdict == .inconclusive }
    guard !urgent.isEmpty else { return [] }
    let shown = urgent.prefix(urgent.count > 3 ? 2 : 3)
    let heading = urgent[0].verdict == .fail ? texts.failedLimits : texts.openLimits
    var lines = ["", paper.paint(heading, .strong)]
    for limit in shown {
      let id = Escaping.visible(limit.id, limit: 20)
      let indent = "  " + String(repeating: " ", count: 2)
      let mark = paper.paint(TerminalPaper.mark(limit.verdict), TerminalPaper.tone(limit.verdict))
      let rest = paper.cut(Escaping.visible(limit.statement), to: paper.width - 5 - id.count)
      lines.append("  \(mark) \(paper.paint(id, .strong)) \(rest)")
      let outcome =
        limit.verdict == .fail ? texts.outOf(limit.violations, limit.exercised) : limit.reason ?? ""
      let seen = limit.evidence.first.map { "\($0.who): \($0.what)" } ?? ""
      let detail = [outcome, seen].filter { !$0.isEmpty }.joined(separator: " · ")
      lines.append(indent + paper.cut(Escaping.visible(detail), to: paper.width - 4))
      let command = limit.evidence.first?.command ?? run.command
      lines.append(indent + paper.paint(Escaping.visible(command, limit: 4_000), .quiet))
    }
    if urgent.count > shown.count {
      lines.append("  … \(Figures.count(urgent.count - shown.count)) \(texts.more)")
    }
    return lines
  }

  private static func objectives(_ run: Run, _ paper: TerminalPaper) -> [String] {
    let texts = Texts.english
    guard !run.objectives.isEmpty else { return [] }
    let shown = run.orderedObjectives.prefix(run.objectives.count > 4 ? 3 : 4)
    var lines = ["", paper.paint(texts.objectives, .strong)]
    for objective in shown {
      let mark = paper.paint(
        TerminalPaper.mark(objective.verdict), TerminalPaper.tone(objective.verdict))
      var figure = objective.estimate.map(objective.figure) ?? texts.none
      if let interval = objective.interval {
        figure += " (\(objective.figure(interval.low)) – \(objective.figure(interval.high)))"
      }
      let name = paper.cut(
        Escaping.visible(objective.text), to: paper.width - 6 - TerminalPaper.columns(of: figure))
      lines.append("  \(mark) " + paper.spread(name, figure, over: paper.width - 4))
    }
    if run.objectives.count > shown.count {
      lines.append("  … \(Figures.count(run.objectives.count - shown.count)) \(texts.more)")
    }
    return lines
  }

  private static func slowest(_ run: Run, _ paper: TerminalPaper, lines room: Int) -> [String] {
    let texts = Texts.english
    guard room >= 3, let first = run.slowestFirst.first else { return [] }
    let heading = "\(texts.slowest) (\(texts.name(first.basis)))"
    let columns = ["p50", "p99"].map { paper.pad($0, to: 12) }.joined()
    var lines = [
      "", paper.paint(paper.spread(heading, columns, over: paper.width), .strong),
    ]
    for latency in run.slowestFirst.filter({ $0.basis == first.basis }).prefix(room - 2) {
      let figures = [0.5, 0.99].map { q -> String in
        guard let quantile = latency.quantile(q) else { return paper.pad(texts.none, to: 12) }
        return paper.pad(quantile.seconds.map(Figures.duration) ?? texts.never, to: 12)
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
    var lines = ["", paper.paint(paper.cut(origin, to: paper.width), .quiet)]
    if let reportAt {
      lines.append("\(texts.reportAt) \(Escaping.visible(reportAt, limit: 4_000))")
    }
    return lines
  }
}
