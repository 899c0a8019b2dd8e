import Contracts
import KantineKoningContract
import Timekeeping

/// The operator's commands (§3.5). What cannot be done is refused with a message that says which entity is wrong.
extension KantineKoningTwin {
  mutating func operate(_ control: KantineKoning.Control, at now: Instant) -> Answer {
    switch control {
    case .load(let fixture): return load(fixture, at: now)
    case .createTenant(let tenant): return done(create(tenant))
    case .changeTenant(let change): return changeTenant(change)
    case .createTeam(var team):
      if team.id.isEmpty { team.id = identifiers.uuid() }
      return made(team.id.text, create(team))
    case .setManager(let manager): return done(set(manager))
    case .scheduleDienst(let entry): return scheduleAndAnnounce(entry, at: now)
    case .changeDienst(let change): return changeDienst(change, at: now)
    case .cancelDienst(let id): return cancelDienst(id, at: now)
    case .assignDienst(let id, let team): return assignDienst(id, to: team, at: now)
    case .setEnrollmentOpen(let tenant, let open, let message):
      return inClub(tenant) { $0.setEnrollmentOpen(open, message: message, in: $1) }
    case .endSeason(let tenant): return inClub(tenant) { $0.endSeason(of: $1, at: now) }
    case .resetSeason(let tenant): return inClub(tenant) { $0.resetSeason(of: $1, at: now) }
    case .changeTeam(let tenant, let team, let naam):
      return inClub(tenant) { $0.rename(team: team, of: $1, to: naam, at: now) }
    case .createDienstType(let tenant, let type):
      return inClub(tenant) { $0.create(type, of: $1) }
    case .changeDienstType(let tenant, let type):
      return inClub(tenant) { $0.change(type, of: $1, at: now) }
    case .createLocation(let tenant, let naam):
      return inClub(tenant) { $0.createLocation(naam, of: $1) }
    case .changeLocation(let tenant, let naam, let to):
      return inClub(tenant) { $0.renameLocation(naam, of: $1, to: to, at: now) }
    case .setLeaderboardOptOut(let tenant, let optOut):
      return inClub(tenant) { $0.setLeaderboardOptOut(optOut, of: $1) }
    case .createBanner(var banner):
      if banner.id.isEmpty { banner.id = identifiers.uuid() }
      return made(banner.id.text, create(banner))
    case .removeBanner(let id): return done(removeBanner(id))
    case .revokeEnrollment(let deviceID, let reason):
      return onEnrollment(deviceID) { $0.revoke($1, reason, at: now) }
    case .setPushEnabled(let deviceID, let enabled):
      return onEnrollment(deviceID) { $0.enrollments[$1].pushEnabled = enabled }
    case .setTestUser(let deviceID, let isTestUser):
      return onEnrollment(deviceID) { $0.enrollments[$1].isTestUser = isTestUser }
    case .listEnrollments(let identifier): return .success(.enrollmentList(listing(of: identifier)))
    case .findEnrollments(let email): return findEnrollments(of: email)
    case .setApnsEnvironment(let change): return setApnsEnvironment(change)
    case .readApnsEnvironment: return .success(.apnsEnvironment(apns.variables))
    case .setApnsOutage(let outage):
      apns.isOut = outage
      return .success(.done)
    case .sendTestPush(let deviceID, let title, let body):
      return sendTestPush(toDevice: deviceID, title: title, body: body, at: now)
    case .pushDeliveries(let deviceID): return pushDeliveries(of: deviceID)
    case .notices: return .success(.notices(notices.all))
    case .cleanUp: return cleanUp(at: now)
    case .configure(let adjustment):
      adjustment.apply(to: &configuration.deployment)
      // Names may count for something now, or for nothing.
      recountAll(at: now)
      return .success(.done)
    case .setRule(let limit, let binds):
      rules.set(limit, binds: binds)
      recountAll(at: now)
      return .success(.done)
    case .outbox: return .success(.outbox(outbox.mails))
    // Whoever holds the clock moves it; a twin has none of its own.
    case .advance: return .success(.done)
    case .reset:
      reset()
      return .success(.done)
    }
  }

  // MARK: What a command is about

  /// A command changed what it is about, or nothing and says why.
  private func done(_ problem: Problem?) -> Answer {
    problem.map { .failure($0) } ?? .success(.done)
  }

  /// A command made something, and answers under which identifier.
  private func made(_ id: String, _ problem: Problem?) -> Answer {
    problem.map { .failure($0) } ?? .success(.made(Made(id: id)))
  }

  private mutating func inClub(
    _ slug: Slug, _ change: (inout KantineKoningTwin, Int) -> Problem?
  ) -> Answer {
    guard let club = clubBySlug[slug] else {
      return .refused(.tenantNotFound, "no tenant '\(slug)'")
    }
    work.rowsWritten += 1
    return done(change(&self, club))
  }

  private mutating func onEnrollment(
    _ deviceID: EnrollmentID, _ change: (inout KantineKoningTwin, Int) -> Void
  ) -> Answer {
    guard let row = enrollments.row(deviceID: deviceID) else {
      return .refused(.deviceNotFound, "no enrollment '\(deviceID)'")
    }
    work.rowsWritten += 1
    change(&self, row)
    return .success(.done)
  }

  // MARK: Clubs and seasons

  private mutating func changeTenant(_ change: KantineKoning.TenantChange) -> Answer {
    inClub(change.slug) { twin, club in
      if let name = change.name {
        guard isName(name, most: 120) else {
          return .invalid("tenant '\(change.slug)': a name has 1 to 120 characters")
        }
        twin.clubs[club].name = name
      }
      if let logo = change.clubLogoURL { twin.clubs[club].logoURL = logo.isEmpty ? nil : logo }
      if let message = change.enrollmentMessage {
        twin.clubs[club].message = message.isEmpty ? nil : message
      }
      return nil
    }
  }

  private mutating func setEnrollmentOpen(
    _ open: Bool, message: String?, in club: Int
  ) -> Problem? {
    clubs[club].isOpen = open
    if open { clubs[club].message = nil }
    if let message { clubs[club].message = message }
    return nil
  }

  /// Revokes every token and every enrollment of the club and closes it (KK-113).
  private mutating func endSeason(of club: Int, at now: Instant) -> Problem? {
    guard !clubs[club].hasSeasonEnded else {
      return .invalid("tenant '\(clubs[club].slug)': its season has ended already")
    }
    clubs[club].seasonEndedAt = now
    clubs[club].seasonsEnded += 1
    clubs[club].isOpen = false
    clubs[club].message = "Het seizoen is afgelopen. Aanmelden kan weer bij het nieuwe seizoen."
    guard rules.binds(.kk113) else { return nil }
    clubs[club].revocations.append(Club.Revocation(at: now, reason: .seasonEnded))
    for row in Array(enrollments.inUse)
    where enrollments[row].club == club && enrollments[row].isActive {
      enrollments.revoke(row, .seasonEnded, phone: phoneKey(of: row), at: now)
      work.rowsWritten += 1
    }
    return nil
  }

  /// Whether a season's end has revoked what a club gave out when it had ended so many (KK-113).
  func isRevoked(givenAfter seasons: Int, in club: Int) -> Bool {
    clubs[club].seasonsEnded > seasons && rules.binds(.kk113)
  }

  /// Deletes the season's data and opens the club again (KK-115).
  private mutating func resetSeason(of club: Int, at now: Instant) -> Problem? {
    guard clubs[club].hasSeasonEnded else {
      return .invalid("tenant '\(clubs[club].slug)': its season has not ended")
    }
    standings.disorder()
    for row in Array(diensten.inUse) where diensten[row].club == club {
      uncount(row)
      diensten.delete(row)
      work.rowsWritten += 1
    }
    for team in clubs[club].teams {
      if rules.binds(.kk115) {
        clubs[club].formerTeams.formUnion([teams[team].code, teams[team].id])
      }
      teamByID[teams[team].id] = nil
      teams[team].roster = Roster()
      work.rowsWritten += 1
    }
    clubs[club].open = Roster()
    clubs[club].offered = []
    clubs[club].teams = []
    clubs[club].teamByCode = [:]
    clubs[club].managers = [:]
    if rules.binds(.kk115) {
      for row in Array(enrollments.inUse)
      where enrollments[row].club == club && !enrollments[row].isActive {
        enrollments.delete(row, phone: phoneKey(of: row))
        work.rowsWritten += 1
      }
      clubs[club].revocations = []
    }
    clubs[club].isOpen = true
    clubs[club].message = nil
    clubs[club].seasonEndedAt = nil
    clubs[club].seasonResetAt = now
    return nil
  }

  // MARK: Enrollments

  private mutating func revoke(
    _ row: Int, _ reason: KantineKoning.RevocationReason, at now: Instant
  ) {
    enrollments.revoke(row, reason, phone: phoneKey(of: row), at: now)
  }

  /// The operator's look-up counts active rows alone (KK-16).
  private mutating func listing(of identifier: HardwareID) -> EnrollmentListing {
    let rows = phoneKey(identifier).map { enrollments.phone($0).active } ?? []
    work.rowsRead += rows.count
    return EnrollmentListing(
      hardwareIdentifier: identifier,
      entries: rows.map { row in
        EnrollmentListing.Entry(
          tenantSlug: clubs[enrollments[row].club].slug, role: enrollments[row].role)
      })
  }

  /// The nightly clean-up: manager enrollments lose what the address no longer manages or what is gone.
  private mutating func cleanUp(at now: Instant) -> Answer {
    for row in Array(enrollments.inUse)
    where enrollments[row].isActive && enrollments[row].role == .manager {
      let club = enrollments[row].club
      let managed = enrollments[row].managerEmail.flatMap { clubs[club].managers[$0] } ?? []
      let lost = enrollments[row].teamCodes.filter {
        !managed.contains($0) || clubs[club].teamByCode[$0] == nil
      }
      work.rowsRead += 1
      if !lost.isEmpty {
        shrink(row, losing: lost, reason: .cleanup, phone: phoneKey(of: row), at: now)
      }
    }
    return .success(.done)
  }
}

/// What is wrong with a command of the operator.
typealias Problem = KantineKoning.Refusal

extension KantineKoning.Refusal {
  static func invalid(_ message: String) -> Self { Self(.invalidParameter, message: message) }
}
