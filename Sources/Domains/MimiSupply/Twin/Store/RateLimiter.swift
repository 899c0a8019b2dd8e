import MimiSupplyContract
import Timekeeping

/// The exact sliding window of MS-01: who was admitted when, one log a user.
struct RateLimiter: Sendable {
  /// Whose budget a request is taken from (MS-03).
  enum Payer: Hashable, Sendable {
    case user(UserName)
    /// One device alone, where MS-03 is switched off.
    case device(DeviceName, of: UserName)
    /// Per application and device, or network address.
    case anonymous(apiToken: String, device: DeviceName)
  }

  /// The latest admissions, the oldest first, at most as many as the limit.
  private var logs: [Payer: [Instant]] = [:]
  private(set) var admitted = 0
  private(set) var refused = 0

  /// Admits a request: fewer than `limit` were in (now − window, now].
  ///
  /// - Returns: `nil`, or how long until the next admission would succeed (MS-02).
  mutating func admit(
    _ payer: Payer, limit: Int, window: Span, at now: Instant
  ) -> Span? {
    let wait = Self.admit(to: &logs[payer, default: []], limit: limit, window: window, at: now)
    if wait == nil { admitted += 1 } else { refused += 1 }
    return wait
  }

  private static func admit(
    to log: inout [Instant], limit: Int, window: Span, at now: Instant
  ) -> Span? {
    log.removeAll { $0 <= now - window }
    guard log.count >= limit else {
      log.append(now)
      return nil
    }
    // With no budget at all there is no next admission; a window is as good an answer as any.
    guard limit > 0 else { return window }
    return log[log.count - limit] + window - now
  }

  /// Forgets who has been silent for a window: their logs say nothing any more.
  mutating func prune(window: Span, at now: Instant) {
    logs = logs.filter { $0.value.last.map { $0 > now - window } ?? false }
  }
}
