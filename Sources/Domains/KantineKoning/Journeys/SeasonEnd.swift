import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Phone {
  /// A club whose season ended (§5.10, KK-113): its teams stay (KK-114), the season page shows what one of them did (O20), and
  /// "Reset club" takes the club off this phone alone. Who wants to can follow it again once it takes enrollments.
  func visitSeasonPages(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let ended = enrollments.filter(\.seasonEnded)
    for enrollment in ended {
      guard let team = me.draw(.looking, { $0.sample(1, of: enrollment.teams) }).first else {
        continue
      }
      try await me.think(.lognormal(median: .seconds(5), p95: .seconds(20)))
      _ = try await me.ask(.seasonSummary(tenant: enrollment.tenant, teamCode: team.code))
      guard me.draw(.looking, { $0.chance(habits.looking.clubResetOnPhone) }) else { continue }
      try await me.think(.lognormal(median: .seconds(15), p95: .minutes(1)))
      enrollments.removeAll { $0.tenant == enrollment.tenant }
      if !formerClubs.contains(enrollment.tenant) { formerClubs.append(enrollment.tenant) }
    }
    if enrollments.isEmpty, !ended.isEmpty { enter(.onboarding, as: me) }
  }

  /// Follows a club of the last season again, when there is time for it.
  func followFormerClubs(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard !formerClubs.isEmpty, me.draw(.enrolling, { $0.chance(habits.enrollsAgain) }) else {
      return
    }
    try await onboard(seed.follows.filter { formerClubs.contains($0.club) }, as: me)
    formerClubs.removeAll { club in enrollments.contains { $0.tenant == club } }
  }
}
