import Contracts

/// O12 and O17 to O20 over HTTP (§3.4).
extension KantineKoning {
  /// The operations that a path below the base has; none when it is another part's.
  static func boardRoutes(to path: [String]) -> [Route] {
    switch path {
    case ["tenants", "search"]:
      [
        Route(method: "GET", operation: .searchClubs) { (query, _) throws(Malformed) in
          guard let text = query["q"] else { throw Malformed("'q' is required") }
          return .searchClubs(query: text)
        }
      ]
    case ["leaderboard"]:
      [
        Route(method: "GET", operation: .leaderboard) { (query, _) throws(Malformed) in
          .leaderboard(LeaderboardQuery(query))
        }
      ]
    case ["leaderboard", "global"]:
      [
        Route(method: "GET", operation: .globalLeaderboard) { (query, _) throws(Malformed) in
          .globalLeaderboard(LeaderboardQuery(query))
        }
      ]
    case ["banners"]:
      [
        Route(method: "GET", operation: .banners) { (query, _) throws(Malformed) in
          .banners(
            BannersQuery(randomize: query["randomize"] == "true", tenant: query["tenant"]))
        }
      ]
    default: summaryRoutes(to: path)
    }
  }

  private static func summaryRoutes(to path: [String]) -> [Route] {
    guard path.count == 3, path[0] == "season-summary" else { return [] }
    return [
      Route(method: "GET", operation: .seasonSummary) { (_, _) throws(Malformed) in
        .seasonSummary(tenant: path[1], teamCode: path[2])
      }
    ]
  }

  static func searchClubs(_ query: String) -> WireRequest {
    get(MobileTarget.write("/tenants/search", [("q", query)]))
  }

  static func leaderboard(_ path: String, _ query: LeaderboardQuery) -> WireRequest {
    get(
      MobileTarget.write(
        path,
        [("tenant", query.tenant), ("period", query.period), ("team_id", query.teamID)]))
  }

  static func banners(_ query: BannersQuery) -> WireRequest {
    get(
      MobileTarget.write(
        "/banners",
        [("randomize", query.randomize ? "true" : nil), ("tenant", query.tenant)]))
  }

  static func seasonSummary(of team: String, in tenant: String) -> WireRequest {
    get("/season-summary/" + MobileTarget.encode(tenant) + "/" + MobileTarget.encode(team))
  }

  private static func get(_ target: String) -> WireRequest { WireRequest("GET", basePath + target) }
}

extension LeaderboardQuery {
  fileprivate init(_ query: [String: String]) {
    self.init(tenant: query["tenant"], period: query["period"], teamID: query["team_id"])
  }
}
