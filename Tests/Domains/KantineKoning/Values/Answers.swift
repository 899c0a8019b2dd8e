import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What a request has to be answered with: the first reason to refuse it that certainly applies, and those that may apply before it.
struct ExpectedAnswer {
  typealias Code = KantineKoning.Refusal.Code

  private(set) var certain: (code: Code, rule: KKRule)?
  /// By their places among the codes.
  private var possible: UInt64 = 0
  /// Nothing can be said, because what comes first is unknown.
  private(set) var isOpen = false

  @inline(__always)
  mutating func refuse(_ code: Code, _ rule: KKRule, if applies: Bool?) {
    guard certain == nil else { return }
    switch applies {
    case true?: certain = (code, rule)
    case nil: possible |= bit(code)
    case false?: break
    }
  }

  mutating func leaveOpen() { if certain == nil { isOpen = true } }

  func mayBe(_ code: Code) -> Bool { possible & bit(code) != 0 }

  /// A code's place in memory is its case's; there are fewer than sixty-four.
  private func bit(_ code: Code) -> UInt64 { 1 << UInt64(unsafeBitCast(code, to: UInt8.self)) }
}

/// Answers that must have a cause: KK-32, KK-78, KK-81, and what others say of the same operations.
extension CanteenChecks {
  private static let isJudged: [Bool] = {
    var all = Array(repeating: false, count: 256)
    for rule in rules { all[Int(unsafeBitCast(rule, to: UInt8.self))] = true }
    return all
  }()

  @inline(never)
  func judgeAnswer(_ asked: Asked) {
    guard asked.isAnswered else { return }
    var expected = ExpectedAnswer()
    expect(of: asked, &expected)
    judge(expected, code: asked.code, asked.operation)
  }

  /// Of an answer: by which code it was refused, or none.
  func judge(
    _ expected: ExpectedAnswer, code: KantineKoning.Refusal.Code?, _ operation: MobileOperation?
  ) {
    // Only an accusation needs it: to write a case's name takes thousands of instructions.
    var name: String { operation.map { "\($0)" } ?? "a request" }
    if let certain = expected.certain {
      guard Self.isJudged[Int(unsafeBitCast(certain.rule, to: UInt8.self))] else { return }
      if code == certain.code { return held(certain.rule) }
      if let code, expected.mayBe(code) { return }
      let answer = code.map { "refused as \($0.rawValue)" } ?? "carried out"
      return violated(
        certain.rule, "\(name) was \(answer), where \(certain.code.rawValue) is due")
    }
    guard let code, !expected.isOpen, !expected.mayBe(code), let rule = keeping(code, operation)
    else { return }
    violated(rule, "\(name) was refused as \(code.rawValue) without a reason")
  }

  /// The rule that a refusal without a reason breaks, of those that are judged here.
  private func keeping(
    _ code: KantineKoning.Refusal.Code, _ operation: MobileOperation?
  ) -> KKRule? {
    switch (code, operation) {
    case (.tenantMismatch, .banners), (.tenantNotFound, .banners): .kk122
    case (.tenantNotFound, .searchTeams): .kk121
    case (.invalidTeamCodes, .sync): .kk78
    case (.emptyEnrollments, _): .kk81
    case (.deviceAlreadyEnrolled, _): .kk22
    case (.invalidParameter, .diensten): .kk47
    case (.dienstInPast, .removeVolunteer): .kk57
    case (.dienstInPast, .addVolunteer), (.dienstInPast, .shiftVolunteer): .kk56
    case (.volunteerNotFound, _): .kk64
    default: nil
    }
  }

  private func expect(of asked: Asked, _ expected: inout ExpectedAnswer) {
    switch asked.call.request {
    case .unread(.unrouted): expected.refuse(.notFound, .kk28, if: true)
    case .unread(.malformed(let operation, _)):
      if KantineKoning.table.needsCredential(operation) { authenticate(asked, &expected) }
      expected.refuse(.invalidRequest, .kk28, if: true)
    case .register(let it): judge(it, asked, &expected)
    case .searchTeams(let tenant, _):
      expected.refuse(.tenantNotFound, .kk121, if: known(tenant) == nil)
    case .sync(let list):
      authenticate(asked, &expected)
      if expected.certain == nil { judge(list, asked, &expected) }
    case .diensten(let query):
      authenticate(asked, &expected)
      if expected.certain == nil { judge(query, asked, &expected) }
    case .banners(let query):
      if asked.call.credential != nil { authenticate(asked, &expected) }
      require(query.tenant, .kk122, asked, &expected)
    default: expected.leaveOpen()
    }
  }

  /// Step 8: a tenant that is named must be the token's.
  func require(
    _ tenant: Slug?, _ rule: KKRule, _ asked: Asked, _ expected: inout ExpectedAnswer
  ) {
    guard let tenant, tenant != asked.claims?.tenantSlug else { return }
    expected.refuse(.tenantNotFound, rule, if: known(tenant) == nil)
    // Who shows no token may name any.
    if asked.claims != nil { expected.refuse(.tenantMismatch, rule, if: true) }
  }

  /// Steps 2 to 6 of §3.2.
  func authenticate(_ asked: Asked, _ expected: inout ExpectedAnswer) {
    guard case .bearer? = asked.call.credential else {
      return expected.refuse(.unauthorized, .kk28, if: true)
    }
    guard let claims = asked.claims, let club = club(of: asked) else { return expected.leaveOpen() }
    expected.refuse(
      .tokenRevoked, .kk41, if: clubs[club].isRevoked(claims, during: asked.during))
    if let end = claims.exp {
      let isOver = asked.call.sent.unixSeconds >= end
      expected.refuse(
        .invalidToken, .kk39,
        if: isOver ? true : asked.call.answered.unixSeconds < end ? false : nil)
    }
    guard let caller = asked.caller else {
      expected.refuse(.deviceNotFound, .kk41, if: nil)
      return expected.refuse(.tokenRevoked, .kk41, if: nil)
    }
    guard let gone = phones[caller.phone].rights[caller.right].gone else { return }
    switch gone.why {
    case .season: expected.refuse(.tokenRevoked, .kk41, if: nil)
    case .operator: expected.refuse(.tokenRevoked, .kk41, if: true)
    case .sync, .registration, .upgrade, .removal, .cleanUp:
      expected.refuse(.deviceNotFound, .kk41, if: true)
    }
  }

  private func judge(
    _ query: DienstenQuery, _ asked: Asked, _ expected: inout ExpectedAnswer
  ) {
    require(query.tenant, .kk36, asked, &expected)
    if query.pastDays != nil || query.futureDays != nil {
      let days = [query.pastDays, query.futureDays].compactMap { $0 }
      expected.refuse(
        .invalidParameter, .kk47, if: !days.allSatisfy { acceptedDays($0) != nil })
    }
  }

  /// O4, step 2: everything or nothing, for what is missing before what is wrong.
  private func judge(_ list: SyncRequest, _ asked: Asked, _ expected: inout ExpectedAnswer) {
    expected.refuse(.emptyEnrollments, .kk81, if: list.items.isEmpty)
    let isReadable = list.items.allSatisfy { item in
      item.tenantSlug.map(isSlug) == true && item.teamCodes != nil
        && item.role.flatMap(Role.init) != nil
    }
    expected.refuse(.invalidRequest, .kk78, if: !isReadable)
    expected.refuse(
      .invalidTeamCodes, .kk78, if: list.items.contains { $0.teamCodes?.isEmpty ?? false })
    guard isReadable else { return }
    for item in list.items {
      guard let club = item.tenantSlug.flatMap(known) else { continue }
      let isWrong = clubs[club].areTeams(item.teamCodes ?? [], before: asked.call.sent).map { !$0 }
      guard isWrong != false else { continue }
      let isEnrolled = asked.caller.map { caller in
        phones[caller.phone].rights.contains { $0.isActive && $0.tenant == item.tenantSlug }
      }
      expected.refuse(
        .invalidTeamCodes, .kk78,
        if: isEnrolled == false ? false : isEnrolled == nil ? nil : isWrong)
    }
  }

  // MARK: O3, step by step

  private func judge(_ it: Registration, _ asked: Asked, _ expected: inout ExpectedAnswer) {
    guard let claims = it.token.claims else { return expected.leaveOpen() }
    let isManager = claims.role == Role.manager.rawValue
    judge(claims, of: it.token, asked, &expected)
    expected.refuse(
      .invalidOrExpiredToken, .kk31,
      if: used[claims.jti].map { $0 < asked.call.sent } == true ? true : nil)
    guard let club = known(claims.tenantSlug) else {
      return expected.refuse(.tenantNotFound, .kk27, if: true)
    }
    expected.refuse(
      .enrollmentClosed, .kk23, if: clubs[club].isOpen.value(during: asked.during).map { !$0 })
    let areTeams = clubs[club].areTeams(
      claims.teamCodes, before: asked.call.sent, orIDs: true)
    expected.refuse(
      .invalidTeamCodes, .kk27, if: claims.teamCodes.isEmpty ? true : areTeams.map { !$0 })
    let codes = Set(claims.teamCodes.compactMap { clubs[club].code(of: $0) })
    if isManager {
      let managed = clubs[club].managers[trimmed(claims.email ?? "").lowercased()] ?? []
      let isSettled = clubs[club].managersChangedAt + slack < asked.call.sent
      expected.refuse(.teamManagerNotFound, .kk26, if: isSettled ? managed.isEmpty : nil)
      expected.refuse(
        .invalidTeamCodes, .kk27, if: isSettled ? !codes.isSubset(of: managed) : nil)
    }
    expected.refuse(
      .invalidParameter, .kk27,
      if: it.hardwareIdentifier.byteCount > 128 || it.apnsDeviceToken.utf8.count > 256)
    judge(codes, isManager: isManager, on: it.hardwareIdentifier, club, asked, &expected)
  }

  /// Step 1 but for former uses.
  private func judge(
    _ claims: EnrollmentClaims, of token: EnrollmentToken, _ asked: Asked,
    _ expected: inout ExpectedAnswer
  ) {
    expected.refuse(
      .invalidOrExpiredToken, .kk30,
      if: claims.purpose != "device-enroll"
        || (claims.role == Role.manager.rawValue) != token.isLink
        || Role(rawValue: claims.role) == nil)
    let isOver = asked.call.sent.unixSeconds >= claims.exp
    expected.refuse(
      .enrollmentExpired, .kk29,
      if: isOver ? true : asked.call.answered.unixSeconds < claims.exp ? false : nil)
    guard !token.isLink else { return }
    guard let deployment = decided.values(during: asked.during) else {
      return expected.refuse(.invalidOrExpiredToken, .kk32, if: nil)
    }
    let longest = deployment.memberTokenLifetime + deployment.memberTokenLeeway
    // In seconds: a token may name an instant beyond all instants.
    let isTooFar: Bool? =
      claims.exp > (asked.call.answered + longest).unixSeconds + 1
      ? true : claims.exp <= (asked.call.sent + longest).unixSeconds ? false : nil
    expected.refuse(.invalidOrExpiredToken, .kk32, if: isTooFar)
  }

  /// Steps 4 and 5: what the phone has already.
  private func judge(
    _ codes: Set<TeamName>, isManager: Bool, on identifier: HardwareID, _ club: Int,
    _ asked: Asked, _ expected: inout ExpectedAnswer
  ) {
    guard !identifier.isEmpty else {
      return expected.refuse(.enrollmentLimitExceeded, .kk15, if: codes.count > 5)
    }
    let phone = phones.known(identifier)
    guard operatorIntervened == nil,
      phone.map({ phones[$0].isCertain(before: asked.call.sent) }) ?? true,
      clubs[club].hasEnded.value(during: asked.during) != nil
    else {
      expected.refuse(.teamConflict, .kk15, if: nil)
      expected.refuse(.deviceAlreadyEnrolled, .kk15, if: nil)
      return expected.refuse(.enrollmentLimitExceeded, .kk15, if: nil)
    }
    let active = phone.map { phones[$0].rights.filter(\.isActive) } ?? []
    let tenant = clubs.names[club]
    func overlaps(_ role: Role) -> Bool {
      active.contains {
        $0.role == role && $0.tenant == tenant && $0.codes.contains(where: codes.contains)
      }
    }
    expected.refuse(.teamConflict, .kk21, if: !isManager && overlaps(.manager))
    let reenroll = decided.values(during: asked.during)?.reenroll
    expected.refuse(
      .deviceAlreadyEnrolled, .kk22,
      if: overlaps(isManager ? .manager : .member) ? reenroll.map { $0 == .reject } : false)
    var pairs = Set(active.flatMap { right in right.codes.map { [right.tenant.text, $0.text] } })
    for code in codes { pairs.insert([tenant.text, code.text]) }
    expected.refuse(.enrollmentLimitExceeded, .kk15, if: pairs.count > 5)
  }
}
