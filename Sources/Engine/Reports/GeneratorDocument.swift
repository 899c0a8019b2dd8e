import Contracts
import Observations
import Runs

/// The `generator` of a load's `result.json`: what made the load, and whether it kept up.
public enum GeneratorDocument {
  static func json(_ generator: GeneratorResult) -> JSON {
    var object = members(of: generator)
    object["longerCommand"] = generator.longerCommand.map(JSON.string)
    object["outage"] = generator.outage.map(json)
    return .object(object)
  }

  private static func members(of generator: GeneratorResult) -> JSONObject {
    [
      "command": .string(generator.command), "pace": .string(generator.pace),
      "wantedPerSecond": ResultDocument.number(generator.wantedPerSecond),
      "reachedPerSecond": .double(generator.reachedPerSecond),
      "connections": .number(generator.connections), "bytes": .number(generator.bytes),
      "lateness": points(generator.lateness),
      "latenessLimitSeconds": .double(generator.latenessLimit),
      "facts": .array(
        generator.facts.map { fact in
          [
            "name": .string(fact.name), "seconds": .double(fact.seconds),
            "limitSeconds": ResultDocument.number(fact.limitSeconds),
          ]
        }),
      "threadShare": .double(generator.threadShare),
      "threadShareLimit": .double(generator.threadShareLimit), "missed": .number(generator.missed),
      "repeated": .number(generator.calls.repeated),
      "calls": json(generator.calls), "pauses": .number(generator.pauses),
      "phases": .array(
        generator.phases.map {
          var phase: JSONObject = [
            "pace": .string($0.pace), "calls": .number($0.calls), "failed": .number($0.failed),
            "quantiles": points($0.quantiles),
          ]
          phase["lastsSeconds"] = $0.lastsSeconds.map(JSON.double)
          return .object(phase)
        }),
      "service": .array(
        generator.service.map {
          ["operation": .string($0.operation), "quantiles": points($0.quantiles)]
        }),
      "breaches": .strings(generator.breaches),
    ]
  }

  public static func json(_ calls: RequestTally) -> JSON {
    var object: JSONObject = [
      "sent": .number(calls.sent), "counted": .number(calls.counted),
      "warmUp": .number(calls.ofWarmUp), "repeated": .number(calls.repeated),
      "redirected": .number(calls.redirected), "abandoned": .number(calls.abandoned),
      "unsent": .number(calls.unsent),
    ]
    // A load asks for nothing but its calls.
    object["harness"] = calls.ofHarness > 0 ? .number(calls.ofHarness) : nil
    return .object(object)
  }

  static func json(_ outage: Outage) -> JSON {
    [
      "refused": .number(outage.refused), "ended": .number(outage.ended),
      "fromSeconds": .double(outage.from), "toSeconds": .double(outage.to),
    ]
  }

  static func outage(_ node: ReadingNode) throws(ReadingProblem) -> Outage {
    Outage(
      refused: try node.required("refused").count(), ended: try node.required("ended").count(),
      from: try node.required("fromSeconds").seconds(),
      to: try node.required("toSeconds").seconds())
  }

  private static func points(_ points: [CurvePoint]) -> JSON {
    .array(points.map { ["q": .double($0.share), "seconds": .double($0.seconds)] })
  }

  static func read(_ node: ReadingNode) throws(ReadingProblem) -> GeneratorResult {
    var generator = GeneratorResult(
      command: try node.required("command").string(), pace: try node.required("pace").string(),
      wantedPerSecond: try node.required("wantedPerSecond").optionalSeconds(),
      reachedPerSecond: try node.required("reachedPerSecond").seconds(),
      connections: try node.required("connections").count(),
      bytes: try node.required("bytes").count(), lateness: try points(node.required("lateness")),
      latenessLimit: try node.required("latenessLimitSeconds").seconds(),
      facts: try list(node.required("facts")) { fact throws(ReadingProblem) in
        GeneratorResult.Fact(
          name: try fact.required("name").string(), seconds: try fact.required("seconds").number(),
          limitSeconds: try fact.required("limitSeconds").optionalSeconds())
      }, threadShare: try node.required("threadShare").seconds(),
      threadShareLimit: try node.required("threadShareLimit").seconds(),
      missed: try node.required("missed").count(),
      service: try list(node.required("service")) { item throws(ReadingProblem) in
        GeneratorResult.Service(
          operation: try item.required("operation").string(),
          quantiles: try points(item.required("quantiles")))
      },
      breaches: try list(node.required("breaches")) { item throws(ReadingProblem) in
        try item.string()
      }, calls: try calls(node),
      outage: try node.member("outage").map { (node) throws(ReadingProblem) in try outage(node) },
      pauses: try node.member("pauses")?.count() ?? 0,
      phases: try node.member("phases").map { node throws(ReadingProblem) in
        try list(node) { item throws(ReadingProblem) in
          GeneratorResult.Phase(
            pace: try item.required("pace").string(), calls: try item.required("calls").count(),
            failed: try item.required("failed").count(),
            quantiles: try points(item.required("quantiles")),
            lastsSeconds: try item.member("lastsSeconds")?.seconds())
        }
      } ?? [])
    generator.longerCommand = try node.member("longerCommand")?.string()
    return generator
  }

  /// Older files say only how many were sent again.
  private static func calls(_ node: ReadingNode) throws(ReadingProblem) -> RequestTally {
    guard let calls = node.member("calls") else {
      return RequestTally(repeated: try node.member("repeated")?.count() ?? 0)
    }
    return try Self.calls(of: calls)
  }

  static func calls(of calls: ReadingNode) throws(ReadingProblem) -> RequestTally {
    RequestTally(
      counted: try calls.required("counted").count(),
      ofWarmUp: try calls.required("warmUp").count(),
      ofHarness: try calls.member("harness")?.count() ?? 0,
      repeated: try calls.required("repeated").count(),
      redirected: try calls.required("redirected").count(),
      abandoned: try calls.required("abandoned").count(),
      unsent: try calls.required("unsent").count())
  }

  private static func points(_ node: ReadingNode) throws(ReadingProblem) -> [CurvePoint] {
    try list(node) { point throws(ReadingProblem) in
      CurvePoint(
        share: try point.required("q").seconds(), seconds: try point.required("seconds").seconds())
    }
  }

  private static func list<Item>(
    _ node: ReadingNode, _ read: (ReadingNode) throws(ReadingProblem) -> Item
  ) throws(ReadingProblem) -> [Item] {
    var items: [Item] = []
    for item in try node.items() { items.append(try read(item)) }
    return items
  }
}
