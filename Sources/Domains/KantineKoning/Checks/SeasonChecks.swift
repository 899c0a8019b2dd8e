import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Open and closed clubs, ended and reset seasons: KK-23 and KK-113 to KK-115.
enum SeasonChecks {
  static let all: [KKCheck] = [
    perClub(.kk23, .asking(.allowedTeams, .requestEnrollment, .register)) {
      call, club, judge in
      switch club.isOpen(during: call.during) {
      case false?:
        if call.isReplied { judge.violated("a closed club took an enrollment on") }
        if call.code == .enrollmentClosed {
          judge.held()
          if club.hasEnded(during: call.during) == true,
            call.outcome.refusal?.message?.isEmpty ?? true
          {
            judge.violated("a closed club does not say why")
          }
          if let message = club.message(during: call.during),
            message != call.outcome.refusal?.message ?? ""
          {
            judge.violated("a closed club does not say what its administrator wrote")
          }
        }
      case true?:
        if call.code == .enrollmentClosed { judge.violated("an open club was called closed") }
      case nil: break
      }
    },
    perClub(.kk113, .authenticated.union(Set<Concern>.asking(.shiftVolunteer))) {
      call, club, judge in
      if case .answerCallToAction(let action) = call.request {
        return judgeMail(action, club, call, &judge)
      }
      guard let claims = call.claims, let ended = club.endedAt,
        club.resetAt.map({ $0 < ended }) ?? true, isOlder(claims, than: ended),
        call.sent > ended + .seconds(1)
      else { return }
      if call.isReplied { judge.violated("a token of an ended season still works") }
      // Revocation comes before the token's own end (§3.2, steps 4 and 5): it is told also when both have passed.
      if call.code == .invalidToken {
        judge.violated("a token of an ended season was called invalid")
      }
      if call.code == .tokenRevoked {
        judge.expect(
          call.outcome.refusal?.reason == .seasonEnded,
          "a token of an ended season was refused without saying so")
      }
    },
    .inCell(.kk114, also: .asking(.tenants, .seasonSummary)) { call, facts, judge in
      if case .seasonSummary(let tenant, let code) = call.request {
        return judgeSummary(of: code, facts.clubs[tenant], call, &judge)
      }
      guard let listed = call.tenants, let claims = call.claims,
        let known = facts.caller(of: call)
      else { return }
      for club in listed where club.seasonEnded {
        if facts.clubs[club.slug]?.hasEnded(during: call.during) == false {
          judge.violated("the season of \(club.slug) goes on, and is listed as ended")
        }
      }
      for right in known.phone.rights {
        guard case .season? = right.gone?.why,
          facts.clubs[right.tenant]?.hasEnded(during: call.during) == true
        else { continue }
        let club = listed.first { $0.slug == right.tenant }
        let codes = club?.teams.map(\.code) ?? []
        judge.expect(
          (club?.seasonEnded ?? false) && right.codes.allSatisfy(codes.contains),
          "\(right.tenant), whose season ended, is not listed with its teams")
      }
    },
    perClub(.kk115, .authenticated) { call, club, judge in
      guard let claims = call.claims, let ended = club.endedAt, let reset = club.resetAt,
        reset > ended, isOlder(claims, than: ended), call.sent > reset + .seconds(1),
        claims.exp.map({ $0 > call.answered.unixSeconds }) ?? true
      else { return }
      if call.isReplied || call.code == .tokenRevoked {
        judge.violated("a token from before the reset is not unknown")
      } else if call.code == .deviceNotFound {
        judge.held()
      }
    },
  ]

  /// KK-113: what a mail let its reader do before the season's end, it no longer lets.
  private static func judgeMail(
    _ action: CallToAction, _ club: ClubFacts, _ call: KKCall, _ judge: inout Judge
  ) {
    guard case .issued(let claims) = action.token, claims.season < club.seasonsEnded,
      let ended = club.endedAt, call.sent > ended + .seconds(1)
    else { return }
    if call.isReplied { judge.violated("names came by a mail of an ended season") }
    if call.code == .invalidOrExpiredToken { judge.held() }
  }

  /// KK-114: the summary of a club whose season ended stays public.
  private static func judgeSummary(
    of code: TeamName, _ club: ClubFacts?, _ call: KKCall, _ judge: inout Judge
  ) {
    guard let club, club.hasEnded(during: call.during) == true, club.codes.contains(code) else {
      return
    }
    if call.isReplied { judge.held() }
    if let refusal = call.outcome.refusal {
      judge.violated("the summary of an ended season was refused as \(refusal.code)")
    }
  }

  private static func isOlder(_ claims: DeviceClaims, than instant: Instant) -> Bool {
    claims.iat + 1 < instant.unixSeconds
  }

  /// Judges the calls of one club in the light of its operator's commands.
  private static func perClub(
    _ limit: KantineKoning.Rule, _ operations: Set<Concern>,
    _ judge: @escaping @Sendable (KKCall, ClubFacts, inout Judge) -> Void
  ) -> KKCheck {
    .each(limit, operations, by: Clubs.self) { call, clubs, verdict in
      if let club = tenant(of: call).flatMap({ clubs[$0] }) { judge(call, club, &verdict) }
    }
  }

  private static func tenant(of call: KKCall) -> Slug? {
    switch call.request {
    case .requestEnrollment(let asked): asked.tenantSlug
    case .register(let registration): registration.token.claims?.tenantSlug
    case .answerCallToAction(let action):
      if case .issued(let claims) = action.token { claims.tenantSlug } else { nil }
    default: call.claims?.tenantSlug
    }
  }
}
