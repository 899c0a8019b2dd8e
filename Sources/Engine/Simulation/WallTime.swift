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

extension WallClock {
  /// Waits until it shows so many nanoseconds, but no longer than a while.
  ///
  /// - Parameter client: What may come meanwhile and ends the waiting.
  func wait(until due: UInt64, atMost longest: Span, _ client: (any WireClient)?) {
    let now = nanoseconds()
    let end = min(due, now + UInt64(longest.nanoseconds))
    if let client {
      client.rest(until: end)
    } else if due > now {
      rest(end)
    }
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

  /// The time is counted from an instant, which it is when the clock shows so many nanoseconds.
  func begin(at instant: Instant, when nanoseconds: UInt64) {
    origin.withLock { $0 = (nanoseconds, instant) }
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

  /// What the clock shows at an instant.
  func nanoseconds(at instant: Instant) -> UInt64 {
    let (nanoseconds, origin) = origin.withLock(\.self)
    return nanoseconds &+ UInt64(bitPattern: scaled(instant - origin, by: 1 / speed).nanoseconds)
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
