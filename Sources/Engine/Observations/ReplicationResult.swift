import Contracts
import Timekeeping

/// What one replication came to.
public struct ReplicationResult: Sendable {
  /// From 0.
  public let index: Int
  public let seed: UInt64
  public let worlds: [WorldTally]
  /// The records wanted as lines, by window, world and region, where no stream took them.
  public let lines: [String]
  /// When it ended: before the scenario's end when it was stopped.
  public let ended: Instant
  public let digest: Digest
  /// Of a replication against servers.
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
