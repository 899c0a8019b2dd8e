import BenchWork
import Foundation
import Observations
import Timekeeping

/// Whether a histogram keeps its size, however many samples it takes.
enum SampleMemory {
  private static let samples = 100_000_000

  static func figure() -> String {
    var histogram = LatencyHistogram()
    var stream = RandomStream(seed: 1, owner: 0, purpose: 0)
    func record(_ count: Int) {
      for _ in 0..<count {
        histogram.record(Span(nanoseconds: 1_000 + Int64(stream.exponential(mean: 5_000_000))))
      }
    }
    // What it will need, it has after a hundredth of them.
    record(samples / 100)
    let before = residentKilobytes
    let took = Measurement.seconds { record(samples - samples / 100) }
    let grown = residentKilobytes - before
    return """
      ## Samples

      \(histogram.count) response times in one histogram: \(String(format: "%.1f", took * 1e9 / Double(samples))) ns each with their drawing, \
      \(grown) KB more memory than after a hundredth of them, p99 \(histogram.quantile(0.99) ?? .zero)
      """
  }

  private static var residentKilobytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }
}
