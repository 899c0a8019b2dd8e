import Contracts
import Runs
import Scenarios
import Verdicts

/// Reads `result.json` and baselines back, as far as comparing and following runs needs.
public enum ResultReading {
  /// Reads either kind of file; which it is, its first members say.
  ///
  /// Members that this version does not know are ignored: later ones may add some.
  ///
  /// - Parameter file: Its name, for messages.
  public static func figures(
    of bytes: [UInt8], file: String
  ) throws(ReadingProblem) -> RunFigures {
    let document = try ReadingNode.document(bytes, file: file)
    if let version = document.member(BaselineDocument.mark) {
      try check(version, known: BaselineDocument.version)
      return try BaselineDocument.figures(of: document)
    }
    guard document.value.object != nil, let version = document.member("version"),
      document.member("scenario") != nil, document.member("replications") != nil
    else {
      throw document.problem(
        "this is JSON, but neither the result of a run nor a baseline",
        "name a run's folder, its result.json, or a file of 'rehearse baseline accept'")
    }
    try check(version, known: ResultDocument.version)
    return try result(document)
  }

  private static func check(_ version: ReadingNode, known: Int) throws(ReadingProblem) {
    guard let number = version.value.int, number >= 1 else {
      throw version.expected("a version, such as \(known)")
    }
    guard number <= known else {
      throw version.problem(
        "a newer Rehearsal wrote this file (version \(number), this one reads \(known))",
        "update Rehearsal, or run the scenario again with this one")
    }
  }

  private static func result(_ document: ReadingNode) throws(ReadingProblem) -> RunFigures {
    let scenario = try document.required("scenario")
    if scenario.member("name") != nil, scenario.member("starts") == nil {
      throw document.problem(
        "an older Rehearsal wrote this result, and it lacks what this one needs",
        "run the scenario again, or name another run")
    }
    try ResultShape().check(document)
    let replications = try document.required("replications").items()
    var latencies: [[ReplicationLatency]] = []
    for replication in replications {
      latencies.append(try latenciesOf(replication))
    }
    var identities: [RunFigures.Replication] = []
    for replication in replications {
      identities.append(
        .init(
          seed: try replication.required("seed").seed(),
          digest: try replication.required("digest").digest()))
    }
    let digest = try document.required("digest")
    try check(digest, follows: identities)
    // What a load measured as a whole stands with its routes.
    if document.member("generator") != nil {
      return try RunReading(document: document).run().figures
    }
    var limits: [RunFigures.Limit] = []
    for limit in try document.required("limits").items() { limits.append(try Self.limit(limit)) }
    let machine = document.member("machine")
    return RunFigures(
      scenario: try Self.scenario(scenario),
      seed: try document.required("seed").seed(), digest: try digest.string(),
      verdict: try document.required("verdict").one(of: Verdict.self, verdicts),
      interrupted: try document.member("interrupted")?.bool() ?? false,
      replications: identities, series: LatencySeries.collect(latencies), limits: limits,
      version: try machine?.member("version")?.string() ?? "unknown",
      commit: try machine?.member("commit")?.string() ?? "unknown")
  }

  /// Equal digests are taken for equal runs, so a digest is believed only where the replications' digests lead to it.
  static func check(
    _ digest: ReadingNode, follows replications: [RunFigures.Replication]
  ) throws(ReadingProblem) {
    let parts = replications.compactMap { Digest(hexadecimal: $0.digest) }
    guard try digest.digest() == Digest(folding: parts).hexadecimal else {
      throw digest.problem(
        "the run's digest does not follow from the digests of its replications",
        "use a file as Rehearsal wrote it")
    }
  }

  static func latenciesOf(
    _ replication: ReadingNode
  ) throws(ReadingProblem) -> [ReplicationLatency] {
    guard let list = replication.member("latencies") else { return [] }
    var found: [ReplicationLatency] = []
    for item in try list.items() {
      let basis = try item.member("basis")?.one(of: Basis.self, bases) ?? .modelled
      found.append(
        ReplicationLatency(
          name: .init(
            world: try item.required("world").string(),
            operation: try item.required("operation").string(), basis: basis),
          figures: LatencyFigures(
            count: try item.required("count").count(),
            mean: try item.required("mean").optionalSeconds(),
            p50: try item.required("p50").optionalSeconds(),
            p95: try item.required("p95").optionalSeconds(),
            p99: try item.required("p99").optionalSeconds(),
            unanswered: try item.member("unanswered")?.optionalCount())))
    }
    return found
  }

  static func scenario(_ node: ReadingNode) throws(ReadingProblem) -> RunFigures.Scenario {
    .init(
      name: try node.required("name").string(), title: try node.required("title").string(),
      digest: try node.required("digest").digest(),
      doubtStops: try node.member("inconclusive")?.one(
        of: Scenario.Inconclusive.self, "fail, warn") != .warn)
  }

  private static func limit(_ node: ReadingNode) throws(ReadingProblem) -> RunFigures.Limit {
    .init(
      id: try node.required("id").string(),
      verdict: try node.required("verdict").one(of: Verdict.self, verdicts))
  }

  static let verdicts = "pass, fail, inconclusive, notExercised"
  static let bases = "modelled, inProcess, overHTTP"
}
