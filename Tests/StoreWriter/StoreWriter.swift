import Foundation
import Runs
import Storage
import Verdicts

/// Records one run after the other until it is killed, and prints the number of each as soon as it is recorded: `store-writer PATH COUNT`.
@main
enum StoreWriter {
  static let measurementsEach = 200

  static func main() throws {
    let store = try RunStore(CommandLine.arguments[1], creating: true)
    let count = Int(CommandLine.arguments[2])!
    let measurements = (0..<measurementsEach).map { place in
      RunMeasurement(
        name: .init(
          series: .init(world: "w", operation: "operation \(place)", basis: .modelled),
          measure: .mean),
        seconds: Double(place))
    }
    for turn in 0..<count {
      let record = RunRecord(
        scenario: .init(name: "killed", title: "Killed", digest: ""),
        recordedAt: "2026-03-21T05:00:00Z", seed: 1, digest: "\(getpid())-\(turn)", verdict: .pass,
        exitCode: 0, interrupted: false, replications: 1, requests: turn, persons: 1,
        wallSeconds: 1, version: "1", commit: "c", folder: "f")
      let stored = try store.record(
        record, measurements: measurements, result: Array(repeating: 0x20, count: 200_000))
      FileHandle.standardOutput.write(Data("\(stored.id)\n".utf8))
    }
  }
}
