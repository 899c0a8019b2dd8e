import Timekeeping

/// When a device has a network.
struct Coverage: Sendable {
  /// Stretches without one, in order.
  private var gaps: [Range<Instant>]

  init(without gaps: [Range<Instant>] = []) { self.gaps = gaps }

  var hasGaps: Bool { !gaps.isEmpty }

  /// The end of the gap at an instant; `nil` where there is a network.
  func returns(from now: Instant) -> Instant? {
    gaps.first { $0.contains(now) }?.upperBound
  }

  /// From now on there is no network for a while.
  mutating func lose(from now: Instant, for span: Span) {
    gaps.append(now..<now + span)
  }
}
