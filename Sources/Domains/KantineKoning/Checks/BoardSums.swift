import KantineKoningContract
import Timekeeping

/// What the teams of one club have worked in a period, in milliseconds by their place in the club's list.
struct BoardSums: Sendable {
  private(set) var worked: [Int64]
  /// The same as it was 7 × 24 h ago (KK-110).
  private(set) var formerly: [Int64]
  /// How many diensten of each team count.
  private(set) var counts: [Int]

  static let lookBack = Span.days(7)

  /// Adds up every dienst that counts (KK-107): the team's, not cancelled, begun in the period, over by now.
  ///
  /// - Returns: `nil` when the sums are not the same throughout the call, or not certain: a dienst ended or
  ///   aged meanwhile, or nobody knows who did it.
  init?(
    _ club: BoardFacts.Club, from start: Instant, during interval: ClosedRange<Instant>
  ) {
    guard club.changedAt + BoardFacts.slack < interval.lowerBound else { return nil }
    worked = Array(repeating: 0, count: club.teams.count)
    formerly = worked
    counts = Array(repeating: 0, count: club.teams.count)
    for index in club.diensten.indices {
      let shift = club.counted(index)
      guard shift.start >= start, shift.end <= interval.upperBound else { continue }
      guard !shift.isDoubtful else { return nil }
      guard let team = shift.team, !shift.isCancelled else { continue }
      guard shift.end <= interval.lowerBound else { return nil }
      worked[team] += shift.milliseconds
      counts[team] += 1
      let aged = shift.end + Self.lookBack
      if aged <= interval.lowerBound {
        formerly[team] += shift.milliseconds
      } else if aged <= interval.upperBound {
        return nil
      }
    }
  }

  /// The rank of a team: one more than the teams with more minutes (KK-108).
  func rank(of team: Int) -> Int { 1 + Self.count(in: worked, above: worked[team]) }

  func formerRank(of team: Int) -> Int { 1 + Self.count(in: formerly, above: formerly[team]) }

  private static func count(in sums: [Int64], above value: Int64) -> Int {
    sums.reduce(0) { $0 + ($1 / 60_000 > value / 60_000 ? 1 : 0) }
  }
}

/// What the board of one club has to add up to.
struct ExpectedBoard {
  let club: BoardFacts.Club
  /// When the period of the board began.
  let start: Instant
  let sums: BoardSums
}

extension ExpectedBoard {
  /// `nil` for anything but a club's board, and where the sums are not certain throughout the call.
  init?(_ call: KKCall, by facts: BoardFacts) {
    guard let board = call.tenantBoard, let club = facts.club(board.tenantSlug),
      let start = call.periodStart(board.period),
      let sums = BoardSums(club, from: start, during: call.during)
    else { return nil }
    self.init(club: club, start: start, sums: sums)
  }
}

extension BoardFacts.Club {
  /// What each team has worked at the least by one instant and at the most by a later one; `nil` when a dienst is
  /// in doubt or the operator changed something meanwhile.
  func worked(
    from start: Instant, certainBy early: Instant, possibleBy late: Instant
  ) -> (least: [Int64], most: [Int64])? {
    guard changedAt + BoardFacts.slack < early else { return nil }
    var least = Array(repeating: Int64(0), count: teams.count)
    var most = least
    for index in diensten.indices {
      let shift = counted(index)
      guard shift.start >= start, shift.end <= late else { continue }
      guard !shift.isDoubtful else { return nil }
      guard let team = shift.team, !shift.isCancelled else { continue }
      most[team] += shift.milliseconds
      if shift.end <= early { least[team] += shift.milliseconds }
    }
    return (least, most)
  }
}
