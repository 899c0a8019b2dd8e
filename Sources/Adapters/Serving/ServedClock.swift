import Synchronization
import Timekeeping

/// Where a served twin's time comes from.
public enum ServedClock: Sendable {
  /// Real time: monotonic, counted from an instant that the twin's clock showed at the start.
  case wall(anchor: Instant, since: ContinuousClock.Instant)
  /// Only the command `advance` moves it.
  case manual

  /// A clock that runs from now on and shows `anchor` now.
  public static func running(from anchor: Instant) -> ServedClock {
    .wall(anchor: anchor, since: .now)
  }

  /// What a running clock shows; `nil` for one that stands still.
  var reading: Instant? {
    guard case .wall(let anchor, let since) = self else { return nil }
    let (seconds, attoseconds) = (ContinuousClock.now - since).components
    return anchor + .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
  }
}
