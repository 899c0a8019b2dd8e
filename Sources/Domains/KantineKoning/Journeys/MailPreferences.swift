import Contracts
import Journeys
import KantineKoningContract

extension Phone {
  /// A manager switches the mails of a team off, or on again (O9), and looks at what came of it (O5).
  func setMailPreference(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let managed = enrollments.filter {
      $0.role == .manager && !$0.isUitgelogd && !$0.seasonEnded
    }
    guard !managed.isEmpty, me.draw(.habit, { $0.chance(habits.mailPreferences) }) else { return }
    let held = me.draw(.habit) { $0.pick(managed) }
    let team = me.draw(.habit) { $0.pick(held.teams) }
    let isWanted = me.draw(.habit) { $0.chance(0.25) }
    try await me.think(.lognormal(median: .seconds(5), p95: .seconds(20)))
    let wish = EmailPreference(enabled: isWanted, team: team.code)
    guard case .replied = try await me.ask(.setEmailPreference(wish), with: held.credential) else {
      return
    }
    _ = try await me.ask(.status, with: held.credential)
  }
}
