import Contracts
import Observations
import Scenarios
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

  /// How many are not finished, of a business latency.
  var unfinished: Int { open.reduce(0) { $0 + Int($1) } }

  /// The same for each replication; empty for an operation.
  var open: [UInt64] { business?.map(\.unfinished.count) ?? [] }

  /// The objective's figure in each replication that has one, in its unit.
  var values: [Double] {
    switch objective.measure {
    case .quantile(let q): latencies.compactMap { $0.quantile(q)?.seconds }
    case .mean: latencies.compactMap(\.mean)
    case .errors, .share: shares(above: Span(seconds: objective.bound))
    case .rate: counts.map { $0 / seconds }
    case .count: counts
    }
  }

  /// The shares that an objective about shares, or about a quantile with its bound, is judged by.
  func shares(above bound: Span) -> [Double] {
    switch objective.measure {
    case .errors: errorShares
    case .share(let over): late(over)
    default: late(bound)
    }
  }

  private func late(_ bound: Span) -> [Double] {
    if let business { return business.compactMap { Self.shareLate($0, bound) } }
    return latencies.filter { $0.count > 0 }.map {
      Double($0.count(above: bound)) / Double($0.count)
    }
  }

  /// The share that took longer than the bound, among those of which that is known.
  private static func shareLate(_ tally: BusinessTally, _ bound: Span) -> Double? {
    let late = tally.finished.count(above: bound) + tally.unfinished.count(above: bound)
    let known = tally.finished.count + tally.unfinished.count(above: bound)
    return known == 0 ? nil : Double(late) / Double(known)
  }

  private var errorShares: [Double] {
    (0..<replications).compactMap { replication in
      let operations = operations(replication)
      let requests = operations.reduce(0) { $0 + $1.requests }
      let errors = operations.reduce(0) { $0 + $1.unknown + $1.unsent }
      return requests == 0 ? nil : Double(errors) / Double(requests)
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
