/// How strong the strongest cut looks in series of one length without any change.
struct ChanceTable: Sendable {
  /// Ascending strengths, for each correlation.
  private let strengths: [[Double]]

  /// From run to run: independent, as figures of one machine often are, and as much as they seldom are.
  private static let correlations = [0, 0.3, 0.6]

  /// - Complexity: O(draws · n log n).
  init(length: Int, draws: Int) {
    strengths = Self.correlations.map { correlation in
      var chance = ChanceSeries(length: length, correlation: correlation)
      let sums = RankSums((1...length).map(Double.init))
      return (0..<draws).map { _ in sums.candidate(chance.next()).strength }.sorted()
    }
  }

  /// The probability of at least such a strength, with the correlation that makes it largest.
  func chance(ofStrength strength: Double) -> Double {
    // A hair of slack: equal sums of ranks in another order can differ in the last place.
    let least = strength * (1 - 1e-12)
    return strengths.map { sorted in
      let asStrong = sorted.count { $0 >= least }
      return Double(asStrong + 1) / Double(sorted.count + 1)
    }.max() ?? 1
  }
}

/// Ranks of series without any change, from a fixed seed: the same history always gives the same answer.
struct ChanceSeries {
  private let length: Int
  private let correlation: Double
  private var state: UInt64 = 0x5265_6865_6172_7361

  /// - Parameter correlation: From one value to the next.
  init(length: Int, correlation: Double) {
    self.length = length
    self.correlation = correlation
  }

  mutating func next() -> [Double] {
    var value = deviate()
    let fresh = (1 - correlation * correlation).squareRoot()
    var series: [Double] = []
    series.reserveCapacity(length)
    for _ in 0..<length {
      series.append(value)
      value = correlation * value + fresh * deviate()
    }
    return RankSums.midranks(of: series)
  }

  /// Nearly normal, with mean 0 and variance 1: a sum of eight 16-bit uniforms; only ranks are made of it.
  private mutating func deviate() -> Double {
    var sum: UInt64 = 0
    for bits in [word(), word()] {
      for shift in stride(from: UInt64(0), to: 64, by: 16) { sum += bits >> shift & 0xFFFF }
    }
    return (Double(sum) / 65_536 - 4) * (12.0 / 8).squareRoot()
  }

  /// SplitMix64.
  ///
  /// - Source: G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014.
  private mutating func word() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
