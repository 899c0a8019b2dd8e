import KantineKoningContract
import Timekeeping

/// O4: the phone says what it has; what the backend has beyond that is removed.
extension KantineKoningTwin {
  mutating func sync(_ asked: SyncRequest, as session: Session, at now: Instant) -> Answer {
    // Step 1: the scope is the identifier on record.
    let hardware = enrollments[session.row].hardwareIdentifier
    let scope = syncScope(of: session)
    work.rowsRead += scope.count

    // Step 2: everything or nothing.
    guard !asked.items.isEmpty || !rules.binds(.kk81) else { return .refused(.emptyEnrollments) }
    var items: [SyncItem] = []
    for item in asked.items {
      if isReadable(item) {
        items.append(item)
      } else if rules.binds(.kk78) {
        return .refused(.invalidRequest, "an enrollment needs tenant_slug, role and team_codes")
      }
    }
    for item in items where !namesTeams(item, scope: scope) {
      if rules.binds(.kk78) { return .refused(.invalidTeamCodes) }
    }

    // Step 3: items with another identifier count as not present (KK-07).
    let present = items.filter { item in
      let named = item.hardwareIdentifier ?? ""
      return named.isEmpty || named == hardware || !rules.binds(.kk07)
    }

    // Step 4.
    var summary = CleanupSummary(enrollmentsRevoked: 0, teamsRemoved: 0, tenantsAffected: [])
    if !rules.binds(.kk79) { summary.enrollmentsRevoked = pastRevocations(of: session) }
    var remaining: [Int] = []
    var revoked: [Int] = []
    for row in scope {
      let change = reconcile(row, with: present, of: items, at: now)
      if change != .revoked { remaining.append(row) }
      guard change != .none else { continue }
      if change == .revoked {
        summary.enrollmentsRevoked += 1
        revoked.append(row)
      }
      if case .shrunk(let lost) = change { summary.teamsRemoved += lost }
      let slug = clubs[enrollments[row].club].slug
      // Step 5.
      if !summary.tenantsAffected.contains(slug) { summary.tenantsAffected.append(slug) }
    }
    if !rules.binds(.kk06) { carryOver(revoked, to: items, at: now) }
    if !rules.binds(.kk08), summary.tenantsAffected.isEmpty,
      let lost = loseOne(of: scope, besides: session, at: now)
    {
      summary.enrollmentsRevoked += 1
      summary.tenantsAffected = [lost]
    }
    summary.tenantsAffected.sort()
    if !rules.binds(.kk66) { summary.tenantsAffected = [] }

    // Step 6.
    storeVersions(of: present, on: remaining)
    return .success(.synced(summary))
  }

  /// The phone's active enrollments and, because a club that ended its season must be left alone, those that
  /// ended with it (KK-69, KK-71).
  private func syncScope(of session: Session) -> [Int] {
    var rows = scope(of: session).filter { enrollments[$0].isActive }
    if !rules.binds(.kk69) {
      rows += enrollments.inUse.filter { row in
        enrollments[row].isActive && enrollments[row].club == session.club && !rows.contains(row)
      }
    }
    if !rules.binds(.kk71), let key = phoneKey(of: session.row) {
      rows += enrollments.phone(key).past.filter { enrollments[$0].revokedReason == .seasonEnded }
    }
    return rows
  }

  /// A `tenant_slug` that cannot be any club's (empty, padded, in capitals) is of the wrong type and not that of a club
  /// that the backend does not know (§2, §3.2 step 7): taken for an unknown club, incomplete data of the phone would
  /// revoke what it meant to list (KK-73, mirrored by KK-78).
  private func isReadable(_ item: SyncItem) -> Bool {
    item.tenantSlug.map(isSlug) == true && item.teamCodes != nil
      && item.role.flatMap(Role.init) != nil
  }

  /// Whether an item names at least one code, and, where the phone is enrolled, none but codes of the club.
  private func namesTeams(_ item: SyncItem, scope: [Int]) -> Bool {
    guard let codes = item.teamCodes, !codes.isEmpty else { return false }
    guard let slug = item.tenantSlug, let club = clubBySlug[slug],
      scope.contains(where: { enrollments[$0].club == club && enrollments[$0].isActive })
    else { return true }
    return codes.allSatisfy { clubs[club].teamByCode[$0] != nil }
  }

  private enum Reconciled: Equatable {
    case none, revoked
    case shrunk(Int)
  }

  private mutating func reconcile(
    _ row: Int, with present: [SyncItem], of items: [SyncItem], at now: Instant
  ) -> Reconciled {
    let club = enrollments[row].club
    guard !isProtected(club) else { return .none }
    let slug = clubs[club].slug
    // With KK-76 off only clubs that the list names are repaired.
    guard rules.binds(.kk76) || items.contains(where: { $0.tenantSlug == slug }) else {
      return .none
    }
    let listed = present.filter {
      $0.tenantSlug == slug && $0.role == enrollments[row].role.rawValue
    }.flatMap { $0.teamCodes ?? [] }
    let lost = enrollments[row].teamCodes.filter { !listed.contains($0) }
    let key = phoneKey(of: row)
    if !enrollments[row].isActive {
      // Only with KK-71 off: what ended with the season is taken for an orphan.
      guard !lost.isEmpty else { return .none }
      enrollments.explain(row, .sync)
      return .revoked
    }
    if lost.isEmpty, !rules.binds(.kk77) {
      for code in listed where clubs[club].teamByCode[code] != nil {
        let stored = enrollments[row].teamCodes
        if !stored.contains(code) { enrollments.setTeamCodes(stored + [code], on: row) }
      }
    }
    guard !lost.isEmpty else { return .none }
    if lost.count == enrollments[row].teamCodes.count {
      guard rules.binds(.kk67) else { return .none }  // KK-67
      shrink(row, losing: lost, reason: .sync, phone: key, at: now)
      return .revoked
    }
    guard rules.binds(.kk68) else { return .none }  // KK-68
    shrink(row, losing: lost, reason: .sync, phone: key, at: now)
    return .shrunk(lost.count)
  }

  /// Whether sync leaves a club's enrollments alone (KK-70, KK-71).
  func isProtected(_ club: Int) -> Bool {
    guard configuration.deployment.syncProtectsClosedTenants else { return false }
    if clubs[club].hasSeasonEnded { return rules.binds(.kk71) }
    return !clubs[club].isOpen && rules.binds(.kk70)
  }

  private mutating func storeVersions(of present: [SyncItem], on rows: [Int]) {
    let version = present.lazy.compactMap(\.appVersion).first
    let build = present.lazy.compactMap(\.buildNumber).first
    guard version != nil || build != nil else { return }
    for row in rows {
      if let version { enrollments[row].appVersion = version }
      if let build { enrollments[row].buildNumber = build }
    }
    work.rowsWritten += rows.count
  }
}
