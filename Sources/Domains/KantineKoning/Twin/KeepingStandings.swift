import KantineKoningContract
import Timekeeping

/// What keeps the standings in step with the diensten.
extension KantineKoningTwin {
  private var names: NameOrder { NameOrder(teams: teams, clubs: clubs) }

  /// Counts what has ended since the last call.
  /// - Complexity: O(1) when nothing has; else O(log n) and a short move per dienst.
  mutating func keepStandings(at now: Instant) {
    guard now >= standings.nextChange else { return }
    let binds = rules.binds(.kk109)
    standings.advance(
      to: now, bounds: { (binds ? $0 : .season).bounds(around: now) }, names: names)
  }

  /// Takes over what a dienst counts for after any change of it.
  mutating func recount(_ row: Int) {
    standings.set(row, credit(of: diensten[row]), names: names)
  }

  /// A dienst is about to be deleted.
  mutating func uncount(_ row: Int) { standings.set(row, nil, names: names) }

  /// Counts everything again, after a change of a rule.
  mutating func recountAll(at now: Instant) {
    standings = Standings()
    for _ in teams { standings.addTeam() }
    keepStandings(at: now)
    for row in Array(diensten.inUse) { recount(row) }
  }

  /// What a dienst counts for: assigned and not cancelled, whoever is on it (KK-107).
  func credit(of dienst: StoredDienst) -> Standings.Credit? {
    guard let team = dienst.team else { return nil }
    guard dienst.shown.status != .geannuleerd || !rules.binds(.kk107) else { return nil }
    guard !configuration.deployment.leaderboardRequiresNames || !dienst.shown.aanmeldingen.isEmpty
    else {
      return nil
    }
    let length = dienst.shown.eindTijd - dienst.shown.startTijd
    return Standings.Credit(
      start: dienst.shown.startTijd, team: Int32(team),
      milliseconds: Int32(length.nanoseconds / 1_000_000))
  }

  // MARK: The global order

  /// Whether a club's teams are on the global board (KK-104).
  func takesPart(_ club: Club) -> Bool { !club.leaderboardOptOut || !rules.binds(.kk104) }

  mutating func sortStandings() {
    guard standings.mustSort else { return }
    let taking = clubs.filter(takesPart).flatMap(\.teams).map(Int32.init)
    standings.sort(taking, names)
  }

  // MARK: Barriers

  public func publication(at now: Instant) -> CellPublication? {
    guard !clubs.isEmpty else { return nil }
    var current = self
    current.keepStandings(at: now)
    current.sortStandings()
    return CellPublication(
      clubs: clubs, clubBySlug: clubBySlug, teams: teams, boards: current.standings.boards)
  }

  public mutating func read(_ publications: [CellPublication]) {
    sortStandings()
    neighbours = Neighbours(publications)
  }
}
