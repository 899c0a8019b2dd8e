import Observations

/// HdrHistogram's percentile text (`.hgrm`), in milliseconds, as its plotters read it.
enum HistogramText {
  static func percentiles(of histogram: LatencyHistogram) -> String {
    var text = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
    var seen: UInt64 = 0
    for (value, count) in histogram.buckets {
      seen += count
      let share = Double(seen) / Double(histogram.count)
      text +=
        column(decimals(value.seconds * 1_000, 3), 12) + " " + column(decimals(share, 12), 14)
        + " " + column(String(seen), 10)
      text += seen == histogram.count ? "\n" : " " + column(decimals(1 / (1 - share), 2), 14) + "\n"
    }
    let mean = (histogram.mean ?? 0) * 1_000
    let deviation = histogram.standardDeviation * 1_000
    let maximum = (histogram.maximum?.seconds ?? 0) * 1_000
    text +=
      "#[Mean    = \(column(decimals(mean, 3), 12)), StdDeviation   = \(column(decimals(deviation, 3), 12))]\n"
    text +=
      "#[Max     = \(column(decimals(maximum, 3), 12)), Total count    = \(column(String(histogram.count), 12))]\n"
    text += "#[Buckets = \(column("53", 12)), SubBuckets     = \(column("2048", 12))]\n"
    return text
  }

  private static func column(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }

  /// Decimal text with a fixed number of places, rounded half away from zero.
  private static func decimals(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    guard value.magnitude * scale < 9e15 else { return "\(value)" }
    let whole = Int64((value.magnitude * scale).rounded())
    let digits = String(whole)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return (value < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
  }
}
