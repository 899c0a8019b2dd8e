/// How many requests of one replication were late, or met whatever else an objective counts.
public struct LateCount: Hashable, Sendable {
  /// Those that were late for certain.
  public let late: UInt64
  /// Those of which the run's end leaves open whether they were late: a pass must hold as if they were, a fail as if they were not.
  public let open: UInt64
  /// All of them, with the late ones and the open ones.
  public let requests: UInt64

  public init(late: UInt64, open: UInt64 = 0, requests: UInt64) {
    precondition(late + open <= requests, "more late requests than requests")
    self.late = late
    self.open = open
    self.requests = requests
  }

  /// The share that was late, among those of which that is known; `nil` of none.
  public var share: Double? {
    requests == open ? nil : Double(late) / Double(requests - open)
  }
}

/// The values that one replication's requests took together, such as response times in seconds, and how many they were.
public struct Total: Hashable, Sendable {
  public let sum: Double
  public let count: UInt64

  public init(sum: Double, count: UInt64) {
    precondition(sum.isFinite, "only finite numbers have a sum")
    self.sum = sum
    self.count = count
  }

  /// `nil` of none.
  public var mean: Double? { count == 0 ? nil : sum / Double(count) }

  /// Of all replications together.
  public static func all(_ totals: [Total]) -> Total {
    Total(
      sum: totals.reduce(0) { $0 + $1.sum }, count: totals.reduce(0) { $0 + $1.count })
  }
}
