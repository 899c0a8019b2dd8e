import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// The board of one club, and what both boards have in common: KK-102, KK-103 and KK-106 to KK-112.
enum LeaderboardChecks {
  /// How many rows stand above the own team's (`leaderboard_top`, §7.3).
  static let top = 10

  static let all: [KKCheck] = [
    .onBoards(.kk102, .boards, judgeHighlight),
    .onBoards(.kk103, .boards, judgeLength),
    .each(.kk106, .boards) { call, judge in
      guard let row = call.rows?.first, row.totalHours.hundredths > 0 else { return }
      // Diensten last whole minutes, so two decimals cannot round up to an hour that is not complete.
      let wrong = call.rows?.first { $0.points != $0.totalHours.hundredths / 100 }
      judge.expect(
        wrong == nil, "\(wrong?.points ?? 0) points for \(wrong.map(hours) ?? "")")
    },
    .onBoards(.kk107) { call, facts, judge in
      judgeSums(call, facts, &judge) { $0 == .season }
    },
    .each(.kk108, .boards) { call, judge in
      guard let rows = call.rows, rows.count > 1 else { return }
      judge.expect(isInOrder(rows), "the rows are out of order: \(ranks(rows))")
      judge.expect(
        areRanked(Array(rows.prefix(top))), "equal rows share a rank: \(ranks(rows))")
    } + .onBoards(.kk108, .asking(.leaderboard), judgeTop),
    .onBoards(.kk109) { call, facts, judge in
      judgePeriod(call, &judge)
      judgeSums(call, facts, &judge) { $0 != .season }
    },
    .onBoards(.kk110, .asking(.leaderboard), judgeChanges),
    .each(.kk111, .boards) { call, judge in
      guard let claims = call.claims, let tenant = call.boardQuery?.tenant,
        tenant != claims.tenantSlug
      else { return }
      switch call.request {
      case .leaderboard:
        if call.isReplied {
          judge.violated("a token of \(claims.tenantSlug) saw the board of \(tenant)")
        } else if call.code == .tenantMismatch {
          judge.held()
        }
      default:
        if call.code == .tenantMismatch {
          judge.violated("the global board refused a token of \(claims.tenantSlug) for \(tenant)")
        } else if call.isReplied {
          judge.held()
        }
      }
    },
    .onBoards(.kk112, .boards, judgeTeamsWithoutPoints),
  ]

  // MARK: The own team

  /// KK-102: exactly one row is marked when the team is one of the club's, else none.
  @Sendable private static func judgeHighlight(
    _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge
  ) {
    guard let rows = call.rows, let query = call.boardQuery,
      let club = (query.tenant ?? call.claims?.tenantSlug).flatMap(facts.club),
      club.changedAt + KantineKoning.globalBoardMaxAge < call.sent
    else { return }
    let marked = rows.filter(\.highlighted)
    guard let name = query.teamID, let team = club.team(name) else {
      return judge.expect(marked.isEmpty, "a row is marked, though no own team was named")
    }
    judge.expect(
      marked.map(\.team.id) == [club.teams[team].id],
      "\(marked.map(\.team.code)) marked for \(club.teams[team].code)")
  }

  /// KK-103: ten rows, or eleven of which the last is the own team's with its true rank.
  @Sendable private static func judgeLength(
    _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge
  ) {
    guard let rows = call.rows else {
      if call.code == .teamNotFound { judge.violated("an unknown team_id was not ignored") }
      return
    }
    guard rows.count > top else { return judge.held() }
    let last = rows[rows.count - 1]
    guard rows.count == top + 1, call.boardQuery?.teamID != nil else {
      return judge.violated("\(rows.count) rows")
    }
    let tenth = rows[top - 1]
    judge.expect(
      last.totalHours == tenth.totalHours ? last.rank == tenth.rank : last.rank > top,
      "the own team has rank \(last.rank) below the tenth row")
    guard let expected = facts.expected(of: call),
      let team = expected.club.team(last.team.id)
    else { return }
    let rank = expected.sums.rank(of: team)
    judge.expect(last.rank == rank, "rank \(last.rank) in place of \(rank)")
  }

  // MARK: Sums

  /// Every row shows the hours that the diensten add up to.
  private static func judgeSums(
    _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge,
    in periods: (LeaderboardPeriod) -> Bool
  ) {
    guard let board = call.tenantBoard, periods(board.period),
      let expected = facts.expected(of: call)
    else { return }
    let wrong = board.teams.first { row in
      guard let team = expected.club.team(row.team.id) else { return true }
      return row.totalHours != DecimalHours(.milliseconds(expected.sums.worked[team]))
    }
    judge.expect(
      wrong == nil,
      "\(wrong?.team.code ?? "") has \(wrong.map(hours) ?? "") this \(board.period.rawValue)")
  }

  /// KK-109: three periods, the season when none is named, and nothing else.
  private static func judgePeriod(_ call: KKCall, _ judge: inout Judge) {
    guard let asked = call.boardQuery?.period else {
      if let board = call.tenantBoard, board.period != .season {
        judge.violated("the default period is \(board.period.rawValue)")
      }
      return
    }
    let isPeriod = LeaderboardPeriod(rawValue: asked) != nil
    if call.code == .invalidParameter {
      judge.expect(!isPeriod, "the period \(asked) was refused")
    } else if let shown = call.tenantBoard?.period {
      judge.expect(shown.rawValue == asked, "asked for '\(asked)', shown the \(shown.rawValue)")
    }
  }

  /// KK-110: points of the last 7 × 24 h inside the period, and places won since then.
  @Sendable private static func judgeChanges(
    _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge
  ) {
    guard let board = call.tenantBoard, let expected = facts.expected(of: call)
    else { return }
    let (club, start, sums) = (expected.club, expected.start, expected.sums)
    let past = call.sent - BoardSums.lookBack
    guard past >= start || call.answered - BoardSums.lookBack < start else { return }
    let wrong = board.teams.first { row in
      guard let team = club.team(row.team.id) else { return true }
      let points = sums.worked[team] / 3_600_000 - sums.formerly[team] / 3_600_000
      let places = past >= start ? sums.formerRank(of: team) - sums.rank(of: team) : 0
      return row.recentChange != Int(points) || row.positionChange != places
    }
    judge.expect(
      wrong == nil,
      "\(wrong?.team.code ?? "") changed by \(wrong?.recentChange ?? 0) points and "
        + "\(wrong?.positionChange ?? 0) places")
  }

  // MARK: Rows

  /// KK-112: a board is as long as there are teams, whatever they have worked.
  @Sendable private static func judgeTeamsWithoutPoints(
    _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge
  ) {
    let before = call.sent - KantineKoning.globalBoardMaxAge
    if let board = call.tenantBoard {
      guard let club = facts.club(board.tenantSlug),
        club.changedAt + BoardFacts.slack < call.sent
      else { return }
      let wanted = min(top, club.teams.count)
      judge.expect(
        board.teams.count >= wanted, "\(board.teams.count) rows of \(club.teams.count) teams")
    } else if let board = call.globalBoard {
      var known = 0
      for club in facts.clubs where known < top && club.changedAt + BoardFacts.slack < before {
        if club.isOptedOut.value(during: before...call.answered) == false {
          known += club.teams.count
        }
      }
      judge.expect(
        board.teams.count >= min(top, known), "\(board.teams.count) rows of at least \(known) teams"
      )
    }
  }

  /// KK-108: points, then minutes, then name, slug and code. Two decimals of an hour tell any two minutes apart.
  private static func isInOrder(_ rows: [LeaderboardEntry]) -> Bool {
    zip(rows, rows.dropFirst()).allSatisfy { a, b in
      if a.totalHours != b.totalHours { return a.totalHours > b.totalHours }
      let (x, y) = (a.team.naam.lowercased(), b.team.naam.lowercased())
      if x != y { return x < y }
      let (s, t) = (a.club?.slug ?? "", b.club?.slug ?? "")
      return s != t ? s < t : a.team.code <= b.team.code
    }
  }

  /// KK-108: the top are the first of the whole order, also when a tie crosses their border.
  @Sendable private static func judgeTop(
    _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge
  ) {
    guard let board = call.tenantBoard, board.teams.count >= top,
      let expected = facts.expected(of: call)
    else { return }
    let (shown, last) = (board.teams.prefix(top), board.teams[top - 1])
    guard let place = expected.club.team(last.team.id) else { return }
    let bar = expected.sums.worked[place] / 60_000
    let better = expected.club.teams.indices.first { index in
      let (team, minutes) = (expected.club.teams[index], expected.sums.worked[index] / 60_000)
      guard minutes >= bar, !shown.contains(where: { $0.team.id == team.id }) else { return false }
      return minutes > bar || precedes(team, last)
    }
    judge.expect(
      better == nil,
      "\(better.map { expected.club.teams[$0].code } ?? "") comes before \(last.team.code)")
  }

  /// Whether a team stands before a row of as many minutes.
  static func precedes(_ team: Fixture.Team, _ row: LeaderboardEntry) -> Bool {
    let (x, y) = (team.naam.lowercased(), row.team.naam.lowercased())
    if x != y { return x < y }
    let slug = row.club?.slug ?? team.tenantSlug
    return team.tenantSlug != slug ? team.tenantSlug < slug : team.code < row.team.code
  }

  /// 1, 2, 2, 4: nobody stands above the first row, and everybody above a row is shown.
  private static func areRanked(_ rows: [LeaderboardEntry]) -> Bool {
    rows.indices.allSatisfy { index in
      let isTied = index > 0 && rows[index - 1].totalHours == rows[index].totalHours
      return rows[index].rank == (isTied ? rows[index - 1].rank : index + 1)
    }
  }

  private static func ranks(_ rows: [LeaderboardEntry]) -> String {
    rows.map { "\($0.rank). \($0.team.code) \(hours($0))" }.joined(separator: ", ")
  }

  static func hours(_ row: LeaderboardEntry) -> String {
    let rest = row.totalHours.hundredths % 100
    return "\(row.totalHours.hundredths / 100).\(rest < 10 ? "0" : "")\(rest) h"
  }
}
