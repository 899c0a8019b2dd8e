import Timekeeping

/// The client's own limit on its requests (§7.6): a bucket of 10 with a token a second, which shrinks while requests
/// fail, and a pause for whoever asks for more.
struct RateBudget: Sendable {
  static let most = 10.0
  static let perSecond = 1.0
  static let window = Span.seconds(60)
  static let firstPause = Span.seconds(5)
  static let longestPause = Span.seconds(60)
  /// After so many outcomes the budget is reconsidered.
  static let sample = 10

  /// How much the bucket holds when it is full; at least 1.
  private(set) var size = most
  private var tokens = most
  private var filledAt: Instant?
  /// How often a token was missing within the window, and when last.
  private var excess = 0
  private var exceededAt: Instant?
  private var pausedUntil: Instant?
  private var succeeded = 0
  private var finished = 0

  init() {}

  /// Takes a token.
  ///
  /// - Returns: `nil`, or the instant from which on to ask again.
  mutating func take(at now: Instant) -> Instant? {
    if let pausedUntil, now < pausedUntil { return pausedUntil }
    fill(at: now)
    guard tokens < 1 else {
      tokens -= 1
      return nil
    }
    if let exceededAt, now - exceededAt >= Self.window { excess = 0 }
    excess += 1
    exceededAt = now
    let pause = min(Self.longestPause, Self.firstPause * (1 << Int64(min(excess - 1, 10))))
    pausedUntil = now + pause
    return pausedUntil
  }

  private mutating func fill(at now: Instant) {
    if let filledAt {
      tokens = min(size, tokens + max(0, (now - filledAt).seconds) * Self.perSecond)
    }
    filledAt = now
  }

  /// A request was answered well, or not. Below 50 % of the last ten the budget is halved, below 80 % it is multiplied by 0.8,
  /// above 95 % it grows by one, never beyond what it was at first.
  mutating func finish(succeeded isGood: Bool) {
    finished += 1
    if isGood { succeeded += 1 }
    guard finished == Self.sample else { return }
    let ratio = Double(succeeded) / Double(finished)
    if ratio < 0.5 {
      size /= 2
    } else if ratio < 0.8 {
      size *= 0.8
    } else if ratio > 0.95 {
      size += 1
    }
    size = min(Self.most, max(1, size))
    tokens = min(tokens, size)
    (finished, succeeded) = (0, 0)
  }
}
