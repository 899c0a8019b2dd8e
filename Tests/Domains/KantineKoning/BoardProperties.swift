import Contracts
import KantineKoningContract
import KantineKoningTwin
import Testing
import Timekeeping

@Suite struct `Kantine Koning's boards against a recount of all diensten` {
  @Test(arguments: 1...24)
  func `KK-107, KK-108, KK-110: after any history both boards are what brute force finds`(
    seed: UInt64
  ) {
    var history = BoardHistory(seed: seed, requiresNames: seed % 4 == 0)
    for step in 0..<160 {
      history.step()
      let slug = history.random.pick(history.slugs)
      let period = history.random.pick(LeaderboardPeriod.allCases)
      let own = history.random.pick(history.oracle.teams.filter { $0.club == slug }).id
      let now = history.canteen.now
      #expect(
        difference(
          history.tenantBoard(slug, period, own: own).board,
          history.expectedTenantBoard(slug, period, own: own)) == nil,
        "seed \(seed), step \(step), \(slug), \(period), \(now)")

      let answer = history.globalBoard(slug, period, own: own)
      if history.oracle.optedOut.contains(slug) {
        #expect(answer.refusal == .tenantOptedOut, "seed \(seed), step \(step)")
        continue
      }
      let start = BoardOracle.start(of: period, at: now)
      let expected = BoardOracle.board(
        history.oracle.rows(of: nil, from: start, until: now), own: own,
        hasPast: now - .days(7) >= start, clubs: history.oracle.clubs)
      #expect(
        difference(answer.board, expected) == nil, "seed \(seed), step \(step), \(period), \(now)")
    }
  }

  /// Cells whose rows are as old as the last barrier, but for their own.
  private struct World {
    var cells: [BoardHistory]
    var published: (at: Instant, oracles: [BoardOracle])?

    init(seed: UInt64) {
      cells = (0..<3).map { BoardHistory(seed: seed, cell: $0) }
    }

    mutating func synchronise() {
      let now = cells.map(\.canteen.now).max()!
      for index in cells.indices { cells[index].canteen.now = now }
      let publications = cells.compactMap { $0.canteen.twin.publication(at: now) }
      for index in cells.indices { cells[index].canteen.twin.read(publications) }
      published = (now, cells.map(\.oracle))
    }

    /// What one cell should show: itself as it is, the others as they were, and zeros for a period that is over.
    func expected(by cell: Int, _ period: LeaderboardPeriod, own: TeamName) -> [LeaderboardEntry] {
      let now = cells[cell].canteen.now
      let start = BoardOracle.start(of: period, at: now)
      var rows = cells[cell].oracle.rows(of: nil, from: start, until: now)
      var clubs = cells[cell].oracle.clubs
      for (index, oracle) in (published?.oracles ?? []).enumerated() where index != cell {
        clubs.merge(oracle.clubs) { $1 }
        let at = published!.at
        let isCurrent = BoardOracle.start(of: period, at: at) == start
        rows += oracle.rows(of: nil, from: start, until: at).map {
          isCurrent ? $0 : BoardOracle.Row(team: $0.team, worked: 0, former: 0)
        }
      }
      return BoardOracle.board(
        rows, own: own, hasPast: now - .days(7) >= start, clubs: clubs)
    }
  }

  @Test(arguments: 1...12)
  func `KK-101, KK-104: rows of other cells are those of the last barrier, own rows current`(
    seed: UInt64
  ) {
    var world = World(seed: seed)
    var random = RandomStream(seed: seed, owner: 5, purpose: 5)
    for step in 0..<120 {
      let cell = random.pick(0..<3)
      world.cells[cell].step()
      if random.chance(0.15) { world.synchronise() }
      let history = world.cells[cell]
      let slug = random.pick(history.slugs)
      guard !history.oracle.optedOut.contains(slug) else { continue }
      let own = random.pick(history.oracle.teams.filter { $0.club == slug }).id
      let period = random.pick(LeaderboardPeriod.allCases)
      let expected = world.expected(by: cell, period, own: own)
      let shown = world.cells[cell].globalBoard(slug, period, own: own).board
      #expect(
        difference(shown, expected) == nil,
        "seed \(seed), step \(step), \(period), \(history.canteen.now)")
    }
  }
}

/// The first row in which two boards differ, both ways.
private func difference(_ shown: [LeaderboardEntry]?, _ expected: [LeaderboardEntry]) -> String? {
  guard let shown else { return "no board" }
  guard shown != expected else { return nil }
  let index = zip(shown, expected).enumerated().first { $1.0 != $1.1 }?.offset
  guard let index else { return "\(shown.count) rows for \(expected.count)" }
  return "\(index): \(line(shown[index])) for \(line(expected[index]))"
}

private func line(_ entry: LeaderboardEntry) -> String {
  "#\(entry.rank) \(entry.team.id) '\(entry.team.naam)' \(entry.points) "
    + "\(entry.totalHours.hundredths) \(entry.recentChange) \(entry.positionChange) "
    + "\(entry.highlighted) \(entry.club?.slug ?? "-")"
}
