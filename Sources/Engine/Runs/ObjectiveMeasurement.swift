import Contracts
import Observations
import Scenarios
import Statistics
import Timekeeping

/// What the replications measured of an objective's subject.
struct ObjectiveMeasurement {
  private let objective: Objective
  private let tallies: [Merged]
  /// Of one replication.
  private let seconds: Double

  init(_ objective: Objective, _ tallies: [Merged], lasts: Span) {
    self.objective = objective
    seconds = objective.window.map { ($0.to - $0.from).seconds } ?? lasts.seconds
    self.tallies = tallies.filter {
      objective.domain == nil || $0.declaration.domain == objective.domain
    }
  }

  private var replications: Int { tallies.first?.each.count ?? 0 }

  /// The subject's response times, one histogram for each replication; all operations together without a subject.
  var latencies: [LatencyHistogram] {
    if let business { return business.map(\.finished) }
    return (0..<replications).map { replication in
      var merged = LatencyHistogram()
      for operation in operations(replication) { merged.merge(operation.latencies) }
      return merged
    }
  }

  private func operations(_ replication: Int) -> [OperationTally] {
    tallies.flatMap { tally in
      counted(tally.each[replication]).operations.filter {
        $0.kind == .product && (objective.subject == nil || objective.subject == $0.name)
      }
    }
  }

  /// The books of the whole run, or of the part that the objective is about.
  private func counted(
    _ tally: WorldTally
  ) -> (operations: [OperationTally], business: [BusinessTally]) {
    guard let window = objective.window else { return (tally.operations, tally.business) }
    guard let part = tally.windows.first(where: { $0.from == window.from && $0.to == window.to })
    else { preconditionFailure("no books were kept for a part of the run") }
    return (part.operations, part.business)
  }

  /// The subject as a business latency, one tally for each replication; `nil` when it is an operation.
  var business: [BusinessTally]? {
    for tally in tallies {
      if let index = tally.whole.business.firstIndex(where: { $0.name == objective.subject }) {
        return tally.each.map { counted($0).business[index] }
      }
    }
    return nil
  }

  /// How many of each replication are not finished, of a business latency.
  var never: [UInt64] { business?.map(\.unfinished.count) ?? latencies.map { _ in 0 } }
  var unfinished: Int { Int(never.reduce(0, +)) }

  /// The objective's figure in each replication that has one, in its unit.
  var values: [Double] {
    switch objective.measure {
    case .quantile(let q):
      zip(latencies, never).compactMap { Quantile(q, of: [$0], never: [$1]).seconds }
    case .mean: totals.compactMap(\.mean)
    case .errors, .share: lateCounts(above: Span(seconds: objective.bound)).compactMap(\.share)
    case .rate: counts.map { $0 / seconds }
    case .count: counts
    }
  }

  /// What an objective about a mean is judged by: one for each replication, in seconds.
  var totals: [Total] {
    latencies.map { Total(sum: ($0.mean ?? 0) * Double($0.count), count: $0.count) }
  }

  /// What an objective about a share, or about a quantile with its bound, is judged by: one for each replication.
  func lateCounts(above bound: Span) -> [LateCount] {
    switch objective.measure {
    case .errors: errors
    case .share(let over): late(over)
    case .quantile: beyond(bound)
    default: late(bound)
    }
  }

  /// What a quantile is judged by: whatever never finished is infinitely late.
  private func beyond(_ bound: Span) -> [LateCount] {
    zip(latencies, never).map { histogram, never in
      LateCount(late: histogram.count(above: bound) + never, requests: histogram.count + never)
    }
  }

  private func late(_ bound: Span) -> [LateCount] {
    if let business { return business.map { Self.late($0, bound) } }
    return latencies.map { LateCount(late: $0.count(above: bound), requests: $0.count) }
  }

  /// Those that took longer than the bound, among those of which that is known.
  private static func late(_ tally: BusinessTally, _ bound: Span) -> LateCount {
    let stillOpen = tally.unfinished.count(above: bound)
    return LateCount(
      late: tally.finished.count(above: bound) + stillOpen,
      requests: tally.finished.count + stillOpen)
  }

  private var errors: [LateCount] {
    (0..<replications).map { replication in
      let operations = operations(replication)
      return LateCount(
        late: UInt64(operations.reduce(0) { $0 + $1.unknown + $1.unsent }),
        requests: UInt64(operations.reduce(0) { $0 + $1.requests }))
    }
  }

  /// Requests made, or things finished, in each replication; zero counts.
  private var counts: [Double] {
    if let business { return business.map { Double($0.finished.count) } }
    return (0..<replications).map { replication in
      Double(operations(replication).reduce(0) { $0 + $1.requests })
    }
  }
}

extension Merged {
  /// The mean response time of all operations together, in each replication that has one.
  var meanResponses: [Double] {
    each.compactMap { tally in
      var merged = LatencyHistogram()
      for operation in tally.operations where operation.kind == .product {
        merged.merge(operation.latencies)
      }
      return merged.mean
    }
  }
}

extension Objective {
  /// The objective without its bound: `p99 of DOMAIN.OPERATION`.
  var subjectInWords: String {
    let end = text.firstIndex { "<>≤≥".contains($0) } ?? text.endIndex
    let words = text[..<end]
    return String(words[..<(words.lastIndex { $0 != " " }.map(words.index(after:)) ?? end)])
  }
}
