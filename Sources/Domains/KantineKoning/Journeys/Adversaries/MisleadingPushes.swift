import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// Push tokens that are none, that nobody issued, that belong to the other environment; wishes about mails that a
  /// member may not have and that count for nothing while push does not work.
  func misleadPushes(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    try await refusedTokens(as: me)
    // APNs never issued it, or it is no token at all (KK-95).
    let made = me.draw(.mischief) { stream in
      stream.chance(0.5) ? "geen token" : String(repeating: "0123456789abcdef", count: 4)
    }
    try await hand(made, over: managerRight, as: me)
    // An administrator marked this one as a test user, so the sandbox is chosen for a production token (KK-94).
    let home = me.draw(.mischief) { ApnsToken.issue(for: .production, drawing: &$0) }
    try await hand(home, over: memberRight, as: me)
    try await onePhoneManyRights(as: me)
    try await mailWishes(as: me)
  }

  private func refusedTokens(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    try await hand("", over: memberRight, as: me)
    for count in [257, 256] {
      try await hand(String(repeating: "a", count: count), over: memberRight, as: me)
    }
  }

  private func hand(
    _ token: String, build: String? = nil, over right: HeldEnrollment,
    as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await pause(me)
    _ = try await me.ask(
      .updateApnsToken(ApnsTokenUpdate(token: token, buildEnvironment: build)),
      with: right.credential)
  }

  /// One update reaches every enrollment of the phone (KK-90).
  private func onePhoneManyRights(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard home.codes.count >= 2 else { return }
    var burner = Burner(hardware: identifier(me))
    try await join(home, [home.codes[0]], on: &burner, as: me)
    try await join(away ?? home, [(away ?? home).codes[1]], on: &burner, as: me)
    guard burner.held.count == 2 else { return }
    let token = me.draw(.mischief) { ApnsToken.issue(for: .production, drawing: &$0) }
    try await hand(token, build: "appstore", over: burner.held[0], as: me)
    for held in burner.held { _ = try await me.ask(.status, with: held.credential) }
  }

  /// Reads what managers of the moved team are mailed, one of whom wants nothing of it every other time (KK-120).
  func readMails(wishing isWished: Bool, as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard let edges = seed.edges else { return }
    for entry in edges.managers {
      me.listen(at: .mailbox(entry.teamManagerEmail ?? ""))
      guard entry.apnsDeviceToken != nil, let team = entry.teamCodes.first else { continue }
      let right = HeldEnrollment(
        entry, teams: home.teams, by: seed.neighbourhood.habits.deployment)
      _ = try await me.ask(
        .setEmailPreference(EmailPreference(enabled: isWished, team: team)), with: right.credential)
    }
  }

  private func mailWishes(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let own = managerRight.codes[0]
    for (team, right) in [(own, managerRight), ("ZZ-99", managerRight), (own, memberRight)] {
      try await pause(me)
      let wish = EmailPreference(enabled: false, team: team)
      _ = try await me.ask(.setEmailPreference(wish), with: right.credential)
    }
    _ = try await me.ask(.status, with: managerRight.credential)
    // A manager whose phone has no push token at all: mails stay on whatever the wish (KK-120).
    var burner = Burner(hardware: identifier(me))
    guard let link = try await link(home, [own], as: me) else { return }
    try await register(link, on: &burner, as: me)
    guard let fresh = burner.held.first else { return }
    let wish = EmailPreference(enabled: false, team: own)
    _ = try await me.ask(.setEmailPreference(wish), with: fresh.credential)
    _ = try await me.ask(.status, with: fresh.credential)
  }
}
