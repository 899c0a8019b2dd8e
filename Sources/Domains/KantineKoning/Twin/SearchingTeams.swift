import Contracts
import KantineKoningContract

/// O13: the teams of a club whose code or name contains a text.
extension KantineKoningTwin {
  mutating func searchTeams(
    of tenant: Slug, matching query: String, from caller: Caller<KantineKoning>
  ) -> Answer {
    guard mayReadInPublic(caller) else { return .refused(.unauthorized) }
    work.rowsRead += 1
    guard let club = clubBySlug[tenant] else { return .refused(.tenantNotFound) }
    let needle = foldedForSearch(trimmed(query))
    guard !needle.isEmpty else { return .success(.teams([])) }
    work.rowsRead += clubs[club].teams.count
    var found: [TeamInfo] = []
    for team in clubs[club].teams where found.count < configuration.deployment.searchMaxResults {
      let folded = teams[team].folded
      if occurs(needle, in: folded.code) || occurs(needle, in: folded.naam) {
        found.append(teams[team].info)
      }
    }
    return .success(.teams(found))
  }
}
