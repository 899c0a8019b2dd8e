import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Tokens at work: KK-34 to KK-42.
enum AuthenticationChecks {
  static let all: [KKCheck] = [
    .history(
      .kk34, .asking(.diensten, .addVolunteer, .removeVolunteer, .leaderboard).union([.notes]),
      OwnTokens.init),
    .note(.kk43) { note, _, judge in
      guard case .pushTokenLogged(let line) = note, let bearer = line.bearer else { return }
      judge.expect(bearer.count <= 20, "a log line shows \(bearer.count) characters of a token")
    },
    .each(.kk36, .asking(.diensten, .addVolunteer, .removeVolunteer)) { call, judge in
      guard let claims = call.claims, let tenant = namedTenant(call.request),
        tenant != claims.tenantSlug
      else { return }
      if call.isReplied {
        judge.violated("a token of \(claims.tenantSlug) was taken for \(tenant)")
      } else if call.code == .tenantMismatch {
        judge.held()
      } else if call.code == .teamAccessDenied || call.code == .dienstNotFound {
        // The tenant is looked at before role, dienst and team (§3.2, steps 8 to 11).
        judge.violated("a token of \(claims.tenantSlug) was refused for \(tenant) otherwise")
      }
    },
    .inCell(.kk37, also: .asking(.diensten)) { call, facts, judge in
      guard case .diensten(let query) = call.request, query.tenant == nil,
        let claims = call.claims
      else { return }
      let others = facts.caller(of: call)?.phone.rights.filter {
        $0.tenant == claims.tenantSlug && $0.deviceID != claims.deviceID
      }
      let codes = Set(others?.flatMap(\.given) ?? []).subtracting(claims.teamCodes)
      judgeOwn(call, without: codes, &judge)
    },
    .each(.kk38, .asking(.diensten)) { call, judge in
      guard case .diensten(let query) = call.request, query.tenant != nil,
        query.tenant == call.claims?.tenantSlug
      else { return }
      judgeOwn(call, &judge)
    },
    .deployed(.kk39, .asking(.register)) { call, deployment, judge in
      if let answer = call.registered { judgeEnd(answer, deployment, &judge) }
    },
    .inCell(.kk40, also: .asking(.diensten)) { call, facts, judge in
      guard let list = call.diensten, let claims = call.claims,
        let known = facts.caller(of: call), known.right.isActive
      else { return }
      let removed = claims.teamCodes.filter { !known.right.codes.contains($0) }
      guard !removed.isEmpty else { return }
      judge.expect(
        !list.contains { removed.contains($0.team?.code ?? "") },
        "diensten of \(removed.sorted()) are still shown to a token that names them")
    },
    .each(.kk41, .authenticated) { call, judge in
      guard let refusal = call.outcome.refusal, refusal.status == 401, call.claims != nil
      else { return }
      switch refusal.kind {
      case .tokenRevoked:
        judge.expect(
          refusal.reason?.isToldToThePhone ?? false, "token_revoked does not tell its reason")
      case .invalidToken, .deviceNotFound: judge.held()
      default: judge.violated("a device token was refused as \(refusal.code)")
      }
    } + .history(.kk41, Set<Concern>.authenticated.union([.controls]), GivenReasons.init),
    .inCell(.kk42, also: .authenticated) { call, facts, judge in
      guard let claims = call.claims, call.outcome.isAnswered,
        let known = facts.caller(of: call), known.right.isActive,
        known.phone.rights.contains(where: { !$0.isActive }),
        facts.clubs[known.right.tenant]?.hasEnded(during: call.during) == false,
        claims.exp.map({ $0 > call.answered.unixSeconds }) ?? true
      else { return }
      judge.expect(
        !call.isRejectedToken, "an invalid token of the phone took another one with it")
    },
    .each(
      .kk53, .asking(.addVolunteer, .removeVolunteer, .takeover, .claimDienst, .transferOffer),
      by: DienstFacts.self
    ) { call, facts, judge in
      guard let claims = call.claims, let tenant = facts.tenant, tenant != claims.tenantSlug
      else { return }
      if call.isReplied {
        judge.violated("a token of \(claims.tenantSlug) changed a dienst of \(tenant)")
      } else if call.code == .dienstNotFound {
        judge.held()
      } else if claims.role == .manager, call.isAboutADienst {
        judge.violated("a dienst of \(tenant) does not look as if it were not there")
      }
    },
  ]

  private static func namedTenant(_ request: KantineKoning.Request) -> Slug? {
    switch request {
    case .diensten(let query): query.tenant
    case .addVolunteer(let change), .removeVolunteer(let change): change.tenant
    default: nil
    }
  }

  /// KK-39: a token that is given out ends when the deployment says (§7.1).
  private static func judgeEnd(
    _ answer: RegistrationAnswer, _ deployment: KantineKoning.Deployment, _ judge: inout Judge
  ) {
    guard case .issued(let claims) = answer.apiToken else { return }
    let expected: Int64?
    switch deployment.deviceTokenLifetime {
    case .none: expected = nil
    case .seconds(let lifetime):
      expected = (Instant(unixSeconds: claims.iat) + .seconds(lifetime)).unixSeconds
    case .seasonEnd:
      let season = LeaderboardPeriod.season.bounds(around: Instant(unixSeconds: claims.iat))
      let lastSecond = season.ends - .seconds(1)
      // In the season's last second tokens are of the next one already.
      guard claims.iat < lastSecond.unixSeconds else { return }
      expected = lastSecond.unixSeconds
    }
    judge.expect(
      claims.exp == expected,
      "a token was given out until \(claims.exp.map(String.init) ?? "for ever"), "
        + "not \(expected.map(String.init) ?? "for ever")")
  }

  /// Every dienst is of the token's own tenant (KK-38), and of none of some teams that are others' there (KK-37). What
  /// the token names is KK-48's.
  private static func judgeOwn(
    _ call: KKCall, without teams: Set<TeamName> = [], _ judge: inout Judge
  ) {
    guard let list = call.diensten, let claims = call.claims else { return }
    let foreign = list.first { dienst in
      dienst.tenantSlug != claims.tenantSlug || teams.contains(dienst.team?.code ?? "")
    }
    judge.expect(
      foreign == nil,
      "a token of \(claims.tenantSlug) saw a dienst of \(foreign?.tenantSlug ?? "")/"
        + (foreign?.team?.code.text ?? "-"))
  }
}

extension KKCall {
  /// Whether it was refused for what its dienst is like, which nobody learns of a dienst of another tenant: not by §3.2's
  /// steps up to 9.
  fileprivate var isAboutADienst: Bool {
    switch code {
    case .teamAccessDenied, .dienstInPast, .ownDienst, .alreadyClaimed, .volunteerExists,
      .volunteerNotFound, .invalidName, .nameTooLong:
      true
    default: false
    }
  }
}

/// KK-41: whose enrollment the operator revoked is told why.
private struct GivenReasons: History {
  static let scope = Scope<KantineKoning>.cell
  private var revoked: [EnrollmentID: (at: Instant, reason: KantineKoning.RevocationReason)] = [:]
  /// Clubs of which a season ended: a reason that comes before any other (§3.2), and enrollments ended with it.
  private var ended: Set<Slug> = []

  mutating func commanded(
    _ command: KantineKoning.Control, at moment: Moment, _ judge: inout Judge
  ) {
    switch command {
    case .revokeEnrollment(let device, let reason):
      if revoked[device] == nil { revoked[device] = (moment.time, reason) }
    case .endSeason(let tenant): ended.insert(tenant)
    case .reset: (revoked, ended) = ([:], [])
    default: break
    }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard !revoked.isEmpty, let claims = call.claims, let known = revoked[claims.deviceID],
      known.at + .seconds(1) < call.sent, call.outcome.isAnswered,
      !ended.contains(claims.tenantSlug),
      claims.exp.map({ $0 > call.answered.unixSeconds }) ?? true
    else { return }
    judge.expect(
      call.code == .tokenRevoked && call.outcome.refusal?.reason == known.reason,
      "an enrollment that was revoked as \(known.reason.rawValue) is not told so")
  }
}

/// KK-34: a phone uses the token of the enrollment that the call is about.
private struct OwnTokens: History {
  static let scope = Scope<KantineKoning>.person
  private var isPhone = false

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    if case .foreground = note { isPhone = true }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard isPhone, let claims = call.claims else { return }
    let tenant: Slug?
    switch call.request {
    case .diensten(let query): tenant = query.tenant
    case .addVolunteer(let change), .removeVolunteer(let change): tenant = change.tenant
    case .leaderboard(let query): tenant = query.tenant
    default: tenant = nil
    }
    guard let tenant else { return }
    judge.expect(
      tenant == claims.tenantSlug, "a phone asked for \(tenant) as \(claims.tenantSlug)")
  }
}
