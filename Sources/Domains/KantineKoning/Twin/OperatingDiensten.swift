import KantineKoningContract
import Timekeeping

/// The club's own changes of its diensten.
extension KantineKoningTwin {
  mutating func schedule(_ entry: Fixture.DienstEntry, at now: Instant) -> Problem? {
    let id = entry.id.isEmpty ? identifiers.uuid() : entry.id
    let start = entry.startTijd.wholeMilliseconds
    let end = entry.eindTijd.wholeMilliseconds
    guard let club = clubBySlug[entry.tenantSlug] else {
      return .invalid("dienst '\(id)': no tenant '\(entry.tenantSlug)'")
    }
    guard diensten.row(id: id) == nil else { return .invalid("dienst '\(id)': it exists already") }
    if let problem = Self.problem(of: id, from: start, to: end) { return problem }
    if let problem = Self.problem(of: id, minimum: entry.minimumBemanning) { return problem }
    var team: Int?
    if let named = entry.team {
      guard let found = self.team(named: named, in: club) else {
        return .invalid("dienst '\(id)': '\(entry.tenantSlug)' has no team '\(named)'")
      }
      team = found
    }
    var names: [String] = []
    for text in entry.aanmeldingen {
      let name = composed(trimmed(text))
      guard TextLength.isVisible(name), TextLength.fits(name, most: configuration.maxVolunteerName)
      else {
        return .invalid(
          "dienst '\(id)': '\(text)' is no name of 1 to \(KantineKoning.longestName)")
      }
      guard !names.contains(name) else { return .invalid("dienst '\(id)': '\(name)' twice") }
      names.append(name)
    }
    var dienst = Dienst(
      id: id, tenantSlug: clubs[club].slug, team: team.map { teams[$0].info }, startTijd: start,
      eindTijd: end, minimumBemanning: entry.minimumBemanning, status: .onbemand,
      locatieNaam: entry.locatieNaam, aanmeldingen: names, updatedAt: now.wholeMilliseconds,
      dienstType: entry.dienstType, offeredForTransfer: false)
    dienst.columns.status = dienst.derivedStatus
    let row = diensten.insert(StoredDienst(shown: dienst, club: club, team: team))
    list(row)
    setReminders(of: row, at: now)
    recount(row)
    work.rowsWritten += 1
    return nil
  }

  mutating func changeDienst(_ change: KantineKoning.DienstChange, at now: Instant) -> Answer {
    guard let row = diensten.row(id: change.id) else { return .noDienst(change.id) }
    let before = diensten.shown(row)
    let start = change.startTijd?.wholeMilliseconds ?? before.startTijd
    let end = change.eindTijd?.wholeMilliseconds ?? before.eindTijd
    if let problem = Self.problem(of: change.id, from: start, to: end) { return .failure(problem) }
    let minimum = change.minimumBemanning ?? before.minimumBemanning
    if let problem = Self.problem(of: change.id, minimum: minimum) { return .failure(problem) }
    unlist(row)
    diensten[row].shown.columns.startTijd = start
    diensten[row].shown.columns.eindTijd = end
    diensten[row].shown.columns.minimumBemanning = minimum
    if let place = change.locatieNaam {
      diensten[row].shown.columns.locatieNaam = place.isEmpty ? nil : place
    }
    list(row)
    setReminders(of: row, at: now)
    let isChanged = diensten.shown(row) != before
    touch(row, at: now)
    if isChanged { announceFuture(.dienstChanged, of: row, at: now) }
    return .success(.done)
  }

  mutating func cancelDienst(_ id: DienstID, at now: Instant) -> Answer {
    guard let row = diensten.row(id: id) else { return .noDienst(id) }
    let wasCancelled = diensten.shown(row).status == .geannuleerd
    diensten[row].shown.columns.status = .geannuleerd
    touch(row, at: now)
    if !wasCancelled { announceFuture(.dienstCancelled, of: row, at: now) }
    return .success(.done)
  }

  /// Gives a dienst to a team of its club, or to none; the names stay, since the club decides about them.
  mutating func assignDienst(_ id: DienstID, to named: TeamName?, at now: Instant) -> Answer {
    guard let row = diensten.row(id: id) else { return .noDienst(id) }
    let club = diensten[row].club
    var team: Int?
    if let named {
      guard let found = self.team(named: named, in: club) else {
        return .failure(.invalid("dienst '\(id)': '\(clubs[club].slug)' has no team '\(named)'"))
      }
      team = found
    }
    let former = diensten[row].team
    if team != former { endOffer(of: row) }
    give(row, to: team, at: now)
    if team != former { announceFuture(.dienstAssigned, of: row, at: now) }
    return .success(.done)
  }

  /// Makes a team responsible for a dienst, or nobody.
  mutating func give(_ row: Int, to team: Int?, at now: Instant) {
    unlist(row)
    diensten[row].team = team
    diensten[row].shown.columns.team = team.map { teams[$0].info }
    list(row)
    touch(row, at: now)
  }

  private static func problem(of id: DienstID, from start: Instant, to end: Instant) -> Problem? {
    guard end > start else { return .invalid("dienst '\(id)': it ends before it starts") }
    guard end - start <= .hours(24) else {
      return .invalid("dienst '\(id)': it is longer than 24 hours")
    }
    return nil
  }

  /// More people than that stand in no canteen.
  private static func problem(of id: DienstID, minimum: Int) -> Problem? {
    (1...1_000).contains(minimum)
      ? nil : .invalid("dienst '\(id)': minimum_bemanning is 1 to 1000")
  }

  // MARK: Rosters

  /// Puts a dienst where the windows of O14 find it.
  private mutating func list(_ row: Int) {
    let (id, start) = (diensten[row].shown.id, diensten[row].shown.startTijd)
    let table = diensten
    let isLater: (Roster.Entry) -> Bool = { other in
      other.start != start ? other.start > start : table[other.row].shown.id > id
    }
    let entry = Roster.Entry(start: start, row: row)
    if let team = diensten[row].team {
      teams[team].roster.insert(entry, before: isLater)
    } else {
      clubs[diensten[row].club].open.insert(entry, before: isLater)
    }
  }

  private mutating func unlist(_ row: Int) {
    let start = diensten[row].shown.startTijd
    if let team = diensten[row].team {
      teams[team].roster.remove(row: row, start: start)
    } else {
      clubs[diensten[row].club].open.remove(row: row, start: start)
    }
  }
}

extension Result where Success == KantineKoning.Reply, Failure == KantineKoning.Refusal {
  fileprivate static func noDienst(_ id: DienstID) -> Self {
    .refused(.dienstNotFound, "no dienst '\(id)'")
  }
}
