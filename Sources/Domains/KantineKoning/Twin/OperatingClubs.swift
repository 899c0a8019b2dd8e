import KantineKoningContract
import Timekeeping

/// The club's own changes of what its teams and diensten are called, and of who sees its teams.
extension KantineKoningTwin {
  mutating func rename(team named: TeamName, of club: Int, to naam: String, at now: Instant)
    -> Problem?
  {
    let slug = clubs[club].slug
    guard let team = team(named: named, in: club) else {
      return .invalid("'\(slug)' has no team '\(named)'")
    }
    guard isName(naam, most: 80) else {
      return .invalid("team '\(named)': naam has 1 to 80 characters")
    }
    teams[team].naam = naam
    teams[team].folded.naam = foldedForSearch(naam)
    standings.disorder()
    for entry in teams[team].roster.entries {
      diensten[entry.row].shown.columns.team = teams[team].info
      touch(entry.row, at: now)
    }
    return nil
  }

  mutating func create(_ type: DienstType, of club: Int) -> Problem? {
    guard !type.naam.isEmpty else { return .invalid("a dienst type needs a name") }
    guard !clubs[club].dienstTypes.contains(where: { $0.naam == type.naam }) else {
      return .invalid("dienst type '\(type.naam)': '\(clubs[club].slug)' has it already")
    }
    clubs[club].dienstTypes.append(type)
    return nil
  }

  mutating func change(_ type: DienstType, of club: Int, at now: Instant) -> Problem? {
    guard let index = clubs[club].dienstTypes.firstIndex(where: { $0.naam == type.naam }) else {
      return .invalid("'\(clubs[club].slug)' has no dienst type '\(type.naam)'")
    }
    clubs[club].dienstTypes[index] = type
    for row in rows(of: club) where diensten[row].shown.dienstType?.naam == type.naam {
      diensten[row].shown.columns.dienstType = type
      touch(row, at: now)
    }
    return nil
  }

  mutating func createLocation(_ naam: String, of club: Int) -> Problem? {
    guard !naam.isEmpty else { return .invalid("a location needs a name") }
    guard !clubs[club].locations.contains(naam) else {
      return .invalid("location '\(naam)': '\(clubs[club].slug)' has it already")
    }
    clubs[club].locations.append(naam)
    return nil
  }

  mutating func renameLocation(
    _ naam: String, of club: Int, to name: String, at now: Instant
  ) -> Problem? {
    guard let index = clubs[club].locations.firstIndex(of: naam) else {
      return .invalid("'\(clubs[club].slug)' has no location '\(naam)'")
    }
    guard name == naam || !clubs[club].locations.contains(name), !name.isEmpty else {
      return .invalid("location '\(name)': it needs a name that no other location has")
    }
    clubs[club].locations[index] = name
    for row in rows(of: club) where diensten[row].shown.locatieNaam == naam {
      diensten[row].shown.columns.locatieNaam = name
      touch(row, at: now)
    }
    return nil
  }

  /// Takes a club out of the global board or back in (KK-104).
  mutating func setLeaderboardOptOut(_ optOut: Bool, of club: Int) -> Problem? {
    clubs[club].leaderboardOptOut = optOut
    standings.disorder()
    return nil
  }

  /// The rows of a club's diensten, assigned and open.
  private func rows(of club: Int) -> [Int] {
    (clubs[club].teams.map { teams[$0].roster } + [clubs[club].open])
      .flatMap { $0.entries.map(\.row) }
  }
}
