import Statistics

/// How the figures of a scenario moved over the runs of a store.
public struct RunHistory: Sendable {
  /// The runs that are followed, in the order in which they were recorded.
  public let runs: [StoredRun]
  /// Runs of the scenario that cannot be set beside the latest one.
  public let leftOut: Int
  /// All figures, those with a change first, the latest change before older ones.
  public let trends: [Trend]
  /// Of the figures that show a change, the share that did not change, on average and at most.
  public let falseDiscoveries: Double

  /// With fewer runs no change can be told from chance.
  public static let fewestRuns = ChangePoint.fewest

  public struct Trend: Sendable {
    public let name: RunMeasurement.Name
    /// One for each run, in seconds; `nil` where the run has no such figure.
    public let values: [Double?]
    /// With the index of a run.
    public let changes: [Change]

    public var latest: Double? { values.last(where: { $0 != nil }) ?? nil }
  }

  public struct Change: Hashable, Sendable {
    /// The first run on the new level.
    public let run: Int
    /// Medians on either side, in seconds.
    public let before: Double
    public let after: Double
    public let chance: Double

    public var isGrowth: Bool { after > before }
  }

  /// - Parameters:
  ///   - entries: Runs of one scenario with their figures, in the order in which they were recorded. Of loads those are followed that
  ///     asked for the same as the latest.
  ///   - anySeed: Whether runs with other seeds or another number of replications than the latest are followed too. They
  ///     are random samples: a run that repeats its predecessor to the bit then adds nothing and is left out. With one seed the
  ///     figures move with the program alone, and a repetition counts.
  public init(
    _ entries: [(run: StoredRun, measurements: [RunMeasurement])], anySeed: Bool = false,
    falseDiscoveries: Double = 0.1
  ) {
    self.falseDiscoveries = falseDiscoveries
    let followed = Self.followed(entries, anySeed: anySeed)
    runs = followed.map(\.run)
    leftOut = entries.count - followed.count
    var values: [RunMeasurement.Name: [Double?]] = [:]
    for (place, entry) in followed.enumerated() {
      for measurement in entry.measurements {
        values[measurement.name, default: Array(repeating: nil, count: followed.count)][place] =
          measurement.seconds
      }
    }
    let named = values.sorted { $0.key < $1.key }
    var search = ChangePointSearch()
    let found = search.find(
      among: named.map { $0.value.compactMap(\.self) }, falseDiscoveries: falseDiscoveries)
    trends = zip(named, found).map { Trend($0.key, $0.value, $1) }.sorted(by: Self.isNewer)
  }

  private static func followed(
    _ entries: [(run: StoredRun, measurements: [RunMeasurement])], anySeed: Bool
  ) -> [(run: StoredRun, measurements: [RunMeasurement])] {
    let ended = entries.filter { !$0.run.record.interrupted }
    guard let latest = ended.last?.run.record else { return [] }
    let whole = ended.filter {
      !latest.isLoad || $0.run.record.scenario.digest == latest.scenario.digest
    }
    if !anySeed {
      return whole.filter {
        $0.run.record.seed == latest.seed && $0.run.record.replications == latest.replications
      }
    }
    return whole.enumerated().filter { place, entry in
      place == 0 || entry.run.record.digest != whole[place - 1].run.record.digest
    }.map(\.element)
  }

  private static func isNewer(_ a: Trend, _ b: Trend) -> Bool {
    let (left, right) = (a.changes.last?.run ?? -1, b.changes.last?.run ?? -1)
    return left != right ? left > right : a.name < b.name
  }
}

extension RunHistory.Trend {
  fileprivate init(
    _ name: RunMeasurement.Name, _ values: [Double?], _ found: [ChangePoint]
  ) {
    self.name = name
    self.values = values
    let places = values.indices.filter { values[$0] != nil }
    changes = found.map {
      RunHistory.Change(
        run: places[$0.index], before: $0.before, after: $0.after, chance: $0.chance)
    }
  }
}
