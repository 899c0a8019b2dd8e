import Observations

/// A time in which a server that had answered took no calls: what it knew may be lost, and what was measured afterwards is of a server that
/// has just begun.
public struct Outage: Hashable, Sendable {
  /// Connections that were refused, and those that ended without an answer.
  public var refused: Int
  public var ended: Int
  /// Seconds since the beginning, of the first such failure and the last.
  public var from: Double
  public var to: Double

  public init(refused: Int, ended: Int, from: Double, to: Double) {
    self.refused = refused
    self.ended = ended
    self.from = from
    self.to = to
  }

  /// - Returns: `nil` without an outage.
  public init?(_ tally: OutageTally) {
    guard let from = tally.from, let to = tally.to else { return nil }
    self.init(refused: tally.refused, ended: tally.ended, from: from.seconds, to: to.seconds)
  }
}

extension Run {
  /// Of the server that a run in real time was against.
  public var outage: Outage? { generator?.outage ?? machine.punctuality?.outage }
}
