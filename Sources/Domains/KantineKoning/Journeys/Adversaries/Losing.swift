import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// A manager's phone with two rights: wishes about mails for one team (KK-120), diensten of a team that the other
  /// right manages (O23, O24), and everything about a team that one of them has lost (KK-40, KK-61).
  func lose(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let managed = seed.managed
    guard managed.count >= 4 else { return }
    var burner = Burner(hardware: identifier(me))
    for codes in [Array(managed.prefix(3)), [managed[3]]] {
      guard let link = try await link(home, codes, as: me) else { return }
      try await register(link, on: &burner, as: me)
    }
    // A backend may give fewer teams than it was asked for (KK-11).
    guard burner.held.map(\.teams.count) == [3, 1] else { return }
    let (first, second) = (burner.held[0], burner.held[1])
    try await wish(first, second, as: me)
    try await exchange(of: managed[3], with: first, as: me)
    let dienst = pick(future(of: managed[0], as: me), as: me)
    if let dienst { try await name("Weg", on: dienst, isThere: false, with: first, as: me) }
    _ = try await me.ask(.removeTeams([managed[0]]), with: first.credential)
    try await useLostTeam(managed[0], dienst, with: first, as: me)
    // The last team of the other right goes by both its names, once, and with it the right to exchange its diensten.
    let (id, code) = (second.teams[0].id, second.teams[0].code)
    _ = try await me.ask(.removeTeams([id, code]), with: second.credential)
    try await exchange(of: managed[3], with: first, as: me)
    _ = try await me.ask(.status, with: second.credential)
  }

  private func future(of team: TeamName, as me: Person<KantineKoning>) -> [DienstID] {
    diensten(of: home, future: true, as: me).filter { $0.team == team }.map(\.id)
  }

  /// With a push token mails go off for one team, then for another, and on again for the first.
  private func wish(
    _ first: HeldEnrollment, _ second: HeldEnrollment, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let token = me.draw(.mischief) { ApnsToken.issue(for: .production, drawing: &$0) }
    _ = try await me.ask(
      .updateApnsToken(ApnsTokenUpdate(token: token)), with: first.credential)
    let wishes = [
      (first.teams[0].code, false), (first.teams[1].id, false), (first.teams[0].code, true),
      (first.teams[2].code, true), (second.teams[0].code, true),
    ]
    for (team, isWanted) in wishes {
      try await pause(me)
      _ = try await me.ask(
        .setEmailPreference(EmailPreference(enabled: isWanted, team: team)),
        with: first.credential)
      for right in [first, second] { _ = try await me.ask(.status, with: right.credential) }
    }
  }

  /// The team is another right's of this phone.
  private func exchange(
    of team: TeamName, with right: HeldEnrollment, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    guard let dienst = pick(future(of: team, as: me), as: me) else { return }
    for offered in [true, false] {
      try await pause(me)
      _ = try await me.ask(
        .offerTransfer(TransferOffer(dienstID: dienst, offered: offered)), with: right.credential)
    }
    let answer = try await me.ask(
      .availableDiensten(currentTeam: team), with: right.credential)
    guard case .replied(.diensten(let open)) = answer, let prey = open.first,
      let token = prey.notificationToken
    else { return }
    try await pause(me)
    _ = try await me.ask(
      .takeover(TakeoverQuery(dienstID: prey.id, tenant: home.slug, token: token)),
      with: right.credential)
    _ = try await me.ask(
      .claimDienst(DienstClaim(dienstID: prey.id, team: team, token: token)),
      with: right.credential)
  }

  /// The token still names the team, and every answer is the one of a team that is none of the caller's.
  private func useLostTeam(
    _ team: TeamName, _ dienst: DienstID?, with right: HeldEnrollment,
    as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await list(right, tenant: home.slug, as: me)
    _ = try await me.ask(
      .setEmailPreference(EmailPreference(enabled: false, team: team)), with: right.credential)
    let answer = try await me.ask(
      .availableDiensten(currentTeam: "ZZ-99"), with: right.credential)
    if case .replied(.diensten(let open)) = answer, let prey = open.first,
      let token = prey.notificationToken
    {
      _ = try await me.ask(
        .claimDienst(DienstClaim(dienstID: prey.id, team: team, token: token)),
        with: right.credential)
    }
    guard let dienst else { return }
    try await name("Nieuw", on: dienst, isThere: false, with: right, as: me)
    for name in ["Weg", "Niet daar", Self.sixteen, " "] {
      try await self.name(name, on: dienst, isThere: true, with: right, as: me)
    }
    for offered in [true, false] {
      try await pause(me)
      _ = try await me.ask(
        .offerTransfer(TransferOffer(dienstID: dienst, offered: offered)), with: right.credential)
    }
    // Who still has the team takes the name off again.
    try await name("Weg", on: dienst, isThere: true, with: managerRight, as: me)
  }

  /// Adds a name, or takes it off where it is there.
  private func name(
    _ name: String, on dienst: DienstID, isThere: Bool, with right: HeldEnrollment,
    as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await pause(me)
    let change = VolunteerChange(dienstID: dienst, tenant: home.slug, naam: name)
    _ = try await me.ask(
      isThere ? .removeVolunteer(change) : .addVolunteer(change), with: right.credential)
  }

  /// Five teams, some of them anew: what is followed already does not count twice (KK-14 to KK-16).
  func overlap(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let managed = seed.managed
    guard managed.count >= 3, home.codes.count >= 7 else { return }
    let others = home.codes.filter { !managed.prefix(3).contains($0) }
    var burner = Burner(hardware: identifier(me))
    try await join(home, Array(managed.prefix(3)), on: &burner, as: me)
    try await join(home, [managed[2]] + others.prefix(1), on: &burner, as: me)  // four
    try await join(home, [managed[0]] + others.prefix(3), on: &burner, as: me)  // six
    try await join(home, [managed[0]] + others.prefix(2), on: &burner, as: me)  // five
    try await join(home, Array(managed.prefix(3)) + others.prefix(2), on: &burner, as: me)
    try await join(home, Array(others[1..<3]), on: &burner, as: me)  // six
    guard let link = try await link(home, Array(managed.prefix(2)), as: me) else { return }
    try await register(link, on: &burner, as: me)  // five, two of them a manager's
    // A conflict comes before the limit (KK-21).
    try await join(home, [managed[0]] + others.suffix(1), on: &burner, as: me)
    guard let newest = burner.held.last else { return }
    _ = try await me.ask(.tenants, with: newest.credential)
  }

  /// Enrollment tokens in the second before their end and in that of it, and as far ahead as may be (KK-29, KK-32).
  func punctuate(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let codes = Array(seed.managed.prefix(1))
    let end = Instant(unixSeconds: me.now.unixSeconds + 3)
    for moment in [end - .milliseconds(900), end + .milliseconds(5)] {
      var claims = memberClaims(home, codes, as: me)
      claims.exp = end.unixSeconds
      try await me.think(until: moment)
      _ = try await me.ask(
        .register(Registration(token: .member(claims), hardwareIdentifier: identifier(me))))
    }
    let deployment = seed.neighbourhood.habits.deployment
    let longest = deployment.memberTokenLifetime + deployment.memberTokenLeeway
    for further: Int64 in [0, 3] {
      var claims = memberClaims(home, codes, as: me)
      claims.exp = (me.now + longest).unixSeconds + further
      _ = try await me.ask(
        .register(Registration(token: .member(claims), hardwareIdentifier: identifier(me))))
    }
  }
}
