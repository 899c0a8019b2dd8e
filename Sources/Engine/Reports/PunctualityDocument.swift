import Contracts
import Runs

/// The `punctuality` of the machine in `result.json`, of runs in real time.
enum PunctualityDocument {
  static func json(_ punctuality: Punctuality) -> JSON {
    var object: JSONObject = [
      "speed": .double(punctuality.speed), "arrivals": .number(punctuality.arrivals),
      "missed": .number(punctuality.missed), "lateness": points(punctuality.lateness),
      "latenessLimitSeconds": .double(punctuality.latenessLimit),
      "service": .array(
        punctuality.service.map {
          [
            "world": .string($0.world), "operation": .string($0.operation),
            "quantiles": points($0.quantiles),
          ]
        }), "breaches": .strings(punctuality.breaches),
    ]
    object["calls"] = punctuality.calls.map(GeneratorDocument.json)
    object["outage"] = punctuality.outage.map(GeneratorDocument.json)
    object["serverClockOffSeconds"] = punctuality.serverClockOff.map(JSON.double)
    return .object(object)
  }

  private static func points(_ points: [CurvePoint]) -> JSON {
    .array(points.map { ["q": .double($0.share), "seconds": .double($0.seconds)] })
  }

  static func read(_ node: ReadingNode) throws(ReadingProblem) -> Punctuality {
    var service: [Punctuality.Service] = []
    for item in try node.required("service").items() {
      service.append(
        Punctuality.Service(
          world: try item.required("world").string(),
          operation: try item.required("operation").string(),
          quantiles: try points(item.required("quantiles"))))
    }
    var punctuality = Punctuality(
      speed: try node.required("speed").seconds(), arrivals: try node.required("arrivals").count(),
      missed: try node.required("missed").count(), lateness: try points(node.required("lateness")),
      latenessLimit: try node.required("latenessLimitSeconds").seconds(), service: service,
      calls: try node.member("calls").map { (calls) throws(ReadingProblem) in
        try GeneratorDocument.calls(of: calls)
      },
      outage: try node.member("outage").map { (outage) throws(ReadingProblem) in
        try GeneratorDocument.outage(outage)
      }, serverClockOff: try node.member("serverClockOffSeconds")?.seconds())
    var breaches: [String] = []
    for item in try node.required("breaches").items() { breaches.append(try item.string()) }
    if breaches != punctuality.breaches { punctuality.breachesOfGenerators = breaches }
    return punctuality
  }

  private static func points(_ node: ReadingNode) throws(ReadingProblem) -> [CurvePoint] {
    var points: [CurvePoint] = []
    for item in try node.items() {
      points.append(
        CurvePoint(
          share: try item.required("q").seconds(), seconds: try item.required("seconds").seconds()))
    }
    return points
  }
}
