/// Standardised rank sums of the first k values, for every k.
struct RankSums {
  private let mean: Double
  /// One over the standard deviation of the sum of k ranks drawn without replacement.
  private let scales: [Double]

  init(_ ranks: [Double]) {
    let n = Double(ranks.count)
    let mean = ranks.reduce(0, +) / n
    self.mean = mean
    let variance = ranks.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / n
    scales = (0...ranks.count).map { k in
      let k = Double(k)
      let spread = variance * k * (n - k) / (n - 1)
      return spread > 0 ? 1 / spread.squareRoot() : 0
    }
  }

  func strongest(_ ranks: [Double]) -> (cut: Int, strength: Double) {
    var (sum, best, cut) = (0.0, 0.0, 0)
    for k in 1..<ranks.count {
      sum += ranks[k - 1] - mean
      guard k >= ChangePoint.fewestPerSide, k <= ranks.count - ChangePoint.fewestPerSide else {
        continue
      }
      let strength = sum.magnitude * scales[k]
      if strength > best { (best, cut) = (strength, k) }
    }
    return (cut, best)
  }

  /// The strongest cut's strength in units that take the correlation around the two levels into account.
  static func strength(of ranks: [Double], cutAt cut: Int, strength: Double) -> Double {
    let correlation = correlation(of: ranks, cutAt: cut)
    // The variance of a mean of correlated values is larger by (1 + ρ)/(1 − ρ).
    return strength * ((1 - correlation) / (1 + correlation)).squareRoot()
  }

  /// From one value to the next around two levels; in 0...0.95, and 0 where nothing lies around them.
  ///
  /// Two levels fitted to few values take some of the correlation away, which is put back.
  static func correlation(of ranks: [Double], cutAt cut: Int) -> Double {
    func mean(_ part: ArraySlice<Double>) -> Double { part.reduce(0, +) / Double(part.count) }
    let levels = (mean(ranks[..<cut]), mean(ranks[cut...]))
    let rest = ranks.indices.map { ranks[$0] - ($0 < cut ? levels.0 : levels.1) }
    let squares = rest.reduce(0) { $0 + $1 * $1 }
    guard squares > 0 else { return 0 }
    let products = zip(rest, rest.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    let size = Double(ranks.count)
    return min(0.95, max(0, (products / squares * size + 2) / (size - 2)))
  }

  /// Ranks from 1, equal values sharing the mean of theirs.
  static func midranks(of values: [Double]) -> [Double] {
    let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    var ranks = [Double](repeating: 0, count: values.count)
    var begin = 0
    while begin < order.count {
      var end = begin + 1
      while end < order.count, values[order[end]] == values[order[begin]] { end += 1 }
      for place in order[begin..<end] { ranks[place] = Double(begin + end + 1) / 2 }
      begin = end
    }
    return ranks
  }
}
