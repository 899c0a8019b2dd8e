import Observations
import Runs
import Verdicts

/// What a terminal shows when a load has ended: the verdict, objectives, response times with intervals, failures, the generator. It
/// fits a screen of 24 lines unless there are many objectives.
public enum TerminalLoad {
  /// - Parameters:
  ///   - width: Columns of the terminal.
  ///   - explanations: What libcurl said of the first failure of each class; shown escaped.
  ///   - reportAt: Where the report lies, as the user would name it.
  public static func text(
    _ run: Run, width: Int = 80, colour: Bool, explanations: [String: String] = [:],
    reportAt: String? = nil
  ) -> String {
    guard let generator = run.generator else { preconditionFailure("only loads have a generator") }
    let style = TerminalStyle(width: max(40, width), colour: colour)
    let story = Story(of: run)
    let word = style.paint(
      TerminalStyle.mark(story.shown) + " " + story.word.uppercased(),
      TerminalStyle.tone(story.shown))
    let title = style.cut(
      Escaping.visible(run.scenario.title), to: style.width - story.word.count - 4)
    var lines = [word + "  " + style.paint(title, .strong)] + style.wrap(story.headline)
    lines += generator.breaches.flatMap { style.wrap(Escaping.visible($0, limit: 300), indent: 2) }
    lines.append("")
    lines += objectives(run, style)
    lines += style.wrap(totals(run, generator), indent: 0)
    lines += times(run, generator, style)
    lines += phases(generator, style)
    lines += failures(run, explanations, style)
    lines += health(generator, machines: run.machine.workers, style)
    if let reportAt { lines.append("Report: \(Escaping.visible(reportAt, limit: 4_000))") }
    for step in Story.Step.all(afterLoad: run, generator).prefix(1) {
      lines += style.wrap(step.words)
      if let command = step.command { lines.append("  " + Escaping.visible(command, limit: 4_000)) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What became of each objective, in one line: `p99 < 200ms: 12 ms (11 ms to 13 ms)`.
  public static func objectivesInALine(_ run: Run) -> String {
    run.orderedObjectives.map { objective in
      "\(Escaping.visible(objective.text, limit: 120)): \(objective.estimateInWords ?? Texts.english.none)"
        + (objective.range.map { " (\($0))" } ?? "")
    }.joined(separator: ", ")
  }

  /// `Requests sent: 30 = 20 counted + 10 of the warm-up`.
  public static func requestsInALine(_ calls: RequestTally) -> String {
    "\(Texts.english.requestsSent): \(Texts.english.requests(calls))"
  }

  private static func objectives(_ run: Run, _ style: TerminalStyle) -> [String] {
    run.orderedObjectives.flatMap { objective in
      let mark = style.paint(
        TerminalStyle.mark(objective.verdict), TerminalStyle.tone(objective.verdict))
      let figure =
        (objective.estimateInWords ?? Texts.english.none)
        + (objective.range.map { " (\($0))" } ?? "")
      var lines = style.row(
        mark, Escaping.visible(objective.text, limit: 500), figure, isWhole: true)
      if objective.verdict != .pass, let reason = objective.reason {
        lines += style.wrap(Escaping.visible(reason, limit: 300), indent: 4)
      }
      return lines
    }
  }

  /// What other tools of load print first: how many calls, how fast, how many failed, how many bytes came.
  static func totals(_ run: Run, _ generator: GeneratorResult) -> String {
    let texts = Texts.english
    let answered = run.latencies.reduce(0) { $0 + $1.answered }
    let cutOff = run.latencies.reduce(0) { $0 + $1.cutOff }
    func share(_ count: Int) -> String {
      run.requests > 0 ? " (\(Figures.share(Double(count) / Double(run.requests))))" : ""
    }
    let parts: [String?] = [
      texts.many(run.requests, "call", "calls"),
      "\(Figures.number(generator.reachedPerSecond)) answers/s",
      "\(Figures.count(answered)) answered\(share(answered))",
      "\(Figures.count(run.withoutAnswer)) failed\(share(run.withoutAnswer))",
      cutOff > 0 ? "\(Figures.count(cutOff)) cut off at the end\(share(cutOff))" : nil,
      "\(Figures.bytes(generator.bytes)) received",
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  private static let shown = [0.5, 0.9, 0.99, 0.999]
  private static let routesMost = 6

  /// One route has a line for each quantile with its interval; several have a line each.
  private static func times(
    _ run: Run, _ generator: GeneratorResult, _ style: TerminalStyle
  ) -> [String] {
    let texts = Texts.english
    guard let first = run.latencies.first else { return [] }
    if run.latencies.count == 1 {
      let service = generator.service.first { $0.operation == first.operation }
      let heading = "Response time, \(texts.many(first.count, "call", "calls"))"
      let columns = ["response", "95 % interval", "service"].enumerated().map {
        style.pad($0.element, to: $0.offset == 1 ? 22 : 12)
      }
      return [style.paint(style.spread(heading, columns.joined(), over: style.width), .strong)]
        + shown.map { q in
          let quantile = first.quantiles.first { abs($0.q - q) < 1e-9 }
          let range = quantile?.interval.map { Figures.durations($0.low, $0.high) } ?? texts.none
          let alone = service?.quantiles.first { abs($0.share - q) < 1e-9 }
          let figures = [
            style.pad(first.words(forQuantile: q), to: 12), style.pad(range, to: 22),
            style.pad(alone.map { Figures.duration($0.seconds) } ?? texts.none, to: 12),
          ]
          return style.spread("  " + Figures.quantile(q), figures.joined(), over: style.width)
        }
    }
    let names = shown.map { style.pad(Figures.quantile($0), to: 11) }.joined()
    let lines = run.slowestFirst.prefix(routesMost).map { latency in
      let figures = shown.map { style.pad(latency.words(forQuantile: $0), to: 11) }.joined()
      let room = style.width - TerminalStyle.columns(of: figures) - 3
      return style.spread(
        "  " + style.cut(Escaping.visible(latency.operation), to: room), figures,
        over: style.width)
    }
    let more = run.latencies.count - lines.count
    return [style.paint(style.spread("Response time", names, over: style.width), .strong)] + lines
      + (more > 0 ? ["  … \(more) \(texts.more)"] : [])
  }

  /// `p50 1.2 ms, p99 8 ms; 12 of 3,000 calls without a usable answer`.
  static func words(_ phase: GeneratorResult.Phase) -> String {
    let texts = Texts.english
    let times = phase.quantiles.map {
      "\(Figures.quantile($0.share)) \(Figures.duration($0.seconds))"
    }
    let calls = texts.many(phase.calls, "call", "calls")
    return (times.isEmpty ? texts.none : times.joined(separator: ", "))
      + (phase.failed > 0
        ? "; \(Figures.count(phase.failed)) of \(calls) without a usable answer" : "; \(calls)")
  }

  private static let phasesMost = 8

  private static func phases(_ generator: GeneratorResult, _ style: TerminalStyle) -> [String] {
    guard !generator.phases.isEmpty else { return [] }
    let names = shown.map { style.pad(Figures.quantile($0), to: 11) }.joined()
    let lines = generator.phases.prefix(phasesMost).map { phase in
      let figures = shown.map { q in
        let found = phase.quantiles.first { abs($0.share - q) < 1e-9 }
        return style.pad(found.map { Figures.duration($0.seconds) } ?? Texts.english.none, to: 11)
      }.joined()
      return style.spread("  " + phase.pace, figures, over: style.width)
    }
    let more = generator.phases.count - lines.count
    return [style.paint(style.spread("Phases", names, over: style.width), .strong)] + lines
      + (more > 0 ? ["  … \(more) \(Texts.english.more)"] : [])
  }

  private static func failures(
    _ run: Run, _ explanations: [String: String], _ style: TerminalStyle
  ) -> [String] {
    let failures = run.failures
    guard !failures.isEmpty, run.requests > 0 else { return [] }
    let all = failures.reduce(0) { $0 + $1.count }
    let share = Figures.share(Double(all) / Double(run.requests))
    return [
      style.paint(
        "No usable answer: \(Texts.english.many(all, "call", "calls")), \(share)", .strong)
    ]
      + failures.prefix(4).map { failure in
        let said = explanations[failure.code].map { "  " + Escaping.visible($0, limit: 120) } ?? ""
        let share = Figures.share(Double(failure.count) / Double(run.requests))
        return style.cut(
          "  \(Story.words(failure)) (\(share))\(said)", to: style.width)
      }
      + (failures.count > 4 ? ["  … \(failures.count - 4) \(Texts.english.more)"] : [])
  }

  private static func health(
    _ generator: GeneratorResult, machines: Int, _ style: TerminalStyle
  ) -> [String] {
    let late = generator.lateness.first { abs($0.share - 0.99) < 1e-9 }
    let parts = [
      generator.wantedPerSecond.map { "wanted \(Figures.number($0))/s" },
      late.map { "late p99 \(Figures.duration($0.seconds))" },
      "\(Int((generator.threadShare * 100).rounded())) % of a core",
      machines == 1 ? "one machine, one run" : "the worst of \(machines), one run",
    ].compactMap(\.self)
    let lines = [
      requestsInALine(generator.calls),
      generator.pauses > 0 ? Texts.english.pauses(generator.pauses) : nil,
      "Generator: " + parts.joined(separator: ", "),
    ]
    return lines.compactMap(\.self).flatMap { style.wrap($0) }
      .map { style.paint($0, .quiet) }
  }
}
