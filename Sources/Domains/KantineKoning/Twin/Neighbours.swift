import KantineKoningContract
import Timekeeping

/// What this cell knows of the others since the last barrier (§8, point 25).
struct Neighbours: Sendable {
  let publications: [CellPublication]
  private var rankings: [Ranking?] = LeaderboardPeriod.allCases.map { _ in nil }
  /// The number of this cell's own publication, once it was looked for.
  private var own: Int??

  init(_ publications: [CellPublication] = []) { self.publications = publications }

  /// The publications of the other cells.
  mutating func others(than clubBySlug: [Slug: Int]) -> [CellPublication] {
    guard let own = number(of: clubBySlug) else { return publications }
    return Array(publications[..<own] + publications[(own + 1)...])
  }

  /// The cell's own publication: no two cells have a club in common.
  private mutating func number(of clubBySlug: [Slug: Int]) -> Int? {
    if let own { return own }
    let found = publications.firstIndex { clubBySlug[$0.clubs[0].slug] != nil }
    own = .some(found)
    return found
  }

  /// The teams of the other cells in one period.
  mutating func view(
    _ period: Int, starts: Instant, depth: Int, without clubBySlug: [Slug: Int]
  ) -> NeighbourView? {
    guard let first = publications.first else { return nil }
    let ranking: Ranking
    if let known = rankings[period], known.starts == starts, known.depth == depth {
      ranking = known
    } else {
      ranking = first.shared.ranking(of: publications, period, starts: starts, depth: depth)
      rankings[period] = ranking
    }
    let number = number(of: clubBySlug)
    return NeighbourView(
      ranking: ranking, own: number.map { (number: $0, board: publications[$0].boards[period]) })
  }
}

/// A ranking of all cells without one cell's own rows.
struct NeighbourView {
  let ranking: Ranking
  let own: (number: Int, board: Board)?

  var top: some Sequence<RankedTeam> {
    ranking.top.lazy.filter { $0.publication != own?.number }.prefix(ranking.depth).map(\.team)
  }

  func count(above minutes: Int32) -> Int {
    ranking.now.count(above: minutes) - (current?.count(above: minutes) ?? 0)
  }

  func formerCount(above minutes: Int32) -> Int {
    ranking.then.count(above: minutes) - (current?.formerCount(above: minutes) ?? 0)
  }

  /// The own rows as they were published; in a period that is over nobody stands above anybody.
  private var current: Board? { own.flatMap { $0.board.starts == ranking.starts ? $0.board : nil } }
}
