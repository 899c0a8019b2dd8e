import Observations
import Statistics
import Timekeeping

extension Quantile {
  /// The quantile over all requests of all replications, with the interval of those values that the replications' shares above them
  /// do not exclude; without one where they are too few.
  ///
  /// - Parameter never: How many of each replication never ended, and so are infinitely late: a quantile among them is `nil`.
  init(
    _ q: Double, of replications: [LatencyHistogram], never: [UInt64]? = nil,
    confidence: Double = 0.95
  ) {
    let filled = zip(replications, never ?? replications.map { _ in 0 })
      .filter { $0.0.count + $0.1 > 0 }
    var pooled = LatencyHistogram(unit: replications.first?.unit ?? .microseconds(1))
    for (histogram, _) in filled { pooled.merge(histogram) }
    let whole = filled.reduce(pooled.count) { $0 + $1.1 }
    guard whole > 0,
      let estimate = pooled.value(ofRank: LatencyHistogram.rank(of: q, among: whole))
    else {
      self.init(q: q, seconds: nil, interval: nil)
      return
    }
    let values = pooled.buckets.map(\.value)
    let place = values.firstIndex(of: estimate) ?? 0
    let range = ReplicatedQuantile.candidates(
      ofQuantile: q, count: values.count, confidence: confidence, estimate: place
    ) { place in
      filled.map { histogram, never in
        LateCount(
          late: histogram.count(above: values[place]) + never, requests: histogram.count + never)
      }
    }
    switch range {
    case .success(let places):
      self.init(
        q: q, seconds: estimate.seconds,
        interval: Bounds(
          low: values[places.lowerBound].seconds, high: values[places.upperBound].seconds))
    case .failure: self.init(q: q, seconds: estimate.seconds, interval: nil)
    }
  }
}
