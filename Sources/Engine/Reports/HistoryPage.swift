import Runs

/// A scenario's history as one self-contained page: figures that changed first, each with its course over the runs.
public enum HistoryPage {
  public static func bytes(for history: RunHistory, scenario: String) -> [UInt8] {
    Array(template.render(Model(history, scenario)).utf8)
  }

  /// Courses in sight; those of figures that never changed are folded away beyond these.
  private static let shown = 24

  private struct Model: Sendable {
    let t = Texts.english
    let style = EmbeddedFiles.style
    let script = EmbeddedFiles.script
    let title: String
    let about: String
    let headline: String
    let notes: [String]
    let trends: [Trend]
    let hasTrends: Bool
    let more: [Trend]
    let hasMore: Bool
    let moreSummary: String
    let runs: [Entry]
    let hasRuns: Bool

    init(_ history: RunHistory, _ scenario: String) {
      let texts = Texts.english
      let name = scenario.excerpt
      title = history.runs.last.map { $0.record.scenario.title.excerpt } ?? name
      about = texts.historyOf(
        name, runs: history.runs.count,
        from: history.runs.first.map { String($0.record.recordedAt.prefix(10)) },
        to: history.runs.last.map { String($0.record.recordedAt.prefix(10)) })
      let changed = history.trends.count { !$0.changes.isEmpty }
      let isLong = history.runs.count >= RunHistory.fewestRuns
      headline =
        isLong
        ? texts.changedFigures(changed, of: history.trends.count)
        : texts.tooShort(history.runs.count, needed: RunHistory.fewestRuns)
      notes =
        (isLong
          ? [
            texts.falseDiscoveries(
              of: history.trends.count, share: Figures.share(history.falseDiscoveries))
          ] : []) + (history.leftOut > 0 ? [texts.leftOutOfHistory(history.leftOut)] : [])
      let all = history.trends.enumerated().map { Trend($0.element, history, index: $0.offset) }
      trends = Array(all.prefix(HistoryPage.shown))
      more = Array(all.dropFirst(HistoryPage.shown))
      moreSummary = texts.moreFigures(more.count)
      runs = history.runs.reversed().map(Entry.init)
      (hasTrends, hasMore, hasRuns) = (!trends.isEmpty, !more.isEmpty, !runs.isEmpty)
    }
  }

  private struct Trend: Sendable {
    let name: String
    let caption: String
    let changes: [String]
    let picture: String

    init(_ trend: RunHistory.Trend, _ history: RunHistory, index: Int) {
      let texts = Texts.english
      let series = trend.name.series
      name = "\(series.operation) \(trend.name.measure.rawValue)"
      caption =
        "\(series.world) · \(texts.name(series.basis)) · \(texts.latest) "
        + (trend.latest.map(Figures.duration) ?? texts.none)
      changes = trend.changes.reversed().map { change in
        let run = history.runs[change.run]
        return texts.changedSince(
          TerminalComparison.change(change.before > 0 ? change.after / change.before : .infinity),
          run: run.id, day: String(run.record.recordedAt.prefix(10)),
          commit: run.record.commit.excerpt, before: Figures.duration(change.before),
          after: Figures.duration(change.after))
      }
      picture = TrendChart.draw(trend, runs: history.runs, id: "trend-\(index)")
    }
  }

  private struct Entry: Sendable {
    let number: Cell
    let day: String
    let verdict: Badge
    let seed: String
    let replications: Cell
    let digest: String
    let version: String

    init(_ run: StoredRun) {
      let record = run.record
      number = Cell(String(run.id), key: Double(run.id))
      day = record.recordedAt
      verdict = Badge(record.verdict)
      seed = String(record.seed)
      replications = Cell(count: record.replications)
      digest = String(record.digest.prefix(12))
      version = "\(record.version) (\(record.commit))"
    }
  }

  private static let template = Template("history.html")
}
