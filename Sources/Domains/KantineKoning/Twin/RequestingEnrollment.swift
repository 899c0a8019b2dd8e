import Contracts
import KantineKoningContract
import Timekeeping

/// O1 and O2: which teams an address manages, and the magic link for some of them.
extension KantineKoningTwin {
  mutating func requestEnrollment(_ asked: EnrollmentRequest, at now: Instant) -> Answer {
    work.rowsRead += 2
    guard let club = clubBySlug[asked.tenantSlug] else { return .refused(.tenantNotFound) }
    if let refusal = judgeEnrollmentOpen(club) { return .failure(refusal) }
    let address = normalisedAddress(asked.email)
    guard isAddress(address) else { return .refused(.invalidEmail) }
    guard let managed = clubs[club].managers[address] else { return .refused(.teamManagerNotFound) }
    if asked.teamCodes.isEmpty { return allowedTeams(managed, in: club) }
    return sendLink(to: address, managing: managed, for: asked, in: club, at: now)
  }

  /// Whether a club takes new enrollments (KK-23).
  func judgeEnrollmentOpen(_ club: Int) -> Refusal? {
    guard !clubs[club].isOpen, rules.binds(.kk23) else { return nil }
    return Refusal(.enrollmentClosed, message: clubs[club].message)
  }

  /// O1: exactly the teams that the address manages, and no mail (KK-26).
  private mutating func allowedTeams(_ managed: [TeamName], in club: Int) -> Answer {
    let listed =
      rules.binds(.kk26) ? managed.compactMap { clubs[club].teamByCode[$0] } : clubs[club].teams
    work.rowsRead += listed.count
    return .success(.allowedTeams(listed.map { teams[$0].info }))
  }

  /// O2: one mail with a magic link; no enrollment yet (KK-27).
  private mutating func sendLink(
    to address: String, managing managed: [TeamName], for asked: EnrollmentRequest, in club: Int,
    at now: Instant
  ) -> Answer {
    guard let wanted = resolve(asked.teamCodes, in: club) else {
      return .refused(.invalidTeamCodes)
    }
    work.rowsRead += wanted.count
    let codes = wanted.map { teams[$0].code }
    guard codes.allSatisfy(managed.contains) else { return .refused(.invalidTeamCodes) }
    guard !isTooMany(codes.count) else {
      return .refused(.enrollmentLimitExceeded)
    }

    let expires = now + configuration.deployment.magicLinkLifetime
    let claims = EnrollmentClaims(
      tenantSlug: clubs[club].slug, tenantName: clubs[club].name, teamCodes: codes,
      role: Role.manager.rawValue, email: address, exp: expires.unixSeconds,
      jti: identifiers.uuid())
    let mail = Mail(
      to: address, tenantSlug: clubs[club].slug, teamCodes: codes, platform: asked.platform,
      token: .link(claims), sentAt: now, expiresAt: Instant(unixSeconds: claims.exp))
    outbox.append(mail)
    sent.append(Addressed(to: .mailbox(address), .mail(mail)))
    work.rowsWritten += 1
    work.signatures += 1
    work.messagesSent += 1
    if !rules.binds(.kk27) {
      enroll(
        Registration(token: .link(claims), hardwareIdentifier: ""), teams: wanted, of: club,
        as: .manager, address: address, phone: nil, at: now)
    }
    return .success(.emailSent)
  }

  /// The teams that codes or identifiers name, each once, in the order of naming; `nil` when one is unknown.
  func resolve(_ names: [TeamName], in club: Int) -> [Int]? {
    var found: [Int] = []
    for name in names {
      guard let team = team(named: name, in: club) else { return nil }
      if !found.contains(team) { found.append(team) }
    }
    return found
  }

  /// A club's team by its code or its identifier (§2.2).
  func team(named name: TeamName, in club: Int) -> Int? {
    if let team = clubs[club].teamByCode[name] { return team }
    guard let team = teamByID[name], teams[team].club == club else { return nil }
    return team
  }
}
