import KantineKoningContract
import Timekeeping

/// Entities as a fixture gives them, held against §2; the first that is wrong refuses the whole load.
extension KantineKoningTwin {
  mutating func load(_ fixture: Fixture, at now: Instant) -> Answer {
    var next = self
    if let problem = next.insert(fixture, at: now) { return .failure(problem) }
    self = next
    return .success(.done)
  }

  private mutating func insert(_ fixture: Fixture, at now: Instant) -> Problem? {
    for tenant in fixture.tenants { if let problem = create(tenant) { return problem } }
    for team in fixture.teams { if let problem = create(team) { return problem } }
    for manager in fixture.managers { if let problem = set(manager) { return problem } }
    for dienst in fixture.diensten { if let problem = schedule(dienst, at: now) { return problem } }
    for entry in fixture.enrollments { if let problem = enroll(entry, at: now) { return problem } }
    return nil
  }

  mutating func create(_ tenant: Fixture.Tenant) -> Problem? {
    guard isSlug(tenant.slug) else {
      return .invalid("tenant '\(tenant.slug)': a slug is a-z, 0-9 and '-', at most 63 characters")
    }
    guard clubBySlug[tenant.slug] == nil else {
      return .invalid("tenant '\(tenant.slug)': it exists already")
    }
    guard isName(tenant.name, most: 120) else {
      return .invalid("tenant '\(tenant.slug)': a name has 1 to 120 characters")
    }
    clubBySlug[tenant.slug] = clubs.count
    var club = Club(slug: tenant.slug, name: tenant.name, logoURL: tenant.clubLogoURL)
    club.isOpen = tenant.enrollmentOpen
    club.message = tenant.enrollmentMessage
    clubs.append(club)
    work.rowsWritten += 1
    return nil
  }

  mutating func create(_ team: Fixture.Team) -> Problem? {
    guard let club = clubBySlug[team.tenantSlug] else {
      return .invalid("team '\(team.code)': no tenant '\(team.tenantSlug)'")
    }
    let id = team.id.isEmpty ? identifiers.uuid() : team.id
    guard isName(team.code.text, most: 16) else {
      return .invalid("team '\(team.code)': a code has 1 to 16 characters")
    }
    guard isName(team.naam, most: 80) else {
      return .invalid("team '\(team.code)': naam has 1 to 80 characters")
    }
    guard clubs[club].teamByCode[team.code] == nil else {
      return .invalid("team '\(team.code)': '\(team.tenantSlug)' has it already")
    }
    guard teamByID[id] == nil else { return .invalid("team '\(team.code)': id '\(id)' is taken") }
    let index = teams.count
    teams.append(Team(id: id, club: club, code: team.code, naam: team.naam))
    teamByID[id] = index
    clubs[club].teamByCode[team.code] = index
    standings.addTeam()
    let position = clubs[club].teams.firstIndex { naturallyPrecedes(team.code, teams[$0].code) }
    clubs[club].teams.insert(index, at: position ?? clubs[club].teams.count)
    work.rowsWritten += 1
    return nil
  }

  /// Sets the teams that an address manages; none makes it no manager.
  mutating func set(_ manager: Fixture.Manager) -> Problem? {
    guard let club = clubBySlug[manager.tenantSlug] else {
      return .invalid("manager '\(manager.email)': no tenant '\(manager.tenantSlug)'")
    }
    let address = normalisedAddress(manager.email)
    guard isAddress(address) else { return .invalid("manager '\(manager.email)': no address") }
    guard let managed = resolve(manager.teamCodes, in: club) else {
      return .invalid("manager '\(manager.email)': a team that '\(manager.tenantSlug)' has not")
    }
    let codes = managed.map { teams[$0].code }.sorted(by: naturallyPrecedes)
    clubs[club].managers[address] = codes.isEmpty ? nil : codes
    work.rowsWritten += 1
    return nil
  }

  private mutating func enroll(_ entry: Fixture.EnrollmentEntry, at now: Instant) -> Problem? {
    let id = entry.deviceID.isEmpty ? identifiers.uuid() : entry.deviceID
    guard let club = clubBySlug[entry.tenantSlug] else {
      return .invalid("enrollment '\(id)': no tenant '\(entry.tenantSlug)'")
    }
    guard enrollments.row(deviceID: id) == nil else {
      return .invalid("enrollment '\(id)': it exists already")
    }
    guard let wanted = resolve(entry.teamCodes, in: club), !wanted.isEmpty else {
      return .invalid("enrollment '\(id)': its team_codes are not all of '\(entry.tenantSlug)'")
    }
    guard entry.hardwareIdentifier.text.utf8.count <= Self.hardwareIdentifierBytesMost else {
      return .invalid("enrollment '\(id)': hardware_identifier is longer than 128")
    }
    guard entry.apnsDeviceToken?.utf8.count ?? 0 <= Self.apnsTokenBytesMost else {
      return .invalid("enrollment '\(id)': apns_device_token is longer than 256")
    }
    let codes = wanted.map { teams[$0].code }
    let key = phoneKey(entry.hardwareIdentifier)
    if entry.revoked == nil, let problem = problem(of: id, codes, in: club, onPhone: key) {
      return problem
    }
    let since = entry.enrolledAt ?? now
    enrollments.insert(
      Enrollment(
        deviceID: id, club: club, role: entry.role, teamCodes: codes,
        managerEmail: entry.teamManagerEmail.map(normalisedAddress),
        hardwareIdentifier: entry.hardwareIdentifier, revokedReason: entry.revoked,
        revokedAt: entry.revoked == nil ? nil : now, apnsDeviceToken: entry.apnsDeviceToken,
        buildEnvironment: entry.buildEnvironment, lastSeenAt: since, insertedAt: since,
        updatedAt: since),
      phone: key)
    work.rowsWritten += 1
    return nil
  }

  /// What KK-14 and KK-19 hold against an enrollment that is there from the start.
  private func problem(
    of id: EnrollmentID, _ codes: [TeamName], in club: Int, onPhone key: HardwareID?
  ) -> Problem? {
    var count = codes.count
    if let key {
      for row in enrollments.phone(key).active {
        if enrollments[row].club == club, codes.contains(where: enrollments[row].teamCodes.contains)
        {
          return .invalid("enrollment '\(id)': the phone follows one of its teams already")
        }
        count += enrollments[row].teamCodes.count
      }
    }
    guard count <= configuration.maxTeamsPerDevice else {
      return .invalid("enrollment '\(id)': the phone would follow \(count) teams")
    }
    return nil
  }

  // What is stored of a phone as it came (§2.4).
  static let hardwareIdentifierBytesMost = 128
  static let apnsTokenBytesMost = 256
}
