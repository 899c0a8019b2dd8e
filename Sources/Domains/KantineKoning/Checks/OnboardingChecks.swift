import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Onboarding and the tokens it hands out: KK-26 to KK-35.
enum OnboardingChecks {
  static let all: [KKCheck] = [
    .inCell(.kk26, also: .asking(.allowedTeams)) { exchange, facts, judge in
      guard case .requestEnrollment(let asked) = exchange.request, asked.teamCodes.isEmpty,
        let club = facts.clubs[asked.tenantSlug],
        let managed = club.managers[asked.email.lowercased()],
        club.managersChangedAt + .seconds(1) < exchange.sent
      else { return }
      if case .replied(.allowedTeams(let teams)) = exchange.outcome {
        judge.expect(
          Set(teams.map(\.code)) == managed,
          "\(asked.tenantSlug) allowed \(teams.map(\.code)) instead of \(managed.sorted())")
      } else if exchange.code == .teamManagerNotFound {
        judge.violated("\(asked.tenantSlug) does not know its own manager")
      }
    },
    .history(.kk27, [.asks(.register), .controls, .inspections], NoneUnasked.init),
    .history(
      .kk28, Set<Concern>.authenticated.union([.notes, .asks(.register)]), SignedTokens.init),
    .each(.kk30, .asking(.register)) { exchange, judge in
      guard case .member(let claims)? = exchange.registration?.token,
        claims.role == Role.manager.rawValue, exchange.outcome.isAnswered
      else { return }
      judge.expect(
        exchange.code == .invalidOrExpiredToken, "an unsigned token for a manager was taken")
    },
    .history(.kk31, [.asks(.register)], UsedOnce.init),
    .deployed(.kk32, .asking(.register)) { exchange, deployment, judge in
      let longest = deployment.memberTokenLifetime + deployment.memberTokenLeeway
      let furthest = (exchange.answered + longest).unixSeconds
      guard case .member(let claims)? = exchange.registration?.token,
        claims.role == Role.member.rawValue, claims.purpose == "device-enroll",
        claims.exp > furthest + 1, exchange.outcome.isAnswered
      else { return }
      judge.expect(
        exchange.code == .invalidOrExpiredToken,
        "an unsigned token was taken that ends at \(claims.exp), after \(furthest)")
    },
    .each(.kk35, .asking(.register)) { exchange, judge in
      guard let answer = exchange.registered, case .issued(let claims) = answer.apiToken else {
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

  mutating func asked(_ exchange: KKExchange, at moment: Moment, _ judge: inout Judge) {
    if let answer = exchange.registered { known.insert(answer.deviceID) }
    if exchange.isUnknown { lostAnswers += 1 }
  }

  mutating func commanded(
    _ command: KantineKoning.Control, at moment: Moment, _ judge: inout Judge
  ) {
    guard case .load(let fixture) = command else { return }
    known.formUnion(fixture.enrollments.map(\.deviceID))
  }

  mutating func inspected(_ inspection: Inspected, at moment: Moment, _ judge: inout Judge) {
    wasInspected = true
    for row in inspection.enrollments where !known.contains(row.deviceID) {
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
    asked: { exchange, tell in
      if let claims = exchange.registration?.token.claims { tell(claims.jti) }
    })
  /// Uses that succeeded, or may have.
  private var uses: [ClosedRange<Instant>] = []
  private var successes = 0
  private var firstRefusal: Instant?
  /// When a link was called used that had only been refused before.
  private var suspicions: [Instant] = []

  mutating func asked(_ exchange: KKExchange, at moment: Moment, _ judge: inout Judge) {
    guard let token = exchange.registration?.token else { return }
    let wasRefused = firstRefusal.map { $0 < exchange.sent } ?? false
    switch exchange.outcome {
    case .replied:
      successes += 1
      if successes > 1 { judge.violated("one enrollment token registered \(successes) times") }
      if wasRefused { judge.held() }
      uses.append(exchange.during)
    case .unknown: uses.append(exchange.during)
    case .refused(let refusal) where refusal.kind == .invalidOrExpiredToken:
      if uses.contains(where: { $0.lowerBound <= exchange.answered }) {
        judge.held()
      } else if token.isLink, wasRefused {
        // Only a link is certain to be good in every other respect.
        suspicions.append(exchange.answered)
      }
    case .refused:
      if wasRefused { judge.held() }
      firstRefusal = min(firstRefusal ?? exchange.answered, exchange.answered)
    case .unsent: break
    }
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    for suspicion in suspicions where !uses.contains(where: { $0.lowerBound <= suspicion }) {
      judge.violated("a link was used up by a registration that was refused")
    }
  }
}
