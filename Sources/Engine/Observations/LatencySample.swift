import Timekeeping

/// Latencies of one kind, with those that have no end: what quantiles are over.
///
/// Who got no answer is slow, not absent. Left out, a backend that times out would look faster than one that answers late.
public struct LatencySample: Sendable, Equatable {
  /// How long those took that ended: with an answer, or with what the domain waits for.
  public var ended: LatencyHistogram
  /// How many will never end, such as requests without a usable answer: they are later than every bound.
  public var endless: UInt64
  /// How long those had lasted that the run's end cut off: they took longer than that.
  public var cutOff: LatencyHistogram

  public init(
    ended: LatencyHistogram = LatencyHistogram(), endless: UInt64 = 0,
    cutOff: LatencyHistogram = LatencyHistogram()
  ) {
    self.ended = ended
    self.endless = endless
    self.cutOff = cutOff
  }

  public var count: UInt64 { ended.count + endless + cutOff.count }
  /// All times that somebody saw, whole or in part.
  public var seen: LatencyHistogram {
    var seen = ended
    seen.merge(cutOff)
    return seen
  }

  public mutating func merge(_ other: LatencySample) {
    ended.merge(other.ended)
    endless += other.endless
    cutOff.merge(other.cutOff)
  }

  /// How many took longer than a bound for certain.
  public func count(above bound: Span) -> UInt64 {
    ended.count(above: bound) + endless + cutOff.count(above: bound)
  }

  /// How many were cut off before a bound, so that nobody knows whether they would have kept it.
  public func countOpen(at bound: Span) -> UInt64 { cutOff.count - cutOff.count(above: bound) }

  /// The time of rank ceil(q · count), where what did not end stands behind all that did; `nil` among those.
  public func quantile(_ q: Double) -> Span? {
    count == 0 ? nil : ended.value(ofRank: LatencyHistogram.rank(of: q, among: count))
  }

  /// The longest time that the quantile exceeds for certain: each that was cut off took at least as long as it was seen, and none that
  /// never ends is shorter than any other. `nil` where nothing is known.
  public func quantileExceeds(_ q: Double) -> Span? {
    let seen = seen
    guard seen.count > 0 else { return nil }
    return seen.value(ofRank: min(seen.count, LatencyHistogram.rank(of: q, among: count)))
  }
}

extension LatencySample: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try ended.pack(&packing)
    try packing.count(&endless)
    try cutOff.pack(&packing)
  }
}
