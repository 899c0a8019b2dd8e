import CCurl
import Foundation
import Timekeeping

/// The clock that everything over HTTP is measured by: it never goes back and nobody sets it.
public enum MonotonicClock {
  /// Nanoseconds since a moment of the machine's own; a moment of another machine says nothing.
  public static var now: Instant { read(CLOCK_MONOTONIC) }

  /// The same, and it goes on while the machine sleeps.
  static var withSleep: Instant { read(CLOCK_BOOTTIME) }

  /// What people call the time; somebody may set it.
  static var civil: Instant { read(CLOCK_REALTIME) }

  /// The processor time of the calling thread.
  static var thread: Span { read(CLOCK_THREAD_CPUTIME_ID) - Instant(nanoseconds: 0) }

  /// The processor time of all threads.
  static var process: Span { read(CLOCK_PROCESS_CPUTIME_ID) - Instant(nanoseconds: 0) }

  private static func read(_ clock: clockid_t) -> Instant {
    var time = timespec()
    clock_gettime(clock, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

/// How well the clock that people set is set on this machine.
public enum CivilClock {
  /// How far it is from the time of the servers that it is set by, in seconds, as the kernel estimates it; `nil` where nothing sets it.
  ///
  /// - Source: `adjtimex(2)`.
  public static var offset: Double? {
    var state = timex()
    let code = adjtimex(&state)
    guard code >= 0, code != TIME_ERROR, state.status & STA_UNSYNC == 0 else { return nil }
    return Double(state.offset) / (state.status & STA_NANO == 0 ? 1e6 : 1e9)
  }
}
