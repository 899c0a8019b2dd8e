import Observations
import Statistics
import Timekeeping

extension Quantile {
  /// The quantile over all requests of all replications, those without an answer among them, with the interval of those values that the
  /// replications' counts above them do not exclude; without one where they are too few.
  init(_ q: Double, of replications: [LatencySample], confidence: Double = 0.95) {
    let filled = replications.filter { $0.count > 0 }
    var pooled = LatencySample(
      ended: LatencyHistogram(unit: replications.first?.ended.unit ?? .microseconds(1)),
      cutOff: LatencyHistogram(unit: replications.first?.cutOff.unit ?? .microseconds(1)))
    for sample in filled { pooled.merge(sample) }
    guard LatencyHistogram.tells(q, of: pooled.count) else {
      self.init(q: q, seconds: nil, interval: nil)
      return
    }
    let estimate = pooled.quantile(q)
    let longerThan = estimate == nil ? pooled.quantileExceeds(q)?.seconds : nil
    // Between two of these nothing changes about who is late.
    let values = pooled.seen.buckets.map(\.value)
    guard !values.isEmpty else {
      self.init(q: q, seconds: nil, interval: nil)
      return
    }
    let range = ReplicatedQuantile.candidates(
      ofQuantile: q, count: values.count, confidence: confidence,
      estimate: estimate.flatMap { values.firstIndex(of: $0) } ?? values.count,
      isOpenAbove: pooled.ended.count < pooled.count
    ) { place in
      filled.map {
        LateCount(
          late: $0.count(above: values[place]), open: $0.countOpen(at: values[place]),
          requests: $0.count)
      }
    }
    switch range {
    case .success(let places) where places.lowerBound < values.count:
      let high = places.upperBound < values.count ? values[places.upperBound].seconds : .infinity
      self.init(
        q: q, seconds: estimate?.seconds,
        interval: Bounds(low: values[places.lowerBound].seconds, high: high),
        longerThan: longerThan)
    case .success, .failure:
      self.init(q: q, seconds: estimate?.seconds, interval: nil, longerThan: longerThan)
    }
  }
}
