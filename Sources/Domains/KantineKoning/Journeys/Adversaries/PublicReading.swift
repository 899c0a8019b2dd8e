import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// Everything that needs no token, of every club, and of things that are not there (KK-121, KK-122).
  func readPublicly(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    for query in ["", "  ", "v", String(home.name.prefix(3)), home.slug.text.uppercased(), "zzzz"] {
      try await pause(me)
      _ = try await me.ask(.searchClubs(query: query))
    }
    // More teams than a search may find, where that is set to a few.
    for query in ["1", "o", home.codes[0].text] {
      _ = try await me.ask(.searchTeams(tenant: home.slug, query: query))
    }
    _ = try await me.ask(.banners(BannersQuery()))
    _ = try await me.ask(.banners(BannersQuery(tenant: "no-such-club")))
    if let away {
      _ = try await me.ask(
        .banners(BannersQuery(tenant: away.slug)), with: memberRight.credential)
    }
    for club in seed.neighbourhood.clubs {
      try await pause(me)
      _ = try await me.ask(.banners(BannersQuery(tenant: club.slug)))
      // The first team of some clubs has earned its praise (KK-116); a reset deletes all of them (KK-115).
      for code in [club.codes[0], club.codes[club.codes.count - 1], "ZZ-99"] {
        _ = try await me.ask(.seasonSummary(tenant: club.slug, teamCode: code))
      }
    }
    for code in [Edges.praised, Edges.lacking, Edges.early] {
      _ = try await me.ask(.seasonSummary(tenant: home.slug, teamCode: code))
    }
    _ = try await me.ask(.seasonSummary(tenant: "no-such-club", teamCode: "1"))
  }
}
