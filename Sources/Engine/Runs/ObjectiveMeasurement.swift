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
  /// The subject's latencies, one sample for each replication; all operations together without a subject. Rates and counts need none.
  private(set) var samples: [LatencySample] = []
  /// The subject as a business latency, one tally for each replication; `nil` when it is an operation.
  private(set) var business: [BusinessTally]?

  init(_ objective: Objective, _ tallies: [Merged], lasts: Span) {
    self.objective = objective
    seconds = objective.window.map { ($0.to - $0.from).seconds } ?? lasts.seconds
    self.tallies = tallies.filter {
      objective.domain == nil || $0.declaration.domain == objective.domain
    }
    business = ends
    samples = sampled
  }

  private var sampled: [LatencySample] {
    switch objective.measure {
    case .rate, .count: return []
    case .quantile, .share, .errors, .mean: break
    }
    if let business { return business.map(\.sample) }
    return (0..<replications).map { replication in
      let operations = operations(replication)
      if operations.count == 1 { return operations[0].sample }
      var merged = LatencySample()
      for operation in operations { merged.merge(operation.sample) }
      merged.ended.compact()
      merged.cutOff.compact()
      return merged
    }
  }

  private var replications: Int { tallies.first?.each.count ?? 0 }

  private func operations(_ replication: Int) -> [OperationTally] {
    tallies.flatMap { asked($0.each[replication]) }
  }

  /// Those that the objective is about.
  private func asked(_ tally: WorldTally) -> [OperationTally] {
    counted(tally).operations.filter {
      $0.kind == .product && (objective.subject == nil || objective.subject == $0.name)
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

  private var ends: [BusinessTally]? {
    for tally in tallies {
      if let index = tally.whole.business.firstIndex(where: { $0.name == objective.subject }) {
        return tally.each.map { counted($0).business[index] }
      }
    }
    return nil
  }

  /// How many have no time that a mean could be over: those without an answer, and those of the domain that had not ended.
  var withoutEnd: Int {
    samples.reduce(0) { $0 + Int($1.endless) + (business == nil ? 0 : Int($1.cutOff.count)) }
  }

  /// How reasons speak of them, and of those that were late.
  var withoutEndInWords: String {
    business == nil ? "got no usable answer" : "had not finished when the run ended"
  }
  var lateInWords: String {
    business == nil && withoutEnd > 0
      ? "got no usable answer or took longer than" : "took longer than"
  }

  /// The objective's figure in each replication that has one, in its unit.
  var values: [Double] {
    switch objective.measure {
    case .quantile(let q): samples.compactMap { $0.quantile(q)?.seconds }
    case .mean: totals.compactMap(\.mean)
    case .errors, .share: lateCounts(above: Span(seconds: objective.bound)).compactMap(\.share)
    case .rate: counts.map { $0 / seconds }
    case .count: counts
    }
  }

  /// What an objective about a mean is judged by: one for each replication, in seconds, over what ended.
  var totals: [Total] {
    samples.map {
      Total(sum: ($0.ended.mean ?? 0) * Double($0.ended.count), count: $0.ended.count)
    }
  }

  /// What an objective about a share, or about a quantile with its bound, is judged by: one for each replication.
  func lateCounts(above bound: Span) -> [LateCount] {
    switch objective.measure {
    case .errors: errors
    case .share(let over): late(over)
    case .quantile, .mean, .rate, .count: late(bound)
    }
  }

  private func late(_ bound: Span) -> [LateCount] {
    samples.map {
      LateCount(
        late: $0.count(above: bound), open: $0.countOpen(at: bound), requests: $0.count)
    }
  }

  /// Requests without a usable answer, and those that were never sent; of what the run's end cut off nobody knows.
  private var errors: [LateCount] {
    (0..<replications).map { replication in
      let operations = operations(replication)
      let cutOff = operations.reduce(0) { $0 + $1.cutOffInAll }
      return LateCount(
        late: UInt64(operations.reduce(0) { $0 + $1.unknown + $1.unsent } - cutOff),
        open: UInt64(cutOff), requests: UInt64(operations.reduce(0) { $0 + $1.requests }))
    }
  }

  /// Requests made, or things finished, in each replication; zero counts.
  private var counts: [Double] {
    if let business { return business.map { Double($0.ends) } }
    return (tallies.first?.stretches.indices ?? 0..<0).map { place in
      Double(
        tallies.flatMap { asked($0.stretches[place]) }.reduce(0) { $0 + $1.requests })
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
