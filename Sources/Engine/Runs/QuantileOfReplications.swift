import Observations
import Statistics
import Timekeeping

extension Quantile {
  /// The quantile over all requests of all replications, with the interval of those values that the replications' shares above them
  /// do not exclude; without one where they are too few.
  init(_ q: Double, of replications: [LatencyHistogram], confidence: Double = 0.95) {
    let filled = replications.filter { $0.count > 0 }
    var pooled = LatencyHistogram(unit: filled.first?.unit ?? .microseconds(1))
    for histogram in filled { pooled.merge(histogram) }
    guard let estimate = pooled.quantile(q) else {
      self.init(q: q, seconds: nil, interval: nil)
      return
    }
    let values = pooled.buckets.map(\.value)
    let place = values.firstIndex(of: estimate) ?? 0
    let range = ReplicatedQuantile.candidates(
      ofQuantile: q, count: values.count, confidence: confidence, estimate: place
    ) { place in
      filled.map { Double($0.count(above: values[place])) / Double($0.count) }
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
