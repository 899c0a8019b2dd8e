import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

/// Something that has to be tried at an instant: just before it and just after.
enum Appointment {
  case beginning(Edges.Beginning)
  /// A dienst of the own team ends.
  case end
  /// The token of a right ends.
  case token(HeldEnrollment)
  /// A week, a month or a season ends.
  case period
  /// A magic link ends, which is used in time, or too late.
  case link(EnrollmentToken, isLate: Bool)
}

extension Adversary {
  static func appointments(
    _ seed: AdversarySeed, _ managerRight: HeldEnrollment
  ) -> [(at: Instant, what: Appointment)] {
    guard let edges = seed.edges, let entry = seed.entries.last else { return [] }
    let (starts, ends) = (seed.neighbourhood.starts, seed.neighbourhood.ends)
    var appointments: [(at: Instant, what: Appointment)] = []
    for beginning in edges.beginnings {
      appointments.append((beginning.at, .beginning(beginning)))
      appointments.append((beginning.ends, .end))
    }
    let dying = HeldEnrollment(
      entry, teams: seed.home.teams, by: seed.neighbourhood.habits.deployment,
      until: edges.tokenEnds)
    appointments.append((edges.tokenEnds, .token(dying)))
    // Who manages nothing any more is unknown after the clean-up (§3.5).
    let former = HeldEnrollment(
      edges.managers[0], teams: seed.home.teams, by: seed.neighbourhood.habits.deployment)
    appointments.append((edges.cleansUp + .seconds(4), .token(former)))
    if case .issued(let claims) = managerRight.token, let exp = claims.exp {
      appointments.append((Instant(unixSeconds: exp), .token(managerRight)))
    }
    for period in LeaderboardPeriod.allCases {
      appointments.append((period.bounds(around: starts).ends, .period))
    }
    return appointments.filter { $0.at < ends }.sorted { $0.at < $1.at }
  }

  func keep(
    _ appointment: (at: Instant, what: Appointment), as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    switch appointment.what {
    case .beginning(let beginning): try await watch(beginning, as: me)
    case .end, .period: try await watchBoards(at: appointment.at, as: me)
    case .token(let right): try await outlive(right, at: appointment.at, as: me)
    case .link(let token, let isLate):
      let moment = isLate ? Self.after(appointment.at) : Self.before(appointment.at)
      try await me.think(until: moment)
      let late = Registration(token: token, hardwareIdentifier: identifier(me))
      _ = try await me.ask(.register(late))
    }
  }

  /// Nearly every request is there within this time.
  private static func before(_ instant: Instant) -> Instant { instant - .milliseconds(900) }
  private static func after(_ instant: Instant) -> Instant { instant + .milliseconds(5) }

  /// Both sides of an instant, all at once; what is late for the first is not tried.
  private func ask(
    around instant: Instant, before early: [Ask<KantineKoning>], after late: [Ask<KantineKoning>],
    as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    if me.now <= Self.before(instant) {
      try await me.think(until: Self.before(instant))
      _ = try await me.ask(all: early)
    }
    try await me.think(until: Self.after(instant))
    _ = try await me.ask(all: late)
  }

  /// What has begun takes no names and is nobody's to give (KK-56, KK-57, KK-117); what comes into view is listed
  /// (KK-45, KK-46).
  private func watch(
    _ beginning: Edges.Beginning, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let (mine, credential) = (beginning.own, managerRight.credential)
    let available = Ask<KantineKoning>(
      .availableDiensten(currentTeam: "ZZ-99"), with: credential)
    let list = Ask<KantineKoning>(
      .diensten(DienstenQuery(tenant: home.slug)), with: credential)
    func add(_ name: String) -> Ask<KantineKoning> {
      Ask(
        .addVolunteer(VolunteerChange(dienstID: mine, tenant: home.slug, naam: name)),
        with: credential)
    }
    let remove = Ask<KantineKoning>(
      .removeVolunteer(
        VolunteerChange(dienstID: mine, tenant: home.slug, naam: "Ada")), with: credential)
    var token = NotificationToken.text("a.b.c")
    let answer = try await me.ask(available.request, with: credential)
    if case .replied(.diensten(let open)) = answer,
      let shown = open.first(where: { $0.id == beginning.open })?.notificationToken
    {
      token = shown
    }
    let offers = [true, false].map { offered in
      Ask<KantineKoning>(
        .offerTransfer(TransferOffer(dienstID: mine, offered: offered)), with: credential)
    }
    let takeover = Ask<KantineKoning>(
      .takeover(
        TakeoverQuery(dienstID: beginning.open, tenant: home.slug, token: token)),
      with: credential)
    let claim = Ask<KantineKoning>(
      .claimDienst(
        DienstClaim(dienstID: beginning.open, team: managerRight.codes[0], token: token)),
      with: credential)
    try await ask(
      around: beginning.at, before: [list, available, add("Op tijd"), takeover],
      after: [list, available, add("Te laat"), remove, takeover, claim] + offers, as: me)
    guard beginning.at == seed.edges?.beginnings.first?.at else { return }
    try await keepLinks(as: me)
  }

  /// Two links for the last second of their day and for the one after it (KK-29, §7.2).
  private func keepLinks(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    for isLate in [false, true] {
      guard let token = try await link(home, [managerRight.codes[0]], as: me),
        case .link(let claims) = token
      else { return }
      let end = Instant(unixSeconds: claims.exp)
      guard end < seed.neighbourhood.ends else { return }
      appointments.append((end, .link(token, isLate: isLate)))
    }
    appointments.sort { $0.at < $1.at }
  }

  /// A dienst counts from its end (KK-107), and a period with its first instant (KK-109).
  private func watchBoards(
    at instant: Instant, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let own = managerRight.codes[0]
    var asks = LeaderboardPeriod.allCases.flatMap { period in
      [own, Edges.early].map { team in
        Ask<KantineKoning>(
          .leaderboard(
            LeaderboardQuery(tenant: home.slug, period: period.rawValue, teamID: team)),
          with: memberRight.credential)
      }
    }
    asks.append(Ask(.seasonSummary(tenant: home.slug, teamCode: own)))
    asks.append(
      Ask(.globalLeaderboard(LeaderboardQuery(period: "week")), with: memberRight.credential))
    try await ask(around: instant, before: asks, after: asks, as: me)
  }

  /// One second before its end a token works, at its end it does not, whatever is asked (KK-39).
  private func outlive(
    _ right: HeldEnrollment, at end: Instant, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let before: [KantineKoning.Request] = [
      .status, .tenants, .diensten(DienstenQuery(tenant: home.slug)),
    ]
    try await ask(
      around: end, before: before.map { Ask($0, with: right.credential) },
      after: everything(as: me).map { Ask($0, with: right.credential) }, as: me)
  }
}
