import Synchronization
import Timekeeping

/// Where a served twin's time comes from.
public enum ServedClock: Sendable {
  /// Real time: monotonic, counted from an instant that the twin's clock showed at the start.
  ///
  /// `restarts` says whether a reset of the twin sets it back to its anchor, as it does for a scenario's clock; a clock
  /// that shows what everybody's clock shows goes on.
  case wall(anchor: Instant, since: ContinuousClock.Instant, restarts: Bool)
  /// Only the command `advance` moves it.
  case manual

  /// A clock that runs from now on and shows `anchor` now.
  public static func running(from anchor: Instant, restarts: Bool = false) -> ServedClock {
    .wall(anchor: anchor, since: .now, restarts: restarts)
  }

  /// What a running clock shows; `nil` for one that stands still.
  var reading: Instant? {
    guard case .wall(let anchor, let since, _) = self else { return nil }
    let (seconds, attoseconds) = (ContinuousClock.now - since).components
    return anchor + .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
  }

  /// The clock after a reset of its twin, which it goes on from in a while.
  func reset(startsIn pause: Span) -> ServedClock {
    guard case .wall(let anchor, _, restarts: true) = self else { return self }
    return .wall(
      anchor: anchor, since: .now.advanced(by: .nanoseconds(pause.nanoseconds)), restarts: true)
  }
}
