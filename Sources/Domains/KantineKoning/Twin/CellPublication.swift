import KantineKoningContract
import Synchronization
import Timekeeping

/// A cell as it stood at a barrier: its clubs and, per period, all its teams in order, now and 7 × 24 h ago.
///
/// It holds the cell's own tables as they were; nothing is copied until the cell changes one of them.
public struct CellPublication: Sendable {
  let clubs: [Club]
  let clubBySlug: [Slug: Int]
  let teams: [Team]
  let boards: [Board]
  /// What all cells that read this publication first have worked out together.
  let shared = SharedRanking()

  /// The order of a period's board when none of its teams has worked: by name alone.
  func namesInOrder(_ period: Int) -> [Int32] {
    let names = NameOrder(teams: teams, clubs: clubs)
    return boards[period].order.sorted { names.precedes($0, $1) }
  }
}

/// A team with what it takes to place it among those of all cells.
struct RankedTeam: Sendable {
  let info: TeamInfo
  let club: LeaderboardEntry.Club
  let key: NameKey
  /// Milliseconds, now and 7 × 24 h ago.
  let worked: Int64
  let formerly: Int64

  var minutes: Int32 { Int32(clamping: worked / 60_000) }
  var formerMinutes: Int32 { Int32(clamping: formerly / 60_000) }

  init(_ number: Int32, teams: [Team], clubs: [Club], worked: Int64, formerly: Int64) {
    let team = teams[Int(number)]
    let club = clubs[team.club]
    info = team.info
    self.club = LeaderboardEntry.Club(naam: club.name, slug: club.slug, logoURL: club.logoURL)
    key = NameKey(naam: team.folded.naam, slug: club.slug, code: team.code)
    self.worked = worked
    self.formerly = formerly
  }

  func precedes(_ other: RankedTeam) -> Bool {
    minutes != other.minutes ? minutes > other.minutes : key < other.key
  }
}

/// How many teams have more than some number of minutes: the distinct numbers, most first.
struct Tally: Sendable {
  private let minutes: [Int32]
  /// Teams with more minutes than the number at this place; one entry more for all.
  private let above: [Int]

  init(_ counts: [Int32: Int]) {
    minutes = counts.keys.sorted(by: >)
    above = minutes.reduce(into: [0]) { $0.append($0[$0.count - 1] + counts[$1]!) }
  }

  func count(above value: Int32) -> Int {
    var lower = 0
    var upper = minutes.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if minutes[middle] <= value { upper = middle } else { lower = middle + 1 }
    }
    return above[lower]
  }
}

/// The first of all published teams, and the ranks of all.
struct Ranking: Sendable {
  /// Rows with the number of their publication, in order; of every cell at most `depth`, together at most twice as
  /// many, so that `depth` are left without any one cell's.
  let top: [(publication: Int, team: RankedTeam)]
  let now: Tally
  let then: Tally
  /// The period that it is about, and how deep it goes.
  let starts: Instant
  let depth: Int

  /// Rows of a period that is over count as those of the new one, in which nobody had worked when it began.
  init(_ publications: [CellPublication], _ period: Int, starts: Instant, depth: Int) {
    var first: [(publication: Int, team: RankedTeam)] = []
    var (now, then): ([Int32: Int], [Int32: Int]) = ([:], [:])
    for (index, cell) in publications.enumerated() {
      let board = cell.boards[period]
      let isCurrent = board.starts == starts
      let order = isCurrent ? board.order : cell.namesInOrder(period)
      first += order.prefix(depth).map { team in
        (
          index,
          RankedTeam(
            team, teams: cell.teams, clubs: cell.clubs,
            worked: isCurrent ? board.worked[Int(team)] : 0,
            formerly: isCurrent ? board.formerly[Int(team)] : 0)
        )
      }
      if isCurrent {
        Self.count(order.lazy.map(board.minutes), into: &now)
        Self.count(board.former, into: &then)
      } else {
        now[0, default: 0] += order.count
        then[0, default: 0] += order.count
      }
    }
    first.sort { $0.team.precedes($1.team) }
    top = Array(first.prefix(2 * depth))
    self.now = Tally(now)
    self.then = Tally(then)
    self.starts = starts
    self.depth = depth
  }

  /// Counts equal neighbours of an ordered list at once.
  private static func count(_ list: some Sequence<Int32>, into counts: inout [Int32: Int]) {
    var run: (value: Int32, length: Int) = (0, 0)
    for value in list {
      if value == run.value {
        run.length += 1
      } else {
        if run.length > 0 { counts[run.value, default: 0] += run.length }
        run = (value, 1)
      }
    }
    if run.length > 0 { counts[run.value, default: 0] += run.length }
  }
}

/// A ranking that the cells of all regions share: whoever needs it first works it out.
///
/// It is a function of the publications alone, so it does not matter who that is.
final class SharedRanking: Sendable {
  private let rankings = Mutex<[Ranking?]>(LeaderboardPeriod.allCases.map { _ in nil })

  func ranking(
    of publications: [CellPublication], _ period: Int, starts: Instant, depth: Int
  ) -> Ranking {
    rankings.withLock { rankings in
      if let known = rankings[period], known.starts == starts, known.depth == depth {
        return known
      }
      let made = Ranking(publications, period, starts: starts, depth: depth)
      rankings[period] = made
      return made
    }
  }
}
