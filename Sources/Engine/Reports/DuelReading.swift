import Contracts
import Runs

/// Reads what a run measured in real time from its `result.json`.
extension ResultReading {
  /// Fewer calls of an operation tell its median badly, and ten times as many its 99th percentile.
  private static let fewestCalls = 100

  /// - Parameter file: Its name, for messages.
  public static func bout(of bytes: [UInt8], file: String) throws(ReadingProblem) -> Duel.Bout {
    let document = try ReadingNode.document(bytes, file: file)
    let machine = try document.required("machine")
    var medians: [String: Double] = [:]
    var tails: [String: Double] = [:]
    for item in try machine.required("inProcess").items() {
      let name =
        try item.required("world").string() + "." + item.required("operation").string()
      let count = try item.required("count").count()
      for quantile in try item.required("quantiles").items() {
        let seconds = try quantile.required("seconds").seconds()
        switch try quantile.required("q").seconds() {
        case 0.5 where count >= fewestCalls: medians[name] = seconds
        case 0.99 where count >= 10 * fewestCalls: tails[name] = seconds
        default: break
        }
      }
    }
    return Duel.Bout(
      digest: try document.required("digest").string(),
      wall: try machine.required("wallSeconds").seconds(), medians: medians, tails: tails)
  }
}
