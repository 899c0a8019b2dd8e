import KantineKoningContract
import Timekeeping

/// O25: names entered from a manager's mail, all of them or none.
extension KantineKoningTwin {
  mutating func answerCallToAction(_ call: CallToAction, at now: Instant) -> Answer {
    let unusable = Refusal(.invalidOrExpiredToken)
    work.signatures += 1
    guard let claims = call.token.claims(verifiedBy: tokens), now.unixSeconds < claims.exp else {
      return .failure(unusable)
    }
    work.rowsRead += 1
    // The dienst may have moved, gone, changed hands or been cancelled since the mail, and the season may have ended.
    guard let row = diensten.row(id: claims.dienstID),
      diensten.shown(row).tenantSlug == claims.tenantSlug,
      diensten.shown(row).team?.id == claims.team, diensten.shown(row).startTijd >= now,
      takesNames(row), !isRevoked(givenAfter: claims.season, in: diensten[row].club)
    else { return .failure(unusable) }
    var names = diensten.shown(row).aanmeldingen
    for text in call.names {
      let name = normalisedName(text)
      if let refusal = judge(name: name) { return .failure(refusal) }
      guard !isDoubled(name, among: names) else {
        return .refused(.volunteerExists)  // KK-59
      }
      names.append(name)
    }
    guard !call.names.isEmpty else { return .refused(.invalidName, "no names") }
    diensten[row].shown.columns.aanmeldingen = names
    touch(row, at: now)
    announceVolunteers(of: row, at: now)
    return .success(.dienst(diensten.shown(row)))
  }
}
