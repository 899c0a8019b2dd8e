import Contracts
import KantineKoningContract
import Timekeeping

/// What a verified token stands for in the request in hand.
struct Session {
  /// The enrollment's row.
  let row: Int
  let club: Int
  let role: Role
  /// The codes that the token names.
  let tokenCodes: [TeamName]
}

extension KantineKoningTwin {
  typealias Refusal = KantineKoning.Refusal

  /// Steps 2 to 6 of §3.2, in their order.
  mutating func authenticate(
    _ caller: Caller<KantineKoning>, at now: Instant
  ) -> Result<Session, Refusal> {
    guard case .client(.bearer(let token)?) = caller else {
      return .failure(Refusal(.unauthorized))
    }
    guard let claims = claims(of: token) else { return .failure(Refusal(.invalidToken)) }
    let club = clubBySlug[claims.tenantSlug]
    work.rowsRead += 1
    if let club, let revocation = clubs[club].revocation(after: claims.iat) {
      return .failure(revoked(revocation.reason))
    }
    if let exp = claims.exp, now.unixSeconds >= exp, rules.binds(.kk39) {
      return .failure(Refusal(.invalidToken))
    }
    work.rowsRead += 1
    guard let row = enrollments.row(deviceID: claims.deviceID), enrollments[row].club == club,
      let club
    else { return .failure(Refusal(.deviceNotFound)) }
    if let reason = enrollments[row].revokedReason { return .failure(revoked(reason)) }
    guard enrollments[row].role == claims.role else { return .failure(Refusal(.invalidToken)) }
    if !rules.binds(.kk42), let reason = reasonOfAnotherEnrollment(of: row) {
      return .failure(revoked(reason))
    }
    enrollments[row].lastSeenAt = now
    work.rowsWritten += 1
    return .success(
      Session(row: row, club: club, role: claims.role, tokenCodes: claims.teamCodes))
  }

  /// The claims behind a bearer token; `nil` for bytes that this backend did not sign (§3.2 step 3).
  private mutating func claims(of token: DeviceToken) -> DeviceClaims? {
    work.signatures += 1
    switch token {
    case .issued(let claims): return claims
    case .text(let text):
      if let claims = verified[text] { return claims }
      guard let payload = tokens.verifiedPayload(of: text).flatMap({ JSON(parsing: $0) }),
        let claims = DeviceClaims(payload: payload)
      else { return nil }
      if verified.count >= configuration.verifiedTokenCapacity { verified = [:] }
      verified[text] = claims
      return claims
    }
  }

  /// What the holder of a revoked token is told (§3.3).
  private func revoked(_ reason: KantineKoning.RevocationReason) -> Refusal {
    guard rules.binds(.kk41) else { return Refusal(.unauthorized) }
    return reason.isToldToThePhone
      ? Refusal(.tokenRevoked, reason: reason) : Refusal(.deviceNotFound)
  }

  /// With KK-42 off: why some other enrollment of the same phone was revoked.
  private func reasonOfAnotherEnrollment(of row: Int) -> KantineKoning.RevocationReason? {
    guard let key = phoneKey(of: row) else { return nil }
    return enrollments.phone(key).past.lazy.compactMap { enrollments[$0].revokedReason }
      .first(where: \.isToldToThePhone)
  }

  /// The key that links the enrollments of one phone; `nil` links nothing.
  func phoneKey(_ hardwareIdentifier: HardwareID) -> HardwareID? {
    hardwareIdentifier.isEmpty && rules.binds(.kk10) ? nil : hardwareIdentifier
  }

  func phoneKey(of row: Int) -> HardwareID? { phoneKey(enrollments[row].hardwareIdentifier) }

  /// The active enrollments that a device-wide operation reaches: those of the caller's phone, or the caller's
  /// alone when the phone is unknown (KK-02, KK-10).
  func scope(of session: Session) -> [Int] {
    guard let key = phoneKey(of: session.row) else { return [session.row] }
    let rows = countedEnrollments(of: key)
    return rules.binds(.kk02) ? rows : rows.filter { enrollments[$0].club == session.club }
  }

  /// The enrollments of a phone that count for limit, listing, push and sync: the active ones (KK-16).
  func countedEnrollments(of key: HardwareID) -> [Int] {
    let phone = enrollments.phone(key)
    return rules.binds(.kk16) ? phone.active : phone.active + phone.past
  }

  /// The codes that a request may see: the token's that the enrollment still has (KK-40).
  func visibleCodes(of session: Session) -> [TeamName] {
    guard rules.binds(.kk40) else { return session.tokenCodes }
    let stored = enrollments[session.row].teamCodes
    return stored == session.tokenCodes ? stored : stored.filter(session.tokenCodes.contains)
  }

  /// Step 8 of §3.2: the tenant that a request names must be the token's.
  func judge(tenant slug: Slug?, of session: Session) -> Refusal? {
    guard let slug, clubs[session.club].slug != slug else { return nil }
    guard clubBySlug[slug] != nil else { return Refusal(.tenantNotFound) }
    return rules.binds(.kk36) ? Refusal(.tenantMismatch) : nil
  }
}
