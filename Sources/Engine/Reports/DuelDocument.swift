import Contracts
import Runs
import Verdicts

/// `duel.json`, version 1: two builds against each other, for other programs.
///
/// Times are seconds, ratios are those of the challenger over the baseline.
public enum DuelDocument {
  public static let version = 1

  public static func bytes(for duel: Duel) -> [UInt8] {
    Array((Escaping.json(json(for: duel).pretty()) + "\n").utf8)
  }

  public static func json(for duel: Duel) -> JSON {
    [
      "version": .number(version), "verdict": .string(duel.verdict.rawValue),
      "margin": .double(duel.margin), "falseAlarms": .double(ChangeJudgement.falseAlarms),
      "sameWork": .bool(duel.isSameWork), "paced": .bool(duel.isPaced),
      "baseline": .array(duel.baseline.map(bout)),
      "challenger": .array(duel.challenger.map(bout)),
      "metrics": .array(duel.metrics.map(metric)),
    ]
  }

  private static func bout(_ bout: Duel.Bout) -> JSON {
    [
      "digest": .string(bout.digest), "wallSeconds": .double(bout.wall),
      "p50Seconds": seconds(bout.medians), "p99Seconds": seconds(bout.tails),
    ]
  }

  private static func seconds(_ figures: [String: Double]) -> JSON {
    var object = JSONObject()
    for (name, seconds) in figures.sorted(by: { $0.key < $1.key }) {
      object[name] = .double(seconds)
    }
    return .object(object)
  }

  private static func metric(_ metric: Duel.Metric) -> JSON {
    var object: JSONObject = [
      "name": .string(metric.name), "before": .double(metric.before),
      "after": .double(metric.after), "verdict": .string(metric.change.verdict.rawValue),
    ]
    if let reason = metric.change.reason { object["reason"] = .string(reason) }
    object["ratio"] = metric.change.ratio.map(JSON.double) ?? .null
    object["interval"] =
      metric.change.interval.map { [.double($0.low), .double($0.high)] } ?? .null
    object["smallestVisible"] = metric.change.smallestVisible.map(JSON.double) ?? .null
    object["chance"] = metric.change.chance.map(JSON.double) ?? .null
    return .object(object)
  }
}
