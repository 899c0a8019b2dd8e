import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// One request of every operation that wants a token.
  func everything(as me: Person<KantineKoning>) -> [KantineKoning.Request] {
    let code = seed.managed[0]
    let dienst: DienstID =
      pick(diensten(of: home, future: true, as: me), as: me)?.id ?? identifier(me)
    let change = VolunteerChange(dienstID: dienst, tenant: home.slug, naam: "Klopper")
    let item = SyncItem(
      tenantSlug: home.slug, role: Role.member.rawValue, teamCodes: [code],
      hardwareIdentifier: identifier(me))
    let token = NotificationToken.text("a.b.c")
    return [
      .sync(SyncRequest(items: [item])), .status, .tenants,
      .diensten(DienstenQuery(tenant: home.slug)), .addVolunteer(change),
      .removeVolunteer(change), .removeTeams([code]), .removeTenant(slug: home.slug), .removeAll,
      .setEmailPreference(EmailPreference(enabled: false, team: code)),
      .updateApnsToken(ApnsTokenUpdate(token: "geen token")),
      .availableDiensten(currentTeam: code),
      .takeover(TakeoverQuery(dienstID: dienst, tenant: home.slug, token: token)),
      .claimDienst(DienstClaim(dienstID: dienst, team: code, token: token)),
      .offerTransfer(TransferOffer(dienstID: dienst, offered: true)),
      .leaderboard(LeaderboardQuery(tenant: home.slug)),
      .globalLeaderboard(LeaderboardQuery(tenant: home.slug)),
    ]
  }

  /// Everything without a token, with a header that is none, and with a right that is gone; bodies that cannot be read,
  /// and routes that are none (§3.2, steps 1 to 7).
  func knock(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    var burner = Burner(hardware: identifier(me))
    try await join(home, [home.codes[0]], on: &burner, as: me)
    guard let gone = burner.held.first?.credential else { return }
    try await pause(me)
    _ = try await me.ask(.removeAll, with: gone)
    for credential in [nil, .malformed, gone] as [KantineKoning.Credential?] {
      try await pause(me)
      _ = try await me.ask(all: everything(as: me).map { Ask($0, with: credential) })
    }
    try await pause(me)
    _ = try await me.ask(.banners(BannersQuery()), with: gone)
    for credential in [nil, managerRight.credential] {
      try await pause(me)
      _ = try await me.ask(all: rubbish.map { Ask(.unread($0), with: credential) })
    }
    try await mistakeClubs(as: me)
  }

  private var rubbish: [Unread] {
    let bodies: [MobileOperation] = [
      .register, .sync, .removeTeams, .removeTenant, .emailPreferences, .apnsToken, .addVolunteer,
      .claimDienst, .transferOffer, .shiftVolunteer,
    ]
    return bodies.map { .malformed(operation: $0.rawValue, .noDocument) } + [
      .unrouted(.init("GET", "/api/mobile/v1/nergens")),
      .unrouted(.init("PATCH", "/api/mobile/v1/enrollments/status", allowed: ["GET"])),
    ]
  }

  /// Clubs and addresses that are none (§3.2, step 8; O1 to O3).
  private func mistakeClubs(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let nowhere: Slug = "no-such-club"
    _ = try await me.ask(.removeTenant(slug: nowhere), with: memberRight.credential)
    let change = VolunteerChange(dienstID: identifier(me), tenant: nowhere, naam: "Nergens")
    for right in [managerRight, memberRight] {
      try await pause(me)
      _ = try await me.ask(.addVolunteer(change), with: right.credential)
      _ = try await me.ask(.removeVolunteer(change), with: right.credential)
      _ = try await me.ask(
        .takeover(TakeoverQuery(dienstID: change.dienstID, tenant: nowhere, token: .text("a"))),
        with: right.credential)
    }
    _ = try await me.ask(.searchTeams(tenant: nowhere, query: "1"))
    let (own, foreign) = (seed.managed[0], home.codes.last { !seed.managed.contains($0) })
    let codes = [own, seed.managed.count > 4 ? seed.managed[4] : own]
    for (email, tenant, codes) in [
      (seed.email, nowhere, []), (seed.email, nowhere, [own]), ("geen adres", home.slug, []),
      ("niemand@\(home.slug).example", home.slug, []),
      ("niemand@\(home.slug).example", home.slug, [own]), (seed.email, home.slug, ["ZZ-99"]),
      (seed.email, home.slug, foreign.map { [$0] } ?? []),
      (" \(seed.email.uppercased()) ", home.slug, codes + codes + seed.managed.prefix(3)),
    ] as [(String, Slug, [TeamName])] {
      try await pause(me)
      _ = try await me.ask(
        .requestEnrollment(EnrollmentRequest(email: email, tenantSlug: tenant, teamCodes: codes)))
    }
    var burner = Burner(hardware: identifier(me))
    for codes in [[], ["ZZ-99"], [own, "ZZ-99"]] as [[TeamName]] {
      try await join(home, codes, on: &burner, as: me)
    }
    let nobody = EnrollmentClaims(
      tenantSlug: nowhere, tenantName: "", teamCodes: [own], role: Role.member.rawValue, email: nil,
      exp: (me.now + .minutes(5)).unixSeconds, jti: identifier(me))
    try await register(.member(nobody), on: &burner, as: me)
  }
}
