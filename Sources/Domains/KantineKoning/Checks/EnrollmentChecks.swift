import Contracts
import KantineKoningContract
import Observations

/// The enrollment model: KK-02 and KK-12 to KK-22.
enum EnrollmentChecks {
  private typealias Pair = CellFacts.Pair

  static let all: [KKCheck] = [
    .inCell(.kk02, also: .asking(.tenants)) { call, facts, judge in
      guard let listed = call.tenants, let claims = call.claims,
        let known = facts.caller(of: call)
      else { return }
      let active = known.phone.rights.filter { right in
        right.isActive && facts.clubs[right.tenant]?.hasEnded(during: call.during) == false
      }
      guard active.count > 1 else { return }
      let shown = pairs(in: listed)
      let missing = active.flatMap { right in
        right.codes.map { Pair(tenant: right.tenant, code: $0) }
      }.filter { !shown.contains($0) }
      judge.expect(
        missing.isEmpty,
        "O11 left out \(missing.map { "\($0.tenant)/\($0.code)" }.sorted()) of the same phone")
    },
    .each(.kk11, .asking(.register)) { call, judge in
      guard let answer = call.registered, let asked = call.registration?.token.claims
      else { return }
      judge.expect(
        answer.tenantSlug == asked.tenantSlug && Set(answer.teamCodes) == Set(asked.teamCodes),
        "asked for \(asked.tenantSlug) \(asked.teamCodes), "
          + "enrolled in \(answer.tenantSlug) \(answer.teamCodes)")
    },
    .inCell(.kk12, also: .asking(.diensten)) { call, facts, judge in
      guard let claims = call.claims, call.outcome.isAnswered,
        let known = facts.caller(of: call), known.right.isActive,
        facts.clubs[known.right.tenant]?.hasEnded(during: call.during) == false,
        known.phone.rights.contains(where: {
          $0.isActive && $0.tenant == known.right.tenant && $0.deviceID != known.right.deviceID
        })
      else { return }
      if call.isReplied { judge.held() }
      if call.code == .deviceNotFound {
        judge.violated("a second enrollment in \(claims.tenantSlug) ended the first")
      }
    },
    .each(.kk13, .asking(.register)) { call, judge in
      guard let answer = call.registered,
        let asked = call.registration?.token.claims?.role
      else { return }
      judge.expect(
        answer.role.rawValue == asked, "asked as \(asked), enrolled as \(answer.role.rawValue)")
    },
    census(.kk14) { active, judge in
      // Most follow one or two.
      guard active.reduce(0, { $0 + $1.teamCodes.count }) >= 5 else { return }
      let count = Set(active.flatMap { pairs(of: $0) }).count
      if count >= 5 { judge.expect(count == 5, "one phone follows \(count) teams") }
    },
    .each(.kk15, .asking(.requestEnrollment)) { call, judge in
      guard case .requestEnrollment(let asked) = call.request else { return }
      let count = Set(asked.teamCodes).count
      guard count > 5, call.isReplied else { return }
      judge.violated("a link was sent for \(count) teams")
    }
      + .inCell(.kk15) { call, facts, judge in
        guard let attempt = Attempt(call, facts), attempt.total > 5 else { return }
        if call.isReplied {
          judge.violated("\(attempt.claims.role) registered for team number \(attempt.total)")
        } else if call.code == .enrollmentLimitExceeded {
          judge.held()
        }
      },
    .inCell(.kk16, also: .asking(.tenants)) { call, facts, judge in
      judgeRevokedRows(call, facts, &judge)
    },
    census(.kk19) { active, judge in
      guard active.count > 1 else { return }
      let all = active.flatMap { pairs(of: $0) }
      judge.expect(Set(all).count == all.count, "one phone has a team in two active enrollments")
    },
    .inCell(.kk20, also: .authenticated) { call, facts, judge in
      judgeGone(.upgrade, call, facts, &judge)
      judgeUpgrade(call, facts, &judge)
    },
    .inCell(.kk21) { call, facts, judge in
      guard let attempt = Attempt(call, facts), attempt.isMember,
        attempt.overlaps(with: .manager)
      else { return }
      if call.isReplied { judge.violated("a managed team was added as member") }
      if call.code == .teamConflict { judge.held() }
    },
    .inCell(.kk22, also: .authenticated) { call, facts, judge in
      judgeGone(.registration, call, facts, &judge)
      guard let attempt = Attempt(call, facts),
        attempt.overlaps(with: attempt.isMember ? .member : .manager)
      else { return }
      let reenroll = facts.deployments.inForce(during: call.during)?.reenroll
      if reenroll == .supersede, call.isReplied { judge.held() }
    },
  ]

  /// A registration whose phone is certain.
  private struct Attempt {
    let claims: EnrollmentClaims
    let phone: CellFacts.Phone

    init?(_ call: KKCall, _ facts: CellFacts) {
      guard let registration = call.registration, let claims = registration.token.claims,
        !registration.hardwareIdentifier.isEmpty,
        let phone = facts.phone(registration.hardwareIdentifier, before: call.sent),
        facts.clubs[claims.tenantSlug]?.hasEnded(during: call.during) != nil
      else { return nil }
      self.claims = claims
      self.phone = phone
    }

    var isMember: Bool { claims.role == Role.member.rawValue }
    var wanted: Set<Pair> {
      Set(claims.teamCodes.map { Pair(tenant: claims.tenantSlug, code: $0) })
    }
    /// How many teams the phone would follow.
    var total: Int { phone.pairs.union(wanted).count }
    /// How many it would follow if everything that it ever had still counted.
    var totalEver: Int {
      wanted.union(
        phone.rights.flatMap { right in
          right.given.map { Pair(tenant: right.tenant, code: $0) }
        }
      ).count
    }

    func overlaps(with role: Role) -> Bool {
      phone.rights.contains {
        $0.isActive && $0.role == role && $0.tenant == claims.tenantSlug
          && !$0.codes.isDisjoint(with: claims.teamCodes)
      }
    }
  }

  /// KK-20, KK-22: a token whose every team a later registration took does not work.
  private static func judgeGone(
    _ loss: CellFacts.Loss, _ call: KKCall, _ facts: CellFacts, _ judge: inout Judge
  ) {
    guard call.claims != nil, call.outcome.isAnswered, let known = facts.caller(of: call),
      known.right.gone?.why == loss
    else { return }
    judge.expect(!call.isReplied, "an enrollment that a later one replaced still works")
  }

  /// KK-16: what is revoked neither counts for the limit nor is listed.
  private static func judgeRevokedRows(
    _ call: KKCall, _ facts: CellFacts, _ judge: inout Judge
  ) {
    if let attempt = Attempt(call, facts), attempt.total <= 5, attempt.totalEver > 5 {
      if call.isReplied { judge.held() }
      if call.code == .enrollmentLimitExceeded {
        judge.violated("revoked enrollments counted for the limit")
      }
    }
    guard let listed = call.tenants, let known = facts.caller(of: call),
      known.phone.rights.contains(where: { !$0.isActive })
    else { return }
    let open = listed.filter {
      facts.clubs[$0.slug]?.hasEnded(during: call.during) == false
    }
    let active = known.phone.pairs
    let ghosts = pairs(in: open).filter { !active.contains($0) }
    judge.expect(
      ghosts.isEmpty,
      "O11 lists \(ghosts.map { "\($0.tenant)/\($0.code)" }.sorted()) of revoked enrollments")
  }

  /// KK-20: a manager's registration is never a conflict, and the team is the manager's from then on.
  private static func judgeUpgrade(
    _ call: KKCall, _ facts: CellFacts, _ judge: inout Judge
  ) {
    if call.registration?.token.isLink ?? false, call.code == .teamConflict {
      judge.violated("an upgrade to manager was refused as a conflict")
    }
    if call.isReplied, let attempt = Attempt(call, facts), !attempt.isMember,
      attempt.overlaps(with: .member)
    {
      judge.held()
    }
    guard let listed = call.tenants, let known = facts.caller(of: call) else { return }
    for right in known.phone.rights where right.isActive {
      guard let club = listed.first(where: { $0.slug == right.tenant }), !club.seasonEnded else {
        continue
      }
      for team in club.teams where right.codes.contains(team.code) && team.role != right.role {
        judge.violated("\(right.tenant)/\(team.code) is not listed as a \(right.role.rawValue)'s")
      }
    }
  }

  private static func pairs(in listed: [TenantInfo]) -> Set<Pair> {
    Set(listed.flatMap { club in club.teams.map { Pair(tenant: club.slug, code: $0.code) } })
  }

  private static func pairs(of enrollment: Inspection.Enrollment) -> [Pair] {
    enrollment.teamCodes.map { Pair(tenant: enrollment.tenantSlug, code: $0) }
  }

  /// Judges the active enrollments of each phone of which inspection shows something new.
  private static func census(
    _ limit: KantineKoning.Rule,
    _ judgePhone: @escaping @Sendable ([Inspection.Enrollment], inout Judge) -> Void
  ) -> KKCheck {
    .census(limit) { inspection, judge in
      for active in inspection.phones { judgePhone(active, &judge) }
    }
  }
}
