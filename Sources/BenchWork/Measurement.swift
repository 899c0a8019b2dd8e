import Dispatch
import Foundation

/// Repeated timings of the same work.
public struct Measurement {
  public static let repetitions = 5
  public let values: [Double]

  /// Measures several things in turn, so that a busy moment of the machine meets them alike.
  public static func interleaved(_ bodies: [() -> Double]) -> [Measurement] {
    var values = bodies.map { _ in [Double]() }
    for _ in 0..<repetitions {
      for index in bodies.indices { values[index].append(bodies[index]()) }
    }
    return values.map(Measurement.init)
  }

  public var median: Double { values.sorted()[values.count / 2] }

  /// `12.3 (11.9…12.8)` with a unit.
  public func text(_ unit: String, digits: Int = 2) -> String {
    func round(_ value: Double) -> String { String(format: "%.\(digits)f", value) }
    return "\(round(median)) \(unit) (\(round(values.min()!))…\(round(values.max()!)))"
  }

  /// Seconds of this process's processor time: what a figure for each core is made of, also on a busy machine.
  public static func processorSeconds(_ body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let began = now()
    body()
    return now() - began
  }

  /// Seconds of wall time that a piece of work takes.
  public static func seconds(_ body: () -> Void) -> Double {
    let began = DispatchTime.now().uptimeNanoseconds
    body()
    return Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
  }
}
