import Runs
import Scenarios
import Verdicts

/// What GitHub Actions shows beside a change: workflow commands, a line each.
///
/// GitHub keeps ten errors and ten warnings of a step; the last line counts what did not fit.
public enum Annotations {
  public enum Level: String, Sendable { case error, warning, notice }

  private static let most = 10

  private typealias Item = (title: String, message: String, line: Int)

  /// Errors for what failed, warnings for what cannot be told or was slower than the baseline.
  ///
  /// - Parameter scenario: What ran, for the lines of its file that annotations are about.
  public static func lines(for run: Run, of scenario: Scenario? = nil) -> [String] {
    let texts = Texts.english
    let file = run.scenario.file.isEmpty ? nil : run.scenario.file
    var errors: [Item] = []
    var warnings: [Item] = []
    for limit in run.orderedLimits {
      let title = "\(limit.id) \(texts.word(limit.verdict))"
      let line = scenario?.worlds.first { $0.domain == limit.domain }?.line ?? 1
      switch limit.verdict {
      case .fail:
        let evidence = limit.evidence.first.map { "\n\($0.what)\n\($0.command)" } ?? ""
        errors.append(
          (
            title,
            "\(limit.statement) – \(texts.outOf(limit.violations, limit.exercised))\(evidence)",
            line
          )
        )
      case .inconclusive:
        warnings.append(
          (title, "\(limit.statement)\(limit.reason.map { " – " + $0 } ?? "")", line))
      case .pass, .notExercised: break
      }
    }
    for objective in run.orderedObjectives {
      let title = "\(texts.objective) \(texts.word(objective.verdict))"
      let figure = objective.estimateInWords.map { ": \($0)" } ?? ""
      let message = "\(objective.text)\(figure)\(objective.reason.map { " – " + $0 } ?? "")"
      let line = scenario?.objectives.first { $0.text == objective.text }?.line ?? 1
      switch objective.verdict {
      case .fail: errors.append((title, message, line))
      case .inconclusive: warnings.append((title, message, line))
      case .pass, .notExercised: break
      }
    }
    if let comparison = run.comparison {
      let item = (title: texts.comparison, message: message(comparison), line: 1)
      switch comparison.verdict {
      case .regression: errors.append(item)
      case .inconclusive: warnings.append(item)
      case .identical, .equivalent, .improved: break
      }
    }
    return lines(.error, errors, file) + lines(.warning, warnings, file)
  }

  /// What came of the comparison, and the figures that grew most.
  private static func message(_ comparison: RunComparison) -> String {
    let slower = comparison.metrics.filter { $0.change.verdict == .regression }
    let lines = slower.prefix(5).map {
      Texts.english.grew(
        "\($0.name.world).\($0.name.operation) \($0.measure.rawValue)",
        from: Figures.duration($0.before), to: Figures.duration($0.after),
        change: TerminalComparison.change($0.change.ratio))
    }
    return ([TerminalComparison.sentence(comparison)] + lines).joined(separator: "\n")
  }

  private static func lines(
    _ level: Level, _ items: [Item], _ file: String?
  ) -> [String] {
    let shown = items.count > most ? items.prefix(most - 1) : items[...]
    var lines = shown.map {
      line(level, title: $0.title, $0.message, file: file, line: file == nil ? nil : $0.line)
    }
    if shown.count < items.count {
      lines.append(
        line(
          level, title: Texts.english.report, Texts.english.notShown(items.count - shown.count),
          file: file, line: file == nil ? nil : 1))
    }
    return lines
  }

  /// One workflow command.
  public static func line(
    _ level: Level, title: String, _ message: String, file: String? = nil, line: Int? = nil,
    column: Int? = nil
  ) -> String {
    var properties: [String] = []
    if let file { properties.append("file=" + property(file)) }
    if let line { properties.append("line=\(line)") }
    if let column { properties.append("col=\(column)") }
    properties.append("title=" + property(title))
    return "::\(level.rawValue) \(properties.joined(separator: ","))::\(data(message))"
  }

  /// What the runner would take for the end of a command or line, as it undoes it.
  ///
  /// - Source: actions/toolkit, `command.ts`: `escapeData` and `escapeProperty`.
  static func data(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { Escaping.visible(String($0)).replacing(scalars: "%", with: "%25") }
      .joined(separator: "%0A")
  }

  static func property(_ text: String) -> String {
    [("%", "%25"), (":", "%3A"), (",", "%2C")].reduce(Escaping.visible(text, limit: 200)) {
      $0.replacing(scalars: $1.0, with: $1.1)
    }
  }
}
