import BenchWork
import Foundation
import MimiSupplyContract
import MimiSupplyTwin
import Timekeeping

/// Whom MimiSupply's market finds for an order among ten thousand drivers who all move: 2,000 positions a second, and
/// between them a match now and then.
enum DriverMatching {
  static func figure() -> String {
    let crowds = [("1,000", 1_000), ("10,000", 10_000)]
    let lines = crowds.map { name, drivers in
      let measured = measure(drivers: drivers)
      return """
          \(name.padding(toLength: 8, withPad: " ", startingAt: 0))online  \
        p50 \(text(measured.p50)) µs   p99 \(text(measured.p99)) µs   \
        \(measured.examined) looked at   a position \(text(measured.move)) µs
        """
    }
    return """
      Nearest available driver, 2,000 positions a second   goal p99 ≤ 50 µs with 10,000
      \(lines.joined(separator: "\n"))
      """
  }

  private static func text(_ value: Double) -> String { String(format: "%.1f", value) }

  private struct Measured {
    var p50: Double
    var p99: Double
    var move: Double
    var examined: Int
  }

  private static func measure(drivers: Int) -> Measured {
    var stream = RandomStream(seed: 1, owner: 2, purpose: 3)
    let names = (0..<drivers).map { RecordName("berlin/driver-\($0)") }
    var search = DriverSearch()
    var now = Instant(unixMilliseconds: 1_774_000_000_000)
    // A city of 20 km by 20 km.
    func somewhere() -> Geography.Point {
      Geography.Point(52.43 + 0.18 * stream.unit(), 13.26 + 0.29 * stream.unit())
    }
    for name in names {
      search.place(
        name, at: somewhere(), rating: 4 + stream.unit(), deliveries: 0, now: now)
    }
    let matches = 10_000
    let movesPerMatch = 20
    var times: [Double] = []
    var examined = 0
    var moving = 0.0
    for _ in 0..<matches {
      moving += Measurement.seconds {
        for _ in 0..<movesPerMatch {
          now = now + .microseconds(500)
          search.place(
            names[stream.pick(0..<drivers)], at: somewhere(), rating: 0, deliveries: 0, now: now)
        }
      }
      search.move(partner: somewhere())
      let began = DispatchTime.now().uptimeNanoseconds
      let found = search.nearest(at: now)
      times.append(Double(DispatchTime.now().uptimeNanoseconds - began) / 1_000)
      precondition(found.name != nil, "nobody was found among \(drivers)")
      examined += found.examined
    }
    times.sort()
    return Measured(
      p50: times[matches / 2], p99: times[matches * 99 / 100],
      move: moving * 1e6 / Double(matches * movesPerMatch), examined: examined / matches)
  }
}
