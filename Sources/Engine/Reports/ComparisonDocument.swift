import Contracts
import Runs
import Statistics
import Verdicts

/// `comparison.json`, version 1: a run against a baseline for other programs.
///
/// Ratios are after over before; an infinite one is `null`. Times are those of the answered; of the share without an answer
/// (`withoutAnswer`), `difference`, `interval` and `smallestVisible` are differences of shares.
public enum ComparisonDocument {
  public static let version = 1

  public static func bytes(for comparison: RunComparison) -> [UInt8] {
    Array((Escaping.json(json(for: comparison).pretty()) + "\n").utf8)
  }

  public static func json(for comparison: RunComparison) -> JSON {
    [
      "version": .number(version), "verdict": .string(comparison.verdict.rawValue),
      "margin": .double(comparison.margin), "method": method(comparison.method),
      "falseAlarms": .double(ChangeJudgement.falseAlarms),
      "run": run(comparison.run), "baseline": run(comparison.baseline),
      "metrics": .array(comparison.metrics.map(metric)),
      "leftOut": .array(comparison.leftOut.map(leftOut)),
      "limits": .array(comparison.limits.map(limit)),
    ]
  }

  private static func method(_ method: RunComparison.Method) -> JSON {
    switch method {
    case .identical(let count): ["kind": "identical", "replications": .number(count)]
    case .paired(let count): ["kind": "paired", "replications": .number(count)]
    case .independent(let before, let after):
      ["kind": "independent", "before": .number(before), "after": .number(after)]
    }
  }

  private static func run(_ run: RunFigures) -> JSON {
    [
      "scenario": .string(run.scenario.name), "scenarioDigest": .string(run.scenario.digest),
      "seed": .string(String(run.seed)), "digest": .string(run.digest),
      "replications": .number(run.replications.count), "verdict": .string(run.verdict.rawValue),
      "version": .string(run.version), "commit": .string(run.commit),
    ]
  }

  private static func metric(_ metric: RunComparison.Metric) -> JSON {
    var object = name(metric.name, metric.measure)
    object["before"] = .double(metric.before)
    object["after"] = .double(metric.after)
    object["verdict"] = .string(metric.change.verdict.rawValue)
    if let reason = metric.change.reason { object["reason"] = .string(reason) }
    object["ratio"] = number(metric.change.ratio)
    object["interval"] =
      metric.change.interval.map { [.double($0.low), .double($0.high)] } ?? .null
    object["smallestVisible"] = number(metric.change.smallestVisible)
    object["chance"] = number(metric.change.chance)
    if metric.measure == .withoutAnswer {
      // Shares grow by differences, of which the judgement's ratios are another scale.
      object["ratio"] = nil
      object["difference"] = number(metric.difference)
      object["interval"] =
        metric.differenceInterval.map { [.double($0.low), .double($0.high)] } ?? .null
      object["smallestVisible"] = number(metric.smallestDifference)
    }
    return .object(object)
  }

  private static func leftOut(_ leftOut: RunComparison.LeftOut) -> JSON {
    var object = name(leftOut.name, leftOut.measure)
    object["reason"] = .string(leftOut.reason)
    return .object(object)
  }

  private static func name(_ name: LatencySeries.Name, _ measure: Measure?) -> JSONObject {
    var object: JSONObject = [
      "world": .string(name.world), "operation": .string(name.operation),
      "basis": .string(name.basis.rawValue),
    ]
    if let measure { object["measure"] = .string(measure.rawValue) }
    return object
  }

  private static func limit(_ limit: RunComparison.LimitChange) -> JSON {
    [
      "id": .string(limit.id), "before": .string(limit.before.rawValue),
      "after": .string(limit.after.rawValue),
    ]
  }

  private static func number(_ value: Double?) -> JSON { value.map(JSON.double) ?? .null }
}
