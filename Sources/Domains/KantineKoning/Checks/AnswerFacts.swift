import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What each request of a cell has to be answered with, but for what is about one dienst (`DienstFacts`).
final class AnswerFacts: Facts {
  static let concerns: Set<Concern> = .asking(.register)

  /// The rules that are judged by answers, and the operations at which each can be broken.
  static let operations: [KantineKoning.Rule: Set<Concern>] = [
    .kk15: .asking(.requestEnrollment, .register), .kk21: .asking(.register),
    .kk22: .asking(.register), .kk23: .asking(.allowedTeams, .requestEnrollment, .register),
    .kk26: .asking(.allowedTeams, .requestEnrollment, .register), .kk27: .asking(.register),
    .kk28: Set(MobileOperation.allCases.map { .asks($0) }).subtracting(
      .asking(.control, .inspect, .apns)),
    .kk29: .asking(.register), .kk30: .asking(.register), .kk31: .asking(.register),
    .kk32: .asking(.register), .kk36: .asking(.diensten), .kk39: .authenticated,
    .kk40: .asking(.emailPreferences), .kk41: .authenticated, .kk42: .authenticated,
    .kk47: .asking(.diensten), .kk53: .asking(.removeTenant), .kk55: .asking(.availableDiensten),
    .kk78: .asking(.sync), .kk81: .asking(.sync), .kk90: .asking(.apnsToken),
    .kk109: .boards, .kk111: .boards, .kk115: .asking(.seasonSummary),
    .kk120: .asking(.emailPreferences), .kk121: .asking(.searchTeams), .kk122: .asking(.banners),
  ]

  private let cell: CellFacts
  /// Tokens that certainly registered somebody, since when.
  private var used: [TokenID: Instant] = [:]
  /// The verdict on the call at hand, found once for all who judge it.
  private var found: (call: KKCall, verdict: ExpectedAnswer.Verdict?)?

  init(_ subject: Subject<CellFacts>) { cell = subject.known }

  func asked(_ call: KKCall, at moment: Moment) {
    guard call.isReplied, let claims = call.registration?.token.claims else { return }
    used[claims.jti] = min(used[claims.jti] ?? call.answered, call.answered)
  }

  func verdict(on call: KKCall) -> ExpectedAnswer.Verdict? {
    if let found, found.call === call { return found.verdict }
    let verdict = call.outcome.isAnswered ? expected(of: call).verdict(on: call) : nil
    found = (call, verdict)
    return verdict
  }

  private func expected(of call: KKCall) -> ExpectedAnswer {
    var expected = ExpectedAnswer()
    switch call.request {
    case .unread(.unrouted(let asked)):
      expected.refuse(asked.allowed.isEmpty ? .notFound : .methodNotAllowed, .kk28, if: true)
    case .unread(.malformed(let operation, _)):
      if KantineKoning.table.needsCredential(operation) { expected.authenticate(call, cell) }
      expected.refuse(.invalidRequest, .kk28, if: true)
    case .requestEnrollment(let asked): judge(asked, call, &expected)
    case .register(let asked): judge(asked, call, &expected)
    case .searchTeams(let tenant, _):
      expected.refuse(.tenantNotFound, .kk121, if: cell.isUnknown(tenant))
    case .searchClubs: break
    case .seasonSummary(let tenant, let code): judge(code, of: tenant, call, &expected)
    case .banners(let query):
      if call.credential != nil { expected.authenticate(call, cell) }
      expected.require(query.tenant, of: call, cell, .kk122)
    case .answerCallToAction, .control, .inspect, .apns: expected.leaveOpen()
    default:
      expected.authenticate(call, cell)
      if expected.certain == nil { judgeAuthenticated(call, &expected) }
    }
    return expected
  }

  // MARK: With a device token

  private func judgeAuthenticated(_ call: KKCall, _ expected: inout ExpectedAnswer) {
    switch call.request {
    case .sync(let list): judge(list, call, &expected)
    case .removeTenant(let slug): expected.require(slug, of: call, cell, .kk53)
    case .setEmailPreference(let wish): judge(wish, call, &expected)
    case .updateApnsToken(let update):
      expected.refuse(
        .invalidParameter, .kk90, if: !(1...256).contains(update.token.utf8.count))
    case .diensten(let query):
      expected.require(query.tenant, of: call, cell, .kk36)
      if query.pastDays != nil || query.futureDays != nil {
        let days = [query.pastDays, query.futureDays].compactMap { $0 }
        expected.refuse(
          .invalidParameter, .kk47, if: !days.allSatisfy { DienstenChecks.accepted($0) != nil })
      }
    case .leaderboard(let query):
      expected.require(query.tenant, of: call, cell, .kk111)
      judge(period: query, &expected)
    case .globalLeaderboard(let query):
      expected.refuse(.tenantNotFound, .kk111, if: query.tenant.map(cell.isUnknown) ?? false)
      expected.refuse(.tenantOptedOut, .kk105, if: nil)
      judge(period: query, &expected)
    case .availableDiensten:
      expected.refuse(.teamAccessDenied, .kk55, if: call.claims?.role == .member)
    case .addVolunteer, .removeVolunteer, .takeover, .claimDienst, .offerTransfer:
      expected.leaveOpen()
    default: break
    }
  }

  private func judge(period query: LeaderboardQuery, _ expected: inout ExpectedAnswer) {
    guard let period = query.period else { return }
    expected.refuse(.invalidParameter, .kk109, if: LeaderboardPeriod(rawValue: period) == nil)
  }

  /// O4, step 2: everything or nothing, for what is missing before what is wrong.
  private func judge(_ list: SyncRequest, _ call: KKCall, _ expected: inout ExpectedAnswer) {
    expected.refuse(.emptyEnrollments, .kk81, if: list.items.isEmpty)
    let isReadable = list.items.allSatisfy { item in
      item.tenantSlug.map(isSlug) == true && item.teamCodes != nil
        && item.role.flatMap(Role.init) != nil
    }
    expected.refuse(.invalidRequest, .kk78, if: !isReadable)
    expected.refuse(
      .invalidTeamCodes, .kk78, if: list.items.contains { $0.teamCodes?.isEmpty ?? false })
    guard isReadable else { return }
    let known = cell.caller(of: call)
    for item in list.items {
      guard let club = item.tenantSlug.flatMap({ cell.clubs[$0] }) else { continue }
      let isWrong = club.areTeams(item.teamCodes ?? [], before: call.sent).map { !$0 }
      guard isWrong != false else { continue }
      let isEnrolled = known?.phone.rights.contains { right in
        right.isActive && right.tenant == item.tenantSlug
      }
      expected.refuse(
        .invalidTeamCodes, .kk78,
        if: isEnrolled == false ? false : isEnrolled == nil ? nil : isWrong)
    }
  }

  /// O9.
  private func judge(
    _ wish: EmailPreference, _ call: KKCall, _ expected: inout ExpectedAnswer
  ) {
    guard let claims = call.claims, let club = cell.clubs[claims.tenantSlug] else { return }
    expected.refuse(.teamAccessDenied, .kk120, if: claims.role == .member)
    guard let code = club.code(of: wish.team) else {
      let isSettled = club.teamsChangedAt + .seconds(1) < call.sent
      return expected.refuse(.teamNotFound, .kk120, if: isSettled ? true : nil)
    }
    expected.refuse(.teamAccessDenied, .kk40, if: cell.covers(code, call).map { !$0 })
  }

  // MARK: Enrolling

  /// O1 and O2.
  private func judge(
    _ asked: EnrollmentRequest, _ call: KKCall, _ expected: inout ExpectedAnswer
  ) {
    guard let club = cell.clubs[asked.tenantSlug] else {
      return expected.refuse(.tenantNotFound, .kk26, if: true)
    }
    expected.refuse(.enrollmentClosed, .kk23, if: club.isOpen(during: call.during).map { !$0 })
    let address = trimmed(asked.email).lowercased()
    expected.refuse(.invalidEmail, .kk26, if: Self.isNoAddress(address))
    let isSettled = max(club.managersChangedAt, club.teamsChangedAt) + .seconds(1) < call.sent
    let managed = club.managers[address] ?? []
    expected.refuse(.teamManagerNotFound, .kk26, if: isSettled ? managed.isEmpty : nil)
    let codes = Set(asked.teamCodes.map { club.code(of: $0) })
    let areManaged = codes.allSatisfy { $0.map(managed.contains) ?? false }
    expected.refuse(.invalidTeamCodes, .kk26, if: isSettled ? !areManaged : nil)
    expected.refuse(.enrollmentLimitExceeded, .kk15, if: codes.count > 5)
  }

  /// Certain only for what nobody takes for an address, and for what everybody does.
  private static func isNoAddress(_ text: String) -> Bool? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return true }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, let top = labels.last, (2...64).contains(top.count) else {
      return true
    }
    let isPlain =
      text.utf8.count <= 254 && labels.allSatisfy { !$0.isEmpty }
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "@.-".contains($0)) }
      && top.allSatisfy(\.isLetter)
    return isPlain ? false : nil
  }

  /// O3, step by step.
  private func judge(
    _ asked: Registration, _ call: KKCall, _ expected: inout ExpectedAnswer
  ) {
    guard let claims = asked.token.claims else { return expected.leaveOpen() }
    let isManager = claims.role == Role.manager.rawValue
    judge(claims, of: asked.token, call, &expected)
    let use = used[claims.jti]
    expected.refuse(
      .invalidOrExpiredToken, .kk31, if: use.map { $0 < call.sent } == true ? true : nil)
    guard let club = cell.clubs[claims.tenantSlug] else {
      return expected.refuse(.tenantNotFound, .kk27, if: true)
    }
    expected.refuse(.enrollmentClosed, .kk23, if: club.isOpen(during: call.during).map { !$0 })
    let areTeams = club.areTeams(claims.teamCodes, before: call.sent, orIDs: true)
    expected.refuse(
      .invalidTeamCodes, .kk27, if: claims.teamCodes.isEmpty ? true : areTeams.map { !$0 })
    let codes = Set(claims.teamCodes.compactMap { club.code(of: $0) })
    if isManager { judge(manager: claims, of: codes, in: club, call, &expected) }
    expected.refuse(
      .invalidParameter, .kk27,
      if: asked.hardwareIdentifier.text.utf8.count > 128 || asked.apnsDeviceToken.utf8.count > 256)
    judge(codes, isManager: isManager, on: asked.hardwareIdentifier, claims, call, &expected)
  }

  /// Step 1 but for former uses.
  private func judge(
    _ claims: EnrollmentClaims, of token: EnrollmentToken, _ call: KKCall,
    _ expected: inout ExpectedAnswer
  ) {
    let isManager = claims.role == Role.manager.rawValue
    expected.refuse(
      .invalidOrExpiredToken, .kk30,
      if: claims.purpose != "device-enroll" || isManager != token.isLink
        || Role(rawValue: claims.role) == nil)
    let isOver = call.sent.unixSeconds >= claims.exp
    expected.refuse(
      .enrollmentExpired, .kk29,
      if: isOver ? true : call.answered.unixSeconds < claims.exp ? false : nil)
    judge(distance: claims, token, call, &expected)
  }

  /// Whether nothing but a former use can be held against an enrollment token.
  func isGoodToken(of call: KKCall) -> Bool {
    guard let token = call.registration?.token, let claims = token.claims else { return false }
    var expected = ExpectedAnswer()
    judge(claims, of: token, call, &expected)
    return expected.isSilent
  }

  private func judge(
    distance claims: EnrollmentClaims, _ token: EnrollmentToken, _ call: KKCall,
    _ expected: inout ExpectedAnswer
  ) {
    guard !token.isLink else { return }
    guard let deployment = cell.deployments.inForce(during: call.during) else {
      return expected.refuse(.invalidOrExpiredToken, .kk32, if: nil)
    }
    let longest = deployment.memberTokenLifetime + deployment.memberTokenLeeway
    // In seconds: a token may name an instant beyond all instants.
    let isTooFar: Bool? =
      claims.exp > (call.answered + longest).unixSeconds + 1
      ? true : claims.exp <= (call.sent + longest).unixSeconds ? false : nil
    expected.refuse(.invalidOrExpiredToken, .kk32, if: isTooFar)
  }

  private func judge(
    manager claims: EnrollmentClaims, of codes: Set<TeamName>, in club: ClubFacts, _ call: KKCall,
    _ expected: inout ExpectedAnswer
  ) {
    let managed = club.managers[trimmed(claims.email ?? "").lowercased()] ?? []
    let isSettled = club.managersChangedAt + .seconds(1) < call.sent
    expected.refuse(.teamManagerNotFound, .kk26, if: isSettled ? managed.isEmpty : nil)
    expected.refuse(.invalidTeamCodes, .kk27, if: isSettled ? !codes.isSubset(of: managed) : nil)
  }

  /// Steps 4 and 5: what the phone has already.
  private func judge(
    _ codes: Set<TeamName>, isManager: Bool, on identifier: HardwareID,
    _ claims: EnrollmentClaims, _ call: KKCall, _ expected: inout ExpectedAnswer
  ) {
    guard !identifier.isEmpty else {
      return expected.refuse(.enrollmentLimitExceeded, .kk15, if: codes.count > 5)
    }
    guard let phone = cell.phone(identifier, before: call.sent),
      cell.clubs[claims.tenantSlug]?.hasEnded(during: call.during) != nil
    else {
      for code: ExpectedAnswer.Code in [
        .teamConflict, .deviceAlreadyEnrolled, .enrollmentLimitExceeded,
      ] { expected.refuse(code, .kk15, if: nil) }
      return
    }
    func overlaps(_ role: Role) -> Bool {
      phone.rights.contains {
        $0.isActive && $0.role == role && $0.tenant == claims.tenantSlug
          && !$0.codes.isDisjoint(with: codes)
      }
    }
    expected.refuse(.teamConflict, .kk21, if: !isManager && overlaps(.manager))
    let reenroll = cell.deployments.inForce(during: call.during)?.reenroll
    expected.refuse(
      .deviceAlreadyEnrolled, .kk22,
      if: overlaps(isManager ? .manager : .member) ? reenroll.map { $0 == .reject } : false)
    let wanted = codes.map { CellFacts.Pair(tenant: claims.tenantSlug, code: $0) }
    expected.refuse(.enrollmentLimitExceeded, .kk15, if: phone.pairs.union(wanted).count > 5)
  }

  // MARK: Public reads

  /// O20.
  private func judge(
    _ code: TeamName, of tenant: Slug, _ call: KKCall, _ expected: inout ExpectedAnswer
  ) {
    guard let club = cell.clubs[tenant] else {
      return expected.refuse(.tenantNotFound, .kk115, if: cell.isUnknown(tenant))
    }
    guard club.teamsChangedAt + .seconds(1) < call.sent else { return expected.leaveOpen() }
    guard club.code(of: code) == nil else { return }
    // Whether an id was a deleted team's these facts do not know.
    let wasThere: Bool? =
      club.formerCodes.contains(code) ? true : code.text.count <= 16 ? false : nil
    expected.refuse(.seasonDataDeleted, .kk115, if: wasThere)
    expected.refuse(.teamNotFound, .kk115, if: wasThere == nil ? nil : true)
  }
}

// MARK: - What answers have in common

extension ExpectedAnswer {
  /// Steps 2 to 6 of §3.2. Who forged a token notes it, and KK-28 judges that.
  mutating func authenticate(_ call: KKCall, _ facts: CellFacts) {
    guard case .bearer? = call.credential else { return refuse(.unauthorized, .kk28, if: true) }
    guard let claims = call.claims, let club = facts.clubs[claims.tenantSlug] else {
      return leaveOpen()
    }
    refuse(.tokenRevoked, .kk41, if: club.isRevoked(claims, during: call.during))
    if let end = claims.exp {
      let isOver = call.sent.unixSeconds >= end
      refuse(
        .invalidToken, .kk39, if: isOver ? true : call.answered.unixSeconds < end ? false : nil)
    }
    guard let right = facts.caller(of: call)?.right else {
      refuse(.deviceNotFound, .kk41, if: nil)
      return refuse(.tokenRevoked, .kk41, if: nil)
    }
    switch right.gone?.why {
    case nil: break
    case .season?: refuse(.tokenRevoked, .kk41, if: nil)
    case .operator?: refuse(.tokenRevoked, .kk41, if: true)
    case .sync?, .registration?, .upgrade?, .removal?, .cleanUp?:
      refuse(.deviceNotFound, .kk41, if: true)
    }
  }

  /// Step 8 of §3.2: a tenant that is named must be the token's.
  mutating func require(
    _ tenant: Slug?, of call: KKCall, _ facts: CellFacts, _ rule: Rule
  ) {
    guard let tenant, tenant != call.claims?.tenantSlug else { return }
    refuse(.tenantNotFound, rule, if: facts.isUnknown(tenant))
    // Who shows no token may name any (O19).
    if call.claims != nil { refuse(.tenantMismatch, rule, if: true) }
  }
}

extension CellFacts {
  /// Whether the cell has no such club; a club of another cell may be known or not.
  func isUnknown(_ tenant: Slug) -> Bool? {
    guard let club = clubs[tenant] else { return true }
    return club.cell == cell ? false : nil
  }

  /// Whether a team is one of those that a request may see (KK-40); `nil` when nobody knows.
  func covers(_ code: TeamName, _ call: KKCall) -> Bool? {
    guard let claims = call.claims, claims.teamCodes.contains(code) else { return false }
    return caller(of: call).map { $0.right.codes.contains(code) }
  }
}

extension ClubFacts {
  /// Whether all of some names are teams; `nil` while teams come and go.
  func areTeams(_ names: [TeamName], before sent: Instant, orIDs: Bool = false) -> Bool? {
    guard teamsChangedAt + .seconds(1) < sent else { return nil }
    return names.allSatisfy { orIDs ? code(of: $0) != nil : codes.contains($0) }
  }

  /// Whether a season's end revoked a token (KK-113), until the reset.
  func isRevoked(_ claims: DeviceClaims, during interval: ClosedRange<Instant>) -> Bool? {
    guard let endedAt else { return false }
    if let resetAt, resetAt > endedAt {
      return resetAt + .seconds(1) < interval.lowerBound ? false : nil
    }
    if claims.iat > endedAt.unixSeconds { return false }
    guard claims.iat + 1 < endedAt.unixSeconds, endedAt + .seconds(1) < interval.lowerBound else {
      return nil
    }
    return true
  }
}
