/// Where a series would best be cut in two, and how strong the cut looks, in two ways.
struct CutCandidate {
  let cut: Int
  /// By ranks, against the correlation that remains around the two levels.
  let byRank: Double
  /// By how far apart the levels are, against the steps from one value to the next.
  let byLevel: Double

  /// - Returns: `nil` where nothing differs.
  init?(_ series: [Double]) {
    let ranks = RankSums.midranks(of: series)
    let found = RankSums(ranks).strongest(ranks)
    guard found.cut > 0 else { return nil }
    cut = found.cut
    byRank = RankSums.strength(of: ranks, cutAt: cut, strength: found.strength)
    byLevel = Self.levelStrength(of: series, cutAt: cut)
  }

  /// The difference of the two means over what independent values with such steps would give it.
  ///
  /// One value in twenty at either end, and one step in ten, do not count, so that neither outliers nor other changes of level
  /// weigh much.
  private static func levelStrength(of series: [Double], cutAt cut: Int) -> Double {
    let sorted = series.sorted()
    let n = series.count
    let beyond = max(1, n / 20)
    let (low, high) = (sorted[beyond], sorted[n - 1 - beyond])
    func mean(_ part: ArraySlice<Double>) -> Double {
      part.reduce(0) { $0 + min(max($1, low), high) } / Double(part.count)
    }
    let difference = (mean(series[cut...]) - mean(series[..<cut])).magnitude
    guard difference > 0,
      OrderStatistics.median(of: series[..<cut]) != OrderStatistics.median(of: series[cut...])
    else { return 0 }
    let steps = zip(series, series.dropFirst()).map { ($1 - $0).magnitude }.sorted()
    let kept = steps.prefix((9 * steps.count + 9) / 10)
    let spread = (kept.reduce(0) { $0 + $1 * $1 } / Double(2 * kept.count)).squareRoot()
    let weight = (Double(cut) * Double(n - cut) / Double(n)).squareRoot()
    return spread > 0 ? difference * weight / spread : .infinity
  }
}

/// How strong the strongest cut looks in series of one length without any change.
struct ChanceTable: Sendable {
  /// Ascending strengths, for each correlation.
  private let byRank: [[Double]]
  private let byLevel: [[Double]]

  /// From run to run: independent, as figures of one machine often are, and as much as they seldom are.
  private static let correlations = [0, 0.3, 0.6]

  /// - Complexity: O(draws · n log n).
  init(length: Int, draws: Int) {
    let candidates = Self.correlations.map { correlation in
      var chance = ChanceSeries(length: length, correlation: correlation)
      return (0..<draws).compactMap { _ in CutCandidate(chance.next()) }
    }
    byRank = candidates.map { $0.map(\.byRank).sorted() }
    byLevel = candidates.map { $0.map(\.byLevel).sorted() }
  }

  /// The probability that chance makes either strength as large, with the correlation that makes it likeliest (Bonferroni).
  func chance(of candidate: CutCandidate) -> Double {
    min(
      1, 2 * min(Self.chance(candidate.byRank, byRank), Self.chance(candidate.byLevel, byLevel)))
  }

  private static func chance(_ strength: Double, _ tables: [[Double]]) -> Double {
    // A hair of slack: equal sums of ranks in another order can differ in the last place.
    let least = strength * (1 - 1e-12)
    return tables.map { sorted in
      let asStrong = sorted.count { $0 >= least }
      return Double(asStrong + 1) / Double(sorted.count + 1)
    }.max() ?? 1
  }
}

/// Series without any change, from a fixed seed: the same history always gives the same answer.
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
    return series
  }

  /// Nearly normal, with mean 0 and variance 1: a sum of eight 16-bit uniforms.
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
