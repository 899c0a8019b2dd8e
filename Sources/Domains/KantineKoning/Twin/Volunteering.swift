import Contracts
import KantineKoningContract
import Timekeeping

/// O15 and O16: names on a dienst. The guards stand in the order of §3.2.
extension KantineKoningTwin {
  /// Enters a volunteer's name on a dienst that has not begun.
  mutating func addVolunteer(
    _ change: VolunteerChange, as session: Session, at now: Instant
  ) -> Answer {
    let row: Int
    switch judge(change, as: session) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let found): row = found
    }
    guard takesNames(row) else {
      return .refused(.teamAccessDenied, "de dienst is geannuleerd")  // KK-61
    }
    guard diensten[row].shown.startTijd >= now || !rules.binds(.kk56) else {
      return .refused(.dienstInPast)  // KK-56
    }
    let name = normalisedName(change.naam)
    if let refusal = judge(name: name) { return .failure(refusal) }
    let before = diensten.shown(row)
    guard !isDoubled(name, among: before.aanmeldingen) else {
      return .refused(.volunteerExists)  // KK-59
    }
    if !rules.binds(.kk63), before.aanmeldingen.count >= before.minimumBemanning {
      return .refused(.invalidName, "the dienst has its minimum")
    }

    if !rules.binds(.kk64), !before.aanmeldingen.isEmpty {
      diensten[row].shown.columns.aanmeldingen.removeFirst()
    }
    diensten[row].shown.columns.aanmeldingen.append(name)
    touch(row, at: now)
    announceVolunteers(of: row, at: now)
    return .success(.dienst(rules.binds(.kk62) ? diensten.shown(row) : before))
  }

  /// Takes a volunteer's name off a dienst that has not begun.
  mutating func removeVolunteer(
    _ change: VolunteerChange, as session: Session, at now: Instant
  ) -> Answer {
    let row: Int
    switch judge(change, as: session) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let found): row = found
    }
    guard diensten[row].shown.startTijd >= now || !rules.binds(.kk57) else {
      return .refused(.dienstInPast)  // KK-57
    }
    let name = normalisedName(change.naam)
    if let refusal = judge(name: name) { return .failure(refusal) }
    let before = diensten.shown(row)
    guard let place = before.aanmeldingen.firstIndex(of: name) else {
      return .refused(.volunteerNotFound)
    }

    diensten[row].shown.columns.aanmeldingen.remove(at: place)
    touch(row, at: now)
    announceVolunteers(of: row, at: now)
    return .success(.dienst(rules.binds(.kk62) ? diensten.shown(row) : before))
  }

  /// Steps 8 to 11 of §3.2: tenant, role, dienst, team.
  private mutating func judge(
    _ change: VolunteerChange, as session: Session
  ) -> Result<Int, Refusal> {
    if let refusal = judge(tenant: change.tenant, of: session) { return .failure(refusal) }
    let isReadOnly = rules.binds(.kk54) && membersOnlyRead
    guard session.role == .manager || !isReadOnly else {
      return .failure(Refusal(.teamAccessDenied))  // KK-54, KK-55
    }
    work.rowsRead += 1
    guard let row = diensten.row(id: change.dienstID) else {
      return .failure(Refusal(.dienstNotFound))
    }
    // A dienst of another tenant looks as if it did not exist.
    guard mayAddress(row, in: session) else {
      return .failure(Refusal(.dienstNotFound))  // KK-53
    }
    guard isCovered(row, by: session) else {
      return .failure(Refusal(.teamAccessDenied))  // KK-61
    }
    return .success(row)
  }

  /// Whether an enrollment may change the names of a dienst: its team is one of the visible ones (KK-61).
  private func isCovered(_ row: Int, by session: Session) -> Bool {
    guard bindsToTeam else { return true }
    guard let code = diensten[row].shown.team?.code else { return false }
    return visibleCodes(of: session).contains(code)
  }

  /// Whether names are taken on a dienst at all. A cancelled one has nobody on duty, as an open one has nobody: KK-61
  /// says of that one that it accepts no names, with the same code, and §3.3 has no code of its own for either. Names
  /// that are on it may be taken off.
  func takesNames(_ row: Int) -> Bool {
    !bindsToTeam || diensten.shown(row).status != .geannuleerd
  }

  private var bindsToTeam: Bool { rules.binds(.kk61) }

  /// Whether a member's token changes nothing, whatever it asks for (KK-55).
  var membersOnlyRead: Bool { rules.binds(.kk55) }

  /// Whether a dienst exists for a token: those of other tenants do not (KK-53).
  func mayAddress(_ row: Int, in session: Session) -> Bool {
    diensten[row].club == session.club || !rules.binds(.kk53)
  }

  /// Whether a name stands on the dienst already (KK-59).
  func isDoubled(_ name: String, among names: [String]) -> Bool {
    names.contains(name) && rules.binds(.kk59)
  }

  /// Composed, and without white space at its ends (KK-60).
  func normalisedName(_ text: String) -> String {
    composed(rules.binds(.kk60) ? trimmed(text) : text)
  }

  func judge(name: String) -> Refusal? {
    // A name of which nothing can be seen is empty to everybody who reads it.
    guard TextLength.isVisible(name) || !rules.binds(.kk60) else {
      return Refusal(.invalidName)  // KK-60
    }
    guard TextLength.fits(name, most: configuration.maxVolunteerName) || !rules.binds(.kk58) else {
      return Refusal(.nameTooLong)  // KK-58
    }
    return nil
  }

  /// Makes a changed dienst look changed: status, and a version that is later by at least 1 ms (KK-52).
  mutating func touch(_ row: Int, at now: Instant) {
    work.rowsWritten += 1
    diensten[row].shown.columns.status = diensten[row].shown.derivedStatus
    recount(row)
    guard rules.binds(.kk52) else { return }
    let before = diensten[row].shown.updatedAt
    diensten[row].shown.columns.updatedAt = max(now.wholeMilliseconds, before + .milliseconds(1))
    assert(diensten[row].shown.updatedAt > before, "KK-52: a change must look newer")
  }
}

extension Instant {
  /// Rounded down to what the wire can carry.
  var wholeMilliseconds: Instant { Instant(unixMilliseconds: unixMilliseconds) }
}
