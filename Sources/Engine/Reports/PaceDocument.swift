import Contracts
import Runs

/// The `pace` of a load's series in `result.json`.
enum PaceDocument {
  static func json(_ pace: LoadPace) -> JSON {
    var object: JSONObject = [
      "answered": .array(pace.answered.map(JSON.number)),
      // What has no end is null, as everywhere.
      "edgesSeconds": .array(pace.edges.map { $0.isFinite ? .double($0) : .null }),
      "times": .array(pace.times.map { .array($0.map(JSON.number)) }),
    ]
    if !pace.wanted.isEmpty { object["wanted"] = .array(pace.wanted.map(JSON.double)) }
    return .object(object)
  }

  static func read(_ node: ReadingNode) throws(ReadingProblem) -> LoadPace {
    var (answered, edges, times, wanted): ([Int], [Double], [[Int]], [Double]) = ([], [], [], [])
    for item in try node.required("answered").items() { answered.append(try item.count()) }
    for item in try node.required("edgesSeconds").items() {
      edges.append(try item.optionalSeconds() ?? .infinity)
    }
    for slice in try node.required("times").items() {
      var counts: [Int] = []
      for item in try slice.items() { counts.append(try item.count()) }
      times.append(counts)
    }
    for item in try node.member("wanted")?.items() ?? [] { wanted.append(try item.number()) }
    return LoadPace(wanted: wanted, answered: answered, edges: edges, times: times)
  }
}
