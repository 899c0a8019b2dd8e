import Foundation
import Runs
import Storage
import Verdicts

/// Records one run after the other until it is killed, and prints the number of each as soon as it is recorded: `store-writer PATH COUNT`;
/// or holds the store until its input ends: `store-writer PATH hold`.
@main
enum StoreWriter {
  static let measurementsEach = 200

  /// SQLite's locks are those of the file system, on the bytes from 2^30 on (file format, section "locking").
  private static func hold(_ path: String) {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0000
    lock.l_len = 512
    precondition(fcntl(open(path, O_RDWR), F_SETLK, &lock) == 0, "somebody else holds it")
    FileHandle.standardOutput.write(Data("held\n".utf8))
    _ = FileHandle.standardInput.availableData
  }

  static func main() throws {
    if CommandLine.arguments[2] == "hold" { return hold(CommandLine.arguments[1]) }
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
