import Contracts
import Timekeeping

/// What one replication came to.
public struct ReplicationResult: Sendable {
  /// From 0.
  public private(set) var index: Int
  public private(set) var seed: UInt64
  public private(set) var worlds: [WorldTally]
  /// The records wanted as lines, by window, world and region, where no stream took them.
  public let lines: [String]
  /// When it ended: before the scenario's end when it was stopped.
  public private(set) var ended: Instant
  public private(set) var digest: Digest
  /// Of a replication against servers, whose runs are not divided.
  public let traffic: WireTraffic?

  public init(
    index: Int, seed: UInt64, worlds: [WorldTally], lines: [String], ended: Instant, digest: Digest,
    traffic: WireTraffic? = nil
  ) {
    self.index = index
    self.seed = seed
    self.worlds = worlds
    self.lines = lines
    self.ended = ended
    self.digest = digest
    self.traffic = traffic
  }
}

extension ReplicationResult {
  /// Whether a limit was violated, which ends a run that is to stop early.
  public var isViolated: Bool {
    worlds.contains { $0.limits.contains { $0.violations > 0 } }
  }
}

/// Without its lines, which go where they are asked for while it runs; read into one with empty tallies.
extension ReplicationResult: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.count(&index)
    try packing.pack(&seed)
    try packing.each(&worlds)
    try packing.pack(&ended)
    try packing.pack(&digest)
  }
}
