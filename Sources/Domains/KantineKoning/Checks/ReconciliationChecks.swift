import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What a sync does and leaves alone: KK-67 to KK-71 and KK-77 to KK-81.
enum ReconciliationChecks {
  static let all: [KKCheck] = [
    .history(.kk65, [.notes, .asks(.sync)], Foregrounds.init),
    .each(.kk66, .asking(.sync)) { call, judge in
      guard let summary = call.summary else { return }
      let affected = summary.tenantsAffected
      judge.expect(
        affected == Set(affected).sorted()
          && affected.isEmpty == (summary.enrollmentsRevoked + summary.teamsRemoved == 0),
        "a sync revoked \(summary.enrollmentsRevoked) enrollments and \(summary.teamsRemoved) "
          + "teams, and names \(affected)")
    },
    .inCell(.kk67, also: .authenticated) { call, facts, judge in
      if let sync = Sync(call, facts), sync.revoked > 0 || sync.summary.enrollmentsRevoked > 0 {
        judge.expect(
          sync.summary.enrollmentsRevoked == sync.revoked,
          "\(sync.revoked) enrollments were missing, \(sync.summary.enrollmentsRevoked) revoked")
      }
      guard let claims = call.claims, call.outcome.isAnswered,
        let known = facts.caller(of: call),
        case .sync? = known.right.gone?.why
      else { return }
      judge.expect(!call.isReplied, "an enrollment that a sync left out still works")
    },
    .inCell(.kk68) { call, facts, judge in
      guard let sync = Sync(call, facts), sync.removed > 0 || sync.summary.teamsRemoved > 0
      else { return }
      judge.expect(
        sync.summary.teamsRemoved == sync.removed,
        "\(sync.removed) teams were missing, \(sync.summary.teamsRemoved) removed")
    },
    .inCell(.kk69, also: .authenticated) { call, facts, judge in
      judgeReach(call, facts, &judge)
    },
    .inCell(.kk70) { call, facts, judge in
      judgeProtection(call, facts, &judge) { club, interval in
        club.isOpen(during: interval) == false && club.hasEnded(during: interval) == false
      }
    },
    .inCell(.kk71) { call, facts, judge in
      judgeProtection(call, facts, &judge) { club, interval in
        club.hasEnded(during: interval) == true
      }
    },
    .history(
      .kk76, [.notes, .inspections, .asks(.sync)], by: CellFacts.self, RepairedOrphans.init),
    .history(.kk77, .authenticated, NeverMore.init),
    AnswerFacts.check(.kk78),
    .history(.kk79, [.asks(.sync)], by: CellFacts.self, RepeatedSyncs.init),
    AnswerFacts.check(.kk81),
  ]

  /// A sync that was carried out, with what it had to find: only where everything about the phone is certain.
  private struct Sync {
    let summary: CleanupSummary
    private(set) var revoked = 0
    private(set) var removed = 0

    init?(_ call: KKCall, _ facts: CellFacts) {
      guard case .sync(let list) = call.request, let summary = call.summary,
        let known = facts.caller(of: call)
      else { return nil }
      self.summary = summary
      for right in known.phone.rights where right.isActive {
        let lost = right.codes.subtracting(
          CellFacts.listed(list, as: right, on: known.identifier))
        guard !lost.isEmpty else { continue }
        guard let isProtected = facts.isProtected(right.tenant, during: call.during) else {
          return nil
        }
        if isProtected { continue }
        if lost.count == right.codes.count { revoked += 1 } else { removed += lost.count }
      }
    }
  }

  /// KK-69: no more is revoked than the phone can have had, only in its own clubs, and nobody else loses anything.
  private static func judgeReach(
    _ call: KKCall, _ facts: CellFacts, _ judge: inout Judge
  ) {
    if let summary = call.summary, let claims = call.claims,
      let phone = facts.anyPhone(of: claims.deviceID)
    {
      judge.expect(
        summary.enrollmentsRevoked <= phone.everCount,
        "a phone of \(phone.everCount) enrollments revoked \(summary.enrollmentsRevoked)")
      if phone.cloudedFrom == nil {
        let own = Set(phone.rights.map(\.tenant))
        let foreign = summary.tenantsAffected.filter { !own.contains($0) }
        if !foreign.isEmpty { judge.violated("a sync reached \(foreign)") }
      }
    }
    guard call.code == .deviceNotFound, let known = facts.caller(of: call),
      known.phone.rights.allSatisfy(\.isActive), known.phone.rights.count == 1,
      facts.clubs[known.right.tenant]?.hasEnded(during: call.during) == false
    else { return }
    judge.violated("an enrollment in \(known.right.tenant) was lost without a cause of its own")
  }

  /// KK-70, KK-71: what the list leaves out stays in a protected club.
  private static func judgeProtection(
    _ call: KKCall, _ facts: CellFacts, _ judge: inout Judge,
    where isProtected: (ClubFacts, ClosedRange<Instant>) -> Bool
  ) {
    guard case .sync(let list) = call.request, let summary = call.summary,
      let claims = call.claims, let identifier = facts.identifier(of: claims.deviceID),
      facts.deployments.inForce(during: call.during)?.syncProtectsClosedTenants == true
    else { return }
    for tenant in summary.tenantsAffected {
      if let club = facts.clubs[tenant], isProtected(club, call.during) {
        judge.violated("a sync removed enrollments of \(tenant), which is protected")
      }
    }
    guard let phone = facts.anyPhone(of: claims.deviceID), phone.cloudedFrom == nil else { return }
    for right in phone.rights {
      guard let club = facts.clubs[right.tenant], isProtected(club, call.during),
        right.isActive || right.endedWithSeason,
        !right.codes.isSubset(of: CellFacts.listed(list, as: right, on: identifier)),
        !summary.tenantsAffected.contains(right.tenant)
      else { continue }
      judge.held()
    }
  }
}

extension CellFacts.Right {
  var endedWithSeason: Bool { if case .season? = gone?.why { true } else { false } }
}

/// KK-77: an enrollment that was gone stays gone, and none has a team that its token does not name.
private struct NeverMore: History {
  static let scope = Scope<KantineKoning>.each(
    "enrollment at work", by: EnrollmentID.self,
    asked: { call, tell in if let claims = call.claims { tell(claims.deviceID) } })
  private var goneSince: Instant?
  private var hasSynced = false

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard let claims = call.claims else { return }
    if call.summary != nil { hasSynced = true }
    if let goneSince, goneSince < call.sent, call.outcome.isAnswered {
      judge.expect(!call.isReplied, "an enrollment came back to life")
    }
    if case .replied(.status(let status)) = call.outcome, hasSynced {
      judge.expect(
        status.teamCodes.allSatisfy(claims.teamCodes.contains),
        "an enrollment grew to \(status.teamCodes)")
    }
    if call.code == .deviceNotFound {
      goneSince = min(goneSince ?? call.answered, call.answered)
    }
  }
}

/// KK-79: the same list again at once finds nothing to do.
private struct RepeatedSyncs: History {
  static let scope = Scope<KantineKoning>.cell
  private let facts: CellFacts
  private var last: [EnrollmentID: KKCall] = [:]

  init(_ facts: CellFacts) { self.facts = facts }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    judgeRepetition(call, &judge)
    if let claims = call.claims { last[claims.deviceID] = call }
  }

  private func judgeRepetition(_ call: KKCall, _ judge: inout Judge) {
    guard let summary = call.summary, let claims = call.claims,
      let before = last[claims.deviceID], before.summary != nil,
      before.request == call.request, before.answered < call.sent,
      call.sent - before.answered < .minutes(10),
      let known = facts.caller(of: call),
      known.phone.changedAt == before.answered
    else { return }
    let interval = before.sent...call.answered
    let tenants = Set(known.phone.rights.map(\.tenant))
    guard tenants.allSatisfy({ facts.isProtected($0, during: interval) != nil }) else {
      return
    }
    judge.expect(
      summary.enrollmentsRevoked == 0 && summary.teamsRemoved == 0
        && summary.tenantsAffected.isEmpty,
      "the same sync again found \(summary.enrollmentsRevoked) enrollments and "
        + "\(summary.teamsRemoved) teams")
  }
}
