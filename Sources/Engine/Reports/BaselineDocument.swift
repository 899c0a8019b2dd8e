import Contracts
import Runs
import Verdicts

/// An accepted run as compact JSON that can live in a repository: one line for each operation, so that changes are readable.
///
/// Times are rounded to six significant digits: finer than the histograms that they come from.
public enum BaselineDocument {
  public static let version = 1
  /// The member that tells such a file from others.
  static let mark = "rehearsalBaseline"

  public static func bytes(for run: RunFigures) -> [UInt8] {
    var lines = [
      "\"\(mark)\":\(version)",
      member("scenario", scenario(run.scenario)),
      member("seed", .string(String(run.seed))),
      member("digest", .string(run.digest)),
      member("verdict", .string(run.verdict.rawValue)),
      member("version", .string(run.version)),
      member("commit", .string(run.commit)),
      member("seeds", .strings(run.replications.map { String($0.seed) })),
      member("digests", .strings(run.replications.map(\.digest))),
      member("limits", limits(run.limits)),
    ]
    let series = run.series.map(Self.series).map(\.description).joined(separator: ",\n")
    lines.append("\"latencies\":[\n\(series)\n]")
    return Array((Escaping.json("{" + lines.joined(separator: ",\n")) + "}\n").utf8)
  }

  private static func member(_ name: String, _ value: JSON) -> String { "\"\(name)\":\(value)" }

  private static func scenario(_ scenario: RunFigures.Scenario) -> JSON {
    [
      "name": .string(scenario.name), "title": .string(scenario.title),
      "digest": .string(scenario.digest),
      "inconclusive": .string(scenario.doubtStops ? "fail" : "warn"),
    ]
  }

  /// The limits by verdict.
  private static func limits(_ limits: [RunFigures.Limit]) -> JSON {
    let all: [Verdict] = [.pass, .fail, .inconclusive, .notExercised]
    return .object(
      JSONObject(
        all.map { verdict in
          (
            name: verdict.rawValue,
            value: .strings(limits.filter { $0.verdict == verdict }.map(\.id).sorted())
          )
        }))
  }

  private static func series(_ series: LatencySeries) -> JSON {
    var object: JSONObject = [
      "world": .string(series.name.world), "operation": .string(series.name.operation),
      "basis": .string(series.name.basis.rawValue),
      "count": .array(series.figures.map { .number($0?.count ?? 0) }),
    ]
    for measure in Measure.times {
      object[measure.rawValue] = .array(
        series.figures.map { ($0?[measure]).map { .double(rounded($0)) } ?? .null })
    }
    if series.figures.contains(where: { $0?.unanswered != nil }) {
      object["unanswered"] = .array(
        series.figures.map { ($0?.unanswered).map(JSON.number) ?? .null })
    }
    return .object(object)
  }

  private static func rounded(_ seconds: Double) -> Double {
    guard seconds > 0, seconds.isFinite else { return seconds }
    var scale = 1.0
    while seconds * scale < 1e5, scale < 1e12 { scale *= 10 }
    return (seconds * scale).rounded() / scale
  }

  // MARK: - Reading

  static func figures(of document: ReadingNode) throws(ReadingProblem) -> RunFigures {
    let seeds = try document.required("seeds")
    let digests = try document.required("digests").items()
    var replications: [RunFigures.Replication] = []
    for (place, seed) in try seeds.items().enumerated() {
      guard digests.indices.contains(place) else {
        throw seeds.problem(
          "there are more seeds than digests", "accept the baseline again from its run")
      }
      replications.append(
        .init(seed: try seed.seed(), digest: try digests[place].digest()))
    }
    guard digests.count == replications.count else {
      throw seeds.problem(
        "there are more digests than seeds", "accept the baseline again from its run")
    }
    let digest = try document.required("digest")
    try ResultReading.check(digest, follows: replications)
    var limits: [RunFigures.Limit] = []
    let lists = try document.required("limits")
    for verdict in [Verdict.pass, .fail, .inconclusive, .notExercised] {
      for id in try lists.member(verdict.rawValue)?.items() ?? [] {
        limits.append(.init(id: try id.string(), verdict: verdict))
      }
    }
    var series: [LatencySeries] = []
    for item in try document.required("latencies").items() {
      series.append(try Self.series(item, count: replications.count))
    }
    return RunFigures(
      scenario: try ResultReading.scenario(document.required("scenario")),
      seed: try document.required("seed").seed(),
      digest: try digest.string(),
      verdict: try document.required("verdict").one(of: Verdict.self, ResultReading.verdicts),
      interrupted: false, replications: replications, series: series, limits: limits,
      version: try document.required("version").string(),
      commit: try document.required("commit").string())
  }

  private static func series(
    _ node: ReadingNode, count: Int
  ) throws(ReadingProblem) -> LatencySeries {
    func column(_ name: String) throws(ReadingProblem) -> [ReadingNode] {
      let list = try node.required(name)
      let items = try list.items()
      guard items.count == count else {
        throw list.problem(
          "there are \(items.count) values for \(count) replications",
          "accept the baseline again from its run")
      }
      return items
    }
    let counts = try column("count")
    let (mean, p50) = (try column("mean"), try column("p50"))
    let (p95, p99) = (try column("p95"), try column("p99"))
    let unanswered = node.member("unanswered") == nil ? nil : try column("unanswered")
    var figures: [LatencyFigures?] = []
    for place in 0..<count {
      let answered = try counts[place].count()
      let lost = try unanswered?[place].optionalCount()
      figures.append(
        answered == 0 && lost ?? 0 == 0
          ? nil
          : LatencyFigures(
            count: answered, mean: try mean[place].optionalSeconds(),
            p50: try p50[place].optionalSeconds(), p95: try p95[place].optionalSeconds(),
            p99: try p99[place].optionalSeconds(), unanswered: lost))
    }
    return LatencySeries(
      name: .init(
        world: try node.required("world").string(),
        operation: try node.required("operation").string(),
        basis: try node.required("basis").one(of: Basis.self, ResultReading.bases)),
      figures: figures)
  }
}
