import Contracts
import Runs

/// Reads what a run measured in real time from its `result.json`.
extension ResultReading {
  /// Fewer sampled calls of an operation tell its median badly, and ten times as many its 99th percentile.
  private static let fewestCalls = 100

  /// - Parameter file: Its name, for messages.
  public static func bout(of bytes: [UInt8], file: String) throws(ReadingProblem) -> Duel.Bout {
    let document = try ReadingNode.document(bytes, file: file)
    let machine = try document.required("machine")
    var figures = ["wall time": try machine.required("wallSeconds").seconds()]
    for item in try machine.required("inProcess").items() {
      let name =
        try item.required("world").string() + "." + item.required("operation").string()
      let count = try item.required("count").count()
      for quantile in try item.required("quantiles").items() {
        let q = try quantile.required("q").seconds()
        guard count >= (q > 0.5 ? 10 * fewestCalls : fewestCalls) else { continue }
        figures["\(name) \(Figures.quantile(q))"] = try quantile.required("seconds").seconds()
      }
    }
    return Duel.Bout(digest: try document.required("digest").string(), figures: figures)
  }
}
