import Contracts
import Observations
import Statistics
import Timekeeping
import Verdicts

/// One world over all replications: the sum, and each replication by itself for intervals.
struct Merged {
  let declaration: WorldDeclaration
  /// What its latencies are a statement about.
  let basis: Basis
  let each: [WorldTally]
  /// Stretches of equal length, which rates and counts are over: the replications, or all parts of a load, those without calls among
  /// them.
  let stretches: [WorldTally]
  let whole: WorldTally
  let limits: [(tally: LimitTally, evidence: [Evidence])]

  struct Evidence {
    let evidence: LimitTally.Evidence
    let replication: Int
    let seed: UInt64
  }

  init(
    _ each: [(index: Int, seed: UInt64, tally: WorldTally)], of declaration: WorldDeclaration,
    basis: Basis = .modelled, stretches: [WorldTally]? = nil
  ) {
    self.declaration = declaration
    self.basis = basis
    self.each = each.map(\.tally)
    self.stretches = stretches ?? self.each
    var whole = each[0].tally
    for other in each.dropFirst() { whole.merge(other.tally) }
    self.whole = whole
    limits = Self.limits(each)
  }

  /// Several checks may judge one limit, and each replication has its own evidence.
  private static func limits(
    _ each: [(index: Int, seed: UInt64, tally: WorldTally)]
  ) -> [(tally: LimitTally, evidence: [Evidence])] {
    var order: [LimitID] = []
    var merged: [LimitID: (tally: LimitTally, evidence: [Evidence])] = [:]
    for replication in each {
      for limit in replication.tally.limits {
        let found = limit.evidence.map {
          Evidence(evidence: $0, replication: replication.index, seed: replication.seed)
        }
        if merged[limit.id] == nil {
          order.append(limit.id)
          merged[limit.id] = (limit, found)
        } else {
          merged[limit.id]!.tally.merge(limit)
          merged[limit.id]!.evidence += found
        }
      }
    }
    return order.map { id in
      (merged[id]!.tally, Array(merged[id]!.evidence.prefix(Judge.evidenceMax)))
    }
  }

  var inProcess: [InProcessLatency] {
    let operations = whole.operations.map { ($0.name, $0.inProcess) }
    let search = declaration.search.map { [($0.name, whole.searching.inProcess)] } ?? []
    return (operations + search).compactMap { name, took in
      guard took.count > 0 else { return nil }
      return InProcessLatency(
        world: declaration.domain, operation: name, count: Int(took.count),
        quantiles: [0.5, 0.99].filter { LatencyHistogram.tells($0, of: took.count) }
          .map { ($0, took.quantile($0)!.seconds) })
    }
  }

  var search: SearchResult? {
    declaration.search.map { search in
      SearchResult(
        world: declaration.domain, name: search.name, title: search.title,
        calls: whole.searching.calls, attempts: whole.searching.searches.attempts,
        examined: whole.searching.searches.examined)
    }
  }

  var latencies: [LatencyResult] {
    whole.operations.indices.compactMap { index in
      let operation = whole.operations[index]
      let whole = operation.sample
      guard operation.kind == .product, whole.count > 0 else { return nil }
      let samples = each.map { $0.operations[index].sample }
      let isAnswered = whole.ended.count == whole.count
      let answered =
        isAnswered
        ? nil
        : ReplicatedSample(
          samples.map { LatencySample(ended: $0.ended) }, pooled: LatencySample(ended: whole.ended))
      let replicated = ReplicatedSample(samples, pooled: whole)
      let quantiles = RunAssembly.quantiles.map { replicated.quantile($0) }
      return LatencyResult(
        world: declaration.domain, operation: operation.name, title: operation.title,
        basis: basis, count: Int(whole.count), unanswered: Int(whole.endless),
        cutOff: Int(whole.cutOff.count), quantiles: quantiles,
        answeredQuantiles: answered.map { answered in
          RunAssembly.quantiles.map { answered.quantile($0) }
        },
        parts: quantiles.compactMap { quantile in
          quantile.seconds.flatMap(operation.passages.parts).map {
            QuantileParts(q: quantile.q, parts: $0)
          }
        }, curve: Self.curve(of: whole), hgrm: HistogramText.percentiles(of: whole.ended))
    }
  }

  /// One replication by itself; operations that nobody asked for are left out.
  func latencies(ofReplication place: Int) -> [ReplicationLatency] {
    each[place].operations.compactMap { operation in
      let sample = operation.sample
      guard operation.kind == .product, sample.count > 0 else { return nil }
      func told(_ q: Double) -> Double? {
        LatencyHistogram.tells(q, of: sample.ended.count)
          ? sample.ended.quantile(q)?.seconds : nil
      }
      return ReplicationLatency(
        name: .init(world: declaration.domain, operation: operation.name, basis: basis),
        figures: LatencyFigures(
          count: Int(sample.ended.count), mean: sample.ended.mean, p50: told(0.5),
          p95: told(0.95), p99: told(0.99), unanswered: Int(sample.endless)))
    }
  }

  /// The pooled percentile curve, as far as it was answered, at shares that are evenly spaced on a logarithmic axis of
  /// 1/(1 - share).
  static func curve(of sample: LatencySample) -> [CurvePoint] {
    var shares: [Double] = [0, 0.1, 0.25, 0.4]
    var rest = 0.5
    while rest * Double(sample.count) >= 1 {
      shares.append(1 - rest)
      shares.append(1 - rest * 0.75)
      rest /= 2
    }
    return shares.compactMap { share in
      sample.quantile(share).map { CurvePoint(share: share, seconds: $0.seconds) }
    }
  }

  func business(judgedBy limits: [LimitResult]) -> [BusinessResult] {
    whole.business.indices.map { index in
      let tally = whole.business[index]
      let replications = ReplicatedSample(
        each.map { $0.business[index].sample }, pooled: tally.sample)
      let hasEndedAlways = tally.unfinished.count == 0
      return BusinessResult(
        world: declaration.domain, name: tally.name, title: tally.title,
        count: Int(tally.finished.count), unfinished: Int(tally.unfinished.count),
        abandoned: tally.abandoned, minimumSeconds: tally.finished.minimum?.seconds,
        meanSeconds: hasEndedAlways ? tally.finished.mean : nil,
        maximumSeconds: hasEndedAlways ? tally.finished.maximum?.seconds : nil,
        quantiles: [0.5, 0.9, 0.95, 0.99].map { replications.quantile($0) },
        survival: Survival.curve(finished: tally.finished, unfinished: tally.unfinished),
        boundSeconds: tally.bound?.seconds, limit: tally.limit?.text,
        verdict: limits.first { $0.id == tally.limit?.text }?.verdict,
        late: tally.bound.map {
          Int(tally.finished.count(above: $0) + tally.unfinished.count(above: $0))
        }, notes: tally.notes, openSince: Survival.openSince(tally.unfinished))
    }
  }

  var refusals: [Tally] { tallies(\.refusals) }
  var unknowns: [Tally] { tallies(\.unknowns) }
  var unsents: [Tally] { tallies(\.unsents) }

  private func tallies(_ counts: KeyPath<OperationTally, [String: Int]>) -> [Tally] {
    whole.operations.flatMap { operation in
      operation[keyPath: counts].sorted { $0.key < $1.key }.map {
        Tally(world: declaration.domain, operation: operation.name, code: $0.key, count: $0.value)
      }
    }
  }
}
