import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-113: a season's end revokes what was given out before it.
extension CanteenChecks {
  @inline(never)
  func judgeSeason(_ asked: Asked) {
    guard let claims = asked.claims, let club = club(of: asked), let ended = clubs[club].endedAt,
      clubs[club].resetAt.map({ $0 < ended }) ?? true, claims.iat + 1 < ended.unixSeconds,
      asked.call.sent > ended + slack
    else { return }
    if asked.isReplied { violated(.kk113, "a token of an ended season still works") }
    // Revocation comes before the token's own end: it is told also when both have passed.
    if asked.code == .invalidToken {
      violated(.kk113, "a token of an ended season was called invalid")
    }
    if asked.code == .tokenRevoked {
      expect(
        .kk113, asked.call.outcome.refusal?.reason == .seasonEnded,
        "a token of an ended season was refused without saying so")
    }
  }

  /// What a mail let its reader do before the season's end, it no longer lets.
  @inline(never)
  func judgeMail(_ asked: Asked) {
    guard case .answerCallToAction(let action) = asked.call.request,
      case .issued(let claims) = action.token, let club = known(claims.tenantSlug),
      claims.season < clubs[club].seasonsEnded, let ended = clubs[club].endedAt,
      asked.call.sent > ended + slack
    else { return }
    if asked.isReplied { violated(.kk113, "names came by a mail of an ended season") }
    if asked.code == .invalidOrExpiredToken { held(.kk113) }
  }
}

/// KK-56 and KK-57: what has begun throughout the call is closed, what is still to begin is not.
extension CanteenChecks {
  @inline(never)
  func judgePast(_ rule: KKRule, _ asked: Asked) {
    guard asked.dienst != nobody,
      let hasBegun = diensten[asked.dienst].hasBegun(during: asked.call)
    else { return }
    if hasBegun, asked.code == .dienstInPast { held(rule) }
    if hasBegun, asked.isReplied { violated(rule, "a past dienst was changed") }
    if !hasBegun, asked.code == .dienstInPast {
      violated(rule, "a future dienst was called past")
    }
  }
}
