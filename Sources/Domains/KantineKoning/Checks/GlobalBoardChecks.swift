import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// The board of all clubs: KK-101, KK-104 and KK-105.
enum GlobalBoardChecks {
  static let all: [KKCheck] = [
    .onBoards(.kk101, .boards, TeamsOfAllClubs.judge),
    .onBoards(.kk104, .asking(.globalLeaderboard)) { call, facts, judge in
      guard let board = call.globalBoard, facts.hasOptOuts else { return }
      let interval = (call.sent - KantineKoning.globalBoardMaxAge)...call.answered
      let stray = board.teams.first { row in
        let club = row.club.flatMap { facts.club($0.slug) }
        return club?.isOptedOut.value(during: interval) == true
      }
      judge.expect(
        stray == nil,
        "\(stray?.club?.slug ?? "") left the global board, and \(stray?.team.code ?? "") is there")
    },
    .onBoards(.kk105, .boards) { call, facts, judge in
      guard let query = call.boardQuery, let claims = call.claims,
        let club = facts.club(query.tenant ?? claims.tenantSlug)
      else { return }
      let isOptedOut = club.isOptedOut.value(during: call.during)
      if let board = call.tenantBoard, let isOptedOut {
        if isOptedOut || board.leaderboardOptOut {
          judge.expect(
            board.leaderboardOptOut == isOptedOut, "\(club.slug) is not shown as it opted")
        }
        return
      }
      guard case .globalLeaderboard = call.request else { return }
      switch (isOptedOut, call.code) {
      case (true, .tenantOptedOut): judge.held()
      case (true, nil):
        if call.isReplied { judge.violated("\(club.slug) left, and is shown the global board") }
      case (false, .tenantOptedOut): judge.violated("\(club.slug) never left the global board")
      default: break
      }
    },
  ]
}

/// KK-101: a club's board has teams of that club; the global board has the best teams of all clubs, with hours that
/// are nowhere older than `global_board_max_age` (§8, point 25).
private enum TeamsOfAllClubs {
  /// How many clubs are looked for on each board besides those that it shows: a large world costs no more than a
  /// small one, and in time every club has its turn.
  private static let clubsPerBoard = 4

  @Sendable static func judge(
    _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge
  ) {
    if let board = call.tenantBoard { self.judge(board, call, facts, &judge) }
    if let board = call.globalBoard { self.judge(board, call, facts, &judge) }
  }

  private static func judge(
    _ board: TenantBoard, _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge
  ) {
    guard let club = facts.club(board.tenantSlug),
      club.changedAt + BoardFacts.slack < call.sent
    else { return }
    let stray = board.teams.first { club.team($0.team.id) == nil || $0.club != nil }
    judge.expect(
      stray == nil, "\(stray?.team.code ?? "") is on the board of \(club.slug)")
  }

  private static func judge(
    _ board: GlobalBoard, _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge
  ) {
    guard let start = call.periodStart(board.period) else { return }
    let own = call.claims?.tenantSlug
    var clubs: [Slug] = own.map { [$0] } ?? []
    for row in board.teams {
      guard let slug = row.club?.slug else { return judge.violated("a row names no club") }
      if !clubs.contains(slug) { clubs.append(slug) }
    }
    for next in 0..<min(clubsPerBoard, facts.clubs.count) {
      let slug = facts.clubs[(judge.exercised * clubsPerBoard + next) % facts.clubs.count].slug
      if !clubs.contains(slug) { clubs.append(slug) }
    }
    var problem: String?
    var isTried = false
    for slug in clubs {
      guard let club = facts.club(slug) else { continue }
      // Rows of other clubs may be as old as that; the own club's are current.
      let early = slug == own ? call.sent : call.sent - KantineKoning.globalBoardMaxAge
      guard
        let sums = club.worked(from: start, certainBy: early, possibleBy: call.answered)
      else { continue }
      isTried = true
      problem = problem ?? stale(board.teams, of: club, sums)
      if club.isOptedOut.value(during: early...call.answered) == false {
        problem = problem ?? missing(from: board.teams, of: club, sums)
      }
    }
    if isTried { judge.expect(problem == nil, problem ?? "") }
  }

  /// A row with fewer hours than its team had at the oldest allowed, or more than it has.
  private static func stale(
    _ rows: [LeaderboardEntry], of club: BoardFacts.Club, _ sums: (least: [Int64], most: [Int64])
  ) -> String? {
    for row in rows where row.club?.slug == club.slug {
      guard let team = club.team(row.team.id) else { return "\(club.slug) has no such team" }
      let range =
        DecimalHours(
          .milliseconds(sums.least[team]))...DecimalHours(.milliseconds(sums.most[team]))
      if !range.contains(row.totalHours) {
        return "\(row.team.code) of \(club.slug) is shown with \(LeaderboardChecks.hours(row))"
      }
    }
    return nil
  }

  /// A team that is better than the last of the first ten, and not there.
  private static func missing(
    from rows: [LeaderboardEntry], of club: BoardFacts.Club,
    _ sums: (least: [Int64], most: [Int64])
  ) -> String? {
    let top = rows.prefix(LeaderboardChecks.top)
    let last = top.count < LeaderboardChecks.top ? nil : top.last
    for (index, team) in club.teams.enumerated() {
      let hours = DecimalHours(.milliseconds(sums.least[index]))
      let isBetter = last.map { last in
        hours > last.totalHours
          || (hours == last.totalHours && sums.least[index] == sums.most[index]
            && LeaderboardChecks.precedes(team, last))
      }
      guard isBetter ?? true, !top.contains(where: { $0.team.id == team.id }) else { continue }
      return "\(team.code) of \(club.slug) is missing"
    }
    return nil
  }
}
