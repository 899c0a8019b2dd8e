import MimiSupplyContract
import Timekeeping

/// How long to wait before a retry (§7.2).
struct Backoff: Sendable {
  enum Profile: String, Sendable, CaseIterable {
    /// 1 s, doubled each time, at most 30 s, with equal jitter.
    case exponential
    /// The waits of the published client: by the kind of error, without jitter.
    case documented
  }

  /// The first included.
  static let attempts = 3
  static let first = Span.seconds(1)
  static let cap = Span.seconds(30)
  /// For how long a request waits for the network.
  static let patience = Span.seconds(60)

  var profile = Profile.exponential

  /// - Parameters:
  ///   - attempt: The one that failed, from 1.
  ///   - unit: A random number in 0...1, for the jitter.
  ///   - retryAfter: What the backend asked for, a lower bound.
  func wait(after attempt: Int, _ error: AppError, unit: Double, retryAfter: Span?) -> Span {
    let own =
      switch profile {
      case .exponential: Self.jittered(Self.window(after: attempt), unit)
      case .documented: Self.documentedWait(error)
      }
    return max(own, retryAfter ?? .zero)
  }

  /// w = min(cap, first · 2^(n−1)).
  static func window(after attempt: Int) -> Span {
    guard attempt < 10 else { return cap }
    return min(cap, first * (1 << Int64(max(0, attempt - 1))))
  }

  /// Equal jitter: w/2 + uniform(0, w/2).
  private static func jittered(_ window: Span, _ unit: Double) -> Span {
    window / 2 + Span(seconds: (window / 2).seconds * min(1, max(0, unit)))
  }

  private static func documentedWait(_ error: AppError) -> Span {
    switch error {
    case .answered(.limitExceeded): .seconds(60)
    case .answered(.zoneBusy), .answered(.serviceUnavailable): .seconds(30)
    case .networkUnavailable, .networkFailure: .seconds(15)
    case .responseLost, .answered: .seconds(5)
    }
  }
}
