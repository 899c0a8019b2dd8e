import Synchronization
import Timekeeping

/// A monotonic clock in nanoseconds, and a way to wait for it: the engine itself reads none.
public struct WallClock: Sendable {
  public let nanoseconds: @Sendable () -> UInt64
  /// Returns when the clock shows that, or a little later.
  public let rest: @Sendable (_ until: UInt64) -> Void

  public init(
    nanoseconds: @escaping @Sendable () -> UInt64, rest: @escaping @Sendable (UInt64) -> Void
  ) {
    self.nanoseconds = nanoseconds
    self.rest = rest
  }
}

/// The scenario's time during a run in real time: it begins with the run and goes on at a constant speed.
public final class WallTime: Sendable {
  let clock: WallClock
  /// Seconds of the scenario in a second of the clock.
  public let speed: Double
  private let origin = Mutex<(nanoseconds: UInt64, instant: Instant)>((0, .distantPast))

  public init(_ clock: WallClock, speed: Double = 1) {
    precondition(speed > 0, "time goes on")
    self.clock = clock
    self.speed = speed
  }

  /// From now on the time is counted from an instant.
  func begin(at instant: Instant) {
    origin.withLock { $0 = (clock.nanoseconds(), instant) }
  }

  var now: Instant { instant(at: clock.nanoseconds()) }

  /// What it is when the clock shows so many nanoseconds.
  func instant(at nanoseconds: UInt64) -> Instant {
    let origin = origin.withLock(\.self)
    return origin.instant
      + scaled(Int64(bitPattern: nanoseconds &- origin.nanoseconds), by: speed)
  }

  /// How long a span of the scenario is by the clock.
  func real(_ span: Span) -> Span { scaled(span, by: 1 / speed) }

  /// Waits for an instant, but no longer than a time of the clock.
  ///
  /// - Parameter transport: What may come meanwhile and ends the waiting.
  func rest(until instant: Instant, atMost longest: Span, _ transport: (any WireTransport)?) {
    let (nanoseconds, origin) = origin.withLock(\.self)
    let due = nanoseconds + UInt64(max(0, scaled(instant - origin, by: 1 / speed).nanoseconds))
    let now = clock.nanoseconds()
    let end = min(due, now + UInt64(longest.nanoseconds))
    if let transport {
      transport.rest(until: end)
    } else if due > now {
      clock.rest(end)
    }
  }

  private func scaled(_ span: Span, by factor: Double) -> Span {
    scaled(span.nanoseconds, by: factor)
  }

  /// Exact at speed 1.
  private func scaled(_ nanoseconds: Int64, by factor: Double) -> Span {
    factor == 1
      ? .nanoseconds(nanoseconds) : .nanoseconds(Int64(Double(nanoseconds) * factor))
  }
}
