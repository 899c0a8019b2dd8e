import Observations
import Statistics
import Timekeeping

/// Latencies of one kind in several replications, of which quantiles are asked.
struct ReplicatedSample {
  /// Of the replications that have any.
  private let filled: [LatencySample]
  private let pooled: LatencySample
  /// Between two of these nothing changes about who is late.
  private let values: [Span]

  init(_ replications: [LatencySample]) {
    var pooled = LatencySample(
      ended: LatencyHistogram(unit: replications.first?.ended.unit ?? .microseconds(1)),
      cutOff: LatencyHistogram(unit: replications.first?.cutOff.unit ?? .microseconds(1)))
    for sample in replications { pooled.merge(sample) }
    self.init(replications, pooled: pooled)
  }

  /// - Parameter pooled: All of them together, where that is known.
  init(_ replications: [LatencySample], pooled: LatencySample) {
    filled = replications.filter { $0.count > 0 }
    self.pooled = pooled
    values = pooled.seen.buckets.map(\.value)
  }

  /// The quantile over all requests of all replications, those without an answer among them, with the interval of those values that the
  /// replications' counts above them do not exclude; without one where they are too few.
  func quantile(_ q: Double, confidence: Double = 0.95) -> Quantile {
    guard LatencyHistogram.tells(q, of: pooled.count), !values.isEmpty else {
      return Quantile(q: q, seconds: nil, interval: nil)
    }
    let estimate = pooled.quantile(q)
    let longerThan = estimate == nil ? pooled.quantileExceeds(q)?.seconds : nil
    let range = ReplicatedQuantile.candidates(
      ofQuantile: q, count: values.count, confidence: confidence,
      estimate: estimate.flatMap { values.firstIndex(of: $0) } ?? values.count,
      isOpenAbove: pooled.ended.count < pooled.count
    ) { place in
      let value = values[place]
      // By place: a sample that is handed on is copied, and all that it refers to is counted.
      return filled.indices.map {
        LateCount(
          late: filled[$0].count(above: value), open: filled[$0].countOpen(at: value),
          requests: filled[$0].count)
      }
    }
    switch range {
    case .success(let places) where places.lowerBound < values.count:
      let high = places.upperBound < values.count ? values[places.upperBound].seconds : .infinity
      return Quantile(
        q: q, seconds: estimate?.seconds,
        interval: Bounds(low: values[places.lowerBound].seconds, high: high),
        longerThan: longerThan)
    case .success, .failure:
      return Quantile(q: q, seconds: estimate?.seconds, interval: nil, longerThan: longerThan)
    }
  }
}
