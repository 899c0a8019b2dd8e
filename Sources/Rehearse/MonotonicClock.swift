import Foundation
import Simulation

extension WallClock {
  /// The system's monotonic clock, waited for to the nanosecond.
  static let monotonic = WallClock(
    nanoseconds: {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    },
    rest: { until in
      var time = timespec(
        tv_sec: Int(until / 1_000_000_000), tv_nsec: Int(until % 1_000_000_000))
      // A signal ends the wait early, which does no harm: whoever rests looks at the clock afterwards.
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
    })
}
