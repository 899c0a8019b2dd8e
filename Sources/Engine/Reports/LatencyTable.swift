import Runs

/// `latencies.csv`: a line for each quantile of each operation, for spreadsheets and scripts (RFC 4180, lines ended by LF).
///
/// An empty cell is what was not estimated; `inf` is infinitely late. A text that a spreadsheet would take for a formula gets an
/// apostrophe in front.
public enum LatencyTable {
  static let header = [
    "world", "operation", "title", "basis", "requests", "quantile", "seconds", "low", "high",
  ]

  public static func bytes(for run: Run) -> [UInt8] {
    var lines = [header.joined(separator: ",")]
    for latency in run.latencies {
      let head = [
        cell(latency.world), cell(latency.operation), cell(latency.title), latency.basis.rawValue,
        String(latency.count),
      ]
      for quantile in latency.quantiles {
        let ends = [quantile.interval?.low, quantile.interval?.high].map { $0.map(number) ?? "" }
        let seconds = quantile.seconds.map(number) ?? "inf"
        lines.append((head + [number(quantile.q), seconds] + ends).joined(separator: ","))
      }
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// The shortest decimal that reads back as the same double.
  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return "inf" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
  }

  static func cell(_ text: String) -> String {
    var shown = Escaping.visible(text)
    if let first = shown.first, "=+-@".contains(first) { shown = "'" + shown }
    let isPlain = shown.unicodeScalars.allSatisfy { !",\"".unicodeScalars.contains($0) }
    return isPlain ? shown : "\"" + shown.replacing("\"", with: "\"\"") + "\""
  }
}
