import KantineKoningContract
import Timekeeping

/// O9: which teams' mails a manager wants.
extension KantineKoningTwin {
  mutating func setEmailPreference(_ asked: EmailPreference, as session: Session) -> Answer {
    guard session.role == .manager else { return .refused(.teamAccessDenied) }
    work.rowsRead += 1
    guard let team = team(named: asked.team, in: session.club) else {
      return .refused(.teamNotFound)
    }
    let code = teams[team].code
    guard visibleCodes(of: session).contains(code) else { return .refused(.teamAccessDenied) }

    enrollments[session.row].unwantedMail.removeAll { $0 == code }
    if !asked.enabled { enrollments[session.row].unwantedMail.append(code) }
    work.rowsWritten += 1
    return .success(
      .emailPreferences(
        emailPreferences(of: session.row).sorted { $0.teamCode < $1.teamCode }))
  }

  /// The effective values of an enrollment, in the order of its teams.
  func emailPreferences(of row: Int) -> [TeamPreference] {
    enrollments[row].teamCodes.map {
      TeamPreference(teamCode: $0, emailEnabled: isMailEffective(on: row, for: $0))
    }
  }

  /// Mail is forced on while push does not work (KK-120).
  func isMailEffective(on row: Int, for code: TeamName) -> Bool {
    let enrollment = enrollments[row]
    if !enrollment.unwantedMail.contains(code) { return true }
    return rules.binds(.kk120) && !(enrollment.pushEnabled && enrollment.hasApnsToken)  // KK-120
  }
}
