import Contracts
import Timekeeping

/// What one replication came to, with no more memory than what was counted takes: a run may have thousands.
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
  /// Of a replication against servers.
  public private(set) var traffic: WireTraffic?

  public init(
    index: Int, seed: UInt64, worlds: [WorldTally], lines: [String], ended: Instant, digest: Digest,
    traffic: WireTraffic? = nil
  ) {
    self.index = index
    self.seed = seed
    self.worlds = worlds
    for index in worlds.indices { self.worlds[index].compact() }
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

extension ReplicationResult {
  /// Moves into another one of the same run what is told of all replications together and of none by itself, so that it is kept once.
  public mutating func give(to other: inout ReplicationResult) {
    for index in worlds.indices { worlds[index].give(to: &other.worlds[index]) }
  }
}

extension ReplicationResult {
  /// Adds what another generator made of the same replication.
  public mutating func merge(_ other: ReplicationResult) {
    precondition(index == other.index && seed == other.seed, "these are two replications")
    for world in worlds.indices { worlds[world].merge(other.worlds[world]) }
    ended = max(ended, other.ended)
    digest.mix(other.digest)
    if let other = other.traffic { traffic?.merge(other) }
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
    try packing.pack(&traffic, empty: WireTraffic())
  }
}
