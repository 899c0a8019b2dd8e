import Observations
import Statistics
import Timekeeping

extension Quantile {
  /// The quantile over all requests of all replications, with the interval of those values that the replications' shares above them
  /// do not exclude; without one where they are too few.
  ///
  /// - Parameter unfinished: How many of each replication never came to an end: they count as infinitely late, and a quantile that
  ///   falls among them has no value. Empty where everything ends.
  init(
    _ q: Double, of replications: [LatencyHistogram], unfinished: [UInt64] = [],
    confidence: Double = 0.95
  ) {
    let open = unfinished.isEmpty ? replications.map { _ in 0 } : unfinished
    let filled = zip(replications, open).filter { $0.count + $1 > 0 }
    let ended = replications.filter { $0.count > 0 }
    var pooled = LatencyHistogram(unit: ended.first?.unit ?? .microseconds(1))
    for histogram in ended { pooled.merge(histogram) }
    let total = pooled.count + open.reduce(0, +)
    let rank = max(1, (q * Double(total)).rounded(.up))
    // Half a rank below, so that the division cannot lead to the next one.
    guard rank <= Double(pooled.count),
      let estimate = pooled.quantile((rank - 0.5) / Double(pooled.count))
    else {
      self.init(q: q, seconds: nil, interval: nil)
      return
    }
    let values = pooled.buckets.map(\.value)
    let place = values.firstIndex(of: estimate) ?? 0
    let range = ReplicatedQuantile.candidates(
      ofQuantile: q, count: values.count, confidence: confidence, estimate: place
    ) { place in
      filled.map { Double($0.count(above: values[place]) + $1) / Double($0.count + $1) }
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
