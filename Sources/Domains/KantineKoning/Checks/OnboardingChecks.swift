import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Onboarding and the tokens it hands out: KK-26 to KK-35.
enum OnboardingChecks {
  static let all: [KKCheck] = [
    .inCell(.kk26, also: .asking(.allowedTeams)) { call, facts, judge in
      guard case .requestEnrollment(let asked) = call.request, asked.teamCodes.isEmpty,
        let club = facts.clubs[asked.tenantSlug],
        club.managersChangedAt + .seconds(1) < call.sent
      else { return }
      guard let managed = club.managers[asked.email.lowercased()] else {
        if call.isReplied { judge.violated("\(asked.tenantSlug) allowed a stranger teams") }
        if call.code == .invalidTeamCodes || call.code == .teamAccessDenied {
          judge.violated("a stranger is not told that the address is no manager's")
        }
        return
      }
      if case .replied(.allowedTeams(let teams)) = call.outcome {
        judge.expect(
          Set(teams.map(\.code)) == managed,
          "\(asked.tenantSlug) allowed \(teams.map(\.code)) instead of \(managed.sorted())")
      } else if call.code == .teamManagerNotFound {
        judge.violated("\(asked.tenantSlug) does not know its own manager")
      }
    },
    .history(.kk27, [.asks(.register), .controls, .inspections], NoneUnasked.init)
      + .signal(.kk27, by: DeploymentFacts.self) { signal, _, facts, judge in
        guard case .mail(let mail) = signal, let claims = mail.token.claims else { return }
        let lifetime = facts.inForce(during: mail.sentAt...mail.sentAt)?.magicLinkLifetime
        let end = lifetime.map { (mail.sentAt + $0).unixSeconds }
        judge.expect(
          claims.teamCodes == mail.teamCodes && end.map { $0 == claims.exp } ?? true,
          "a link for \(mail.teamCodes) enrolls for \(claims.teamCodes) until \(claims.exp)")
      },
    .history(
      .kk28, Set<Concern>.authenticated.union([.notes, .asks(.register)]), SignedTokens.init),
    .each(.kk30, .asking(.register)) { call, judge in
      guard case .member(let claims)? = call.registration?.token,
        claims.role == Role.manager.rawValue, call.outcome.isAnswered
      else { return }
      judge.expect(
        call.code == .invalidOrExpiredToken, "an unsigned token for a manager was taken")
    },
    .history(.kk31, [.asks(.register)], by: AnswerFacts.self, UsedOnce.init),
    AnswerFacts.check(.kk32),
    .each(.kk35, .asking(.register)) { call, judge in
      guard let answer = call.registered, case .issued(let claims) = answer.apiToken else {
        return
      }
      judge.expect(
        claims.teamCodes == answer.teamCodes,
        "the token names \(claims.teamCodes), the enrollment has \(answer.teamCodes)")
    },
  ]
}

/// KK-27: every enrollment that inspection shows was registered, or may have been by a request without an answer.
private struct NoneUnasked: History {
  static let scope = Scope<KantineKoning>.cell
  private var known: Set<EnrollmentID> = []
  private var strays: Set<EnrollmentID> = []
  private var lostAnswers = 0
  private var wasInspected = false

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    if let answer = call.registered { known.insert(answer.deviceID) }
    if call.isUnknown { lostAnswers += 1 }
  }

  mutating func commanded(
    _ command: KantineKoning.Control, at moment: Moment, _ judge: inout Judge
  ) {
    guard case .load(let fixture) = command else { return }
    known.formUnion(fixture.enrollments.map(\.deviceID))
  }

  mutating func inspected(_ inspection: Inspected, at moment: Moment, _ judge: inout Judge) {
    wasInspected = true
    for row in inspection.changed where !known.contains(row.deviceID) {
      strays.insert(row.deviceID)
    }
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    guard wasInspected else { return }
    // A registration may still have been under way when the harness looked.
    let unexplained = strays.subtracting(known).count
    judge.expect(
      unexplained <= lostAnswers,
      "\(unexplained) enrollments, but \(lostAnswers) registrations without an answer")
  }
}

/// KK-31: one success for one token, and a refused use does not count.
private struct UsedOnce: History {
  static let scope = Scope<KantineKoning>.each(
    "enrollment token", by: TokenID.self,
    asked: { call, tell in
      if let claims = call.registration?.token.claims { tell(claims.jti) }
    })
  /// Uses that succeeded, or may have.
  private var uses: [ClosedRange<Instant>] = []
  private var successes = 0
  private var firstRefusal: Instant?
  private let facts: AnswerFacts
  /// When a good token was called used.
  private var suspicions: [Instant] = []

  init(_ facts: AnswerFacts) { self.facts = facts }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    let wasRefused = firstRefusal.map { $0 < call.sent } ?? false
    switch call.outcome {
    case .replied:
      successes += 1
      if successes > 1 { judge.violated("one enrollment token registered \(successes) times") }
      if wasRefused { judge.held() }
      uses.append(call.during)
    case .unknown: uses.append(call.during)
    case .refused(let refusal) where refusal.kind == .invalidOrExpiredToken:
      if uses.contains(where: { $0.lowerBound <= call.answered }) {
        judge.held()
      } else if facts.isGoodToken(of: call) {
        suspicions.append(call.answered)
      }
    case .refused:
      if wasRefused { judge.held() }
      firstRefusal = min(firstRefusal ?? call.answered, call.answered)
    case .unsent: break
    }
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    for suspicion in suspicions where !uses.contains(where: { $0.lowerBound <= suspicion }) {
      judge.violated("an enrollment token was called used that had registered nobody")
    }
  }
}
