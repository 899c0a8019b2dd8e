/// The place in a history of runs where a figure changed its level, if it did.
///
/// For each way to cut a series in two, the rank sum of the first part is standardised; the cut with the largest of them in absolute value
/// is the candidate. Runs may be alike from one to the next, so two things are asked of it. By ranks: is it strong against the
/// correlation that remains around the two levels? By levels: are they far apart against the steps from one run to the next? How
/// strong either gets by chance is found from series without any change, treated in the same way, whose correlation is 0, 0.3 and 0.6;
/// the largest chance counts. So false alarms stay at the level up to a correlation of 0.6, and far below it where runs are
/// independent. The price: a change of two deviations takes some fifty runs, one of five some twenty (`reports/validation.md`).
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

  /// All change points of a series, in order, each found at the level. For many series `ChangePointSearch` is faster.
  ///
  /// - Parameters:
  ///   - series: Finite numbers in time order; fewer than ten give none.
  ///   - level: The probability of a false alarm, in 0..<1.
  public static func find(in series: [Double], level: Double = 0.01) -> [ChangePoint] {
    var search = ChangePointSearch(level: level)
    return search.find(in: series)
  }
}

/// Looks for change points in any number of series; what chance makes of a length is worked out once.
public struct ChangePointSearch: Sendable {
  public let level: Double
  private let draws: Int
  private var tables: [Int: ChanceTable] = [:]

  /// - Parameters:
  ///   - level: The probability of a false alarm, in 0..<1.
  ///   - draws: Series from which chances are found, for each correlation.
  public init(level: Double = 0.01, draws: Int = 1_999) {
    precondition(level > 0 && level < 1 && draws > 0, "a level is a probability")
    self.level = level
    self.draws = draws
  }

  /// All change points of a series, in order.
  ///
  /// After one is found, the parts on either side are searched in the same way, so that a series without any change gives a false
  /// alarm with the level's probability. Deterministic: chances are drawn from a fixed seed.
  ///
  /// - Parameter series: Finite numbers in time order; fewer than ten give none.
  public mutating func find(in series: [Double]) -> [ChangePoint] {
    points(of: series, cuts(of: series[...]))
  }

  /// The change points of many figures of one history, as a list that somebody looks through.
  ///
  /// Which figures changed at all is told by Benjamini's and Hochberg's procedure, so that of the figures shown as changed, on average at
  /// most the given share did not. Each at a level of its own would show as many false alarms as there are figures, however few
  /// changed. Further changes of a figure that did are found at the level.
  ///
  /// - Parameter falseDiscoveries: A share in 0..<1.
  /// - Returns: For each series its change points in order.
  public mutating func find(
    among series: [[Double]], falseDiscoveries: Double = 0.1
  ) -> [[ChangePoint]] {
    precondition(falseDiscoveries > 0 && falseDiscoveries < 1, "a share of what is shown")
    let tested = series.indices.filter { series[$0].count >= ChangePoint.fewest }
    var chances = tested.map { chance(of: series[$0]) }
    // The smallest chance that so many draws can tell has to be small enough for a figure that changed alone.
    let needed = Int(4 * Double(tested.count) / falseDiscoveries)
    if needed > draws, chances.contains(where: { $0 <= falseDiscoveries }) {
      var finer = ChangePointSearch(level: level, draws: min(needed, Self.drawsMost))
      for place in tested.indices where chances[place] <= falseDiscoveries {
        chances[place] = finer.chance(of: series[tested[place]])
      }
    }
    var found = series.map { _ in [ChangePoint]() }
    for (place, adjusted) in Comparison.benjaminiHochberg(chances).enumerated()
    where adjusted <= falseDiscoveries {
      let one = series[tested[place]]
      found[tested[place]] = points(of: one, cuts(of: one[...], chance: chances[place]))
    }
    return found
  }

  /// Enough for 500 figures of which one alone changed.
  private static let drawsMost = 20_000

  /// How likely chance alone makes a series look so changed; 1 where nothing differs.
  private mutating func chance(of series: [Double]) -> Double {
    precondition(series.allSatisfy(\.isFinite), "only finite numbers have levels")
    return CutCandidate(series).map { table(ofLength: series.count).chance(of: $0) } ?? 1
  }

  private mutating func table(ofLength length: Int) -> ChanceTable {
    let table = tables[length] ?? ChanceTable(length: length, draws: draws)
    tables[length] = table
    return table
  }

  private func points(of series: [Double], _ cuts: [Cut]) -> [ChangePoint] {
    precondition(series.allSatisfy(\.isFinite), "only finite numbers have levels")
    let edges = [0] + cuts.map(\.index) + [series.count]
    return cuts.enumerated().map { place, cut in
      ChangePoint(
        index: cut.index, before: OrderStatistics.median(of: series[edges[place]..<cut.index]),
        after: OrderStatistics.median(of: series[cut.index..<edges[place + 2]]), chance: cut.chance)
    }
  }

  private struct Cut {
    let index: Int
    let chance: Double
  }

  /// - Parameter known: The chance of the part's own cut, where it is known, and small enough.
  private mutating func cuts(of part: ArraySlice<Double>, chance known: Double? = nil) -> [Cut] {
    guard part.count >= ChangePoint.fewest else { return [] }
    guard let seen = CutCandidate(Array(part)) else { return [] }
    let chance = known ?? table(ofLength: part.count).chance(of: seen)
    guard known != nil || chance <= level else { return [] }
    let index = part.startIndex + seen.cut
    return cuts(of: part[..<index]) + [Cut(index: index, chance: chance)] + cuts(of: part[index...])
  }
}
