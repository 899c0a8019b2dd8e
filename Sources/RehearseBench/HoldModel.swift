import BenchWork
import Simulation
import Timekeeping

/// The classic measure of an event queue: take the earliest event, put it back a random while later.
///
/// - Source: D. W. Jones, "An empirical comparison of priority-queue and event-set implementations", CACM 29 (1986).
enum HoldModel {
  static func figure() -> String {
    let measurements = Measurement.interleaved([
      { holds(pending: 1_000) }, { holds(pending: 100_000) },
    ])
    return """
      Event queue, hold model
        1,000 pending    \(measurements[0].text("M events/s"))
        100,000 pending  \(measurements[1].text("M events/s"))   goal 8
      """
  }

  private static func holds(pending: Int) -> Double {
    var queue = EventQueue<UInt32>()
    var stream = RandomStream(seed: 1, owner: 2, purpose: 3)
    let steps = (0..<4_096).map { _ in Int64(stream.exponential(mean: 1e9)) }
    for index in 0..<pending {
      queue.push(
        UInt32(index),
        at: EventKey(
          time: Instant(nanoseconds: steps[index & 4_095]), source: UInt32(index), sequence: 0))
    }
    let count = 2_000_000
    let seconds = Measurement.processorSeconds {
      for index in 0..<count {
        let (key, payload) = queue.pop()!
        let time = key.time + Span(nanoseconds: steps[index & 4_095])
        queue.push(payload, at: EventKey(time: time, source: payload, sequence: UInt32(index)))
      }
    }
    return Double(count) / seconds / 1e6
  }
}
