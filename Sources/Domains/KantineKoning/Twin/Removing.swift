import KantineKoningContract
import Timekeeping

/// O6 to O8: what a phone no longer wants. With KK-86 off the answer is the same and nothing is removed.
extension KantineKoningTwin {
  /// O6: takes teams out of the caller's enrollment; entries that name none of them are ignored.
  mutating func removeTeams(_ names: [TeamName], as session: Session, at now: Instant) -> Answer {
    let stored = enrollments[session.row].teamCodes
    var lost: [TeamName] = []
    for name in names {
      guard let code = code(named: name, among: stored, in: session.club), !lost.contains(code)
      else { continue }
      lost.append(code)
    }
    work.rowsRead += names.count
    if !lost.isEmpty, rules.binds(.kk86) {
      shrink(
        session.row, losing: lost, reason: .removed, phone: phoneKey(of: session.row), at: now)
    }
    return .success(
      .teamsRemoved(
        TeamRemoval(removed: lost.count, teamCodes: stored.filter { !lost.contains($0) })))
  }

  /// By code, then by id; a backend of `codeOnly` ignores ids (§5.11 Q4).
  private func code(named name: TeamName, among stored: [TeamName], in club: Int) -> TeamName? {
    if stored.contains(name) { return name }
    guard configuration.deployment.removeTeamsMatch == .codeOrID, let team = teamByID[name],
      teams[team].club == club, stored.contains(teams[team].code)
    else { return nil }
    return teams[team].code
  }

  /// O7: all enrollments of this phone in the token's tenant.
  mutating func removeTenant(_ slug: Slug, as session: Session, at now: Instant) -> Answer {
    if let refusal = judge(tenant: slug, of: session) { return .failure(refusal) }
    let club = clubBySlug[slug] ?? session.club
    return remove(scope(of: session).filter { enrollments[$0].club == club }, at: now)
  }

  /// O8: all enrollments of this phone.
  mutating func removeAll(as session: Session, at now: Instant) -> Answer {
    remove(scope(of: session), at: now)
  }

  private mutating func remove(_ rows: [Int], at now: Instant) -> Answer {
    work.rowsRead += rows.count
    if rules.binds(.kk86) {
      for row in rows {
        enrollments.revoke(row, .removed, phone: phoneKey(of: row), at: now)
        work.rowsWritten += 1
      }
    }
    return .success(.enrollmentsRevoked(rows.count))
  }
}
