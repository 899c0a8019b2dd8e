import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// Takes over what it may not: as a member, with forged and outdated tokens, twice at once, for foreign teams.
  func grab(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    try await grabAsMember(as: me)
    try await grabElsewhere(as: me)
    let future = diensten(of: home, future: true, as: me)
    let own = future.filter { $0.team.map(managerRight.codes.contains) ?? false }
    if let dienst = pick(own, as: me) { try await offerAndWithdraw(dienst.id, as: me) }
    guard let prey = try await available(as: me) else { return }
    try await claimWithBadTokens(prey.id, as: me)
    try await race(for: prey, as: me)
  }

  private func offer(
    _ dienst: DienstID, _ offered: Bool, with right: HeldEnrollment, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await pause(me)
    _ = try await me.ask(
      .offerTransfer(TransferOffer(dienstID: dienst, offered: offered)), with: right.credential)
  }

  private func claim(
    _ dienst: DienstID, for team: TeamName, _ token: NotificationToken,
    with right: HeldEnrollment, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await pause(me)
    _ = try await me.ask(
      .claimDienst(DienstClaim(dienstID: dienst, team: team, token: token)),
      with: right.credential)
  }

  private func available(as me: Person<KantineKoning>) async throws(JourneyEnded) -> Dienst? {
    try await pause(me)
    let answer = try await me.ask(
      .availableDiensten(currentTeam: managerRight.codes[0]), with: managerRight.credential)
    guard case .replied(.diensten(let list)) = answer else { return nil }
    return pick(list, as: me)
  }

  /// A member is shown nothing that only managers may do, and changes nothing (KK-55).
  private func grabAsMember(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    try await pause(me)
    _ = try await me.ask(.availableDiensten(currentTeam: nil), with: memberRight.credential)
    guard let dienst = pick(diensten(of: home, future: true, as: me), as: me) else { return }
    let token = NotificationToken.text("a.b.c")
    _ = try await me.ask(
      .takeover(TakeoverQuery(dienstID: dienst.id, token: token)), with: memberRight.credential)
    try await claim(dienst.id, for: memberRight.codes[0], token, with: memberRight, as: me)
    for offered in [true, false] {
      try await offer(dienst.id, offered, with: memberRight, as: me)
    }
  }

  /// Past diensten, diensten of other teams, of other clubs, and of nobody (KK-53).
  private func grabElsewhere(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let own = managerRight.codes
    let past = diensten(of: home, future: false, as: me)
    let future = diensten(of: home, future: true, as: me)
    let targets = [
      pick(past.filter { $0.team.map(own.contains) ?? false }, as: me),
      pick(future.filter { $0.team.map { !own.contains($0) } ?? true }, as: me),
      away.flatMap { pick(diensten(of: $0, future: true, as: me), as: me) },
    ]
    for dienst in targets.compactMap({ $0?.id }) + [identifier(me)] {
      try await offer(dienst, true, with: managerRight, as: me)
      try await claim(dienst, for: own[0], .text("a.b.c"), with: managerRight, as: me)
    }
  }

  /// Offers a dienst, keeps the token that the others are shown, withdraws, and claims with it (KK-119).
  private func offerAndWithdraw(
    _ dienst: DienstID, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await offer(dienst, true, with: managerRight, as: me)
    try await offer(dienst, true, with: managerRight, as: me)
    let answer = try await me.ask(
      .availableDiensten(currentTeam: "ZZ-99"), with: managerRight.credential)
    var offered: Dienst?
    if case .replied(.diensten(let list)) = answer { offered = list.first { $0.id == dienst } }
    if let holder = offered?.team?.code, let token = offered?.notificationToken {
      try await claim(dienst, for: holder, token, with: managerRight, as: me)  // KK-118
      try await previewOwn(dienst, of: holder, token, as: me)
    }
    try await offer(dienst, false, with: managerRight, as: me)
    _ = try await me.ask(
      .availableDiensten(currentTeam: "ZZ-99"), with: managerRight.credential)
    guard let token = offered?.notificationToken else { return }
    for team in managerRight.codes {
      try await claim(dienst, for: team, token, with: managerRight, as: me)
    }
    let former = KantineKoning.Request.takeover(
      TakeoverQuery(dienstID: dienst, tenant: home.slug, token: token))
    _ = try await me.ask(former, with: managerRight.credential)
    // Offered again, it is to be had by a new right alone.
    try await offer(dienst, true, with: managerRight, as: me)
    _ = try await me.ask(former, with: managerRight.credential)
    try await offer(dienst, false, with: managerRight, as: me)
  }

  /// A phone that manages the holder and no other team is told that the dienst is its own (KK-118).
  private func previewOwn(
    _ dienst: DienstID, of holder: TeamName, _ token: NotificationToken,
    as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    guard let link = try await link(home, [holder], as: me) else { return }
    var burner = Burner(hardware: identifier(me))
    try await register(link, on: &burner, as: me)
    guard let right = burner.held.last else { return }
    // What a phone may do is certain only after the instant in which it was given.
    try await pause(me)
    _ = try await me.ask(
      .takeover(TakeoverQuery(dienstID: dienst, tenant: home.slug, token: token)),
      with: right.credential)
  }

  /// Forged, of another dienst, for a team that the phone does not manage.
  private func claimWithBadTokens(
    _ dienst: DienstID, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await claim(dienst, for: managerRight.codes[0], .text(""), with: managerRight, as: me)
    guard let other = try await available(as: me), let token = other.notificationToken else {
      return
    }
    if other.id != dienst {
      try await claim(dienst, for: managerRight.codes[0], token, with: managerRight, as: me)
    }
    if let foreign = home.codes.last(where: { !managerRight.codes.contains($0) }) {
      try await claim(other.id, for: foreign, token, with: managerRight, as: me)
    }
  }

  /// Two phones and two teams want one dienst at once: one gets it (KK-118). The winner's claim is repeated, then
  /// names come by mail (O25), and at last the dienst is offered again.
  private func race(
    for prey: Dienst, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    guard let token = prey.notificationToken else { return }
    var second = managerRight
    if let link = try await link(home, [managerRight.codes[0]], as: me) {
      var burner = Burner(hardware: identifier(me))
      try await register(link, on: &burner, as: me)
      second = burner.held.last ?? managerRight
      try await pause(me)
    }
    let teams = managerRight.codes
    let claimed = me.now
    let answers = try await me.ask(
      all: [
        Ask(
          .claimDienst(DienstClaim(dienstID: prey.id, team: teams[teams.count - 1], token: token)),
          with: managerRight.credential),
        Ask(
          .claimDienst(DienstClaim(dienstID: prey.id, team: teams[0], token: token)),
          with: second.credential),
      ])
    guard answers.contains(where: { $0.reply != nil }) else { return }
    for team in teams { try await claim(prey.id, for: team, token, with: managerRight, as: me) }
    try await answerMail(about: prey.id, since: claimed, as: me)
    try await offer(prey.id, true, with: managerRight, as: me)
  }

  /// Names from the mail's link: good ones, the same again, too long, empty, none, and a forged link (KK-58 to KK-60).
  private func answerMail(
    about dienst: DienstID, since claimed: Instant, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let mail = try await me.wait(until: me.now + .minutes(3)) { signal in
      switch signal {
      case .notice(let notice): notice.dienstID == dienst && notice.sentAt >= claimed
      case .mail, .push: false
      }
    }
    guard case .notice(let notice)? = mail?.signal, let token = notice.ctaToken else { return }
    let lists = [
      ["Anna", "Bea"], ["Cees", "Anna"], ["Dirk", "Dirk"], [Self.sixteen], [" "], [], [" Eva "],
    ]
    for names in lists {
      try await pause(me)
      _ = try await me.ask(.answerCallToAction(CallToAction(token: token, names: names)))
    }
    _ = try await me.ask(
      .answerCallToAction(CallToAction(token: .text("a.b.c"), names: ["Frits"])))
    mailed = token
  }

  /// A mail of long ago: the season may have ended since (KK-113), or the dienst be cancelled (KK-61).
  func answerOldMail(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard let mailed else { return }
    try await pause(me)
    let name = "Laat \(me.draw(.mischief) { $0.pick(0..<1_000) })"
    _ = try await me.ask(.answerCallToAction(CallToAction(token: mailed, names: [name])))
  }
}
