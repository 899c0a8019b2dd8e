import Runs

/// `latencies.csv`: a line for each quantile of each operation, for spreadsheets and scripts (RFC 4180, lines ended by LF).
///
/// An empty cell is what was not estimated, or what too few requests tell. `inf` lies beyond what was answered, and `longerThan` says
/// what it exceeds for certain; `answeredSeconds` is the quantile of the answered alone. A text that a spreadsheet would take for a formula gets an
/// apostrophe in front.
public enum LatencyTable {
  static let header = [
    "world", "operation", "title", "basis", "requests", "quantile", "seconds", "low", "high",
    "longerThan", "answeredSeconds", "withoutAnswer",
  ]

  public static func bytes(for run: Run) -> [UInt8] {
    var lines = [header.joined(separator: ",")]
    for latency in run.latencies {
      let head = [
        cell(latency.world), cell(latency.operation), cell(latency.title), latency.basis.rawValue,
        String(latency.count),
      ]
      for quantile in latency.quantiles {
        let isTold = quantile.isTold(by: latency.count)
        let answered = latency.answeredQuantiles.first {
          $0.q == quantile.q && $0.isTold(by: latency.answered)
        }
        let figures = [
          isTold ? quantile.seconds ?? .infinity : nil, isTold ? quantile.interval?.low : nil,
          isTold ? quantile.interval?.high : nil, isTold ? quantile.longerThan : nil,
          answered?.seconds, latency.withoutAnswer,
        ].map { $0.map(number) ?? "" }
        lines.append((head + [number(quantile.q)] + figures).joined(separator: ","))
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
    if let first = shown.unicodeScalars.first, "=+-@".unicodeScalars.contains(first) {
      shown = "'" + shown
    }
    let isPlain = shown.unicodeScalars.allSatisfy { !",\"".unicodeScalars.contains($0) }
    return isPlain ? shown : "\"" + shown.replacing(scalars: "\"", with: "\"\"") + "\""
  }
}
