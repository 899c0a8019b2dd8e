import Contracts
import KantineKoningContract
import Timekeeping

/// O3: the right of one device to act in one tenant for a set of teams in one role.
extension KantineKoningTwin {
  mutating func register(_ asked: Registration, at now: Instant) -> Answer {
    let claims: EnrollmentClaims
    switch judge(asked.token, at: now) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let judged): claims = judged
    }
    work.rowsRead += 2
    guard let club = clubBySlug[claims.tenantSlug] else { return .refused(.tenantNotFound) }
    if let refusal = judgeEnrollmentOpen(club) { return .failure(refusal) }
    guard let wanted = resolve(claims.teamCodes, in: club), !wanted.isEmpty else {
      return .refused(.invalidTeamCodes)
    }
    work.rowsRead += wanted.count
    let codes = wanted.map { teams[$0].code }
    let key = phoneKey(asked.hardwareIdentifier)
    var role: Role = claims.role == Role.manager.rawValue ? .manager : .member
    let address = role == .manager ? claims.email.map(normalisedAddress) : nil
    if role == .manager {
      guard let address, let managed = clubs[club].managers[address] else {
        return .refused(.teamManagerNotFound)
      }
      guard codes.allSatisfy(managed.contains) else { return .refused(.invalidTeamCodes) }
    }
    // Value rules come after who may and before what is in conflict (§3.2, steps 11 to 13), with O10's code.
    guard asked.hardwareIdentifier.text.utf8.count <= Self.hardwareIdentifierBytesMost else {
      return .refused(.invalidParameter, "hardware_identifier has at most 128 bytes")
    }
    guard asked.apnsDeviceToken.utf8.count <= Self.apnsTokenBytesMost else {
      return .refused(.invalidParameter, "apns_device_token has at most 256 bytes")
    }
    if !rules.binds(.kk13), let key, isManagerSomewhere(key) { role = .manager }

    let overlaps = overlaps(of: codes, in: club, onPhone: key)
    if let refusal = judge(overlaps, as: role) { return .failure(refusal) }
    if let refusal = judgeLimit(codes, in: club, as: role, onPhone: key, moving: overlaps) {
      return .failure(refusal)
    }

    used.insert(claims.jti, exp: claims.exp, at: now)
    move(overlaps, to: role, phone: key, at: now)
    if !rules.binds(.kk12), let key { replaceOtherRole(than: role, on: key, in: club, at: now) }
    let row = enroll(
      asked, teams: wanted, of: club, as: role, address: address, phone: key, at: now)
    return .success(.registered(registrationAnswer(row, teams: wanted, at: now)))
  }

  // MARK: Step 1: the token

  private mutating func judge(
    _ token: EnrollmentToken, at now: Instant
  ) -> Result<EnrollmentClaims, Refusal> {
    let unusable = Refusal(.invalidOrExpiredToken)
    work.signatures += 1
    work.rowsRead += 1
    guard let (claims, isSigned) = token.claims(verifiedBy: tokens),
      claims.purpose == "device-enroll"
    else { return .failure(unusable) }
    let isManager = claims.role == Role.manager.rawValue
    if isSigned {
      guard isManager else { return .failure(unusable) }
    } else {
      guard claims.role == Role.member.rawValue || (isManager && !rules.binds(.kk30)) else {
        return .failure(unusable)  // KK-30
      }
    }
    guard now.unixSeconds < claims.exp else { return .failure(Refusal(.enrollmentExpired)) }
    let furthest =
      now + configuration.deployment.memberTokenLifetime
      + configuration.deployment.memberTokenLeeway
    if !isSigned, rules.binds(.kk32), Instant(unixSeconds: claims.exp) > furthest {
      return .failure(unusable)  // KK-32
    }
    guard !used.contains(claims.jti) || !rules.binds(.kk31) else {
      return .failure(unusable)  // KK-31
    }
    return .success(claims)
  }

  // MARK: Step 4: overlaps with active enrollments of the same device and tenant

  /// Codes that an active enrollment of the phone has and a new one wants.
  struct Overlap {
    let row: Int
    let codes: [TeamName]
  }

  private mutating func overlaps(
    of codes: [TeamName], in club: Int, onPhone key: HardwareID?
  ) -> [Overlap] {
    guard let key else { return [] }
    let active = enrollments.phone(key).active
    work.rowsRead += active.count
    return active.compactMap { row in
      guard enrollments[row].club == club else { return nil }
      let shared = enrollments[row].teamCodes.filter(codes.contains)
      return shared.isEmpty ? nil : Overlap(row: row, codes: shared)
    }
  }

  private func judge(_ overlaps: [Overlap], as role: Role) -> Refusal? {
    for overlap in overlaps {
      switch (enrollments[overlap.row].role, role) {
      case (.manager, .member) where rules.binds(.kk21): return Refusal(.teamConflict)  // KK-21
      case (.member, .manager) where !rules.binds(.kk20): return Refusal(.teamConflict)
      default: break
      }
    }
    for overlap in overlaps where enrollments[overlap.row].role == role {
      if configuration.deployment.reenroll == .reject || !rules.binds(.kk22) {
        return Refusal(.deviceAlreadyEnrolled)  // KK-22
      }
    }
    return nil
  }

  /// Moves teams out of older enrollments, so that a team is followed once (KK-19, KK-20, KK-22).
  private mutating func move(
    _ overlaps: [Overlap], to role: Role, phone key: HardwareID?, at now: Instant
  ) {
    guard rules.binds(.kk19) else { return }
    for overlap in overlaps {
      let isUpgrade = enrollments[overlap.row].role == .member && role == .manager
      shrink(
        overlap.row, losing: overlap.codes, reason: isUpgrade ? .upgraded : .superseded, phone: key,
        at: now)
    }
  }

  /// Takes codes out of an enrollment and revokes it when none is left.
  mutating func shrink(
    _ row: Int, losing codes: [TeamName], reason: KantineKoning.RevocationReason,
    phone key: HardwareID?,
    at now: Instant
  ) {
    work.rowsWritten += 1
    let remaining = enrollments[row].teamCodes.filter { !codes.contains($0) }
    if remaining.isEmpty {
      enrollments.revoke(row, reason, phone: key, at: now)
    } else {
      enrollments.setTeamCodes(remaining, on: row)
      enrollments[row].updatedAt = now
    }
  }

  /// With KK-12 off: a phone has one role in a tenant.
  private mutating func replaceOtherRole(
    than role: Role, on key: HardwareID, in club: Int, at now: Instant
  ) {
    for row in enrollments.phone(key).active
    where enrollments[row].club == club && enrollments[row].role != role {
      enrollments.revoke(row, .superseded, phone: key, at: now)
    }
  }

  /// With KK-13 off: a manager somewhere is one everywhere.
  private func isManagerSomewhere(_ key: HardwareID) -> Bool {
    enrollments.phone(key).active.contains { enrollments[$0].role == .manager }
  }

  // MARK: Step 5: at most five teams on a phone

  private func judgeLimit(
    _ codes: [TeamName], in club: Int, as role: Role, onPhone key: HardwareID?, moving: [Overlap]
  ) -> Refusal? {
    guard role == .manager || rules.binds(.kk15) else { return nil }
    var pairs = codes.map { (club: club, code: $0) }
    if let key {
      for row in countedEnrollments(of: key) {
        let other = enrollments[row].club
        for code in enrollments[row].teamCodes
        where !pairs.contains(where: { $0.club == other && $0.code == code }) {
          pairs.append((other, code))
        }
      }
    }
    return isTooMany(pairs.count) ? Refusal(.enrollmentLimitExceeded) : nil
  }

  /// Whether that many teams are more than a phone may follow (KK-14).
  func isTooMany(_ teams: Int) -> Bool {
    teams > configuration.maxTeamsPerDevice && rules.binds(.kk14)
  }

  // MARK: Step 6: the enrollment and its token

  @discardableResult
  mutating func enroll(
    _ asked: Registration, teams wanted: [Int], of club: Int, as role: Role, address: String?,
    phone key: HardwareID?, at now: Instant
  ) -> Int {
    var deviceID: EnrollmentID = identifiers.uuid()
    let others = key.map { enrollments.phone($0).active } ?? []
    if !rules.binds(.kk03), let first = others.first { deviceID = enrollments[first].deviceID }
    let apnsToken = asked.apnsDeviceToken.isEmpty ? nil : asked.apnsDeviceToken
    let row = enrollments.insert(
      Enrollment(
        deviceID: deviceID, club: club, role: role, teamCodes: wanted.map { teams[$0].code },
        managerEmail: address, hardwareIdentifier: asked.hardwareIdentifier,
        apnsDeviceToken: apnsToken, buildEnvironment: asked.buildEnvironment,
        platform: asked.platform, appVersion: asked.appVersion, buildNumber: asked.buildNumber,
        lastSeenAt: now, insertedAt: now, updatedAt: now),
      phone: key)
    work.rowsWritten += 2
    if let apnsToken, hasOnePushToken {
      // A phone has one push token: the newest is every enrollment's (KK-90).
      for other in others {
        enrollments.setToken(apnsToken, on: other)
        enrollments[other].buildEnvironment = asked.buildEnvironment
      }
      work.rowsWritten += others.count
    }
    return row
  }

  private mutating func registrationAnswer(
    _ row: Int, teams wanted: [Int], at now: Instant
  ) -> RegistrationAnswer {
    let club = enrollments[row].club
    let ordered = enrollments[row].teamCodes
    work.signatures += 1
    let claims = DeviceClaims(
      deviceID: rules.binds(.kk28) ? enrollments[row].deviceID : identifiers.uuid(),
      tenantSlug: clubs[club].slug, role: enrollments[row].role,
      teamCodes: rules.binds(.kk35) ? ordered : clubs[club].teams.map { teams[$0].code },
      iat: now.unixSeconds, exp: deviceTokenExpiry(at: now))
    return RegistrationAnswer(
      deviceID: enrollments[row].deviceID, tenantSlug: clubs[club].slug,
      tenantName: clubs[club].name, role: enrollments[row].role,
      email: enrollments[row].managerEmail,
      // With KK-11 off the set of teams is not explicit.
      teams: (rules.binds(.kk11) ? wanted : Array(wanted.prefix(1))).map { teams[$0].info },
      buildEnvironment: enrollments[row].buildEnvironment, apiToken: .issued(claims))
  }

  /// When a token that is issued now expires, in seconds since 1970 (§7.1).
  private mutating func deviceTokenExpiry(at now: Instant) -> Int64? {
    switch configuration.deployment.deviceTokenLifetime {
    case .none: return nil
    case .seconds(let lifetime): return (now + .seconds(lifetime)).unixSeconds
    case .seasonEnd:
      if now >= seasonEnd { seasonEnd = comingSeasonEnd(after: now) }
      return seasonEnd.unixSeconds
    }
  }
}

/// The next 31 July 23:59:59 Europe/Amsterdam.
func comingSeasonEnd(after now: Instant) -> Instant {
  let year = CivilZone.amsterdam.civil(at: now).date.year
  let lastSecond = Span.days(1) - .seconds(1)
  let end = CivilZone.amsterdam.instant(CivilDate(year: year, month: 7, day: 31), lastSecond)
  guard now >= end else { return end }
  return CivilZone.amsterdam.instant(CivilDate(year: year + 1, month: 7, day: 31), lastSecond)
}
