import Contracts
import KantineKoningContract
import Timekeeping

/// O5 and O11: what the backend holds of an enrollment and of a phone.
extension KantineKoningTwin {
  func status(of session: Session) -> Answer {
    let row = enrollments[session.row]
    return .success(
      .status(
        EnrollmentStatus(
          deviceID: row.deviceID, tenantSlug: clubs[row.club].slug,
          tenantName: clubs[row.club].name, teamCodes: row.teamCodes, role: row.role,
          status: "active",
          teamEmailPreferences: emailPreferences(of: session.row),
          pushEnabled: row.pushEnabled, hasApnsToken: row.hasApnsToken,
          buildEnvironment: row.buildEnvironment, lastSeenAt: row.lastSeenAt)))
  }

  /// Whether a club stays to be seen when its season has ended (KK-114).
  var showsEndedSeasons: Bool { rules.binds(.kk114) }

  /// O11: the clubs of this phone in order of their slugs, each with its teams in natural order of their codes.
  mutating func tenantInfo(for session: Session) -> Answer {
    var rows = scope(of: session)
    if showsEndedSeasons, let key = phoneKey(of: session.row) {
      // A club whose season ended stays with the teams that ended with it, until its reset.
      rows += enrollments.phone(key).past.filter {
        enrollments[$0].revokedReason == .seasonEnded && !rows.contains($0)
      }
    }
    work.rowsRead += rows.count
    var shown: [(club: Int, teams: [TeamInfo])] = []
    for row in rows {
      let club = enrollments[row].club
      let listed = enrollments[row].teamCodes.compactMap { code -> TeamInfo? in
        guard let team = clubs[club].teamByCode[code] else { return nil }
        var info = teams[team].info
        info.role = enrollments[row].role
        return info
      }
      work.rowsRead += listed.count
      if let index = shown.firstIndex(where: { $0.club == club }) {
        for info in listed where !shown[index].teams.contains(where: { $0.code == info.code }) {
          shown[index].teams.append(info)
        }
      } else {
        shown.append((club, listed))
      }
    }
    shown.sort { clubs[$0.club].slug < clubs[$1.club].slug }
    return .success(
      .tenants(
        shown.map { club, teams in
          TenantInfo(
            slug: clubs[club].slug, clubName: clubs[club].name, clubLogoURL: clubs[club].logoURL,
            seasonEnded: clubs[club].hasSeasonEnded,
            teams: teams.sorted { naturallyPrecedes($0.code, $1.code) })
        }))
  }

  /// Every enrollment, active or revoked, in order of its row, and the newest hundred pushes; or what has changed since a look, in
  /// order of its change.
  mutating func inspection(since: Int) -> Inspection {
    let (enrolled, sent) = (
      enrollments.changes.look(since: since), deliveries.changes.look(since: since)
    )
    let devices = enrolled?.map { ($0, enrollments.row(deviceID: $0)) }
    return Inspection(
      enrollments: (devices?.compactMap(\.1) ?? Array(enrollments.inUse)).map(shown),
      deliveries: sent?.sorted().compactMap { deliveries[$0] } ?? deliveries.newest(100),
      gone: devices?.filter { $0.1 == nil }.map(\.0) ?? [],
      extent: LookExtent(since: enrolled == nil ? 0 : since, look: enrollments.changes.look))
  }

  private func shown(_ row: Int) -> Inspection.Enrollment {
    let enrollment = enrollments[row]
    return Inspection.Enrollment(
      deviceID: enrollment.deviceID, tenantSlug: clubs[enrollment.club].slug,
      role: enrollment.role, teamCodes: enrollment.teamCodes,
      hardwareIdentifier: enrollment.hardwareIdentifier, isActive: enrollment.isActive,
      revokedReason: enrollment.revokedReason)
  }
}
