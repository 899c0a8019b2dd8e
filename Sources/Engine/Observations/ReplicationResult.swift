import Contracts
import Timekeeping

/// What one replication came to.
package struct ReplicationResult: Sendable {
  /// From 0.
  package let index: Int
  package let seed: UInt64
  package let worlds: [WorldTally]
  /// Lines for `--events`, in world and region order.
  package let lines: [String]
  /// When it ended: before the scenario's end when it was stopped.
  package let ended: Instant
  package let digest: Digest

  package init(
    index: Int, seed: UInt64, worlds: [WorldTally], lines: [String], ended: Instant, digest: Digest
  ) {
    self.index = index
    self.seed = seed
    self.worlds = worlds
    self.lines = lines
    self.ended = ended
    self.digest = digest
  }
}
