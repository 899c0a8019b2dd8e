import Contracts
import Runs

/// `duel.json` of two servers under one load: a comparison of their runs, as `ComparisonDocument` writes it, and what each run measured.
public enum LoadDuelDocument {
  /// - Parameter repeatedPairs: Pairs that did not count, because the generator was the limit.
  public static func bytes(for comparison: RunComparison, repeatedPairs: Int) -> [UInt8] {
    Array((Escaping.json(json(for: comparison, repeatedPairs).pretty()) + "\n").utf8)
  }

  private static func json(for comparison: RunComparison, _ repeatedPairs: Int) -> JSON {
    var object = ComparisonDocument.json(for: comparison).object ?? [:]
    object["kind"] = "load"
    object["pace"] = comparison.run.pace.map(JSON.string) ?? .null
    object["repeatedPairs"] = .number(repeatedPairs)
    object["baselineRuns"] = runs(of: comparison.baseline)
    object["runs"] = runs(of: comparison.run)
    return .object(object)
  }

  /// Of each route, each run's figures in the order in which they were made.
  private static func runs(of side: RunFigures) -> JSON {
    .array(
      side.series.map { series in
        [
          "operation": .string(series.name.operation),
          "figures": .array(series.figures.map { $0.map(figures) ?? .null }),
        ]
      })
  }

  private static func figures(_ figures: LatencyFigures) -> JSON {
    [
      "count": .number(figures.count), "mean": ResultDocument.number(figures.mean),
      "p50": ResultDocument.number(figures.p50), "p95": ResultDocument.number(figures.p95),
      "p99": ResultDocument.number(figures.p99),
      "unanswered": figures.unanswered.map(JSON.number) ?? .null,
    ]
  }
}
