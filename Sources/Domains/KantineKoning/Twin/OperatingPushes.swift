import Contracts
import KantineKoningContract
import Timekeeping

/// The operator's commands about pushes, and what the club's own changes of diensten push (§3.5, §5.5).
extension KantineKoningTwin {
  // MARK: Diensten

  /// A new dienst is announced to its team.
  mutating func scheduleAndAnnounce(_ entry: Fixture.DienstEntry, at now: Instant) -> Answer {
    var entry = entry
    if entry.id.isEmpty { entry.id = identifiers.uuid() }
    if let problem = schedule(entry, at: now) { return .failure(problem) }
    if let row = diensten.row(id: entry.id) { announceFuture(.dienstAssigned, of: row, at: now) }
    return .success(.made(Made(id: entry.id.text)))
  }

  /// Tells the team that has a dienst; what is past concerns nobody any more.
  mutating func announceFuture(_ event: PushEvent, of row: Int, at now: Instant) {
    guard let team = diensten[row].team, diensten.shown(row).startTijd >= now else { return }
    announce(event, of: row, to: team, at: now)
  }

  /// Optional, off by default (§5.5).
  mutating func announceVolunteers(of row: Int, at now: Instant) {
    guard configuration.pushesVolunteerChanges else { return }
    announceFuture(.volunteersChanged, of: row, at: now)
  }

  // MARK: Commands

  /// The enrollments of an address, active or revoked, in order of their rows.
  mutating func findEnrollments(of email: String) -> Answer {
    let address = normalisedAddress(email)
    let rows = enrollments.inUse.filter { enrollments[$0].managerEmail == address }
    work.rowsRead += rows.count
    return .success(
      .foundEnrollments(
        rows.map { row in
          let enrollment = enrollments[row]
          return FoundEnrollment(
            deviceID: enrollment.deviceID, tenantSlug: clubs[enrollment.club].slug,
            role: enrollment.role, teamCodes: enrollment.teamCodes, isActive: enrollment.isActive,
            pushEnabled: enrollment.pushEnabled, hasApnsToken: enrollment.hasApnsToken,
            buildEnvironment: enrollment.buildEnvironment, isTestUser: enrollment.isTestUser,
            apnsEnvironment: apnsEnvironment(of: row))
        }))
  }

  /// Sets what is given, unsets what is given as empty, and answers both variables.
  mutating func setApnsEnvironment(_ change: ApnsVariables) -> Answer {
    if let text = change.forceEnv { apns.variables.forceEnv = text.isEmpty ? nil : text }
    if let text = change.env { apns.variables.env = text.isEmpty ? nil : text }
    return .success(.apnsEnvironment(apns.variables))
  }

  /// A test alert to an enrollment; a revoked one receives nothing (KK-99).
  mutating func sendTestPush(
    toDevice deviceID: EnrollmentID, title: String, body: String, at now: Instant
  ) -> Answer {
    guard let row = enrollments.row(deviceID: deviceID) else {
      return .refused(.deviceNotFound, "no enrollment '\(deviceID)'")
    }
    guard enrollments[row].isActive else {
      return .refused(.deviceNotFound, "enrollment '\(deviceID)' is revoked")
    }
    return .success(.pushDeliveries(sendTestPush(to: row, title: title, body: body, at: now)))
  }

  func pushDeliveries(of deviceID: EnrollmentID?) -> Answer {
    guard let deviceID else { return .success(.pushDeliveries(deliveries.all)) }
    return .success(.pushDeliveries(deliveries.all.filter { $0.deviceID == deviceID }))
  }
}
