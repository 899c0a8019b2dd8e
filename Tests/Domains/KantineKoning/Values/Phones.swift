import Contracts
import KantineKoningContract
import Observations
import Timekeeping

struct EnrollmentRow {
  /// The phone on record for it, and the place of its right there.
  var phone = nobody
  var right = nobody
  /// KK-77: since when the backend said that it is gone, and whether it ever reconciled.
  var goneSince: Instant?
  var hasSynced = false
  /// KK-79: the last reconciliation.
  var last: KKCall?
  /// What its phone said of its push token; `nil` for an enrollment that nobody gave out.
  var pushes: PushRow?
  /// The phone on which inspections showed it as active.
  var activeOn = nobody
}

enum Loss { case sync, registration, upgrade, season, removal, cleanUp, `operator` }

/// An enrollment that was given out.
struct Right {
  let enrollment: Int
  let tenant: Slug
  let role: Role
  /// What it certainly covers while its phone is not clouded.
  var codes: [TeamName]
  /// Since when it is certainly gone, and why.
  var gone: (at: Instant, why: Loss)?
  let email: String?

  var isActive: Bool { gone == nil }

  func overlaps(_ other: [TeamName]) -> Bool { codes.contains { other.contains($0) } }
}

/// What is known of a phone, by its hardware identifier.
struct PhoneRow {
  var rights: [Right] = []
  /// Since when something about it is uncertain.
  var cloudedFrom: Instant?
  /// The end of the last change; what overlaps with it is not judged.
  var changedAt = Instant.distantPast
  /// Since when an unanswered request may have changed its push token.
  var unsureSince: Instant?
  /// As inspections showed them, in order of their coming.
  var active: [Inspection.Enrollment] = []

  func isCertain(before sent: Instant) -> Bool { cloudedFrom == nil && changedAt < sent }

  mutating func doubtToken(since sent: Instant) { unsureSince = min(unsureSince ?? sent, sent) }

  mutating func cloud(from instant: Instant) { cloudedFrom = cloudedFrom ?? instant }

  /// What a phone changes when the operator does happens before or after.
  mutating func intervene(at instant: Instant) {
    let until = instant + slack
    if changedAt != until, changedAt + slack >= instant { cloud(from: instant) }
    changedAt = max(changedAt, until)
  }
}

/// KK-02, KK-12, KK-20, KK-22 and KK-77.
extension CanteenChecks {
  private func hasEnded(_ tenant: Slug, _ asked: Asked) -> Bool? {
    known(tenant).flatMap { clubs[$0].hasEnded.value(during: asked.during) }
  }

  @inline(never)
  func judgeTenants(_ asked: Asked) {
    guard let listed = asked.tenants, let caller = asked.caller else { return }
    var (count, missing) = (0, [String]())
    for right in phones[caller.phone].rights.indices
    where phones[caller.phone].rights[right].isActive {
      let (tenant, role) = (
        phones[caller.phone].rights[right].tenant, phones[caller.phone].rights[right].role
      )
      let codes = phones[caller.phone].rights[right].codes
      let club = listed.firstIndex { $0.slug == tenant }
      if let club, !listed[club].seasonEnded {
        for team in listed[club].teams.indices
        where listed[club].teams[team].role != role
          && codes.contains(listed[club].teams[team].code)
        {
          violated(
            .kk20,
            "\(tenant)/\(listed[club].teams[team].code) is not listed as a \(role.rawValue)'s")
        }
      }
      guard hasEnded(tenant, asked) == false else { continue }
      count += 1
      for code in codes {
        let isShown = listed.contains { shown in
          shown.slug == tenant && shown.teams.contains { $0.code == code }
        }
        if !isShown { missing.append("\(tenant)/\(code)") }
      }
    }
    guard count > 1 else { return }
    expect(.kk02, missing.isEmpty, "O11 left out \(missing.sorted()) of the same phone")
  }

  @inline(never)
  func judgeTwoAtOnce(_ asked: Asked) {
    guard asked.isAnswered, let caller = asked.caller else { return }
    let rights = phones[caller.phone].rights
    guard rights.count > 1, rights[caller.right].isActive else { return }
    let (enrollment, tenant) = (rights[caller.right].enrollment, rights[caller.right].tenant)
    guard
      rights.contains(where: {
        $0.isActive && $0.tenant == tenant && $0.enrollment != enrollment
      }), hasEnded(tenant, asked) == false
    else { return }
    if asked.isReplied { held(.kk12) }
    if asked.code == .deviceNotFound {
      violated(.kk12, "a second enrollment in \(asked.claims!.tenantSlug) ended the first")
    }
  }

  /// KK-20, KK-22: a token whose every team a later registration took does not work.
  @inline(never)
  func judgeReplaced(_ asked: Asked) {
    guard asked.isAnswered, let caller = asked.caller,
      let gone = phones[caller.phone].rights[caller.right].gone
    else { return }
    switch gone.why {
    case .upgrade:
      expect(.kk20, !asked.isReplied, "an enrollment that a later one replaced still works")
    case .registration:
      expect(.kk22, !asked.isReplied, "an enrollment that a later one replaced still works")
    default: break
    }
  }

  /// KK-20 and KK-22 at a registration whose phone is certain.
  @inline(never)
  func judgeAttempt(_ registration: Registration, _ asked: Asked) {
    if case .link = registration.token, asked.code == .teamConflict {
      violated(.kk20, "an upgrade to manager was refused as a conflict")
    }
    guard asked.isReplied, let claims = registration.token.claims,
      !registration.hardwareIdentifier.isEmpty, operatorIntervened == nil,
      hasEnded(claims.tenantSlug, asked) != nil,
      let phone = phones.known(registration.hardwareIdentifier),
      phones[phone].isCertain(before: asked.call.sent)
    else { return }
    func overlaps(_ role: Role) -> Bool {
      phones[phone].rights.contains {
        $0.isActive && $0.role == role && $0.tenant == claims.tenantSlug
          && $0.overlaps(claims.teamCodes)
      }
    }
    let isMember = claims.role == Role.member.rawValue
    if !isMember, overlaps(.member) { held(.kk20) }
    if overlaps(isMember ? .member : .manager),
      decided.values(during: asked.during)?.reenroll == .supersede
    {
      held(.kk22)
    }
  }

  /// KK-77: an enrollment that was gone stays gone, and none has a team that its token does not name.
  @inline(never)
  mutating func judgeAtWork(_ asked: Asked) {
    guard let claims = asked.claims else { return }
    let row = asked.enrollment
    if case .replied(.synced) = asked.call.outcome { enrollments[row].hasSynced = true }
    if let goneSince = enrollments[row].goneSince, goneSince < asked.call.sent, asked.isAnswered {
      expect(.kk77, !asked.isReplied, "an enrollment came back to life")
    }
    if case .replied(.status(let status)) = asked.call.outcome, enrollments[row].hasSynced {
      expect(
        .kk77, status.teamCodes.allSatisfy(claims.teamCodes.contains),
        "an enrollment grew to \(status.teamCodes)")
    }
    if asked.code == .deviceNotFound {
      enrollments[row].goneSince = min(
        enrollments[row].goneSince ?? asked.call.answered, asked.call.answered)
    }
  }
}

// MARK: - Taking in

extension CanteenChecks {
  mutating func learnPhones(_ command: KantineKoning.Control, at instant: Instant) {
    switch command {
    case .load(let fixture):
      for entry in fixture.enrollments {
        add(
          entry.deviceID, entry.tenantSlug, entry.role, entry.teamCodes, entry.teamManagerEmail,
          to: entry.hardwareIdentifier)
      }
    case .endSeason(let tenant):
      for phone in phones.indices {
        for right in phones[phone].rights.indices
        where phones[phone].rights[right].isActive && phones[phone].rights[right].tenant == tenant {
          phones[phone].rights[right].gone = (instant, .season)
        }
      }
    case .revokeEnrollment(let id, _): revoke(id, at: instant)
    case .resetSeason(let tenant):
      for phone in phones.indices
      where phones[phone].rights.contains(where: { $0.tenant == tenant }) {
        phones[phone].cloud(from: instant)
      }
    case .cleanUp: for phone in phones.indices { cleanUp(phone, at: instant) }
    case .reset: operatorIntervened = operatorIntervened ?? instant
    default: break
    }
  }

  private mutating func revoke(_ id: EnrollmentID, at instant: Instant) {
    guard let row = enrollments.known(id), enrollments[row].phone != nobody else { return }
    let (phone, right) = (enrollments[row].phone, enrollments[row].right)
    phones[phone].intervene(at: instant)
    if phones[phone].rights[right].isActive {
      phones[phone].rights[right].gone = (instant + slack, .operator)
    }
  }

  /// Managers' enrollments lose what their addresses no longer manage.
  private mutating func cleanUp(_ phone: Int, at instant: Instant) {
    for place in phones[phone].rights.indices {
      let right = phones[phone].rights[place]
      guard right.isActive, right.role == .manager else { continue }
      let managed =
        known(right.tenant).flatMap { clubs[$0].managers[right.email?.lowercased() ?? ""] } ?? []
      guard !right.codes.allSatisfy(managed.contains) else { continue }
      phones[phone].intervene(at: instant)
      lose(phone, place, at: instant + slack, .cleanUp) { !managed.contains($0) }
    }
  }

  private mutating func add(
    _ id: EnrollmentID, _ tenant: Slug, _ role: Role, _ codes: [TeamName], _ email: String?,
    to identifier: HardwareID
  ) {
    let row = enrollments.number(of: id)
    guard !identifier.isEmpty else {
      enrollments[row].phone = nobody
      return
    }
    let phone = phones.number(of: identifier)
    (enrollments[row].phone, enrollments[row].right) = (phone, phones[phone].rights.count)
    var own: [TeamName] = []
    for code in codes where !own.contains(code) { own.append(code) }
    phones[phone].rights.append(
      Right(enrollment: row, tenant: tenant, role: role, codes: own, email: email))
  }

  /// Marks a change of a phone; overlapping ones leave nothing certain.
  private mutating func mark(_ phone: Int, _ asked: Asked) {
    if phones[phone].changedAt >= asked.call.sent || asked.isUnknown {
      phones[phone].cloud(from: asked.call.sent)
    }
    phones[phone].changedAt = max(phones[phone].changedAt, asked.call.answered)
  }

  private mutating func lose(
    _ phone: Int, _ right: Int, at instant: Instant, _ why: Loss, _ isLost: (TeamName) -> Bool
  ) {
    phones[phone].rights[right].codes.removeAll(where: isLost)
    if phones[phone].rights[right].codes.isEmpty {
      phones[phone].rights[right].gone = (instant, why)
    }
  }

  /// O3.
  mutating func learn(_ registration: Registration, _ asked: Asked) {
    let identifier = registration.hardwareIdentifier
    guard asked.isReplied || asked.isUnknown else { return }
    if !identifier.isEmpty { mark(phones.number(of: identifier), asked) }
    guard let answer = asked.registered else { return }
    if let claims = registration.token.claims {
      used[claims.jti] = min(used[claims.jti] ?? asked.call.answered, asked.call.answered)
    }
    if let phone = phones.known(identifier) {
      if hasEnded(answer.tenantSlug, asked) == nil { phones[phone].cloud(from: asked.call.sent) }
      for place in phones[phone].rights.indices {
        let right = phones[phone].rights[place]
        guard right.isActive, right.tenant == answer.tenantSlug else { continue }
        lose(
          phone, place, at: asked.call.answered,
          right.role == answer.role ? .registration : .upgrade
        ) { answer.teamCodes.contains($0) }
      }
    }
    add(
      answer.deviceID, answer.tenantSlug, answer.role, answer.teamCodes,
      registration.token.claims?.email, to: identifier)
  }

  /// O4 and O6 to O8, O23.
  mutating func learnRights(_ asked: Asked) {
    switch asked.call.request {
    case .sync(let list): sync(list, asked)
    case .removeTeams(let names):
      let match = decided.values(during: asked.during)?.removeTeamsMatch
      let codes =
        match == .codeOnly
        ? names : names.compactMap { name in club(of: asked).flatMap { clubs[$0].code(of: name) } }
      remove(asked) { right, code in right.enrollment == asked.enrollment && codes.contains(code) }
      if match == nil, asked.enrollment != nobody, enrollments[asked.enrollment].phone != nobody {
        phones[enrollments[asked.enrollment].phone].cloud(from: asked.call.sent)
      }
    case .removeTenant(let slug): remove(asked) { right, _ in right.tenant == slug }
    case .removeAll: remove(asked) { _, _ in true }
    case .claimDienst(let claim): learnTakeover(claim, asked)
    default: break
    }
  }

  private mutating func remove(_ asked: Asked, _ isLost: (Right, TeamName) -> Bool) {
    guard asked.enrollment != nobody, asked.isReplied || asked.isUnknown else { return }
    let phone = enrollments[asked.enrollment].phone
    guard phone != nobody else { return }
    mark(phone, asked)
    guard asked.isReplied else { return }
    for place in phones[phone].rights.indices where phones[phone].rights[place].isActive {
      let right = phones[phone].rights[place]
      lose(phone, place, at: asked.call.answered, .removal) { isLost(right, $0) }
    }
  }

  private mutating func sync(_ list: SyncRequest, _ asked: Asked) {
    guard asked.enrollment != nobody, asked.isReplied || asked.isUnknown else { return }
    let phone = enrollments[asked.enrollment].phone
    guard phone != nobody else { return }
    mark(phone, asked)
    guard asked.isReplied else { return }
    for place in phones[phone].rights.indices where phones[phone].rights[place].isActive {
      let right = phones[phone].rights[place]
      let lost = right.codes.filter { !isListed($0, as: right, on: phone, in: list) }
      guard !lost.isEmpty else { continue }
      switch isProtected(right.tenant, asked) {
      case true?: continue
      case nil: phones[phone].cloud(from: asked.call.sent)
      case false?: lose(phone, place, at: asked.call.answered, .sync) { lost.contains($0) }
      }
    }
  }

  private func isProtected(_ tenant: Slug, _ asked: Asked) -> Bool? {
    guard let deployment = decided.values(during: asked.during) else { return nil }
    guard deployment.syncProtectsClosedTenants else { return false }
    return known(tenant).flatMap { clubs[$0].isProtected(during: asked.during) }
  }

  /// Whether a sync's list keeps a code of a right: present items with its tenant and role do.
  private func isListed(
    _ code: TeamName, as right: Right, on phone: Int, in list: SyncRequest
  ) -> Bool {
    list.items.contains { item in
      guard item.tenantSlug == right.tenant, item.role == right.role.rawValue,
        item.teamCodes?.contains(code) ?? false
      else { return false }
      let named = item.hardwareIdentifier ?? ""
      return named.isEmpty || named == phones.names[phone]
    }
  }
}

extension EnrollmentToken {
  var claims: EnrollmentClaims? {
    switch self {
    case .link(let claims), .member(let claims): claims
    case .text: nil
    }
  }

  var isLink: Bool { if case .link = self { true } else { false } }
}
