import Verdicts

/// A load as one measurement. Its parts are stretches of one run, which share its machine, its moment and its server's state: they are no
/// replications, and a comparison that took them for such would call chance a change. Several runs of a load are a sample.
extension Run {
  /// What each route came to over the whole load, of the answered.
  var wholeLoad: [ReplicationLatency] {
    latencies.map { latency in
      let name = LatencySeries.Name(
        world: latency.world, operation: latency.operation, basis: latency.basis)
      let parts = replications.flatMap(\.latencies).filter { $0.name == name }.map(\.figures)
      let answered = parts.reduce(0) { $0 + $1.count }
      let sum = parts.reduce(0.0) { $0 + ($1.mean ?? 0) * Double($1.count) }
      func told(_ q: Double) -> Double? {
        latency.answeredQuantiles.first { abs($0.q - q) < 1e-9 }?.seconds
      }
      return ReplicationLatency(
        name: name,
        figures: LatencyFigures(
          count: latency.answered, mean: answered > 0 ? sum / Double(answered) : nil,
          p50: told(0.5), p95: told(0.95), p99: told(0.99), unanswered: latency.unanswered))
    }
  }
}

extension Run {
  /// How many times as long a load would probably decide what is inconclusive; `nil` where no length would, or nothing is.
  public var timesAsLong: Double? {
    let open = objectives.filter { $0.verdict == .inconclusive }
    guard generator != nil, let more = open.compactMap(\.moreReplications).max() else { return nil }
    return Double(replications.count + more) / Double(max(1, replications.count))
  }

  /// The same load with other names for its routes, as many as it has.
  public func renamed(to names: [String]) -> Run {
    guard names.count == latencies.count else { return self }
    var run = self
    let pairs = zip(latencies.map(\.operation), names)
    let new = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    for place in names.indices { run.latencies[place].operation = names[place] }
    for place in replications.indices {
      for item in replications[place].latencies.indices {
        let name = replications[place].latencies[item].name.operation
        run.replications[place].latencies[item].name.operation = new[name] ?? name
      }
    }
    return run
  }
}

extension RunFigures {
  /// Several runs of one load against one server: each is what a replication is to a scenario.
  ///
  /// - Parameter runs: At least one, all of the same load.
  public init(loads runs: [Run]) {
    precondition(!runs.isEmpty, "a sample of runs holds one")
    self = runs[0].figures
    replications = runs.map { .init(seed: $0.seed, digest: $0.digest) }
    series = LatencySeries.collect(runs.map(\.wholeLoad))
  }

  /// What a value of a figure comes from.
  var repetitionInWords: String { pace == nil ? "replication" : "run" }

  /// Why two runs cannot be set beside each other whatever the statistics say; `nil` where both are runs of scenarios.
  public func obstacle(besides baseline: RunFigures) -> String? {
    switch (pace, baseline.pace) {
    case (nil, nil): return nil
    case (nil, _), (_, nil):
      return
        "one is a load of a URL and the other a run of a scenario, which measure different things"
    case (.some(let own), .some(let other)) where own != other:
      return
        "these are different loads, '\(own)' and '\(other)': open and closed loads, and other rates or users, have other response times on the same server"
    case (.some, .some):
      let (own, other) = (series.map(\.name.operation), baseline.series.map(\.name.operation))
      guard own == other else {
        return
          "these loads have different routes: \(own.joined(separator: ", ")), and \(other.joined(separator: ", "))"
      }
      return
        "each is a single run of a load: its 20 parts share one moment of one machine, so that one run a side cannot tell a change from chance"
    }
  }
}
