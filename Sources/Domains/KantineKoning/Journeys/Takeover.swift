import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Phone {
  /// What managers do with diensten that do not suit them: they offer their own to other teams (O24), and look for
  /// those that others offer or that nobody has (O21 to O23, KK-117).
  func exchangeDiensten(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let managing = living.filter { $0.role == .manager }
    guard !managing.isEmpty else { return }
    let enrollment = me.draw(.exchanging) { $0.pick(managing) }
    if me.draw(.exchanging, { $0.chance(habits.looking.dienstOffered) }) {
      try await offer(with: enrollment, as: me)
    }
    if me.draw(.exchanging, { $0.chance(habits.looking.takeoversOpened) }) {
      try await takeOver(with: enrollment, as: me)
    }
  }

  // MARK: Offering (O24)

  /// The team stays responsible until another takes the dienst over; some think better of it (KK-119).
  private func offer(
    with enrollment: HeldEnrollment, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let now = clock(me)
    let own = enrollment.diensten.filter {
      $0.startTijd > now && $0.status != .geannuleerd && !$0.offeredForTransfer
        && enrollment.codes.contains($0.team?.code ?? "")
    }
    guard !own.isEmpty else { return }
    let dienst = me.draw(.exchanging) { $0.pick(own) }
    try await me.think(.lognormal(median: .seconds(8), p95: .seconds(30)))
    let answer = try await me.ask(
      .offerTransfer(TransferOffer(dienstID: dienst.id, offered: true)),
      with: enrollment.credential)
    guard case .replied = answer else { return }
    try await refresh(as: me)
    guard me.draw(.exchanging, { $0.chance(habits.looking.offerWithdrawn) }) else { return }
    try await me.think(.lognormal(median: .minutes(2), p95: .minutes(10)))
    let withdrawn = try await me.ask(
      .offerTransfer(TransferOffer(dienstID: dienst.id, offered: false)),
      with: enrollment.credential)
    if case .replied = withdrawn { try await refresh(as: me) }
  }

  // MARK: Taking over (O21 to O23)

  /// The list, one dienst of it, and, when it suits, the claim for the own team. Another phone may be faster.
  private func takeOver(
    with enrollment: HeldEnrollment, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let team = me.draw(.exchanging) { $0.pick(enrollment.teams) }
    let answer = try await me.ask(
      .availableDiensten(currentTeam: team.code), with: enrollment.credential)
    guard case .replied(.diensten(let available)) = answer, !available.isEmpty else { return }
    try await me.think(.lognormal(median: .seconds(10), p95: .seconds(45)))
    let wanted = available[me.draw(.exchanging) { $0.pick(0..<min(3, available.count)) }]
    guard let token = wanted.notificationToken else { return }
    let look = try await me.ask(
      .takeover(TakeoverQuery(dienstID: wanted.id, tenant: enrollment.tenant, token: token)),
      with: enrollment.credential)
    guard case .replied = look,
      me.draw(.exchanging, { $0.chance(habits.looking.takeoverClaimed) })
    else { return }
    try await me.think(.lognormal(median: .seconds(12), p95: .minutes(1)))
    if let email = seed.email { me.listen(at: .mailbox(email)) }
    let claim = try await me.ask(
      .claimDienst(DienstClaim(dienstID: wanted.id, team: team.id, token: token)),
      with: enrollment.credential)
    guard case .replied = claim else { return }
    try await refresh(as: me)
    try await answerMail(about: wanted, as: me)
  }

  /// The mail about the new dienst holds a link with which names are entered on the web (O25). The app itself opens
  /// a placeholder for it and asks nothing (KK-126).
  private func answerMail(
    about dienst: Dienst, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    guard me.draw(.exchanging, { $0.chance(habits.looking.mailAnswered) }) else { return }
    let mail = try await me.wait(until: me.now + .minutes(5)) { signal in
      if case .notice(let notice) = signal { notice.dienstID == dienst.id } else { false }
    }
    guard case .notice(let notice)? = mail?.signal, let token = notice.ctaToken else { return }
    try await me.think(habits.mailReading)
    let names = me.draw(.exchanging) { $0.sample(dienst.minimumBemanning, of: FirstNames.all) }
    _ = try await me.ask(.answerCallToAction(CallToAction(token: token, names: names)))
  }
}
