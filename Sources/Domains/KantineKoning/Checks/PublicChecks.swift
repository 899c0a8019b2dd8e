import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What everybody may read: KK-116, KK-121 and KK-122.
enum PublicChecks {
  static let all: [KKCheck] = [
    .onBoards(.kk116, .asking(.seasonSummary), judgeSummary),
    .each(.kk121, .asking(.searchClubs, .searchTeams, .banners, .seasonSummary)) {
      call, judge in
      guard call.credential == nil else { return }
      if call.isReplied { judge.held() }
      if call.isRejectedToken { judge.violated("a public read was refused without a token") }
    }
      + .history(
        .kk121, [.asks(.searchClubs), .asks(.searchTeams), .controls], by: Clubs.self,
        Searches.init),
    .history(.kk122, [.asks(.banners), .controls], ShownBanners.init),
  ]

  /// KK-116: the team's own diensten of the season earn what is awarded, and nothing else does.
  @Sendable private static func judgeSummary(
    _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge
  ) {
    guard case .seasonSummary(let tenant, let code) = call.request,
      case .replied(.seasonSummary(let summary)) = call.outcome,
      let club = facts.club(tenant), let team = club.team(code)
    else { return }
    let season = LeaderboardPeriod.season.bounds(around: club.endedAt ?? call.sent)
    guard let sums = BoardSums(club, from: season.starts, during: call.during) else { return }
    let stats = summary.seasonStats
    judge.expect(
      stats.totalHours == DecimalHours(.milliseconds(sums.worked[team]))
        && stats.totalShifts == sums.counts[team],
      "\(code) of \(tenant) is credited with \(stats.totalShifts) diensten, not \(sums.counts[team])"
    )
    let earned = titles(
      hours: sums.worked[team] / 3_600_000,
      starts: club.starts(of: team, from: season.starts, until: call.sent))
    judge.expect(
      stats.achievements.map(\.title).sorted() == earned.sorted(),
      "\(code) of \(tenant) earned \(earned), not \(stats.achievements.map(\.title))")
  }

  private static func titles(hours: Int64, starts: [Instant]) -> [String] {
    let civil = starts.map { CivilZone.amsterdam.civil(at: $0) }
    var earned: [String] = []
    if hours >= 40 { earned.append("Kantine Kampioen") }
    if civil.count(where: { $0.timeOfDay < .hours(10) }) >= 5 { earned.append("Vroege Vogel") }
    if civil.count(where: { $0.date.weekday >= 6 }) >= 10 { earned.append("Weekend Warrior") }
    if starts.count >= 20 { earned.append("Trouwe Vrijwilliger") }
    return earned
  }
}

extension BoardFacts.Club {
  /// When the diensten began that count for a team.
  func starts(of team: Int, from first: Instant, until now: Instant) -> [Instant] {
    diensten.indices.map(counted).filter { shift in
      shift.team == team && !shift.isCancelled && shift.start >= first && shift.end <= now
    }.map(\.start)
  }
}

/// KK-121: everybody finds what there is to find (§3.4, O12 and O13), closed clubs too.
private struct Searches: History {
  static let scope = Scope<KantineKoning>.cell
  /// The names of the cell's clubs and their teams, and when the last of them changed.
  private var names: [Slug: Club] = [:]
  private var teams: [Slug: [Team]] = [:]
  private var changedAt = Instant.distantPast
  private let clubs: Clubs
  /// Its `searchMaxResults` are the most that is shown.
  private var deployment = KantineKoning.Deployment()

  init(_ clubs: Clubs) { self.clubs = clubs }

  private struct Club {
    let slug: SearchedText
    let name: SearchedText

    init(_ slug: Slug, _ name: String) {
      (self.slug, self.name) = (SearchedText(slug.text), SearchedText(folding: name))
    }
  }

  private struct Team {
    let id: TeamName
    let code: TeamName
    let folded: SearchedText
    var naam: SearchedText

    init(_ team: Fixture.Team) {
      (id, code) = (team.id, team.code)
      folded = SearchedText(folding: team.code.text)
      naam = SearchedText(folding: team.naam)
    }
  }

  mutating func commanded(
    _ command: KantineKoning.Control, at moment: Moment, _ judge: inout Judge
  ) {
    switch command {
    case .load(let fixture):
      for tenant in fixture.tenants { names[tenant.slug] = Club(tenant.slug, tenant.name) }
      for team in fixture.teams { teams[team.tenantSlug, default: []].append(Team(team)) }
    case .createTenant(let tenant): names[tenant.slug] = Club(tenant.slug, tenant.name)
    case .changeTenant(let change):
      if let name = change.name { names[change.slug] = Club(change.slug, name) }
    case .createTeam(let team): teams[team.tenantSlug, default: []].append(Team(team))
    case .changeTeam(let tenant, let team, let naam):
      let place = teams[tenant]?.firstIndex { $0.id == team || $0.code == team }
      if let place { teams[tenant]?[place].naam = SearchedText(folding: naam) }
    case .resetSeason(let tenant): teams[tenant] = nil
    case .configure(let adjustment): adjustment.apply(to: &deployment)
    case .reset: (names, teams, deployment) = ([:], [:], KantineKoning.Deployment())
    default: return
    }
    changedAt = moment.time
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard changedAt + BoardFacts.slack < call.sent else { return }
    let most = deployment.searchMaxResults
    switch (call.request, call.outcome) {
    case (.searchClubs(let query), .replied(.clubs(let found))):
      // Other cells' clubs may be shown as they were a while ago (§8, point 25).
      let misshown = found.first { club in
        guard let known = clubs[club.slug], known.cell == moment.cell else { return false }
        let isOpen = known.isOpen(during: call.during) ?? club.enrollmentOpen
        let message = known.message(during: call.during) ?? club.enrollmentMessage ?? ""
        return isOpen != club.enrollmentOpen || message != club.enrollmentMessage ?? ""
      }
      judge.expect(
        misshown == nil, "\(misshown?.slug ?? "") is not shown as open or closed as it is")
      judge.expect(found.count <= most, "'\(query)' found \(found.count) clubs")
      guard found.count < most, let needle = Self.needle(query) else { return }
      let missing = names.filter { slug, club in
        (club.name.contains(needle) || club.slug.contains(needle))
          && !found.contains { $0.slug == slug }
      }
      let shown = found.map { $0.name.lowercased() }
      judge.expect(
        zip(shown, shown.dropFirst()).allSatisfy { $0 <= $1 },
        "'\(query)' found clubs out of order")
      judge.expect(
        missing.isEmpty, "'\(query)' did not find \(missing.keys.sorted().map(\.text))")
    case (.searchTeams(let tenant, let query), .replied(.teams(let found))):
      guard let needle = Self.needle(query) else { return }
      var (expected, left) = (0, [String]())
      for team in teams[tenant] ?? []
      where team.folded.contains(needle) || team.naam.contains(needle) {
        expected += 1
        if !found.contains(where: { $0.code == team.code }) { left.append(team.code.text) }
      }
      let codes = found.map(\.code.text)
      // What is left out comes behind the last that is shown.
      judge.expect(
        found.count == min(most, expected) && left.count == expected - found.count
          && SearchedText.isInOrder(codes)
          && left.allSatisfy { SearchedText.isInOrder([codes[codes.count - 1], $0]) },
        "'\(query)' found \(codes) in \(tenant)")
    default: break
    }
  }

  private static func needle(_ query: String) -> SearchedText? {
    let needle = trimmed(query)
    return needle.isEmpty ? nil : SearchedText(folding: needle)
  }
}

/// KK-122: a club's banners for those who ask for that club, the global ones for everybody.
private struct ShownBanners: History {
  static let scope = Scope<KantineKoning>.cell
  /// By identifier; an identifier that the twin chose itself is not known.
  private var tenants: [BannerID: Slug] = [:]
  private var changedAt = Instant.distantPast

  mutating func commanded(
    _ command: KantineKoning.Control, at moment: Moment, _ judge: inout Judge
  ) {
    switch command {
    case .createBanner(let banner): tenants[banner.id] = banner.tenantSlug
    case .removeBanner(let id): tenants[id] = nil
    case .reset: tenants = [:]
    default: return
    }
    changedAt = moment.time
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard case .banners(let query) = call.request,
      case .replied(.banners(let lists)) = call.outcome,
      changedAt + BoardFacts.slack < call.sent
    else { return }
    let stray = lists.banners.first { $0.tenantSlug != query.tenant }
    judge.expect(
      stray == nil,
      "a banner of \(stray?.tenantSlug ?? "") is shown to \(query.tenant ?? "everybody")")
    let global = tenants.count(where: { $0.value.isEmpty })
    let own = query.tenant.map { slug in tenants.count(where: { $0.value == slug }) } ?? 0
    judge.expect(
      lists.globalBanners.count == global && lists.banners.count == own
        && lists.globalBanners.allSatisfy { $0.tenantSlug.isEmpty },
      "\(lists.globalBanners.count) global banners of \(global), \(lists.banners.count) of \(own)")
  }
}
