import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// Boards of other clubs, boards of clubs that left, own teams that nobody knows, periods that do not exist.
  func probeBoards(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let own = memberRight.codes[0]
    let names = [nil, own, home.teams.last?.id, "ZZ-99", away?.teams.last?.id, Edges.lacking]
    for name in names {
      try await board(home.slug, nil, own: name, as: me)  // KK-102, KK-103
    }
    for period in ["week", "month", "season", "Week", "year", ""] {
      try await board(home.slug, period, own: own, as: me)  // KK-109
      try await board(home.slug, period, own: Edges.early, as: me)
    }
    try await board(nil, nil, own: own, as: me)
    try await board("no-such-club", nil, own: nil, as: me)
    for club in seed.neighbourhood.clubs {
      try await board(club.slug, nil, own: club.codes.last, as: me)  // KK-111
      try await globalBoard(club.slug, nil, own: club.codes.last, as: me)  // KK-104, KK-105, KK-111
    }
    for period in ["week", "month", "decade"] {
      try await globalBoard(home.slug, period, own: home.codes.last, as: me)
    }
    try await globalBoard(nil, nil, own: "ZZ-99", as: me)
    try await globalBoard("no-such-club", nil, own: nil, as: me)
    _ = try await me.ask(.leaderboard(LeaderboardQuery(tenant: home.slug)))
    _ = try await me.ask(
      .globalLeaderboard(LeaderboardQuery(tenant: home.slug)), with: expiredRight.credential)
  }

  private func board(
    _ tenant: Slug?, _ period: String?, own: TeamName?, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await pause(me)
    _ = try await me.ask(
      .leaderboard(LeaderboardQuery(tenant: tenant, period: period, teamID: own)),
      with: memberRight.credential)
  }

  private func globalBoard(
    _ tenant: Slug?, _ period: String?, own: TeamName?, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await pause(me)
    _ = try await me.ask(
      .globalLeaderboard(LeaderboardQuery(tenant: tenant, period: period, teamID: own)),
      with: memberRight.credential)
  }
}
