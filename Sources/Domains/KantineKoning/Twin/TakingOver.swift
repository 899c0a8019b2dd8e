import KantineKoningContract
import Timekeeping

/// O21 to O24: diensten that change hands. The guards stand in the order of §3.2 and of §3.4 "O22–O24".
extension KantineKoningTwin {
  // MARK: O21

  /// The diensten that somebody may take over, with the tokens that allow it.
  mutating func listAvailable(
    for named: TeamName?, as session: Session, at now: Instant
  ) -> Answer {
    if let refusal = judgeReadOnly(session) { return .failure(refusal) }
    let club = session.club
    var own: [Int] = []
    if let named {
      if let team = team(named: named, in: club) { own = [team] }
    } else {
      own = session.tokenCodes.compactMap { clubs[club].teamByCode[$0] }
    }
    let last = now + .days(Int64(configuration.futureDays))
    var rows = clubs[club].open.within(now, last).map(\.row)
    rows += clubs[club].offered.filter { diensten.shown($0).startTijd <= last }
    if !rules.binds(.kk117) {
      // With KK-117 off: whatever a team of the club has.
      rows += clubs[club].teams.flatMap { teams[$0].roster.within(.distantPast, last).map(\.row) }
        .filter { !diensten.shown($0).offeredForTransfer }
    }
    work.rowsRead += rows.count
    rows = rows.filter { row in
      isAvailable(row, at: now) && !(diensten[row].team.map(own.contains) ?? false)
    }
    rows.sort { a, b in
      let (a, b) = (diensten.shown(a), diensten.shown(b))
      return a.startTijd != b.startTijd ? a.startTijd < b.startTijd : a.id < b.id
    }
    return .success(
      .diensten(
        rows.map { row in
          var shown = diensten.shown(row)
          shown.columns.notificationToken = .issued(claims(of: row))
          work.signatures += 1
          return shown
        }))
  }

  /// Future, not cancelled, and nobody's or offered (KK-117).
  private func isAvailable(_ row: Int, at now: Instant) -> Bool {
    guard rules.binds(.kk117) else { return true }
    let dienst = diensten.shown(row)
    return dienst.startTijd >= now && dienst.status != .geannuleerd
      && (diensten[row].team == nil || dienst.offeredForTransfer)
  }

  private func claims(of row: Int) -> NotificationClaims {
    NotificationClaims(
      tenantSlug: diensten.shown(row).tenantSlug, dienstID: diensten.shown(row).id,
      holder: diensten.shown(row).team?.id, round: diensten[row].round)
  }

  // MARK: O22

  mutating func previewTakeover(
    _ query: TakeoverQuery, as session: Session, at now: Instant
  ) -> Answer {
    if let refusal = judge(tenant: query.tenant, of: session) { return .failure(refusal) }
    if let refusal = judgeReadOnly(session) { return .failure(refusal) }
    guard let row = row(of: query.dienstID, in: session) else { return .refused(.dienstNotFound) }
    guard let claims = authentic(query.token, for: row) else { return .badToken }
    let managed = managedTeams(of: session)
    if let holder = diensten[row].team, managed == [holder] {
      return .refused(.ownDienst, "deze dienst is al van jouw team")
    }
    guard isAvailable(row, at: now), isCurrent(claims, for: row) else { return .taken }
    return .success(.dienst(diensten.shown(row)))
  }

  // MARK: O23

  /// Gives the dienst to the first team that claims it; the names go, the offer ends (KK-118).
  mutating func claim(_ asked: DienstClaim, as session: Session, at now: Instant) -> Answer {
    if let refusal = judgeReadOnly(session) { return .failure(refusal) }
    guard let row = row(of: asked.dienstID, in: session) else { return .refused(.dienstNotFound) }
    guard let claims = authentic(asked.token, for: row) else { return .badToken }
    guard let team = team(named: asked.team, in: session.club),
      managedTeams(of: session).contains(team)
    else { return .refused(.teamAccessDenied) }
    guard diensten.shown(row).startTijd >= now else { return .refused(.dienstInPast) }
    let former = diensten[row].team
    if rules.binds(.kk118) {
      guard former != team else {
        return .refused(.ownDienst, "deze dienst is al van jouw team")  // KK-118
      }
      guard isAvailable(row, at: now), isCurrent(claims, for: row) else { return .taken }  // KK-118
    }

    endOffer(of: row)
    diensten[row].shown.columns.aanmeldingen = []
    give(row, to: team, at: now)
    if let former, former != team { announce(.dienstTakenOver, of: row, to: former, at: now) }
    announce(.dienstAssigned, of: row, to: team, at: now)
    return .success(
      .transfer(
        Transfer(
          dienst: diensten.shown(row), message: "Dienst overgenomen door \(teams[team].naam)")))
  }

  // MARK: O24

  /// The team stays responsible until another takes over; withdrawing hides the dienst again (KK-119).
  mutating func offer(_ asked: TransferOffer, as session: Session, at now: Instant) -> Answer {
    if let refusal = judgeReadOnly(session) { return .failure(refusal) }
    guard let row = row(of: asked.dienstID, in: session) else { return .refused(.dienstNotFound) }
    guard let holder = diensten[row].team, managedTeams(of: session).contains(holder) else {
      return .refused(.teamAccessDenied)
    }
    guard diensten.shown(row).startTijd >= now else { return .refused(.dienstInPast) }
    if asked.offered, !diensten.shown(row).offeredForTransfer {
      diensten[row].shown.columns.offeredForTransfer = true
      clubs[session.club].offered.append(row)
      touch(row, at: now)
    } else if !asked.offered, diensten.shown(row).offeredForTransfer, rules.binds(.kk119) {
      endOffer(of: row)  // KK-119
      touch(row, at: now)
    }
    return .success(.transfer(Transfer(dienst: diensten.shown(row))))
  }

  // MARK: What they share

  /// Members change nothing and are shown nothing that only managers may do (KK-55).
  private func judgeReadOnly(_ session: Session) -> Refusal? {
    session.role == .manager || !membersOnlyRead ? nil : Refusal(.teamAccessDenied)  // KK-55
  }

  /// A dienst of another tenant looks as if it did not exist (KK-53).
  private mutating func row(of id: DienstID, in session: Session) -> Int? {
    work.rowsRead += 1
    guard let row = diensten.row(id: id) else { return nil }
    return mayAddress(row, in: session) ? row : nil
  }

  /// What a token of this dienst says; `nil` for a forged one and for one of another dienst.
  private mutating func authentic(
    _ token: NotificationToken, for row: Int
  ) -> NotificationClaims? {
    work.signatures += 1
    guard let claims = token.claims(verifiedBy: tokens),
      claims.tenantSlug == diensten.shown(row).tenantSlug,
      claims.dienstID == diensten.shown(row).id
    else { return nil }
    return claims
  }

  private func isCurrent(_ claims: NotificationClaims, for row: Int) -> Bool {
    claims.round == diensten[row].round && claims.holder == diensten.shown(row).team?.id
  }

  /// The teams of every active manager enrollment of this phone in the tenant, not of the token's alone.
  private mutating func managedTeams(of session: Session) -> [Int] {
    let rows = scope(of: session).filter { row in
      enrollments[row].club == session.club
        && (enrollments[row].role == .manager || !membersOnlyRead)
    }
    work.rowsRead += rows.count
    var managed: [Int] = []
    for code in rows.flatMap({ enrollments[$0].teamCodes }) {
      guard let team = clubs[session.club].teamByCode[code], !managed.contains(team) else {
        continue
      }
      managed.append(team)
    }
    return managed
  }

  /// Ends an offer, so that tokens which were given out for it are outdated.
  mutating func endOffer(of row: Int) {
    diensten[row].round += 1
    guard diensten.shown(row).offeredForTransfer else { return }
    diensten[row].shown.columns.offeredForTransfer = false
    clubs[diensten[row].club].offered.removeAll { $0 == row }
  }
}

extension Result where Success == KantineKoning.Reply, Failure == KantineKoning.Refusal {
  fileprivate static var badToken: Self {
    .refused(.teamAccessDenied, "deze link hoort niet bij deze dienst")
  }

  fileprivate static var taken: Self {
    .refused(.alreadyClaimed, "deze dienst is niet meer beschikbaar")
  }
}
