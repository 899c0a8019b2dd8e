import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Phone {
  /// The leaderboard (§5.12: 15 % of sessions, 2 changes of the period each): the board of a club that the phone
  /// follows with the own team marked (KK-101), its points, its place and what both gained (KK-106, KK-108, KK-110),
  /// also of teams that have none (KK-112); then for some the board of all clubs. The period changes on what is shown.
  func openLeaderboard(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard me.draw(.looking, { $0.chance(habits.looking.leaderboardOpened) }) else { return }
    let living = living
    guard !living.isEmpty else { return }
    let enrollment = me.draw(.looking) { $0.pick(living) }
    let team = me.draw(.looking) { $0.pick(enrollment.teams) }
    let isGlobal = me.draw(.looking) { $0.chance(habits.looking.globalBoardOpened) }
    try await me.think(.lognormal(median: .seconds(3), p95: .seconds(12)))
    try await showBanners(of: enrollment.tenant, as: me)
    // The app opens on the season, which is what the backend shows unasked (KK-109).
    var query = LeaderboardQuery(tenant: enrollment.tenant, teamID: team.id)
    _ = try await me.ask(.leaderboard(query), with: enrollment.credential)
    if isGlobal {
      try await me.think(.lognormal(median: .seconds(5), p95: .seconds(20)))
      let answer = try await me.ask(.globalLeaderboard(query), with: enrollment.credential)
      // The club has left the board of all clubs: a text says so, and there is nothing to change.
      if answer.refusal?.status == 403 { return }
    }
    var shown = LeaderboardPeriod.season
    for _ in 0..<habits.looking.periodChanges {
      try await me.think(.lognormal(median: .seconds(6), p95: .seconds(25)))
      let others = LeaderboardPeriod.allCases.filter { $0 != shown }
      shown = me.draw(.looking) { $0.pick(others) }
      query.period = shown.rawValue
      _ = try await me.ask(
        isGlobal ? .globalLeaderboard(query) : .leaderboard(query), with: enrollment.credential)
    }
  }

  /// Enrollments whose token works as far as the phone knows, in clubs whose season goes on.
  var living: [HeldEnrollment] {
    enrollments.filter { !$0.seasonEnded && !$0.isUitgelogd && !$0.teams.isEmpty }
  }
}
