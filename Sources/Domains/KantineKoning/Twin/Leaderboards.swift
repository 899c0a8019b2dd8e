import Contracts
import KantineKoningContract
import Timekeeping

/// O17 and O18: the boards, read off the standings.
extension KantineKoningTwin {
  /// The teams of one club (O17).
  /// - Complexity: O(t log t) for the t teams of the club.
  mutating func tenantBoard(
    _ query: LeaderboardQuery, for session: Session, at now: Instant
  ) -> Answer {
    let club: Int
    switch boardClub(query.tenant, of: session) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let found): club = found
    }
    guard let period = period(of: query) else { return .badPeriod }
    return .success(
      .leaderboard(
        TenantBoard(
          tenantSlug: clubs[club].slug, clubName: clubs[club].name,
          leaderboardOptOut: clubs[club].leaderboardOptOut && rules.binds(.kk105), period: period,
          teams: rows(of: club, in: period, own: query.teamID, at: now, withClub: false))))
  }

  /// The teams of all clubs that have not left the board (O18).
  /// - Complexity: O(log n) for each row shown; the first request after a barrier merges the lists that
  ///   were published.
  mutating func globalBoard(
    _ query: LeaderboardQuery, for session: Session, at now: Instant
  ) -> Answer {
    let slug = query.tenant ?? clubs[session.club].slug
    guard let place = place(of: slug) else { return .refused(.tenantNotFound) }
    if slug != clubs[session.club].slug, !rules.binds(.kk111) { return .refused(.tenantMismatch) }
    guard !place.club.leaderboardOptOut || !rules.binds(.kk105) else {
      return .refused(.tenantOptedOut)  // KK-105
    }
    guard let period = period(of: query) else { return .badPeriod }
    guard rules.binds(.kk101) else {
      let rows = rows(
        of: session.club, in: period, own: query.teamID, at: now, withClub: true)
      return .success(.globalLeaderboard(GlobalBoard(period: period, teams: rows)))
    }
    sortStandings()
    let board = standings.boards[period.index]
    let view = neighbours.view(
      period.index, starts: board.starts, depth: boardLength, without: clubBySlug)
    let numbers = board.order.prefix(boardLength)
    var top = numbers.map { rankedTeam($0, on: board) } + (view.map { Array($0.top) } ?? [])
    top.sort { $0.precedes($1) }
    let own = query.teamID.flatMap { place.team($0, in: period.index, starting: board.starts) }
    let standing = Standing(
      ranks: { 1 + board.count(above: $0) + (view?.count(above: $0) ?? 0) },
      formerRanks: { 1 + board.formerCount(above: $0) + (view?.formerCount(above: $0) ?? 0) },
      hasPast: now - Standings.lookBack >= board.starts)
    work.rowsRead += top.count
    let rows = rows(of: top, own: own, standing, withClub: true)
    return .success(.globalLeaderboard(GlobalBoard(period: period, teams: rows)))
  }

  // MARK: What a request is about

  /// Step 8 of §3.2 for the board of a club: the token's own tenant only (KK-111).
  private func boardClub(_ slug: Slug?, of session: Session) -> Result<Int, Refusal> {
    guard let slug else { return .success(session.club) }
    guard let club = clubBySlug[slug] else { return .failure(Refusal(.tenantNotFound)) }
    guard club == session.club || !rules.binds(.kk111) else {
      return .failure(Refusal(.tenantMismatch))  // KK-111
    }
    return .success(club)
  }

  private func period(of query: LeaderboardQuery) -> LeaderboardPeriod? {
    guard let text = query.period else { return .season }  // KK-109
    return LeaderboardPeriod(rawValue: text)
  }

  /// Where a club and its teams are kept: here, or as another cell published them.
  private struct Place {
    let club: Club
    let teams: [Team]
    let clubs: [Club]
    let boards: [Board]

    /// A team by code or id; worked time of a period that is over counts for nothing.
    func team(_ name: TeamName, in period: Int, starting: Instant) -> RankedTeam? {
      let number = club.teamByCode[name] ?? club.teams.first { teams[$0].id == name }
      return number.map { number in
        let isCurrent = boards[period].starts == starting
        return RankedTeam(
          Int32(number), teams: teams, clubs: clubs,
          worked: isCurrent ? boards[period].worked[number] : 0,
          formerly: isCurrent ? boards[period].formerly[number] : 0)
      }
    }
  }

  private mutating func place(of slug: Slug) -> Place? {
    work.rowsRead += 1
    if let club = clubBySlug[slug] {
      return Place(club: clubs[club], teams: teams, clubs: clubs, boards: standings.boards)
    }
    for cell in neighbours.publications {
      guard let club = cell.clubBySlug[slug] else { continue }
      return Place(
        club: cell.clubs[club], teams: cell.teams, clubs: cell.clubs, boards: cell.boards)
    }
    return nil
  }

  // MARK: Rows

  /// How many rows are at the top of a board; with KK-103 off too many.
  private var boardLength: Int { configuration.leaderboardTop + (rules.binds(.kk103) ? 0 : 2) }

  /// How the ranks of a board follow from minutes.
  private struct Standing {
    let ranks: (Int32) -> Int
    let formerRanks: (Int32) -> Int
    /// Whether 7 × 24 h ago lies in the period.
    let hasPast: Bool
  }

  private func rankedTeam(_ number: Int32, on board: Board) -> RankedTeam {
    RankedTeam(
      number, teams: teams, clubs: clubs, worked: board.worked[Int(number)],
      formerly: board.formerly[Int(number)])
  }

  private mutating func rows(
    of club: Int, in period: LeaderboardPeriod, own: TeamName?, at now: Instant, withClub: Bool
  ) -> [LeaderboardEntry] {
    let board = standings.boards[period.index]
    let teams = clubs[club].teams.map { rankedTeam(Int32($0), on: board) }
      .sorted { $0.precedes($1) }
    work.rowsRead += teams.count
    let minutes = teams.map(\.minutes)
    let former = teams.map(\.formerMinutes).sorted(by: >)
    let ownTeam = own.flatMap { team(named: $0, in: club) }.map {
      rankedTeam(Int32($0), on: board)
    }
    let standing = Standing(
      ranks: { value in 1 + (minutes.firstIndex { $0 <= value } ?? minutes.count) },
      formerRanks: { value in 1 + (former.firstIndex { $0 <= value } ?? former.count) },
      hasPast: now - Standings.lookBack >= board.starts)
    return rows(of: teams, own: ownTeam, standing, withClub: withClub)
  }

  /// The top of an ordered list and, when it is outside, the own team (KK-103).
  private func rows(
    of ordered: [RankedTeam], own: RankedTeam?, _ standing: Standing, withClub: Bool
  ) -> [LeaderboardEntry] {
    var top = ordered.prefix(boardLength)
    if !rules.binds(.kk112) { top = top.filter { points($0.worked) > 0 }[...] }
    var rows = top.enumerated().map { index, team in
      entry(
        team, standing, isOwn: team.info.id == own?.info.id,
        rank: rules.binds(.kk108) ? standing.ranks(team.minutes) : index + 1, withClub: withClub)
    }
    if let own, !rows.contains(where: { $0.team.id == own.info.id }) {
      rows.append(
        entry(
          own, standing, isOwn: true, rank: standing.ranks(own.minutes), withClub: withClub))
    }
    return rows
  }

  private func entry(
    _ team: RankedTeam, _ standing: Standing, isOwn: Bool, rank: Int, withClub: Bool
  ) -> LeaderboardEntry {
    let changes = rules.binds(.kk110)
    return LeaderboardEntry(
      rank: rank, team: team.info, club: withClub ? team.club : nil, points: points(team.worked),
      totalHours: DecimalHours(.milliseconds(team.worked)),
      recentChange: changes ? points(team.worked) - points(team.formerly) : 0,
      positionChange: changes && standing.hasPast
        ? standing.formerRanks(team.formerMinutes) - rank : 0,
      highlighted: isOwn && rules.binds(.kk102))
  }

  /// One point per whole hour (KK-106); with the rule off, one per half.
  private func points(_ milliseconds: Int64) -> Int {
    Int(milliseconds / (rules.binds(.kk106) ? 3_600_000 : 1_800_000))
  }
}

extension Result where Success == KantineKoning.Reply, Failure == KantineKoning.Refusal {
  fileprivate static var badPeriod: Self {
    .refused(.invalidParameter, "period is week, month or season")
  }
}
