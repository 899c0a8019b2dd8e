/// The place in a history of runs where a figure changed its level, if it did.
///
/// For each way to cut a series in two, the rank sum of the first part is standardised; the largest of them in absolute value is the
/// candidate. How large it gets by chance is found by shuffling the same ranks, so that ties and outliers do no harm. Where neighbouring
/// runs are alike beyond that one change, shuffling would make chance look too small: then it is found from series without a change that
/// are correlated from run to run like this one. (Shuffling blocks errs much more often in series of twenty runs.)
///
/// A level that is left and soon taken up again is found only where it lasted long: a single cut sees little of it.
///
/// - Source: A. N. Pettitt, "A non-parametric approach to the change-point problem", Applied Statistics 28 (1979), 126–135.
public struct ChangePoint: Hashable, Sendable {
  /// The first observation on the new level.
  public let index: Int
  /// Medians on either side, up to the neighbouring change points.
  public let before: Double
  public let after: Double
  /// How likely chance alone makes a series of this kind look so changed.
  public let chance: Double

  /// Fewer runs on a side tell no level.
  public static let fewestPerSide = 3
  /// With fewer runs no change can be told from chance at 1 %.
  public static let fewest = 10

  /// All change points of a series, in order, each found at the level.
  ///
  /// After one is found, the parts on either side are searched in the same way, so that a series without any change gives a false
  /// alarm with the level's probability. Deterministic: shuffles are drawn from a fixed seed.
  ///
  /// - Parameters:
  ///   - series: Finite numbers in time order; fewer than ten give none.
  ///   - level: The probability of a false alarm, in 0..<1.
  /// - Complexity: O(shuffles · n) for each change point.
  public static func find(
    in series: [Double], level: Double = 0.01, shuffles: Int = 1_999
  ) -> [ChangePoint] {
    precondition(series.allSatisfy(\.isFinite), "only finite numbers have levels")
    guard series.count >= fewest else { return [] }
    precondition(level > 0 && level < 1 && shuffles > 0, "a level is a probability")
    var cuts = Self.cuts(of: series[...], level: level, shuffles: shuffles, correlation: 0)
    let correlation = Self.correlation(of: series, cutAt: cuts.map(\.index))
    // What correlation alone could make is looked at again; where nothing was found, nothing could be.
    if correlation > 0, !cuts.isEmpty {
      cuts = Self.cuts(
        of: series[...], level: level, shuffles: shuffles, correlation: correlation)
    }
    let edges = [0] + cuts.map(\.index) + [series.count]
    return cuts.enumerated().map { place, cut in
      ChangePoint(
        index: cut.index, before: median(series[edges[place]..<cut.index]),
        after: median(series[cut.index..<edges[place + 2]]), chance: cut.chance)
    }
  }

  private struct Cut {
    let index: Int
    let chance: Double
  }

  private static func cuts(
    of part: ArraySlice<Double>, level: Double, shuffles: Int, correlation: Double
  ) -> [Cut] {
    func search(_ part: ArraySlice<Double>) -> [Cut] {
      guard part.count >= fewest,
        let found = strongest(in: part, shuffles: shuffles, correlation: correlation),
        found.chance <= level
      else { return [] }
      return search(part[..<found.index]) + [found] + search(part[found.index...])
    }
    return search(part)
  }

  private static func strongest(
    in part: ArraySlice<Double>, shuffles: Int, correlation: Double
  ) -> Cut? {
    let ranks = RankSums.midranks(of: Array(part))
    let sums = RankSums(ranks)
    let seen = sums.strongest(ranks)
    guard seen.strength > 0 else { return nil }
    var chance = ChanceSeries(ranks, correlation: correlation)
    let drawn = correlation > 0 ? RankSums((1...ranks.count).map(Double.init)) : sums
    var asStrong = 0
    for _ in 0..<shuffles {
      // A hair of slack: equal sums of midranks in another order can differ in the last place.
      if drawn.strongest(chance.next()).strength >= seen.strength * (1 - 1e-12) { asStrong += 1 }
    }
    return Cut(
      index: part.startIndex + seen.cut, chance: Double(asStrong + 1) / Double(shuffles + 1))
  }

  /// From run to run, around the levels between the cuts; 0 unless it stands out.
  ///
  /// Levels fitted to few values take some of the correlation away, which is put back.
  private static func correlation(of series: [Double], cutAt cuts: [Int]) -> Double {
    let edges = [0] + cuts + [series.count]
    let rest = zip(edges, edges.dropFirst()).flatMap { begin, end in
      let level = median(series[begin..<end])
      return series[begin..<end].map { $0 - level }
    }
    let (count, levels) = (Double(series.count), Double(cuts.count + 1))
    guard count > 2 * levels, let measured = Summary(rest)?.autocorrelation else { return 0 }
    let correlation = (measured * count + levels) / (count - levels)
    return correlation > 1 / count.squareRoot() ? min(correlation, 0.95) : 0
  }

  private static func median(_ values: ArraySlice<Double>) -> Double {
    let sorted = values.sorted()
    let n = sorted.count
    return n % 2 == 1 ? sorted[n / 2] : sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2
  }
}

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

/// Ranks of series without any change, from a fixed seed: the same history always gives the same answer.
struct ChanceSeries {
  private var ranks: [Double]
  private let correlation: Double
  private var state: UInt64 = 0x5265_6865_6172_7361

  /// - Parameter correlation: From one value to the next; 0 keeps the ranks given and shuffles them.
  init(_ ranks: [Double], correlation: Double) {
    self.ranks = ranks
    self.correlation = correlation
  }

  mutating func next() -> [Double] {
    guard correlation > 0 else {
      for k in stride(from: ranks.count - 1, to: 0, by: -1) {
        let other = Int(word().multipliedFullWidth(by: UInt64(k + 1)).high)
        ranks.swapAt(k, other)
      }
      return ranks
    }
    var value = deviate()
    let fresh = (1 - correlation * correlation).squareRoot()
    let series = ranks.map { _ in
      value = correlation * value + fresh * deviate()
      return value
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
